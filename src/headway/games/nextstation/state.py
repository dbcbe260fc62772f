"""A position of Next Station: the shared record, the sheets, and the moves of the current turn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from headway.errors import RuleBroken
from headway.games.array_state import ArrayState
from headway.games.contract import CHANCE, Move, Seat, Stage
from headway.games.kernel import BIT, NONE
from headway.games.nextstation.moves import BARE, PASS, parts
from headway.games.nextstation.rules import deals
from headway.games.nextstation.rules.arrays import (
    CARDS,
    DEAL_OBJECTIVES,
    DEAL_PENCILS,
    DEAL_POWERS,
    DEAL_SPECIAL,
    MOST_MOVES,
    OVER,
    PLAY,
    REVEAL,
    ROUNDS,
    SCORE,
    SHARED,
    city_fields,
    fields,
    new_sheets,
)
from headway.games.nextstation.rules.building import (
    legal_moves,
    play,
    single_sections,
    trial_sheets,
)
from headway.games.nextstation.rules.engine import end_turn, next_deal_phase, take_dealt
from headway.games.nextstation.rules.gains import standing, worth
from headway.games.nextstation.rules.scoring import ScoreSheet, score, score_sheet
from headway.games.nextstation.view import NextStationView, make_view
from headway.games.nextstation.why_not import SeatTurn

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation

WAITING = -1
"""The move of a seat that has not moved in this turn."""


class NextStationState(ArrayState):
    """A position: `shared` is common to all seats, `sheets` has one per seat."""

    ARRAYS = ("shared_rows", "sheets", "moved")
    TIE_BREAK = "best_line"
    MOST_MOVES = MOST_MOVES
    TURN_RULES = ("NS-07", "NS-07")
    game: NextStation

    def __init__(self, game: NextStation) -> None:
        self.game = game
        self.shared_rows = np.zeros(1, SHARED)
        self.shared = self.shared_rows[0]
        self.shared["seats"] = game.seats
        self.shared["use_objectives"] = game.options["objectives"]
        self.shared["use_powers"] = game.options["powers"]
        self.shared["use_special"] = game.options["special_stations"]
        self.sheets = new_sheets(game.city, game.seats)
        self.moved = np.full(game.seats, WAITING, np.int64)
        self.seen: tuple[bytes, NextStationView] | None = None
        """Cache of `view.py`: the public state last shown, and its view."""

    # Actors and legal moves

    def actors(self) -> frozenset[Seat]:
        phase = int(self.shared["phase"])
        if phase == OVER:
            return frozenset()
        if phase != PLAY:
            return frozenset((CHANCE,))
        return frozenset([seat for seat, move in enumerate(self.moved.tolist()) if move == WAITING])

    def write_moves(self, seat: Seat, out: np.ndarray) -> int:
        sheets = trial_sheets(self.sheets[seat])
        return legal_moves(city_fields(self.game.city), self.shared, sheets, seat, out)

    def bare_sections(self, seat: Seat) -> list[Move]:
        """Returns the single sections that the card allows without powers and effects."""
        out = np.empty(MOST_MOVES, np.int64)
        record, sheet = city_fields(self.game.city), self.sheets[seat]
        n = single_sections(record, self.shared, sheet, seat, BARE, out, 0)
        return sorted(out[:n].tolist())

    def why_not(self, seat: Seat, move: Move) -> RuleBroken | None:
        if seat == CHANCE:
            return RuleBroken("NS-06", "broken.deal", deal=move)
        turn = SeatTurn(self.game.city, self.shared, self.sheets[seat], seat)
        return turn.why_not(parts(move))

    def advance(self, seat: Seat, move: Move) -> None:
        if seat == CHANCE:
            self._apply_chance(move)
            return
        self.moved[seat] = move
        if self.actors():
            return
        record = city_fields(self.game.city)
        for mover, waiting in enumerate(self.moved.tolist()):
            play(record, self.shared, self.sheets[mover], waiting)
        self.moved[:] = WAITING
        end_turn(self.shared, self.sheets)

    # Chance

    def chance(self) -> list[tuple[Move, Fraction]]:
        moves = self._chance_moves() if CHANCE in self.actors() else []
        share = Fraction(1, max(len(moves), 1))
        return [(move, share) for move in moves]

    def chance_name(self) -> str:
        r = int(self.shared["round"])
        return {
            DEAL_PENCILS: "pencils",
            DEAL_OBJECTIVES: "objectives",
            DEAL_POWERS: "powers",
            DEAL_SPECIAL: f"special {r + 1}",
            REVEAL: deals.card_name(r, int(self.shared["shown"]).bit_count()),
        }[int(self.shared["phase"])]

    def _chance_moves(self) -> list[Move]:
        """Returns everything that may be dealt now; all are equally likely."""
        if self.game.fixed and (fixed := self.game.fixed.get(self.chance_name())):
            return fixed
        phase, r = self.shared["phase"], int(self.shared["round"])
        if phase == DEAL_PENCILS:
            return list(range(len(deals.rings(self.game.seats))))
        if phase == DEAL_OBJECTIVES:
            return list(range(len(deals.objective_pairs(len(self.game.city.objectives)))))
        if phase == DEAL_POWERS:
            return list(range(len(deals.power_orders())))
        if phase == DEAL_SPECIAL:
            used = self.shared["special_symbol"][:r], self.shared["special_effect"][:r]
            return list(deals.special_pairs(*(frozenset(cards.tolist()) for cards in used)))
        return self.cards_left()

    def cards_left(self) -> list[int]:
        """Returns the cards of this round that were not revealed yet (NS-06)."""
        shown = self.shared["shown"]
        return [card for card in range(len(CARDS)) if shown & BIT[card] == NONE]

    def _apply_chance(self, move: Move) -> None:
        shared, phase = self.shared, self.shared["phase"]
        if phase == DEAL_PENCILS:
            shared["pencils"][: self.game.seats] = deals.rings(self.game.seats)[move]
        elif phase == DEAL_OBJECTIVES:
            shared["objectives"] = deals.objective_pairs(len(self.game.city.objectives))[move]
        elif phase == DEAL_POWERS:
            shared["powers"] = deals.power_orders()[move]
        else:
            take_dealt(shared, move)
            return
        next_deal_phase(shared)

    # Views and scores

    def stage(self) -> Stage:
        return Stage("nextstation.stage", min(int(self.shared["round"]) + 1, ROUNDS), ROUNDS)

    def view(self, seat: Seat) -> NextStationView:
        return make_view(self, seat)

    def reveals(self, seat: Seat, move: Move) -> bool:
        """Tells whether the move ends a turn in which others have moved unseen."""
        return self.game.seats > 1 and self.actors() == {seat}

    def scores(self) -> list[ScoreSheet]:
        shared = fields(self.shared)
        return [
            score_sheet(self.game.city, shared, fields(sheet), seat)
            for seat, sheet in enumerate(self.sheets)
        ]

    def feats(self, seat: Seat) -> list[str]:
        score = self.scores()[seat]
        visited = {district for line in score.lines for district in line.visited}
        everywhere = len(visited) == len(self.game.city.districts)
        four_meet = any(number for lines, number in score.meeting.items() if lines >= 4)
        told = {"every_district": everywhere, "four_lines": four_meet}
        return [name for name, earned in told.items() if earned]

    def score_after(self, seat: Seat, move: Move) -> int:
        record, sheet = city_fields(self.game.city), trial_sheets(self.sheets[seat])[0]
        play(record, self.shared, sheet, move)
        return score(record, self.shared, sheet, np.zeros(1, SCORE)[0])

    def gains(self, seat: Seat, moves: Sequence[Move]) -> list[int]:
        if self.shared["use_objectives"]:  # `worth` does not count them
            now = self.scores()[seat].total
            return [self.score_after(seat, move) - now for move in moves]
        record, round_ = city_fields(self.game.city), int(self.shared["round"])
        so_far = standing(record, fields(self.sheets[seat]), round_)
        values = [worth(record, so_far, move) for move in (PASS, *moves)]
        return [value - values[0] for value in values[1:]]

    def reason(self, totals: tuple[int, ...], winners: tuple[Seat, ...]) -> str:
        if self.game.seats == 1:
            return self.game.verdict(totals[0])
        return super().reason(totals, winners)
