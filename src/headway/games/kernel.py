"""Rules that run both ways: interpreted for the table, compiled for search.

A function marked `@kernel` is plain Python in the subset that numba compiles, over structured
arrays and 64-bit masks. Imported, it is interpreted: nothing is compiled, numba is not even
loaded. `compiled(modules)` gives the same functions as native code that releases the GIL.

Signed and unsigned numbers never meet in an expression: a mask is `np.uint64` and is made from
`BIT[i]`; everything else is a Python int (numpy would turn a mix into a float).
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from headway import settings

F = TypeVar("F", bound=Callable[..., Any])
Mask = np.uint64

BIT = np.array([1 << i for i in range(64)], dtype=np.uint64)
NONE = np.uint64(0)
ONE = np.uint64(1)


def kernel(function: F) -> F:
    """Marks a function as part of the rules' source that `compiled` compiles."""
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


@kernel
def count(mask: Mask) -> int:
    """The number of set bits."""
    return int(mask).bit_count()


@kernel
def lowest(mask: Mask) -> int:
    """The index of the lowest set bit of a mask that is not empty."""
    number = int(mask)
    return (number & -number).bit_length() - 1


@kernel
def has(words: Any, index: int) -> bool:
    """Whether a bit is set in a mask of several words."""
    return bool((words[index >> 6] & BIT[index & 63]) != NONE)


@kernel
def put(words: Any, index: int) -> None:
    """Sets a bit in a mask of several words."""
    words[index >> 6] |= BIT[index & 63]


@cache
def compiled(*modules: ModuleType) -> SimpleNamespace:
    """The kernels of the modules as native code, by name; each compiles when first called.

    Modules whose kernels these ones use come along by themselves.

    Compiled code is kept on disk under a name made from the sources of its module and of all that
    this one uses, and from the numbers that they take from elsewhere, so that a change never meets
    stale code and nothing is compiled twice; where nothing can be written, it is made anew.
    """
    used = [_native(module) for module in _with_those_used(modules)]
    every = {**_native_bits(), **{f: twin for natives in used for f, twin in natives.items()}}
    return SimpleNamespace(**{function.__name__: twin for function, twin in every.items()})


@cache
def _native(module: ModuleType) -> dict[FunctionType, Any]:
    """The native twins of a module's own kernels."""
    numba: Any = import_module("numba")
    others = _with_those_used([module])
    folder = _writable(settings.cache_dir() / _fingerprint(others, numba.__version__))
    space, natives = dict(vars(module)), dict[FunctionType, Any]()
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
    try:
        for function in _kernels_of(module):
            twin = FunctionType(function.__code__, space, function.__name__)
            twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
            natives[function] = numba.njit(cache=folder is not None, nogil=True)(twin)
    finally:
        numba.config.CACHE_DIR = before
    for name, value in vars(module).items():
        if hasattr(value, "__kernel__"):
            space[name] = natives[value] if value in natives else _twin_of(value)
    return natives


def _twin_of(function: FunctionType) -> Any:
    """The native twin of a kernel, wherever it comes from."""
    home = sys.modules[function.__module__]
    return (_native_bits() if function.__module__ == __name__ else _native(home))[function]


def _with_those_used(modules: Iterable[ModuleType]) -> tuple[ModuleType, ...]:
    """The modules and all that they take kernels from, but for this one."""
    visited: dict[str, ModuleType] = {}
    border = list(modules)
    while border:
        module = border.pop()
        if module.__name__ not in (__name__, *visited):
            visited[module.__name__] = module
            kernels = [v for v in vars(module).values() if hasattr(v, "__kernel__")]
            border += [sys.modules[function.__module__] for function in kernels]
    return tuple(visited[name] for name in sorted(visited))


def _writable(folder: Path) -> Path | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def _kernels_of(module: ModuleType) -> list[FunctionType]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, FunctionType)
        and hasattr(value, "__kernel__")
        and value.__module__ == module.__name__
    ]


def _fingerprint(modules: Iterable[ModuleType], version: str) -> str:
    digest = hashlib.sha256(version.encode() + np.__version__.encode())
    for file in sorted([str(m.__file__) for m in modules] + [__file__]):
        with open(file, "rb") as source:
            digest.update(source.read())
    for module in modules:
        digest.update(_numbers_of(module))
    return digest.hexdigest()[:16]


def _numbers_of(module: ModuleType) -> bytes:
    """The numbers that go into a module's native code, wherever they are written."""
    names = {name for kernel in _kernels_of(module) for name in kernel.__code__.co_names}
    values = [(name, vars(module).get(name)) for name in sorted(names)]
    return repr(
        [
            (name, value.tobytes() if isinstance(value, np.ndarray) else value)
            for name, value in values
            if isinstance(value, int | float | tuple | np.generic | np.ndarray | np.dtype)
        ]
    ).encode()


@cache
def _native_bits() -> dict[FunctionType, Any]:
    """The four functions on bits, the first two as the processor's own instructions."""
    numba: Any = import_module("numba")
    types: Any = import_module("numba.core.types")
    intrinsic: Any = import_module("numba.extending").intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def population(typing: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def trailing(typing: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.uint64(types.uint64), generate

    @numba.njit(inline="always")  # type: ignore[untyped-decorator]
    def native_count(mask: Any) -> Any:
        return np.int64(population(mask))

    @numba.njit(inline="always")  # type: ignore[untyped-decorator]
    def native_lowest(mask: Any) -> Any:
        return np.int64(trailing(mask))

    bits: dict[Any, Any] = {count: native_count, lowest: native_lowest}
    for function in (has, put):
        bits[function] = numba.njit(inline="always")(function)
    return bits
