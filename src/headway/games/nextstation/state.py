"""A position of Next Station: the shared record, the sheets, the moves of the current turn.

The rule that an illegal move breaks is found here too, with the functions of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from headway.errors import RuleBroken
from headway.games.array_state import ArrayState
from headway.games.contract import CHANCE, Move, Seat, Stage
from headway.games.kernel import BIT, NONE, has
from headway.games.nextstation.city.city import City
from headway.games.nextstation.moves import (
    BARE,
    PASS,
    WITH_JOKER,
    WITH_SWITCH,
    Parts,
    card_name,
    objective_pairs,
    parts,
    power_orders,
    rings,
    special_pairs,
)
from headway.games.nextstation.rules.arrays import (
    CARDS,
    DEAL_OBJECTIVES,
    DEAL_PENCILS,
    DEAL_POWERS,
    DEAL_SPECIAL,
    EFFECT_DOUBLE,
    EFFECT_SWITCH,
    EXTENSION,
    MOST_MOVES,
    OVER,
    PLAY,
    POWER_DOUBLE,
    POWER_SWITCH,
    REVEAL,
    ROUNDS,
    SCORE,
    SECOND,
    SHARED,
    SharedRecord,
    SheetRecord,
    city_fields,
    fields,
    new_sheets,
)
from headway.games.nextstation.rules.building import (
    double_track,
    draw,
    effect_up,
    from_anywhere,
    legal_moves,
    onward_station,
    play,
    power_held,
    second_targets,
    single_sections,
    starts,
    symbol_played,
    trial_sheets,
    way_open,
)
from headway.games.nextstation.rules.engine import end_turn, next_deal_phase, take_dealt
from headway.games.nextstation.rules.scoring import ScoreSheet, score, score_sheet, standing, worth
from headway.games.nextstation.view import NextStationView, make_view

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
            REVEAL: card_name(r, int(self.shared["shown"]).bit_count()),
        }[int(self.shared["phase"])]

    def _chance_moves(self) -> list[Move]:
        """Returns everything that may be dealt now; all are equally likely."""
        if self.game.fixed and (fixed := self.game.fixed.get(self.chance_name())):
            return fixed
        phase, r = self.shared["phase"], int(self.shared["round"])
        if phase == DEAL_PENCILS:
            return list(range(len(rings(self.game.seats))))
        if phase == DEAL_OBJECTIVES:
            return list(range(len(objective_pairs(len(self.game.city.objectives)))))
        if phase == DEAL_POWERS:
            return list(range(len(power_orders())))
        if phase == DEAL_SPECIAL:
            used = self.shared["special_symbol"][:r], self.shared["special_effect"][:r]
            return list(special_pairs(*(frozenset(cards.tolist()) for cards in used)))
        return self.cards_left()

    def cards_left(self) -> list[int]:
        """Returns the cards of this round that were not revealed yet (NS-06)."""
        shown = self.shared["shown"]
        return [card for card in range(len(CARDS)) if shown & BIT[card] == NONE]

    def _apply_chance(self, move: Move) -> None:
        shared, phase = self.shared, self.shared["phase"]
        if phase == DEAL_PENCILS:
            shared["pencils"][: self.game.seats] = rings(self.game.seats)[move]
        elif phase == DEAL_OBJECTIVES:
            shared["objectives"] = objective_pairs(len(self.game.city.objectives))[move]
        elif phase == DEAL_POWERS:
            shared["powers"] = power_orders()[move]
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


# Why a move is illegal. The order of the checks decides which id is named where a move breaks
# several rules (`docs/records.md`).

Broken = RuleBroken | None


class SeatTurn:
    """The turn of one seat, with everything that decides what it may do."""

    def __init__(self, city: City, shared: SharedRecord, sheet: SheetRecord, seat: int) -> None:
        self.city = city
        self.record = city_fields(city)
        self.shared = shared
        self.sheet = sheet
        self.seat = seat
        self.round = int(shared["round"])

    def why_not(self, move: Parts) -> Broken:
        """Returns the rule that a move breaks, or None if it is legal."""
        return (
            self._way(move)
            or (self._first(move) if move.section else None)
            or (self._second(move) if move.second else None)
            or (self._circle(move) if move.circle is not None else None)
        )

    def _name(self, station: int) -> str:
        return self.city.stations[station].name

    def _way(self, move: Parts) -> Broken:
        way = move.way
        if way == BARE or way_open(self.shared, self.sheet, self.seat, way):
            return None
        held = power_held(self.shared, self.sheet, self.seat)
        if way == WITH_SWITCH and held == POWER_SWITCH:
            return RuleBroken("PW-05", "broken.PW-05")
        if way in (WITH_JOKER, WITH_SWITCH):
            power = "joker" if way == WITH_JOKER else "switch"
            return RuleBroken("PW-01", "broken.PW-01", power=power)
        if effect_up(self.shared) == EFFECT_SWITCH:
            return RuleBroken("SP-03", "broken.SP-03")
        return RuleBroken("SP-01", "broken.SP-01")

    # The first section

    def _first(self, move: Parts) -> Broken:
        assert move.section
        a, b = move.section
        anywhere = from_anywhere(self.shared, move.way)
        return (
            self._start(self.sheet, a, anywhere)
            or self._printed(a, b)
            or self._new_station(self.sheet, b)
            or (self._second_track(move, a, b) if move.double else self._track(move, a, b))
        )

    def _start(self, sheet: SheetRecord, a: int, anywhere: bool) -> Broken:
        if starts(self.record, self.shared, sheet, self.seat, anywhere) & BIT[a] != NONE:
            return None
        line = sheet["lines"][self.round]
        rule = "NS-13" if line == NONE else "NS-08" if anywhere else "NS-14"
        return RuleBroken(rule, f"broken.{rule}", station=self._name(a))

    def _printed(self, a: int, b: int) -> Broken:
        if self.record["between"][a, b] >= 0:
            return None
        cut = (min(a, b), max(a, b)) in self.city.cut_by_loop
        rule = "NT-02" if cut else "NS-12"
        return RuleBroken(rule, f"broken.{rule}", start=self._name(a), end=self._name(b))

    def _new_station(self, sheet: SheetRecord, b: int) -> Broken:
        if sheet["lines"][self.round] & BIT[b] == NONE:
            return None
        return RuleBroken("NS-18", "broken.NS-18", station=self._name(b))

    def _second_track(self, move: Parts, a: int, b: int) -> Broken:
        if not double_track(self.record, self.shared, move.way):
            rule = "PW-04" if move.way == WITH_JOKER else "NT-03"
            return RuleBroken(rule, f"broken.{rule}")
        section = int(self.record["between"][a, b])
        if has(self.sheet["single"], section):
            return None
        start, end = self._name(a), self._name(b)
        if self._drawn(self.sheet, section):
            return RuleBroken("NT-04", "broken.NT-04", start=start, end=end)
        return RuleBroken("NT-03", "broken.no_first_track", start=start, end=end)

    def _track(self, move: Parts, a: int, b: int) -> Broken:
        symbol = symbol_played(self.shared, move.way)
        if self.record["targets"][symbol] & BIT[b] == NONE:
            return RuleBroken("NS-15", "broken.NS-15", station=self._name(b))
        return self._free(self.sheet, a, b)

    def _free(self, sheet: SheetRecord, a: int, b: int) -> Broken:
        section = int(self.record["between"][a, b])
        if not has(sheet["closed"], section):
            return None
        rule = "NS-19" if self._drawn(sheet, section) else "NS-17"
        return RuleBroken(rule, f"broken.{rule}", start=self._name(a), end=self._name(b))

    def _drawn(self, sheet: SheetRecord, section: int) -> bool:
        tracks = [self.record["printed"], *sheet["tracks"]]
        return any(has(words, section) for words in tracks)

    # The second section

    def _second(self, move: Parts) -> Broken:
        assert move.second
        if self.shared["use_special"]:
            return self._extension(move)
        if power_held(self.shared, self.sheet, self.seat) != SECOND:
            return RuleBroken("PW-01", "broken.PW-01", power="second")
        if move.section is None:
            return RuleBroken("PW-02", "broken.second_alone")
        sheet = self._after(move)
        a, b = move.second
        return (
            self._start(sheet, a, from_anywhere(self.shared, BARE))
            or self._printed(a, b)
            or self._new_station(sheet, b)
            or self._second_symbol(move.section[1], b)
            or self._free(sheet, a, b)
        )

    def _second_symbol(self, first: int, b: int) -> Broken:
        if second_targets(self.record, self.shared, first) & BIT[b] != NONE:
            return None
        return RuleBroken("PW-02", "broken.PW-02", station=self._name(b))

    def _extension(self, move: Parts) -> Broken:
        assert move.second
        if move.section is None or effect_up(self.shared) != EXTENSION:
            return RuleBroken("SP-05", "broken.no_extension")
        (a, b), (c, d) = move.section, move.second
        if c != b or self.record["onward"][a, b] != d:
            return RuleBroken("SP-05", "broken.SP-05", start=self._name(b), end=self._name(d))
        if onward_station(self.record, self.sheet, self.round, a, b) == d:
            return None
        return self._new_station(self.sheet, d) or self._free(self.sheet, c, d)

    def _after(self, move: Parts) -> SheetRecord:
        assert move.section
        sheet = trial_sheets(self.sheet)[0]
        draw(self.record, sheet, self.round, *move.section, move.double)
        return sheet

    # The circle

    def _circle(self, move: Parts) -> Broken:
        assert move.circle is not None
        station = self._name(move.circle)
        if self.shared["use_special"]:
            reached = move.section is not None and move.section[1] == move.circle
            if effect_up(self.shared) != EFFECT_DOUBLE:
                return RuleBroken("SP-06", "broken.no_double")
            return None if reached else RuleBroken("SP-06", "broken.SP-06", station=station)
        if power_held(self.shared, self.sheet, self.seat) != POWER_DOUBLE:
            return RuleBroken("PW-01", "broken.PW-01", power="double")
        line = self.sheet["lines"][self.round]
        if line & BIT[move.circle] != NONE or move.circle in (move.section or ()):
            return None
        return RuleBroken("PW-06", "broken.PW-06", station=station)
