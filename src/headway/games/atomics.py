"""What threads of compiled code share: words that each sees at once, and arrays by address.

Words are elements of an array of int64. The bodies here are for one thread; `native.py` has the
instructions that compiled code uses.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from headway.games.kernel import instruction


@instruction
def fetch_add(words: Any, at: int) -> int:
    """Adds one to a word; returns what it was before. No two threads get the same number."""
    words[at] += 1
    return int(words[at]) - 1


@instruction
def load(words: Any, at: int) -> int:
    """Returns a word as the last thread has left it."""
    return int(words[at])


@instruction
def store(words: Any, at: int, value: int) -> None:
    """Writes a word; who reads it also sees everything that this thread has written before."""
    words[at] = value


@instruction
def address(array: Any) -> int:
    """Returns where the elements of an array are."""
    return int(array.ctypes.data)


@instruction
def at_address(array: Any, address: int) -> Any:
    """Returns an array of the same type and shape whose elements are at an address.

    It does not keep them alive.
    """
    memory = (ctypes.c_byte * array.nbytes).from_address(address)
    return np.frombuffer(memory, array.dtype).reshape(array.shape)


@instruction
def at_addresses(arrays: Any, words: Any, first: int) -> Any:
    """Returns a named tuple of such arrays; their addresses are words from `first` on."""
    return arrays._make(at_address(a, int(words[first + i])) for i, a in enumerate(arrays))


@instruction
def pause() -> None:
    """Tells the processor that this thread waits for another one."""


@instruction
def give_way() -> None:
    """Lets another thread that waits for this core run; does nothing on Windows."""
