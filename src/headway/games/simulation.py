"""Simulates many games on several cores; the same seed gives the same games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.errors import unknown, whole
from headway.games.kernel import compiled
from headway.games.xorshift import seeded

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
