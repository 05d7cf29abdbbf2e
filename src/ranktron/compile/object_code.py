"""A loop as object code that stands by itself: the loop alone, and a way in that takes its numbers from memory.

Numbers that are passed one by one have to be converted one by one, and a loop takes a hundred. So the way in takes the place
where they lie, 8 bytes each, and whoever calls the loop again changes only those that have changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .machine_code import OWN, RAISED

_MATHEMATICS = (
    *("exp", "log", "pow", "sqrt", "log1p", "expm1", "floor", "ceil", "fabs", "fmod", "log2", "exp2"),
    *("memcpy", "memset"),
)
_RESULTS = ("int64", "none")


class ObjectCode(NamedTuple):
    """A compiled loop."""

    entry: str  # what the way in is called
    is_silent: bool  # whether it returns nothing
    code: bytes


def object_code(loop: Callable[..., Any], args: tuple[Any, ...], entry: str) -> ObjectCode | None:
    """Compile a loop for such arguments; None if it needs numba to run: it calls more than mathematics, or returns no count."""
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    from .inner import INNER

    signature = tuple(numba.typeof(arg) for arg in args)
    with global_compiler_lock:
        dispatcher = numba.njit(**INNER)(loop)
        dispatcher.compile(signature)
        compiled = dispatcher.overloads[signature]
        returned = str(numba.types.unliteral(compiled.signature.return_type))
        code = _machine_code(compiled, entry) if returned in _RESULTS else None
    return None if code is None else ObjectCode(entry, returned == "none", code)


def _machine_code(compiled: Any, entry: str) -> bytes | None:
    import llvmlite.binding as llvm

    compiled.library._ensure_finalized()  # that is, linked with what it calls
    module, codegen = compiled.library._final_module, compiled.library.codegen
    passes, builder = codegen._module_pass_manager()
    passes.run(module, builder)
    loop = module.get_function(compiled.fndesc.llvm_func_name)
    module.link_in(llvm.parse_assembly(_way_in(loop, entry)))
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == entry else "internal"
    _sweep(module, builder)
    needed = [one.name for one in (*module.functions, *module.global_variables) if one.is_declaration]
    if not all(one.startswith("llvm.") or one in _MATHEMATICS for one in needed):
        return None
    code: bytes = _machine(codegen).emit_object(module)
    return code


def _way_in(loop: Any, entry: str) -> str:
    """A function, as text, that reads from memory what the loop takes, calls it, and returns its result."""
    returned, excuse, *types = [str(one.type) for one in loop.arguments]
    lines, passed = [f"%excuse = getelementptr i8, ptr %memory, i64 {OWN // 2}"], []
    for k, kind in enumerate(types):
        lines += [f"%p{k} = getelementptr i8, ptr %memory, i64 {OWN + 8 * k}", f"%n{k} = load i64, ptr %p{k}"]
        passed.append(f"{kind} %{'n' if kind == 'i64' else 'a'}{k}")
        if kind != "i64":
            change = "bitcast" if kind == "double" else "trunc" if kind.startswith("i") else "inttoptr"
            lines.append(f"%a{k} = {change} i64 %n{k} to {kind}")
    arguments = ", ".join([f"{returned} %memory", f"{excuse} %excuse", *passed])
    lines += [
        f'%state = call i32 @"{loop.name}"({arguments})',
        # numba's states: 0 if a number was returned, -2 if None was
        *("%number = icmp eq i32 %state, 0", "%none = icmp eq i32 %state, -2", "%fine = or i1 %number, %none"),
        "%value = load i64, ptr %memory",
        *(f"%result = select i1 %fine, i64 %value, i64 {RAISED}", "ret i64 %result"),
    ]
    declared = f'declare i32 @"{loop.name}"({", ".join([returned, excuse, *types])})'
    return "\n".join([declared, f'define i64 @"{entry}"(ptr %memory) {{', *lines, "}"])


def _machine(codegen: Any) -> Any:
    """What emits code that may be linked anywhere: numba's own emits it for one place in memory."""
    import llvmlite.binding as llvm

    target = llvm.Target.from_default_triple()
    _, processor, features = codegen.magic_tuple()
    return target.create_target_machine(processor, features, opt=3, reloc="pic", codemodel="default")


def _sweep(module: Any, builder: Any) -> None:
    """Take out what nothing calls."""
    import llvmlite.binding as llvm

    manager = llvm.create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_strip_dead_prototype_pass()
    manager.run(module, builder)
