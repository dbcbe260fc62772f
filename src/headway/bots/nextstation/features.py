"""A sheet between two turns as bits: what the value network sees.

Everything is a mask or a one-hot number, so that two positions a section apart differ in a few
bits only and the network's first layer is brought up to date by those (`network.py`).
"""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, NONE, ONE, Record, count, has, kernel, lowest
from headway.games.nextstation.layout import ROUNDS, WORDS
from headway.games.nextstation.scoring import objective_progress, score

DECK_BITS = 11
STREETS = 7
"""Street cards that may be left, none to six: with the undergrounds they tell how long it lasts."""

LINE, ENDS, VISITED, TWICE, THRICE, CIRCLED = range(6)
CLOSED = 6
SINGLE = CLOSED + WORDS
COURSE = SINGLE + WORDS
"""Cards left, pencils to come, and so on: see `_course`."""
LEFT = COURSE + 1
NUMBERS = LEFT + 1
DISTRICTS = NUMBERS + 1
"""Eight bits a district: how many stations of the line in hand it has."""
SHAPE = DISTRICTS + 4
"""Districts of the line times its fullest one."""
TASKS = SHAPE + 2
MODULES = TASKS + 2
REACHED = MODULES + 1
"""Stamps won and districts visited."""
REACH = REACHED + 1
"""Stations one section away from an end: all, those in new districts, those in the fullest ones;
then those two sections away, and those one section away from anywhere on the line."""
FEATURE_WORDS = REACH + 5

MOST_FULLEST = 9


@kernel
def position_bits(
    city: Record, shared: Record, sheet: Record, seat: int, zone: Record, bits: Any
) -> int:
    """Writes the bits of a seat's sheet as it stands before the next card; the score it has.

    `shared` is between two turns, or before the first of a round (`turns.end_turn` was called).
    """
    total = score(city, shared, sheet, zone)
    for word in range(FEATURE_WORDS):
        bits[word] = NONE
    r = int(shared["round"])
    if r >= ROUNDS:
        return total
    line = sheet["lines"][r]
    bits[LINE], bits[ENDS], bits[CIRCLED] = line, sheet["ends"], sheet["circled"][r]
    visited, twice, thrice = NONE, NONE, NONE
    for each in range(r + 1):
        thrice |= twice & sheet["lines"][each]
        twice |= visited & sheet["lines"][each]
        visited |= sheet["lines"][each]
    bits[VISITED], bits[TWICE], bits[THRICE] = visited, twice, thrice
    for word in range(WORDS):
        bits[CLOSED + word] = sheet["closed"][word]
    if city["double_track_jokers"] != 0 or shared["use_special"] != 0:
        for word in range(WORDS):
            bits[SINGLE + word] = sheet["single"][word]
    _course(shared, seat, r, bits)
    _line_numbers(city, shared, sheet, seat, r, line, zone, bits)
    if city["stamped"] != NONE or shared["use_objectives"] != 0:
        _reached(city, visited, twice, bits)
    if shared["use_objectives"] != 0:
        for i in range(2):
            task = int(shared["objectives"][i])
            reached, needed, _ = objective_progress(city, zone, visited, task)
            _set(bits, TASKS, task * 8 + min(max(needed - reached, 0), 7))
    if shared["use_powers"] != 0:
        _powers(shared, sheet, seat, r, bits)
    if shared["use_special"] != 0:
        _special(shared, r, bits)
    return total


@kernel
def _set(bits: Any, word: int, index: int) -> None:
    bits[word + (index >> 6)] |= BIT[index & 63]


@kernel
def _course(shared: Record, seat: int, r: int, bits: Any) -> None:
    """Cards left (11 bits), round (4), pencils from this round on (16), early turn (1)."""
    shown = shared["shown"]
    undergrounds, streets = 5, 6
    for card in range(DECK_BITS):
        if shown & BIT[card] == NONE:
            bits[COURSE] |= BIT[card]
        elif card < 6:
            streets -= 1
        else:
            undergrounds -= 1
    _set(bits, LEFT, undergrounds * STREETS + streets)
    at = DECK_BITS
    _set(bits, COURSE, at + r)
    at += ROUNDS
    for ahead in range(ROUNDS - r):
        _set(bits, COURSE, at + 4 * ahead + int(shared["pencils"][seat, r + ahead]))
    at += 16
    if shared["turn"] < 2:
        _set(bits, COURSE, at)


