"""The rules as native code, beside the interpreted ones: one game played both ways at once."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace

import numpy as np

from headway.games.contract import CHANCE, Event, Move, Seat
from headway.games.kernel import compiled
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules import engine
from headway.games.nextstation.rules.arrays import (
    MOST_MOVES,
    REVEAL,
    SCORE,
    SHARED,
    city_record,
    new_sheets,
)
from headway.games.nextstation.rules.building import trial_sheets
from headway.games.nextstation.state import NextStationState

DEALT = ("pencils", "objectives", "powers", "special_symbol", "special_effect")


def kernels() -> SimpleNamespace:
    """The compiled rules."""
    return compiled(engine)


class Twin:
    """A position that compiled kernels alone change."""

    def __init__(self, game: NextStation) -> None:
        self.kernels = kernels()
        self.city = city_record(game.city)
        self.shared = np.zeros(1, SHARED)
        start = game.start()
        for name in ("seats", "use_objectives", "use_powers", "use_special"):
            self.shared[name] = start.shared[name]
        self.sheets = new_sheets(game.city, game.seats)
        self.waiting: dict[Seat, Move] = {}

    def deal(self, state: NextStationState) -> None:
        """Takes over what was dealt before the first card of a round."""
        for name in DEALT:
            self.shared[0][name] = state.shared[name]
        self.kernels.next_deal_phase(self.shared[0])

    def reveal(self, card: int) -> None:
        self.kernels.reveal(self.shared[0], card)

    def legal(self, seat: Seat) -> list[Move]:
        out = np.empty(MOST_MOVES, np.int64)
        room = trial_sheets(self.sheets[seat])
        number = self.kernels.legal_moves(self.city, self.shared[0], room, seat, out)
        return sorted(out[:number].tolist())

    def move(self, seat: Seat, move: Move) -> None:
        self.waiting[seat] = move
        if len(self.waiting) == len(self.sheets):
            for waiting_seat, waiting in sorted(self.waiting.items()):
                self.kernels.play(self.city, self.shared[0], self.sheets[waiting_seat], waiting)
            self.waiting.clear()
            self.kernels.end_turn(self.shared[0], self.sheets)

    def totals(self) -> list[int]:
        score_record = np.zeros(1, SCORE)[0]
        return [
            int(self.kernels.score(self.city, self.shared[0], sheet, score_record))
            for sheet in self.sheets
        ]

    def same(self, state: NextStationState) -> bool:
        """Whether this is the same position, to the last bit."""
        return self.shared[0] == state.shared and self.sheets.tobytes() == state.sheets.tobytes()


def play_both_ways(game: NextStation, events: Iterable[Event]) -> NextStationState:
    """Plays events interpreted and compiled; legal moves, positions and scores stay equal."""
    state, twin = game.start(), Twin(game)
    for seat, move in events:
        if seat == CHANCE:
            card = state.shared["phase"] == REVEAL
            state.apply(CHANCE, move)
            if card:
                twin.reveal(move)
            else:
                twin.deal(state)
        else:
            assert twin.legal(seat) == state.legal(seat)
            state.apply(seat, move)
            twin.move(seat, move)
        if not twin.waiting:
            assert twin.same(state)
            assert twin.totals() == [score.total for score in state.scores()]
    return state
