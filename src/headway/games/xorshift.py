"""The random generator of compiled code: xorshift64, with one word of state.

Simulations and searches use it; the table's dealer does not.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from headway.games.kernel import kernel

SHIFT_13, SHIFT_7, SHIFT_17, SHIFT_32 = (np.uint64(k) for k in (13, 7, 17, 32))
LOW_32 = np.uint64(0xFFFFFFFF)


def seeded(key: str) -> np.ndarray:
    """Returns a generator from any text: an array of one word that is never 0."""
    digest = hashlib.sha256(f"headway-simulate/1|{key}".encode()).digest()
    return np.array([int.from_bytes(digest[:8]) | 1], np.uint64)


@kernel
def below(generator: Any, n: int) -> int:
    """Returns a random number from 0 to n - 1."""
    x = generator[0]
    x ^= x << SHIFT_13
    x ^= x >> SHIFT_7
    x ^= x << SHIFT_17
    generator[0] = x
    # Signed: mixed with signed numbers, an unsigned one becomes a float in numba.
    return int(np.int64(((x & LOW_32) * np.uint64(n)) >> SHIFT_32))


@kernel
def shuffle(generator: Any, cards: Any, n: int) -> None:
    """Shuffles the first n elements in place."""
    for i in range(n - 1, 0, -1):
        j = below(generator, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
