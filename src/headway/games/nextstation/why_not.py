"""Finds the rule that an illegal move breaks, with the functions of the rules.

The order of the checks decides which id is named where a move breaks several rules (specification,
section 11).
"""

from __future__ import annotations

from headway.errors import RuleBroken
from headway.games.kernel import BIT, NONE, has
from headway.games.nextstation.city.city import City
from headway.games.nextstation.moves import BARE, WITH_JOKER, WITH_SWITCH, Parts
from headway.games.nextstation.rules.arrays import (
    EFFECT_DOUBLE,
    EFFECT_SWITCH,
    EXTENSION,
    POWER_DOUBLE,
    POWER_SWITCH,
    SECOND,
    SharedRecord,
    SheetRecord,
    city_fields,
)
from headway.games.nextstation.rules.building import (
    double_track,
    draw,
    effect_up,
    from_anywhere,
    onward_station,
    power_held,
    second_targets,
    starts,
    symbol_played,
    trial_sheets,
    way_open,
)

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
