"""What numba compiled, as object code that stands by itself: the loop alone, and a way in that takes its numbers from memory.

Numbers that are passed one by one have to be converted one by one, and a loop takes a hundred. So the way in takes the place
where they lie, 8 bytes each, and whoever calls the loop again changes only those that have changed.
"""

from __future__ import annotations

from typing import Any

_MATHEMATICS = (
    *("exp", "log", "pow", "sqrt", "log1p", "expm1", "floor", "ceil", "fabs", "fmod", "log2", "exp2"),
    *("memcpy", "memset"),
)


def entry_of(compiled: Any) -> str:
    """What the way in is called."""
    return f"{compiled.fndesc.llvm_func_name}.entry"


def object_code(compiled: Any) -> bytes | None:
    """The machine code of a loop; None if it calls anything but mathematics, or the compiler no longer has it."""
    name, library = compiled.fndesc.llvm_func_name, compiled.library
    module = _module_with(name, library)
    if module is None:
        return None
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == entry_of(compiled) else "internal"
    _sweep(module, library.codegen._tm)
    needed = [one.name for one in (*module.functions, *module.global_variables) if one.is_declaration]
    if not all(one.startswith("llvm.") or one in _MATHEMATICS for one in needed):
        return None
    code: bytes = library.codegen._tm.emit_object(module)
    return code


def _module_with(name: str, library: Any) -> Any:
    """A copy of numba's module that defines the function: the final one or, if numba had it from its cache, the shared one."""
    import llvmlite.binding as llvm

    for place in ("_final_module", "_shared_module"):
        module = getattr(library, place, None)
        for one in () if module is None else module.functions:
            if one.name == name and not one.is_declaration:
                return llvm.parse_assembly(str(module) + _entry(one))
    return None


def _entry(loop: Any) -> str:
    """A function, as text, that reads from memory what the loop takes, and calls it."""
    returned, excuse, *types = [str(one.type) for one in loop.arguments]
    lines, passed = [], []
    for k, kind in enumerate(types):
        lines += [f"%p{k} = getelementptr i64, ptr %slots, i64 {k}", f"%n{k} = load i64, ptr %p{k}"]
        passed.append(f"{kind} %{'n' if kind == 'i64' else 'a'}{k}")
        if kind != "i64":
            change = "bitcast" if kind == "double" else "trunc" if kind.startswith("i") else "inttoptr"
            lines.append(f"%a{k} = {change} i64 %n{k} to {kind}")
    arguments = ", ".join([f"{returned} %returned", f"{excuse} %excuse", *passed])
    lines += [f'%state = call i32 @"{loop.name}"({arguments})', "ret i32 %state"]
    head = f'define i32 @"{loop.name}.entry"(ptr %slots, {returned} %returned, {excuse} %excuse)'
    return "\n".join(["", f"{head} {{", *lines, "}"])


def _sweep(module: Any, machine: Any) -> None:
    """Take out what nothing calls."""
    import llvmlite.binding as llvm

    manager = llvm.create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_strip_dead_prototype_pass()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0)))
