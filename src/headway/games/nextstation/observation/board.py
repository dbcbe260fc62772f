"""Writes a sheet and the table as bits, without looking ahead.

Every feature is a mask or a one-hot number. Two positions that differ by a section differ in few
bits, so the first layer of a network can be updated instead of recomputed.
"""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, NONE, Mask, count, kernel, lowest
from headway.games.nextstation.observation.ahead import Itinerary
from headway.games.nextstation.observation.layout import (
    CIRCLED,
    CLOSED,
    DISTRICTS,
    ENDS,
    LEFT,
    LINE,
    MODULES,
    MOST_DISTRICTS,
    MOST_FULLEST,
    NUMBERS,
    PROGRESS,
    REACHED,
    SHAPE,
    SINGLE,
    TASKS,
    THRICE,
    TWICE,
    VISITED,
    put_number,
)
from headway.games.nextstation.rules.arrays import (
    DECK,
    ROUNDS,
    WORDS,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.scoring import objective_progress

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
        stations = count(here) + count(here & circled)
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
