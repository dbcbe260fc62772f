"""Many games at once, on as many cores as wanted, always the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from headway.games.xorshift import seeded

CHUNK = 2048
"""Games that share a generator: what is played does not depend on the number of threads."""


def in_chunks(
    games: int,
    seats: int,
    seed: int,
    threads: int,
    play: Callable[[np.ndarray, np.ndarray], None],
) -> np.ndarray:
    """Totals by game and seat; `play(generator, totals)` plays a game for each row of `totals`."""
    totals = np.zeros((games, seats), np.int64)

    def chunk(start: int) -> None:
        play(seeded(f"{seed}|{start}"), totals[start : start + CHUNK])

    starts = range(0, games, CHUNK)
    if threads == 1:
        for start in starts:
            chunk(start)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(chunk, starts))
    return totals
