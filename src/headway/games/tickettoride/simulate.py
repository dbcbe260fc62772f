"""Whole games of Ticket to Ride at native speed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.errors import Unreadable
from headway.games.kernel import compiled
from headway.games.simulation import apart, in_chunks
from headway.games.tickettoride import playouts
from headway.games.tickettoride.board import MOST_LOCATIONS
from headway.games.tickettoride.layout import (
    MOST_MOVES,
    SCORE,
    blank_players,
    blank_table,
    board_record,
)

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide

POLICIES = ("random",)


def native() -> SimpleNamespace:
    """The rules of Ticket to Ride as native code."""
    return compiled(playouts)


def simulate(
    game: TicketToRide,
    games: int,
    *,
    policy: str = "random",
    seed: int = 0,
    threads: int = 1,
    rules: Any = None,
) -> np.ndarray:
    """Deals and plays games, all seats at random; the totals by game and seat.

    The same seed gives the same games. `rules` is where the kernels are taken from: native code
    by default; the module `playouts` itself plays them interpreted.
    """
    if policy not in POLICIES:
        raise Unreadable("format.unknown_bot", bot=policy, known=", ".join(POLICIES))
    kernels = rules or native()

    def play(generator: np.ndarray, totals: np.ndarray) -> None:
        table, players = blank_table(game.board, game.seats), blank_players(game.board, game.seats)
        kernels.play_games(
            board_record(game.board),
            apart(len(table), table.dtype),
            apart(len(players), players.dtype),
            table,
            players,
            apart(MOST_MOVES, np.int64),
            apart(1, SCORE),
            apart(MOST_LOCATIONS, np.uint64),
            generator,
            totals,
        )

    return in_chunks(games, game.seats, seed, threads, play)
