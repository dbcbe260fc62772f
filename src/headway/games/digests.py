"""The dealer's digests in compiled code: from SHA-256 to a number below n.

`headway.dealer` defines which texts are hashed and does the same with Python's integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.games.kernel import kernel
from headway.games.xorshift import LOW_32, SHIFT_32

WORDS = 4
ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


def hashed_name(name: str) -> bytes:
    """Returns the end of the first text that the dealer hashes for a deal; the seed precedes it."""
    return f"{name}|0".encode()


def digest_words(digests: bytes) -> np.ndarray:
    """Returns SHA-256 digests as rows of four words, the most significant word first."""
    return np.frombuffer(digests, ">u8").astype(np.uint64).reshape(-1, WORDS)


@kernel
def is_decisive(words: Any, row: int) -> bool:
    """Whether a digest is surely one that the dealer accepts; it hashes again for a huge one."""
    return bool(words[row, 0] != ALL_ONES)


@kernel
def digest_below(words: Any, row: int, n: int) -> int:
    """Returns a digest modulo n, which is below 2**31."""
    divisor = np.uint64(n)
    rest = np.uint64(0)
    for i in range(WORDS):
        word = words[row, i]
        rest = ((rest << SHIFT_32) | (word >> SHIFT_32)) % divisor
        rest = ((rest << SHIFT_32) | (word & LOW_32)) % divisor
    return int(np.int64(rest))


@kernel
def among(moves: Any, n: int, move: int) -> bool:
    """Whether a move is one of the first n."""
    for i in range(n):  # noqa: SIM110 (compiled code has no generators)
        if moves[i] == move:
            return True
    return False
