"""The rules as native code, beside the interpreted ones: one game played both ways at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from headway.games.contract import CHANCE, Event
from headway.games.kernel import compiled
from headway.games.tickettoride.board.board import MOST_LOCATIONS
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import (
    MOST_MOVES,
    OVER,
    SCORE,
    blank_players,
    blank_shared,
    board_record,
)
from headway.games.tickettoride.state import TicketToRideState


def play_both_ways(game: TicketToRide, events: Iterable[Event]) -> TicketToRideState:
    """Plays events through both, comparing positions, legal moves and scores at every step."""
    kernels, board = compiled(game.engine), board_record(game.board)
    shared_rows = blank_shared(game.board, game.seats).copy()
    players = blank_players(game.board, game.seats).copy()
    out, score_record = np.zeros(MOST_MOVES, np.int64), np.zeros(1, SCORE)
    reach = np.zeros(MOST_LOCATIONS, np.uint64)
    state = game.start()
    for seat, move in events:
        phase = int(shared_rows[0]["phase"])
        assert phase != OVER
        if seat != CHANCE:
            n = kernels.legal_moves(board, shared_rows[0], players, seat, out)
            assert out[:n].tolist() == state.legal(seat)
            kernels.play(board, shared_rows[0], players, seat, move)
        else:
            kernels.take_dealt(board, shared_rows[0], players, move)
        state.apply(seat, move)
        assert shared_rows.tobytes() + players.tobytes() == state.dump()
        totals = [kernels.score(board, player, reach, score_record[0]) for player in players]
        assert totals == [sheet.total for sheet in state.scores()]
    return state
