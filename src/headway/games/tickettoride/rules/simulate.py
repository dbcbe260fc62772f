"""`Game.simulate` for Ticket to Ride."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from headway.games.simulation import Simulation, apart
from headway.games.tickettoride.board.board import MOST_LOCATIONS
from headway.games.tickettoride.rules import playouts
from headway.games.tickettoride.rules.arrays import (
    MOST_MOVES,
    SCORE,
    blank_players,
    blank_shared,
    board_record,
)

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


def _play(
    game: TicketToRide, kernels: Any, policy: str, generator: np.ndarray, totals: np.ndarray
) -> None:
    """Plays all seats at random; there is no other policy."""
    shared, players = blank_shared(game.board, game.seats), blank_players(game.board, game.seats)
    kernels.play_games(
        board_record(game.board),
        apart(len(shared), shared.dtype),
        apart(len(players), players.dtype),
        shared,
        players,
        apart(MOST_MOVES, np.int64),
        apart(1, SCORE),
        apart(MOST_LOCATIONS, np.uint64),
        generator,
        totals,
    )


simulate = Simulation(playouts, ("random",), _play)
native = simulate.native
