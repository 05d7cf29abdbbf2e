"""Compiled loops as object code on disk, which llvmlite loads by itself in milliseconds.

numba keeps compiled code too, but has to be imported before it can say so, and that takes as long as reading 300 MB of text. So
what numba compiles is kept a second time, without the wrappers that Python calls it by, and is called here through ctypes: arrays
become the numbers that numba's functions take for them. Such a call takes some ten microseconds longer than numba's own, so a
loop that is called very often goes over to numba.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SUFFIX = ".native"
NOT_COMPILED = ("__pycache__", "bounds", "cli", "experiments", "exports", "sets", "streams")
"""Folders of the package that no code is compiled from: the stamp does not look at them."""

_PASSING = {"f": ctypes.c_double, "i": ctypes.c_int64, "b": ctypes.c_int8}
_SCALARS: dict[type, tuple[str, type]] = {
    **dict.fromkeys((bool, np.bool_), ("b", bool)),
    **dict.fromkeys((int, np.int64), ("i", int)),
    **dict.fromkeys((float, np.float64), ("f", float)),
}
_LARGEST = 2**63 - 1
_RESULTS = {"int64": np.int64, "none": None}
_FINE = (0, -2)  # numba's states: returned, and returned None

_loading = threading.Lock()
"""LLVM's loader is not made for several threads, and code goes with the loader that it came by: there is one for all."""

Kind = tuple[Any, ...]
Loop = Callable[..., Any]


class NotPlain(Exception):
    """An argument that only numba knows how to pass."""


def passed(args: tuple[Any, ...]) -> tuple[Kind, list[Any]]:
    """What the compiler distinguishes about ``args``, and the numbers that they are passed as."""
    numbers: list[Any] = []
    return tuple([_pass(arg, numbers) for arg in args]), numbers


def _pass(arg: Any, numbers: list[Any]) -> Any:
    cls = type(arg)
    if cls is np.ndarray:
        flags = arg.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        numbers += (0, 0, arg.size, arg.itemsize, arg.__array_interface__["data"][0], *arg.shape, *arg.strides)
        return arg.dtype.str, arg.ndim, layout, flags.writeable, flags.aligned
    if cls in _SCALARS:
        kind, convert = _SCALARS[cls]
        if kind == "i" and not -_LARGEST <= arg <= _LARGEST:
            raise NotPlain
        numbers.append(convert(arg))
        return kind
    if isinstance(arg, tuple) and _is_ours(cls.__module__):
        return cls.__module__, cls.__qualname__, *[_pass(part, numbers) for part in arg]
    raise NotPlain


@functools.cache
def _is_ours(module: str) -> bool:
    """Whether the stamp changes with the module's source."""
    return module == "builtins" or (module.startswith("ranktron.") and not set(NOT_COMPILED).intersection(module.split(".")))


def _c_types(kind: Any) -> list[Any]:
    """How the numbers of an argument of that kind are passed."""
    if isinstance(kind, str):
        return [_PASSING[kind]]
    if len(kind) == 5 and kind[2] in ("C", "F", "A") and isinstance(kind[1], int):
        return [ctypes.c_int64] * (5 + 2 * kind[1])
    return [one for part in kind[2:] for one in _c_types(part)]


