"""Simulates many games on several cores; the same seed gives the same games."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from headway.arguments import whole
from headway.errors import unknown
from headway.games.kernel import compiled
from headway.games.xorshift import seeded

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


class Simulation(NamedTuple):
    """Plays whole games of one kind in compiled code."""

    playouts: ModuleType
    """The module with the kernels."""
    policies: Collection[str]
    play: Callable[[Any, Any, str, np.ndarray, np.ndarray], None]
    """`play(game, kernels, policy, generator, totals)` plays a game for each row of `totals`."""

    def native(self) -> SimpleNamespace:
        """Returns the rules as native code."""
        return compiled(self.playouts)

    def __call__(
        self,
        game: Any,
        games: int,
        *,
        policy: str = "random",
        seed: int = 0,
        threads: int = 1,
        rules: Any = None,
    ) -> np.ndarray:
        """Deals and plays games, all seats by the same policy; returns totals by game and seat.

        The same seed gives the same games. `rules` holds the kernels: native code by default, or
        the module `playouts` itself for interpreted games.
        """
        if policy not in self.policies:
            raise unknown("format.unknown_bot", self.policies, bot=policy)
        games, threads = whole("games", games, 0), whole("threads", threads, 1)
        kernels = rules or self.native()

        def play(generator: np.ndarray, totals: np.ndarray) -> None:
            self.play(game, kernels, policy, generator, totals)

        return in_chunks(games, game.seats, seed, threads, play)


def in_chunks(
    games: int,
    seats: int,
    seed: int,
    threads: int,
    play: Callable[[np.ndarray, np.ndarray], None],
) -> np.ndarray:
    """Returns totals by game and seat; `play(generator, totals)` plays a game for each row."""
    totals = np.zeros((games, seats), np.int64)

    def chunk(start: int) -> None:
        generator = apart(1, np.uint64)
        generator[:] = seeded(f"{seed}|{start}")
        play(generator, totals[start : start + CHUNK])

    starts = range(0, games, CHUNK)
    if threads == 1:
        for start in starts:
            chunk(start)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(chunk, starts))
    return totals