@kernel
def _line_numbers(
    city: Record,
    shared: Record,
    sheet: Record,
    seat: int,
    r: int,
    line: Any,
    zone: Record,
    bits: Any,
) -> None:
    """The numbers that make the line's points, and the tourist marks of the whole sheet."""
    rest, circled = line, sheet["circled"][r]
    districts, fullest = 0, 0
    served, full = NONE, NONE
    while rest != NONE:
        district = int(city["district_of"][lowest(rest)])
        here = rest & city["district"][district]
        rest &= ~here
        stations = count(here) + count(here & circled)
        districts += 1
        served |= city["district"][district]
        if stations > fullest:
            fullest = stations
            full = NONE
        if stations == fullest:
            full |= city["district"][district]
        _set(bits, DISTRICTS, district * 8 + min(stations, 8) - 1)
    ends = sheet["ends"]
    if line == NONE:
        ends = BIT[city["departure"][shared["pencils"][seat, r]]]
        served, full = city["district"][city["district_of"][lowest(ends)]], NONE
    near = reach(city, sheet, ends, line)
    bits[REACH], bits[REACH + 1], bits[REACH + 2] = near, near & ~served, near & full
    bits[REACH + 3] = reach(city, sheet, near, line | ends) & ~near
    bits[REACH + 4] = reach(city, sheet, line & ~ends, line) & ~near
    districts, fullest = min(districts, 13), min(fullest, MOST_FULLEST - 1)
    _set(bits, NUMBERS, districts)
    _set(bits, NUMBERS, 14 + fullest)
    _set(bits, NUMBERS, 14 + MOST_FULLEST + min(int(zone["over_river"][r]), 7))
    _set(bits, NUMBERS, 22 + MOST_FULLEST + min(int(zone["marks"]), 15))
    _set(bits, SHAPE, districts * MOST_FULLEST + fullest)


@kernel
def reach(city: Record, sheet: Record, start: Any, line: Any) -> Any:
    """The stations off the line that an open section joins to one of `start`."""
    found = NONE
    closed = sheet["closed"]
    while start != NONE:
        a = lowest(start)
        start &= start - ONE
        near = city["neighbours"][a] & ~line & ~found
        while near != NONE:
            b = lowest(near)
            near &= near - ONE
            if not has(closed, int(city["between"][a, b])):
                found |= BIT[b]
    return found


@kernel
def _reached(city: Record, visited: Any, twice: Any, bits: Any) -> None:
    met = twice | (visited & city["loop"])
    for district in range(int(city["districts"])):
        if met & city["district"][district] != NONE:
            _set(bits, REACHED, district)
        if visited & city["district"][district] != NONE:
            _set(bits, REACHED, 32 + district)


@kernel
def _powers(shared: Record, sheet: Record, seat: int, r: int, bits: Any) -> None:
    """The powers of the pencils to come, by rounds ahead (16 bits); that in hand if unspent."""
    for ahead in range(ROUNDS - r):
        if ahead > 0 or sheet["spent"] == 0:
            power = int(shared["powers"][shared["pencils"][seat, r + ahead]])
            _set(bits, MODULES, 4 * ahead + power - 1)


@kernel
def _special(shared: Record, r: int, bits: Any) -> None:
    """This round's symbol and effect together (16 bits), and those that were used (8)."""
    for each in range(r):
        _set(bits, MODULES, 32 + int(shared["special_symbol"][each]))
        _set(bits, MODULES, 36 + int(shared["special_effect"][each]) - 1)
    if shared["turn"] > 0:
        pair = 4 * int(shared["special_symbol"][r]) + int(shared["special_effect"][r]) - 1
        _set(bits, MODULES, 16 + pair)
