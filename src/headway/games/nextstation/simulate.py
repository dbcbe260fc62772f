"""Whole games of Next Station at native speed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.errors import Unreadable
from headway.games.kernel import compiled
from headway.games.nextstation import playouts
from headway.games.nextstation.layout import (
    MOST_MOVES,
    SCORE,
    SHARED,
    SHEET,
    city_record,
    new_sheets,
)
from headway.games.simulation import apart, in_chunks

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation

POLICIES = {"random": playouts.RANDOM, "greedy": playouts.GREEDY}


def native() -> SimpleNamespace:
    """The rules of Next Station as native code."""
    return compiled(playouts)


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

    def play(generator: np.ndarray, totals: np.ndarray) -> None:
        shared = apart(1, SHARED)
        shared[0] = game.start().shared
        kernels.play_games(
            city_record(game.city),
            shared[0],
            apart(2 * game.seats, SHEET),
            new_sheets(game.city, 1)[0],
            POLICIES[policy],
            apart(MOST_MOVES, np.int64),
            apart(1, SCORE),
            generator,
            apart(16, np.int64),
            totals,
        )

    return in_chunks(games, game.seats, seed, threads, play)
