"""`Game.simulate` for Next Station."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from headway.games.nextstation.rules import playouts
from headway.games.nextstation.rules.arrays import (
    MOST_MOVES,
    SCORE,
    SHARED,
    SHEET,
    city_record,
    new_sheets,
)
from headway.games.simulation import Simulation, apart

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation

POLICIES = {"random": playouts.RANDOM, "greedy": playouts.GREEDY}


def _play(
    game: NextStation, kernels: Any, policy: str, generator: np.ndarray, totals: np.ndarray
) -> None:
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


simulate = Simulation(playouts, POLICIES, _play)
native = simulate.native
