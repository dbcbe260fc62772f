"""The generator of whole games that run compiled: xorshift64, one word of state.

Simulations and search bring it along; the table's dealer never uses it.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from headway.games.kernel import kernel

SHIFT_13, SHIFT_7, SHIFT_17, SHIFT_32 = (np.uint64(k) for k in (13, 7, 17, 32))
LOW_32 = np.uint64(0xFFFFFFFF)


def seeded(key: str) -> np.ndarray:
    """A generator from any text: an array of one word, which is never 0."""
    digest = hashlib.sha256(f"headway-simulate/1|{key}".encode()).digest()
    return np.array([int.from_bytes(digest[:8]) | 1], np.uint64)


@kernel
def below(generator: Any, n: int) -> int:
    """A random number from 0 to n - 1."""
    x = generator[0]
    x ^= x << SHIFT_13
    x ^= x >> SHIFT_7
    x ^= x << SHIFT_17
    generator[0] = x
    # Signed, or whoever reckons on with it gets a float (numba).
    return int(np.int64(((x & LOW_32) * np.uint64(n)) >> SHIFT_32))


@kernel
def shuffle(generator: Any, cards: Any, n: int) -> None:
    """Shuffles the first n elements in place."""
    for i in range(n - 1, 0, -1):
        j = below(generator, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