class Shelf:
    """The object code of one version of the package, on one kind of processor."""

    def __init__(self, folder: Path, stamp: str) -> None:
        self.folder, self._stamp = folder, stamp
        self._loops: dict[tuple[str, Kind], Loop | None] = {}
        self._there: dict[tuple[str, Kind], bool] = {}
        self._tried: set[tuple[str, Kind]] = set()

    def find(self, name: str, kind: Kind) -> Loop | None:
        """The loop of that name for arguments of that kind, if it is there."""
        key = name, kind
        if key not in self._loops:
            with _loading:
                if key not in self._loops:
                    self._loops[key] = _loaded(self._path(name, kind), kind)
        return self._loops[key]

    def has(self, name: str, kind: Kind) -> bool:
        """Whether it is there, without loading it; once it is not, until it is kept."""
        key = name, kind
        if key not in self._there:
            self._there[key] = os.path.exists(self._path(name, kind))
        return self._there[key]

    def __len__(self) -> int:
        """How many loops are there."""
        return len(list(self.folder.glob(f"*-{self._stamp}-*{SUFFIX}")))

    def _path(self, name: str, kind: Kind) -> Path:
        digest = hashlib.blake2b(repr((processor(), kind)).encode(), digest_size=12).hexdigest()
        return self.folder / f"{name}-{self._stamp}-{digest}{SUFFIX}"

    def keep(self, name: str, kind: Kind, compiled: Any) -> None:
        """Keep what numba ``compiled``, unless it needs numba to run, or there is nowhere to write: that is tried once."""
        code = None if (name, kind) in self._tried else _object_code(compiled)
        self._tried.add((name, kind))
        if code is None:
            return
        header = f"{compiled.fndesc.llvm_func_name} {compiled.signature.return_type}\n".encode()
        content = header + code
        path = self._path(name, kind)
        temporary = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._delete_stale()
            temporary.write_bytes(hashlib.blake2b(content, digest_size=32).digest() + content)
            temporary.replace(path)
            self._loops.pop((name, kind), None)
            self._there[name, kind] = True
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)

    def _delete_stale(self) -> None:
        for stale in self.folder.glob(f"*{SUFFIX}*"):
            if f"-{self._stamp}-" not in stale.name:
                with contextlib.suppress(OSError):  # somebody else's
                    stale.unlink(missing_ok=True)


def shelf(stamp: str) -> Shelf | None:
    """Where object code is kept: beside the package or in the user's cache; None where there is neither, or nobody has tried."""
    if not sys.platform.startswith("linux") or sys.maxsize < 2**32:
        return None
    if os.environ.get("NUMBA_CACHE_DIR"):
        folder = Path(os.environ["NUMBA_CACHE_DIR"]).absolute()
    else:
        package = Path(__file__).parent
        beside = os.access(package / "__pycache__" if os.path.exists(package / "__pycache__") else package, os.W_OK)
        cache = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
        folder = package / "__pycache__" if beside else cache / "ranktron"
    return Shelf(folder, stamp) if folder.is_absolute() else None


@functools.cache
def processor() -> str:
    """Which machine code runs here, and who made it."""
    import llvmlite
    import llvmlite.binding as llvm

    return f"{llvmlite.__version__} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def prepare() -> None:
    """Do in advance what the first loop would have to wait for."""
    with _loading:
        processor()
        _engine()


@functools.cache
def _engine() -> Any:
    """LLVM's loader; only to be called by who holds the lock."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def _loaded(path: Path, kind: Kind) -> Loop | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, content = content[:32], content[32:]
    if hashlib.blake2b(content, digest_size=32).digest() != digest:
        return None
    import llvmlite.binding as llvm

    header, _, code = content.partition(b"\n")
    name, returned = header.decode().split(" ")
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return _callable(engine.get_function_address(name), kind, _RESULTS[returned])


def _callable(address: int, kind: Kind, result: Any) -> Loop:
    types = [one for part in kind for one in _c_types(part)]
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *types)(address)

    def call(numbers: list[Any]) -> Any:
        returned, excuse = ctypes.c_int64(), ctypes.c_void_p()
        if function(ctypes.addressof(returned), ctypes.addressof(excuse), *numbers) not in _FINE:
            raise ArithmeticError("a compiled loop raised an exception")
        return None if result is None else result(returned.value)

    return call


def _object_code(compiled: Any) -> bytes | None:
    """The machine code of the loop alone; None if it calls anything but mathematics, or the compiler no longer has it."""
    name, library = compiled.fndesc.llvm_func_name, compiled.library
    module = _module_with(name, library)
    if module is None or str(compiled.signature.return_type) not in _RESULTS:
        return None
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == name else "internal"
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
        if module is not None and any(one.name == name and not one.is_declaration for one in module.functions):
            return llvm.parse_assembly(str(module))
    return None


_MATHEMATICS = (
    "exp",
    "log",
    "pow",
    "sqrt",
    "log1p",
    "expm1",
    "floor",
    "ceil",
    "fabs",
    "fmod",
    "log2",
    "exp2",
    "memcpy",
    "memset",
)


def _sweep(module: Any, machine: Any) -> None:
    """Take out what nothing calls."""
    import llvmlite.binding as llvm

    manager = llvm.create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_strip_dead_prototype_pass()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0)))
