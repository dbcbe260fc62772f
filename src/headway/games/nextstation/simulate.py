"""Many games at native speed, on as many cores as wanted."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.errors import Unreadable
from headway.games.kernel import compiled
from headway.games.nextstation import building, playouts, scoring, turns
from headway.games.nextstation.layout import MOST_MOVES, SCORE, SHEET, city_record, new_sheets

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation

POLICIES = {"random": playouts.RANDOM, "greedy": playouts.GREEDY}
CHUNK = 2048
"""Games that share a generator: what is played does not depend on the number of threads."""


def native() -> SimpleNamespace:
    """The rules of Next Station as native code."""
    return compiled(building, turns, scoring, playouts)


def simulate(
    game: NextStation,
    games: int,
    *,
    policy: str = "random",
    seed: int = 0,
    threads: int = 1,
    rules: Any = None,
) -> np.ndarray:
    """Deals and plays games, all seats by the same policy; the totals by game and seat.

    The same seed gives the same games. `rules` is where the kernels are taken from: native code
    by default; the module `playouts` itself plays them interpreted.
    """
    if policy not in POLICIES:
        raise Unreadable("format.unknown_bot", bot=policy, known=", ".join(POLICIES))
    kernels = rules or native()
    totals = np.zeros((games, game.seats), np.int64)
    starts = range(0, games, CHUNK)

    def play(start: int) -> None:
        _chunk(game, kernels, policy, f"{seed}|{start}", totals[start : start + CHUNK])

    if threads == 1:
        for start in starts:
            play(start)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, starts))
    return totals


def _chunk(game: NextStation, rules: Any, policy: str, key: str, totals: np.ndarray) -> None:
    digest = hashlib.sha256(f"headway-simulate/1|{key}".encode()).digest()
    word = int.from_bytes(digest[:8]) | 1
    rules.play_games(
        city_record(game.city),
        game.start().shared,
        np.zeros(2 * game.seats, SHEET),
        new_sheets(game.city, 1)[0],
        POLICIES[policy],
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(1, SCORE),
        np.array([word], np.uint64),
        np.zeros(16, np.int64),
        totals,
    )
