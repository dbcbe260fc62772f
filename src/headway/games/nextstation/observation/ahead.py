"""Features about the future: where the current line can go, and where later lines begin.

A network could compute them from the sheet, but only with many more neurons.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from headway.games.kernel import BIT, NONE, ONE, count, has, kernel, lowest
from headway.games.nextstation.observation.layout import (
    ALIVE,
    BEYOND,
    CHANCES,
    GAINS,
    HOMES,
    LANDS,
    MEETS,
    MOST_DISTRICTS,
    MOST_FULLEST,
    PACE,
    PROSPECT,
    REACH,
    THRICE,
    TWICE,
    VISITED,
    WAYS,
    put_number,
)
from headway.games.nextstation.rules.arrays import (
    DECK,
    JOKER,
    ROUNDS,
    SWITCH_CARD,
    UNDERGROUNDS,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
)

MOST_GAIN = 12


class Itinerary(NamedTuple):
    """The current line and the districts that make its points."""

    line: Any
    ends: Any
    """Where it can be extended; before the first section its departure."""
    served: Any
    """All stations of the districts that it serves."""
    full: Any
    """All stations of its fullest districts."""
    districts: int
    fullest: int


@kernel
def look_ahead(
    city: CityRecord,
    shared: SharedRecord,
    sheet: SheetRecord,
    way: Itinerary,
    others: Any,
    score_record: ScoreRecord,
    bits: Any,
) -> None:
    """Writes where the line can go next. `others` are the stations of earlier lines."""
    near = reach(city, sheet, way.ends, way.line)
    far = reach(city, sheet, near, way.line | way.ends) & ~near
    bits[REACH], bits[REACH + 1], bits[REACH + 2] = near, near & ~way.served, near & way.full
    bits[REACH + 3] = far
    bits[REACH + 4] = reach(city, sheet, way.line & ~way.ends, way.line) & ~near
    bits[MEETS] = near & others
    bits[BEYOND], bits[BEYOND + 1] = far & ~way.served, far & way.full
    for symbol in range(JOKER):
        there, cards = near & city["targets"][symbol], _cards_left(shared, symbol)
        put_number(bits, CHANCES, (symbol * 5 + min(count(there), 4)) * 3 + cards)
        if cards > 0:
            bits[ALIVE] |= there
    _gains(city, shared, sheet, way, score_record, bits)
    left = UNDERGROUNDS - int(shared["undergrounds"])
    put_number(bits, PACE, min(way.fullest, MOST_FULLEST - 1) * 6 + left)
    put_number(bits, PACE + 1, min(way.districts, MOST_DISTRICTS - 1) * 6 + left)
    _ways(city, sheet, way, bits)


@kernel
def reach(city: CityRecord, sheet: SheetRecord, start: Any, line: Any) -> Any:
    """Returns the stations off the line that an open section joins to a station of `start`."""
    reached = NONE
    closed = sheet["closed"]
    while start != NONE:
        a = lowest(start)
        start &= start - ONE
        near = city["neighbours"][a] & ~line & ~reached
        while near != NONE:
            b = lowest(near)
            near &= near - ONE
            if not has(closed, int(city["between"][a, b])):
                reached |= BIT[b]
    return reached


@kernel
def _cards_left(shared: SharedRecord, symbol: int) -> int:
    """Returns the number of cards left with a symbol: at most one street and one underground."""
    left = 0
    if shared["shown"] & BIT[symbol] == NONE:
        left += 1
    if shared["shown"] & BIT[SWITCH_CARD + 1 + symbol] == NONE:
        left += 1
    return left


@kernel
def _ways(city: CityRecord, sheet: SheetRecord, way: Itinerary, bits: Any) -> None:
    one, two = 0, 0
    if way.ends != NONE:
        one = min(count(reach(city, sheet, BIT[lowest(way.ends)], way.line)), 6)
        rest = way.ends & (way.ends - ONE)
        if rest != NONE:
            two = min(count(reach(city, sheet, BIT[lowest(rest)], way.line)), 6)
    put_number(bits, WAYS, max(one, two) * 7 + min(one, two))


@kernel
def _gains(
    city: CityRecord,
    shared: SharedRecord,
    sheet: SheetRecord,
    way: Itinerary,
    score_record: ScoreRecord,
    bits: Any,
) -> None:
    """Writes the most points of the next section by symbol; the joker takes the best of them."""
    most, points = -1, 0
    for symbol in range(JOKER + 1):
        if symbol < JOKER:
            gain = _best_gain(city, sheet, way, city["targets"][symbol], score_record, bits)
            most = max(most, gain)
        else:
            gain = most
        cards = _cards_left(shared, symbol)
        if cards > 0 and gain >= 0:
            put_number(bits, GAINS + cards - 1, MOST_GAIN * symbol + min(gain, MOST_GAIN - 1))
            points += cards * gain
    left = max(DECK - count(shared["shown"]), 1)
    put_number(bits, PROSPECT, min(4 * points // left, 47))


@kernel
def _best_gain(
    city: CityRecord,
    sheet: SheetRecord,
    way: Itinerary,
    targets: Any,
    score_record: ScoreRecord,
    bits: Any,
) -> int:
    """Returns the most points of a section to one of the targets; -1 if none is open."""
    best, start = -1, way.ends
    while start != NONE:
        a = lowest(start)
        start &= start - ONE
        near = city["neighbours"][a] & targets & ~way.line
        while near != NONE:
            b = lowest(near)
            near &= near - ONE
            section = int(city["between"][a, b])
            if not has(sheet["closed"], section):
                gain = _station_gain(city, way, b, int(score_record["marks"]), bits)
                if has(city["over_river"], section):
                    gain += int(city["river_points"])
                best = max(best, gain)
    return best


@kernel
def _station_gain(city: CityRecord, way: Itinerary, b: int, marks: int, bits: Any) -> int:
    """Returns the points of a new station: for the line, tourist sites, interchanges and stamps."""
    gain, station = 0, BIT[b]
    if station & way.served == NONE:
        gain += max(way.fullest, 1)
    elif station & way.full != NONE:
        gain += max(way.districts, 1)
    if station & city["tourist"] != NONE:
        more = min(marks + 1, int(city["most_marks"]))
        gain += int(city["tourist_points"][more]) - int(city["tourist_points"][marks])
    lines = _lines_at(station, bits)
    if station & city["loop"] != NONE:
        if lines == 0:
            gain += int(city["loop_points"])
        lines += 1
    if lines > 0:
        points = city["interchange_points"]
        gain += int(points[lines + 1]) - int(points[lines])
        district = int(city["district_of"][b])
        met = bits[TWICE] | (bits[VISITED] & city["loop"])
        if met & city["district"][district] == NONE:
            gain += int(city["stamp"][district])
    return gain


@kernel
def _lines_at(station: Any, bits: Any) -> int:
    """Returns the number of lines at a station, at most three."""
    lines = 0
    for word in (VISITED, TWICE, THRICE):
        if station & bits[word] != NONE:
            lines += 1
    return lines


@kernel
def lines_to_come(
    city: CityRecord, shared: SharedRecord, sheet: SheetRecord, seat: int, bits: Any
) -> None:
    """Writes how open the surroundings of later lines' departures are."""
    for ahead in range(int(shared["round"]) + 1, ROUNDS):
        pencil = int(shared["pencils"][seat, ahead])
        home = BIT[city["departure"][pencil]]
        around = reach(city, sheet, home, home)
        land = around | reach(city, sheet, around, around | home)
        put_number(bits, HOMES, pencil * 9 + min(count(around), 8))
        put_number(bits, HOMES, 40 + pencil * 4 + _lines_at(home, bits))
        put_number(bits, LANDS, pencil * 16 + min(count(land) // 3, 6))
        put_number(bits, LANDS, pencil * 16 + 7 + min(count(land & bits[VISITED]), 8))
