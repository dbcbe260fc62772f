"""A sheet and the table as bits: what environments show, and what networks read.

`board_bits` writes what is there: every feature is a mask or a one-hot number. Two positions that
differ by a section differ in few bits, so the first layer of a network can be updated instead of
recomputed. `look_ahead` and `lines_to_come` write where the current line can go and where later
lines begin. A network could compute them from the sheet, but only with many more neurons.

A change of what these bits say is a new `VERSION` in `envs/nextstation/spaces.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from headway.games.kernel import BIT, NONE, ONE, Mask, count, has, kernel, lowest
from headway.games.nextstation.rules.arrays import (
    DECK,
    JOKER,
    ROUNDS,
    SWITCH_CARD,
    UNDERGROUNDS,
    WORDS,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.scoring import objective_progress, stations_here

# The layout: which 64-bit word holds what

LINE, ENDS, VISITED, TWICE, THRICE, CIRCLED = range(6)
CLOSED = 6
SINGLE = CLOSED + WORDS
PROGRESS = SINGLE + WORDS
"""Cards left, round, pencils to come: see `_progress`."""
LEFT = PROGRESS + 1
NUMBERS = LEFT + 1
DISTRICTS = NUMBERS + 1
"""Eight bits per district: the number of stations that the current line has there."""
SHAPE = DISTRICTS + 4
"""The number of districts of the line times the size of its fullest one."""
TASKS = SHAPE + 2
MODULES = TASKS + 2
REACHED = MODULES + 1
"""Stamps won and districts visited."""
REACH = REACHED + 1
"""Stations one section away from an end: all, those in new districts, those in the fullest.

