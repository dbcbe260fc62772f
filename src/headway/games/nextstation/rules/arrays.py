"""The records that the rules work on, and their constants.

All state is in numpy structured arrays. A mask over stations is one 64-bit word, a mask over
sections `WORDS` of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from headway.games.kernel import BIT, put
from headway.games.nextstation.city.city import (
    MOST_DISTRICTS,
    MOST_OBJECTIVES,
    MOST_SECTIONS,
    MOST_STATIONS,
    SYMBOLS,
    City,
)
from headway.games.nextstation.city.city_file import NEEDS

# One element of an array of these types: `record["field"]` reads and writes it in place.
CityRecord = Any
SharedRecord = Any
SheetRecord = Any
ScoreRecord = Any

ROUNDS = 4
OBJECTIVES_DRAWN = 2
WORDS = MOST_SECTIONS // 64
UNDERGROUNDS = 5

# Cards, in the order of NS-06. A card's symbol is its index in SYMBOLS; JOKER is every symbol.
CARDS = (
    "street:circle",
    "street:triangle",
    "street:square",
    "street:pentagon",
    "street:joker",
    "street:switch",
    "underground:circle",
    "underground:triangle",
    "underground:square",
    "underground:pentagon",
    "underground:joker",
)
DECK = len(CARDS)
SWITCH_CARD = 5
JOKER = 4
WILD_SYMBOL = 4

# Pencil powers (PW) and effects of special stations (SP); 0 is none.
POWERS = ("", "second", "joker", "switch", "double")
SECOND, POWER_JOKER, POWER_SWITCH, POWER_DOUBLE = 1, 2, 3, 4
EFFECTS = ("", "switch", "joker", "extension", "double")
EFFECT_SWITCH, EFFECT_JOKER, EXTENSION, EFFECT_DOUBLE = 1, 2, 3, 4
SPECIAL_SYMBOL_AT = 3
"""A move that deals special stations is: symbol | effect."""

# Phases: what happens next, and their names in views.
DEAL_PENCILS, DEAL_OBJECTIVES, DEAL_POWERS, DEAL_SPECIAL, REVEAL, PLAY, OVER = range(7)
PHASES = ("pencils", "objectives", "powers", "special", "card", "moves", "over")

MOST_MOVES = 1 << 14
"""More than any turn has: 13 stations to start from, 8 directions, a second section from each."""

CITY = np.dtype(
    [
        ("stations", "i8"),
        ("districts", "i8"),
        ("targets", "u8", (5,)),  # by symbol; JOKER is every station
        ("symbol", "i8", (MOST_STATIONS,)),
        ("departure", "i8", (4,)),
        ("neighbours", "u8", (MOST_STATIONS,)),
        ("between", "i2", (MOST_STATIONS, MOST_STATIONS)),
        ("onward", "i2", (MOST_STATIONS, MOST_STATIONS)),  # the station straight on (SP-05)
        ("crossed", "u8", (MOST_SECTIONS, WORDS)),  # what a section closes, itself included
        ("printed", "u8", (WORDS,)),  # sections printed as tracks: the loop
        ("over_river", "u8", (WORDS,)),
        ("district", "u8", (MOST_DISTRICTS,)),
        ("district_of", "i8", (MOST_STATIONS,)),
        ("stamp", "i8", (MOST_DISTRICTS,)),
        ("stamped", "u8"),  # the stations of all districts with a stamp
        ("tourist", "u8"),
        ("loop", "u8"),
        ("double_track_jokers", "i8"),
        ("river_points", "i8"),
        ("tourist_points", "i8", (32,)),
        ("most_marks", "i8"),
        ("interchange_points", "i8", (6,)),
        ("loop_points", "i8"),
        ("objectives", "i8"),
        ("objective_needs", "i8", (MOST_OBJECTIVES,)),
        ("objective_needed", "i8", (MOST_OBJECTIVES,)),
        ("objective_district", "i8", (MOST_OBJECTIVES,)),
    ],
    align=True,
)

SHARED = np.dtype(
    [
        ("seats", "i8"),
        ("use_objectives", "i8"),
        ("use_powers", "i8"),
        ("use_special", "i8"),
        ("phase", "i8"),
        ("round", "i8"),  # from 0
        ("turn", "i8"),  # from 1; 0 before the first card of a round
        ("card", "i8"),  # symbol of the card to play; JOKER
        ("card_id", "i8"),
        ("switched", "i8"),  # the switch came up in this turn
        ("undergrounds", "i8"),
        ("shown", "u8"),  # cards revealed in this round
        ("pencils", "i8", (4, ROUNDS)),  # colour by seat and round
        ("objectives", "i8", (OBJECTIVES_DRAWN,)),
        ("powers", "i8", (4,)),  # by colour
        ("special_symbol", "i8", (ROUNDS,)),
        ("special_effect", "i8", (ROUNDS,)),
    ],
    align=True,
)

SHEET = np.dtype(
    [
        ("lines", "u8", (ROUNDS,)),  # stations of each round's line
        ("circled", "u8", (ROUNDS,)),
        ("ends", "u8"),  # of the current line
        ("tracks", "u8", (ROUNDS, WORDS)),  # sections of each round's line
        ("closed", "u8", (WORDS,)),  # sections drawn or crossed
        ("single", "u8", (WORDS,)),  # sections with exactly one track
        ("spent", "i8"),  # the pencil's power was used in this round
    ],
    align=True,
)

SCORE = np.dtype(
    [
        ("districts", "i8", (ROUNDS,)),
        ("fullest", "i8", (ROUNDS,)),
        ("over_river", "i8", (ROUNDS,)),
        ("lines", "i8", (ROUNDS,)),
        ("marks", "i8"),
        ("tourist", "i8"),
        ("meeting", "i8", (6,)),  # number of stations where exactly k lines meet
        ("interchanges", "i8"),
        ("won", "i8"),  # number of stamps
        ("stamps", "i8"),
        ("missed", "i8"),  # stations of the loop without a line
        ("loop", "i8"),
        ("met", "i8", (2,)),
        ("objectives", "i8"),
        ("deduction", "i8"),
        ("total", "i8"),
    ],
    align=True,
)


@cache
def city_record(city: City) -> CityRecord:
    """Returns the city as the rules see it: lookup tables and masks."""
    record = np.zeros(1, CITY)[0]
    record["stations"], record["districts"] = len(city.stations), len(city.districts)
    record["between"] = record["onward"] = -1
    record["departure"] = city.departures
    record["double_track_jokers"] = city.double_track_jokers
    _stations(city, record)
    _sections(city, record)
    _scoring(city, record)
    return record


def _stations(city: City, record: CityRecord) -> None:
    for i, station in enumerate(city.stations):
        symbol = SYMBOLS.index(station.symbol) if station.symbol in SYMBOLS else WILD_SYMBOL
        record["symbol"][i] = symbol
        for card in range(JOKER + 1):
            if card == symbol or WILD_SYMBOL in (card, symbol):
                record["targets"][card] |= BIT[i]
        record["district"][station.district] |= BIT[i]
        record["district_of"][i] = station.district
        if city.districts[station.district].stamp:
            record["stamped"] |= BIT[i]
        if station.tourist:
            record["tourist"] |= BIT[i]


def _sections(city: City, record: CityRecord) -> None:
    for i, section in enumerate(city.sections):
        for a, b in ((section.a, section.b), (section.b, section.a)):
            record["between"][a, b] = i
            record["neighbours"][a] |= BIT[b]
            ahead = None if section.loop else city.onward(a, b)
            if ahead is not None:
                s = city.sections[ahead]
                record["onward"][a, b] = s.a if s.b == b else s.b
        put(record["crossed"][i], i)
        if section.over_river:
            put(record["over_river"], i)
        if section.loop:
            put(record["printed"], i)
            record["loop"] |= BIT[section.a] | BIT[section.b]
    for i, j in city.crossings:
        put(record["crossed"][i], j)
        put(record["crossed"][j], i)


def _scoring(city: City, record: CityRecord) -> None:
    scoring = city.scoring
    record["stamp"][: len(city.districts)] = [d.stamp for d in city.districts]
    record["river_points"], record["loop_points"] = scoring.river, scoring.loop
    record["tourist_points"][: len(scoring.tourist)] = scoring.tourist
    record["most_marks"] = max(len(scoring.tourist) - 1, 0)
    for lines, points in scoring.interchanges.items():
        record["interchange_points"][lines] = points
    record["objectives"] = len(city.objectives)
    for i, objective in enumerate(city.objectives):
        record["objective_needs"][i] = NEEDS.index(objective.needs)
        record["objective_needed"][i] = objective.needed
        record["objective_district"][i] = objective.district


def new_sheets(city: City, seats: int) -> np.ndarray:
    """Returns empty sheets, one per seat; the loop is printed on them (NT-01)."""
    sheets = np.zeros(seats, SHEET)
    sheets["closed"] = sheets["single"] = city_record(city)["printed"]
    return sheets


def fields(record: Any) -> dict[str, Any]:
    """Returns the fields of a record, for interpreted kernels that do not set any of its numbers.

    They find a field of a dictionary several times as fast. Arrays are the record's own.
    """
    return {name: record[name] for name in record.dtype.names}


@cache
def city_fields(city: City) -> CityRecord:
    """Returns the fields of `city_record`, for interpreted kernels."""
    return fields(city_record(city))


def bits(words: np.ndarray) -> list[int]:
    """Returns the indices of the set bits in a mask of several words."""
    rest = int.from_bytes(words.tobytes(), "little")
    indices = []
    while rest:
        lowest = rest & -rest
        indices.append(lowest.bit_length() - 1)
        rest ^= lowest
    return indices
