"""Kernels: rules that run interpreted at the table and compiled in a search.

A function marked `@kernel` is Python in the subset that numba compiles, over structured arrays and
64-bit masks. A normal import runs it interpreted and does not even load numba. `compiled(modules)`
returns the same functions as native code that releases the GIL.

Never mix signed and unsigned numbers in an expression, because numpy would return a float. Masks
are `np.uint64`, built from `BIT[i]`; everything else is a Python int.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
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
    """Marks a function for compilation by `compiled`."""
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


@kernel
def count(mask: Mask) -> int:
    """Returns the number of set bits."""
    return int(mask).bit_count()


@kernel
def lowest(mask: Mask) -> int:
    """Returns the index of the lowest set bit of a mask that is not empty."""
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
    """Returns the kernels of the modules as native code, by name; each compiles on its first call.

    Modules whose kernels they use are included. Where names are equal, a kernel of `modules` is
    the one that is returned, of the last of them.

    Compiled code is cached on disk. The cache key contains the sources of the module and of all
    modules it uses, and their constants, so changed code is never stale. Where nothing can be
    written, code is compiled in memory.
    """
    used = [sys.modules[__name__], *_with_those_used(modules), *modules]
    return SimpleNamespace(**{name: f for module in used for name, f in _entries(module).items()})


@cache
def _entries(module: ModuleType) -> dict[str, Any]:
    """Returns the kernels of a module, by name, for calls from Python."""
    numba: Any = import_module("numba")
    native: Any = import_module("headway.games.native")
    others = _with_those_used([module])
    folder = _writable(settings.cache_dir() / _fingerprint(others, numba.__version__))
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
    try:
        return {
            function.__name__: native.entry(_body(function), cache=folder is not None)
            for function in _kernels_of(module)
        }
    finally:
        numba.config.CACHE_DIR = before


def _body(function: FunctionType) -> FunctionType:
    """Returns what is compiled: a copy of the kernel that calls inner kernels."""
    native: Any = import_module("headway.games.native")
    if function in (count, lowest):
        return vars(native)[function.__name__]  # type: ignore[no-any-return]
    home = sys.modules[function.__module__]
    body = FunctionType(function.__code__, _namespace(home), function.__name__)
    body.__module__, body.__qualname__ = function.__module__, function.__qualname__
    return body


_namespaces: dict[ModuleType, dict[str, Any]] = {}


def _namespace(module: ModuleType) -> dict[str, Any]:
    """Returns the globals of a module, with inner kernels in place of the kernels."""
    if module not in _namespaces:
        space = _namespaces[module] = dict(vars(module))  # its kernels' copies look names up in it
        for name, value in vars(module).items():
            if hasattr(value, "__kernel__"):
                space[name] = _inner(value)
    return _namespaces[module]


_inner_kernels: dict[Any, Any] = {}


def _inner(function: Any) -> Any:
    """Returns a kernel for calls from other kernels."""
    native: Any = import_module("headway.games.native")
    _namespace(sys.modules[function.__module__])  # may make this inner kernel: never make a second
    if function not in _inner_kernels:
        inline = function.__module__ == __name__
        _inner_kernels[function] = native.inner(_body(function), inline)
    return _inner_kernels[function]


def _with_those_used(modules: Iterable[ModuleType]) -> tuple[ModuleType, ...]:
    """Returns the modules and all modules that they take kernels from, except this one."""
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
    from tempfile import TemporaryFile  # here, because a table alone does not need it

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
    compiler = str(Path(__file__).with_name("native.py"))
    for file in sorted([str(m.__file__) for m in modules] + [__file__, compiler]):
        with open(file, "rb") as source:
            digest.update(source.read())
    for module in modules:
        digest.update(_numbers_of(module))
    return digest.hexdigest()[:16]


def _numbers_of(module: ModuleType) -> bytes:
    """Returns the constants that a module's native code contains, wherever they are defined."""
    names = {name for kernel in _kernels_of(module) for name in kernel.__code__.co_names}
    values = [(name, vars(module).get(name)) for name in sorted(names)]
    return repr(
        [
            (name, value.tobytes() if isinstance(value, np.ndarray) else value)
            for name, value in values
            if isinstance(value, int | float | tuple | np.generic | np.ndarray | np.dtype)
        ]
    ).encode()