Then stations two sections away, and stations one section away from the middle of the line.
"""
MEETS = REACH + 5
"""Stations one section away from an end that have other lines."""
BEYOND = MEETS + 1
"""Stations two sections away in new districts, and in the fullest ones."""
CHANCES = BEYOND + 2
"""By symbol: the number of stations one section away, times the number of cards left."""
HOMES = CHANCES + 1
"""By pencil to come: open sections at its departure, and lines at its departure."""
GAINS = HOMES + 1
"""By symbol: the most points of the next section, if one card is left; if two are left."""
ALIVE = GAINS + 2
"""Stations one section away whose symbol is on a card that is left."""
PACE = ALIVE + 1
"""The size of the fullest district, then the number of districts, each times undergrounds left."""
WAYS = PACE + 3
"""The number of open sections at each of two ends."""
PROSPECT = WAYS + 1
"""The average points of the next section."""
LANDS = PROSPECT + 1
"""By pencil to come: stations within two sections of its departure, and those of them with lines.
"""
FEATURE_WORDS = LANDS + 1

MOST_FULLEST = 9
MOST_DISTRICTS = 14


@kernel
def put_number(bits: Any, word: int, index: int) -> None:
    """Sets a bit, counted from the first bit of a word."""
    bits[word + (index >> 6)] |= BIT[index & 63]


# What is on the sheet and on the table


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


STREETS = 7
"""The number of values for street cards left, 0 to 6."""


@kernel
def board_bits(
    city: CityRecord,
    shared: SharedRecord,
    sheet: SheetRecord,
    seat: int,
    score_record: ScoreRecord,
    bits: Any,
) -> tuple[Itinerary, Mask]:
    """Writes what is on the sheet and on the table, without looking ahead.

    `bits` are empty and `score_record` is filled. Returns the current line and the stations of
    earlier lines.
    """
    r = int(shared["round"])
    line = sheet["lines"][r]
    bits[LINE], bits[ENDS], bits[CIRCLED] = line, sheet["ends"], sheet["circled"][r]
    visited, twice, thrice = NONE, NONE, NONE
    others = NONE
    for round_ in range(r + 1):
        others = visited
        thrice |= twice & sheet["lines"][round_]
        twice |= visited & sheet["lines"][round_]
        visited |= sheet["lines"][round_]
    bits[VISITED], bits[TWICE], bits[THRICE] = visited, twice, thrice
    for word in range(WORDS):
        bits[CLOSED + word] = sheet["closed"][word]
    if city["double_track_jokers"] != 0 or shared["use_special"] != 0:
        for word in range(WORDS):
            bits[SINGLE + word] = sheet["single"][word]
    _progress(shared, seat, r, bits)
    way = _itinerary(city, shared, sheet, seat, score_record, bits)
    if city["stamped"] != NONE or shared["use_objectives"] != 0:
        _reached(city, visited, twice, bits)
    if shared["use_objectives"] != 0:
        for i in range(2):
            task = int(shared["objectives"][i])
            reached, needed, _ = objective_progress(city, score_record, visited, task)
            put_number(bits, TASKS, task * 8 + min(max(needed - reached, 0), 7))
    if shared["use_powers"] != 0:
        _powers(shared, sheet, seat, r, bits)
    if shared["use_special"] != 0:
        _special(shared, r, bits)
    return way, others


@kernel
def _progress(shared: SharedRecord, seat: int, r: int, bits: Any) -> None:
    """Writes cards left (11 bits), round (4), pencils from this round on (16), early turn (1)."""
    shown = shared["shown"]
    undergrounds, streets = 5, 6
    for card in range(DECK):
        if shown & BIT[card] == NONE:
            bits[PROGRESS] |= BIT[card]
        elif card < 6:
            streets -= 1
        else:
            undergrounds -= 1
    put_number(bits, LEFT, undergrounds * STREETS + streets)
    at = DECK
    put_number(bits, PROGRESS, at + r)
    at += ROUNDS
    for ahead in range(ROUNDS - r):
        put_number(bits, PROGRESS, at + 4 * ahead + int(shared["pencils"][seat, r + ahead]))
    at += 16
    if shared["turn"] < 2:
        put_number(bits, PROGRESS, at)


@kernel
def _itinerary(
    city: CityRecord,
    shared: SharedRecord,
    sheet: SheetRecord,
    seat: int,
    score_record: ScoreRecord,
    bits: Any,
) -> Itinerary:
    """Returns the current line; writes the numbers that make its points, and the tourist marks."""
    r = int(shared["round"])
    line, circled, ends = sheet["lines"][r], sheet["circled"][r], sheet["ends"]
    districts, fullest = 0, 0
    served, full, rest = NONE, NONE, line
    while rest != NONE:
        district = int(city["district_of"][lowest(rest)])
        here = rest & city["district"][district]
        rest &= ~here
        stations = stations_here(city, line, circled, district)
        districts += 1
        served |= city["district"][district]
        if stations > fullest:
            fullest = stations
            full = NONE
        if stations == fullest:
            full |= city["district"][district]
        put_number(bits, DISTRICTS, district * 8 + min(stations, 8) - 1)
    if line == NONE:
        ends = BIT[city["departure"][shared["pencils"][seat, r]]]
        served = city["district"][city["district_of"][lowest(ends)]]
    kinds, most = min(districts, MOST_DISTRICTS - 1), min(fullest, MOST_FULLEST - 1)
    put_number(bits, NUMBERS, kinds)
    put_number(bits, NUMBERS, 14 + most)
    put_number(bits, NUMBERS, 14 + MOST_FULLEST + min(int(score_record["over_river"][r]), 7))
    put_number(bits, NUMBERS, 22 + MOST_FULLEST + min(int(score_record["marks"]), 15))
    put_number(bits, SHAPE, kinds * MOST_FULLEST + most)
    return Itinerary(line, ends, served, full, districts, fullest)


@kernel
def _reached(city: CityRecord, visited: Any, twice: Any, bits: Any) -> None:
    met = twice | (visited & city["loop"])
    for district in range(int(city["districts"])):
        if met & city["district"][district] != NONE:
            put_number(bits, REACHED, district)
        if visited & city["district"][district] != NONE:
            put_number(bits, REACHED, 32 + district)


@kernel
def _powers(shared: SharedRecord, sheet: SheetRecord, seat: int, r: int, bits: Any) -> None:
    """Writes the powers of the pencils to come, by rounds ahead; the current one if unspent."""
    for ahead in range(ROUNDS - r):
        if ahead > 0 or sheet["spent"] == 0:
            power = int(shared["powers"][shared["pencils"][seat, r + ahead]])
            put_number(bits, MODULES, 4 * ahead + power - 1)


@kernel
def _special(shared: SharedRecord, r: int, bits: Any) -> None:
    """Writes this round's symbol and effect as a pair (16 bits), and the used ones (8 bits)."""
    for round_ in range(r):
        put_number(bits, MODULES, 32 + int(shared["special_symbol"][round_]))
        put_number(bits, MODULES, 36 + int(shared["special_effect"][round_]) - 1)
    if shared["turn"] > 0:
        pair = 4 * int(shared["special_symbol"][r]) + int(shared["special_effect"][r]) - 1
        put_number(bits, MODULES, 16 + pair)


# Where lines can go

MOST_GAIN = 12


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
