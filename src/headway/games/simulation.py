"""Simulates many games on several cores, and the random numbers of compiled code.

The generator is xorshift64, with one word of state. Simulations and searches use it; the table's
dealer does not.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.errors import unknown, whole
from headway.games.kernel import compiled, kernel

if TYPE_CHECKING:
    from headway.games.contract import Game


APART = 128
"""The bytes of two cache lines, which processors fetch together."""
CHUNK = 2048
"""Games that share a generator, so that results do not depend on the number of threads."""


def apart(shape: int, dtype: object) -> np.ndarray:
    """Returns a zeroed array that shares no cache line with another thread's array."""
    size = np.dtype(dtype).itemsize  # type: ignore[call-overload]
    margin = -(-APART // size)
    block = np.zeros(shape + 2 * margin, dtype)  # type: ignore[call-overload]
    zeros: np.ndarray = block[margin : margin + shape]
    return zeros


def simulate(
    game: Game,
    games: int,
    *,
    policy: str = "random",
    seed: int = 0,
    threads: int = 1,
    kernels: Any = None,
) -> np.ndarray:
    """Deals and plays games, all seats by the same policy; returns totals by game and seat.

    The same seed gives the same games. `kernels` are native code by default; with the engine's
    module, games are interpreted.
    """
    engine = game.engine
    if policy not in engine.POLICIES:
        raise unknown("format.unknown_bot", engine.POLICIES, bot=policy)
    games, threads = whole("games", games, 0), whole("threads", threads, 1)
    kernels, policy_number = kernels or compiled(engine), engine.POLICIES[policy]
    totals = np.zeros((games, game.seats), np.int64)

    def chunk(start: int) -> None:
        generator = apart(1, np.uint64)
        generator[:] = seeded(f"{seed}|{start}")
        part = totals[start : start + CHUNK]
        kernels.play_games(engine.new_workspace(game), policy_number, generator, part)

    starts = range(0, games, CHUNK)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(chunk, starts))
    return totals


# Random numbers


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
