"""The actions of Next Station as an environment, and what it shows of a position.

A turn is one decision, or two where a power needs two. The actions are, with S sections and N
stations:

- 0: pass;
- 1 to S: draw this section with the card alone (as a second decision: the second section);
- S + 1 to 2 S: draw this section and use the extra of the turn: the pencil's power or the effect of
  the special stations. At most one is available in a turn, so it needs no name;
- 2 S + 1 to 2 S + N: circle this station (alone: pass and circle it).

A section needs no direction: it leads away from the line. With the powers `second` and `double` the
action with the extra is followed by a second decision, the second section or the circle. Effects of
special stations leave nothing to decide. Without both modules the set ends at S.

The rules are asked for all legal moves; actions only translate them.

An observation is the sheet, the table and the turn. All of it is public. The first bits are those
of `games/nextstation/observation`, which our value network also reads; the words after them say
what is to be decided now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from headway.envs.encoding import Field
from headway.envs.episodes import NOTHING, ScratchRecord, SetupRecord
from headway.games.kernel import BIT, NONE, ONE, kernel
from headway.games.nextstation import observation as at
from headway.games.nextstation.city.city import City
from headway.games.nextstation.moves import (
    BARE,
    WAY_AT,
    circle_of,
    second_start_of,
    second_target_of,
    start_of,
    target_of,
)
from headway.games.nextstation.observation import board_bits, lines_to_come, look_ahead
from headway.games.nextstation.rules.arrays import (
    DEAL_SPECIAL,
    DECK,
    OVER,
    PLAY,
    POWER_DOUBLE,
    CityRecord,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.building import (
    effect_up,
    from_anywhere,
    past_second_turn,
    power_held,
    starts,
)
from headway.games.nextstation.rules.scoring import score


@kernel
def first_action(city: CityRecord, sections: int, move: int) -> int:
    """Returns the action of a move's first decision."""
    to, circle = target_of(move), circle_of(move)
    if to < 0:
        return 2 * sections + circle + 1 if circle >= 0 else 0
    action = 1 + int(city["between"][start_of(move), to])
    if circle >= 0 or second_target_of(move) >= 0 or move >> WAY_AT != 0:
        return action + sections
    return action


@kernel
def second_action(city: CityRecord, shared: SharedRecord, sections: int, move: int) -> int:
    """Returns the action of a move's second decision, or NOTHING."""
    if shared["use_powers"] == 0 or target_of(move) < 0:
        return NOTHING
    second, circle = second_target_of(move), circle_of(move)
    if second >= 0:
        return 1 + int(city["between"][second_start_of(move), second])
    if circle >= 0:
        return 2 * sections + circle + 1
    return NOTHING


@kernel
def write_mask(
    setup: SetupRecord, shared: SharedRecord, moves: Any, n: int, chosen: int, mask: Any
) -> None:
    """Writes 1 for each action that is possible with the legal moves, after `chosen` if any."""
    city, sections = setup["city"], int(setup["sections"])
    mask[:] = 0
    for i in range(n):
        move = int(moves[i])
        first = first_action(city, sections, move)
        if chosen == NOTHING:
            mask[first] = 1
        elif first == chosen:
            second = second_action(city, shared, sections, move)
            if second != NOTHING:
                mask[second] = 1


@kernel
def find_move(
    setup: SetupRecord, shared: SharedRecord, moves: Any, n: int, chosen: int, action: int
) -> int:
    """Returns the place of the first legal move with this action after `chosen`, -1 without."""
    city, sections = setup["city"], int(setup["sections"])
    for i in range(n):
        move = int(moves[i])
        first = first_action(city, sections, move)
        if chosen == NOTHING:
            if first == action:
                return i
        elif first == chosen and second_action(city, shared, sections, move) == action:
            return i
    return -1


VERSION = 1
"""Raise it with every change of an observation, also in `games/nextstation/observation.py`."""
TURN = at.FEATURE_WORDS
"""Card (11 bits), switch, switches work, first or second decision or circle, turn, extra."""
STARTS = TURN + 1
TARGETS = TURN + 2
CHOSEN = TURN + 3
SCORES = TURN + 4
"""32 bits for each seat, the observer first: one for each eight points."""
OBSERVED_WORDS = SCORES + 2

SWITCH_BIT = DECK
DECISION_BIT = SWITCH_BIT + 2
TURN_BIT = DECISION_BIT + 3
MOST_TURNS = 10
POWER_BIT = TURN_BIT + MOST_TURNS
EFFECT_BIT = POWER_BIT + 4
OVER_BIT = EFFECT_BIT + 4
TURN_BITS = OVER_BIT + 1
HALF = np.array([0, 32], np.uint64)
SCORE_STEP = 3
"""A bit of a score stands for 1 << SCORE_STEP points."""
BYTE = np.uint64(255)
EIGHT = np.uint64(8)
SPREAD = np.array(
    [int.from_bytes(bytes(byte >> i & 1 for i in range(8)), "little") for byte in range(256)],
    np.uint64,
)
"""By byte: its eight bits as eight bytes, the lowest bit first in memory."""


@kernel
def observe(
    setup: SetupRecord,
    scratch: ScratchRecord,
    shared: SharedRecord,
    sheets: Any,
    seat: int,
    chosen: int,
) -> int:
    """Writes the bits of a seat's observation; returns its total if the game ended now.

    The bits are `words` of the scratch memory. `sheets` has one per seat. `chosen` is the first
    decision of this turn, negative without.
    """
    city, score_record, bits = setup["city"], scratch["score"], scratch["words"]
    for word in range(OBSERVED_WORDS):
        bits[word] = NONE
    for i in range(1, sheets.shape[0]):
        other = sheets[(seat + i) % sheets.shape[0]]
        points = _points(score(city, shared, other, score_record))
        bits[SCORES + (i >> 1)] |= points << HALF[i & 1]
    sheet = sheets[seat]
    total = score(city, shared, sheet, score_record)
    bits[SCORES] |= _points(total)
    if shared["phase"] == OVER:
        bits[TURN] = BIT[OVER_BIT]
    if shared["phase"] == OVER or shared["phase"] < DEAL_SPECIAL:
        return total
    way, others = board_bits(city, shared, sheet, seat, score_record, bits)
    if setup["ahead"] != 0:
        look_ahead(city, shared, sheet, way, others, score_record, bits)
        lines_to_come(city, shared, sheet, seat, bits)
    if shared["phase"] != PLAY:
        return total
    bits[TURN] = _turn(shared, sheet, seat, chosen)
    bits[STARTS] = starts(city, shared, sheet, seat, from_anywhere(shared, BARE))
    bits[TARGETS] = city["targets"][shared["card"]] & ~sheet["lines"][shared["round"]]
    if chosen >= 0:
        ends = setup["ends"][(chosen - 1) % int(setup["sections"])]
        bits[CHOSEN] = BIT[ends[0]] | BIT[ends[1]]
    return total


@kernel
def _points(total: int) -> Any:
    """Returns a bit for each full step of points, at most 31."""
    steps = min(max(total, 0) >> SCORE_STEP, 31)
    return BIT[steps] - ONE


@kernel
def _turn(shared: SharedRecord, sheet: SheetRecord, seat: int, chosen: int) -> Any:
    word = BIT[shared["card_id"]]
    if shared["switched"] != 0:
        word |= BIT[SWITCH_BIT]
    if past_second_turn(shared):
        word |= BIT[SWITCH_BIT + 1]
    power, effect = power_held(shared, sheet, seat), effect_up(shared)
    decision = 0
    if chosen >= 0:
        decision = 2 if power == POWER_DOUBLE else 1
    word |= BIT[DECISION_BIT + decision]
    word |= BIT[TURN_BIT + min(int(shared["turn"]), MOST_TURNS) - 1]
    if power != 0:
        word |= BIT[POWER_BIT + power - 1]
    if effect != 0:
        word |= BIT[EFFECT_BIT + effect - 1]
    return word


@kernel
def unpack(words: Any, parts: Any, out: Any) -> None:
    """Writes each bit of the parts of some words as a byte; an element of `out` holds 8 of them."""
    at = 0
    for i in range(parts.shape[0]):
        word = words[parts[i, 0]]
        for _ in range(parts[i, 1]):
            out[at] = SPREAD[word & BYTE]
            word >>= EIGHT
            at += 1


# The fields of an observation


class Plane(NamedTuple):
    """A field before it has its place: its words, and the number of bits in use."""

    name: str
    word: int
    bits: int
    meaning: str


def layout(planes: list[Plane]) -> tuple[tuple[Field, ...], np.ndarray]:
    """Returns the fields of an observation and the bytes that they are unpacked from.

    A field takes whole bytes of its words, so its last elements may always be 0. A row of the array
    is a word and the number of its bytes.
    """
    fields: list[Field] = []
    parts: list[tuple[int, int]] = []
    start = 0
    for plane in planes:
        size = -(-plane.bits // 8)
        parts += [(plane.word + i // 8, min(size - i, 8)) for i in range(0, size, 8)]
        fields.append(Field(plane.name, start, start + 8 * size, plane.meaning))
        start += 8 * size
    return tuple(fields), np.array(parts, np.int64)


def planes(city: City, options: Mapping[str, bool], seats: int, ahead: bool) -> list[Plane]:
    """Returns the fields of an observation for a city and its modules."""
    powers, special = options["powers"], options["special_stations"]
    objectives = options["objectives"]
    stations, sections = len(city.stations), len(city.sections)
    modules = powers or special
    chosen = [
        Plane("line", at.LINE, stations, "stations of the line in hand"),
        Plane("ends", at.ENDS, stations, "its ends"),
        Plane("starts", STARTS, stations, "stations where a section may start with the card alone"),
        Plane("targets", TARGETS, stations, "stations off the line that the card may reach"),
        Plane("visited", at.VISITED, stations, "stations with at least one line"),
        Plane("twice", at.TWICE, stations, "stations with at least two lines"),
        Plane("thrice", at.THRICE, stations, "stations with at least three lines"),
        Plane("circled", at.CIRCLED, stations * modules, "circled stations of the line"),
        Plane("chosen", CHOSEN, stations * powers, "ends of the section of the first decision"),
        Plane("closed", at.CLOSED, sections, "sections that are drawn or crossed"),
        Plane(
            "single",
            at.SINGLE,
            sections * (bool(city.double_track_jokers) or special),
            "sections with exactly one track",
        ),
        Plane(
            "turn",
            TURN,
            TURN_BITS,
            "card of the turn (11), switch came up, switches work, decision (first, second section,"
            " circle), turn of the round (10), power of the pencil (4), effect of the turn (4),"
            " game over",
        ),
        Plane(
            "progress",
            at.PROGRESS,
            32,
            "cards left (11), round (4), pencils from this round on (4 for each), early turn",
        ),
        Plane("left", at.LEFT, 42, "underground cards left times 7, plus street cards left"),
        Plane(
            "numbers",
            at.NUMBERS,
            22 + at.MOST_FULLEST + 16,
            "of the line: districts (14), stations in the fullest one (9), sections over the river"
            " (8); tourist marks (16)",
        ),
        Plane(
            "districts",
            at.DISTRICTS,
            8 * len(city.districts),
            "by district, its number of stations on the line (1 to 8)",
        ),
        Plane(
            "objectives",
            at.TASKS,
            8 * len(city.objectives) * objectives,
            "by objective of the game, how much is missing (0 to 7)",
        ),
        Plane(
            "modules",
            at.MODULES,
            40 * modules,
            "powers to come, by rounds ahead (4 for each); special stations of this round as a pair"
            " (16); symbols (4) and effects (4) of earlier rounds",
        ),
    ]
    stamps = objectives or any(district.stamp for district in city.districts)
    chosen.append(
        Plane("reached", at.REACHED, 64 * stamps, "districts with a stamp (32), visited (32)")
    )
    if ahead:
        chosen += _ahead(stations)
    chosen.append(
        Plane("scores", SCORES, 32 * seats, "by seat, the observer first: one for each 8 points")
    )
    return [plane for plane in chosen if plane.bits]


def _ahead(stations: int) -> list[Plane]:
    """Returns the fields about the future, which a network could also work out."""
    reach = "stations one open section away from an end"
    return [
        Plane(
            "shape",
            at.SHAPE,
            at.MOST_DISTRICTS * at.MOST_FULLEST,
            "districts of the line times 9, plus stations in the fullest one",
        ),
        Plane("near", at.REACH, stations, reach),
        Plane("near_new", at.REACH + 1, stations, f"{reach}, in new districts"),
        Plane("near_full", at.REACH + 2, stations, f"{reach}, in the fullest districts"),
        Plane("far", at.REACH + 3, stations, "stations two open sections away"),
        Plane("branches", at.REACH + 4, stations, "stations one section away from its middle"),
        Plane("meets", at.MEETS, stations, f"{reach}, with other lines"),
        Plane("far_new", at.BEYOND, stations, "stations two sections away, in new districts"),
        Plane("far_full", at.BEYOND + 1, stations, "the same, in the fullest districts"),
        Plane("chances", at.CHANCES, 60, "by symbol: stations one away (0 to 4) times cards left"),
        Plane(
            "homes",
            at.HOMES,
            56,
            "by pencil to come: open sections at its departure (9), then lines there (4)",
        ),
        Plane("gains", at.GAINS, 60, "by symbol: most points of a section, if one card is left"),
        Plane("gains_two", at.GAINS + 1, 60, "the same, if two cards are left"),
        Plane("alive", at.ALIVE, stations, f"{reach}, whose symbol is on a card that is left"),
        Plane("pace_full", at.PACE, 54, "stations in the fullest district times undergrounds left"),
        Plane("pace", at.PACE + 1, 84, "districts of the line times undergrounds left"),
        Plane("ways", at.WAYS, 49, "open sections at the two ends"),
        Plane("prospect", at.PROSPECT, 48, "average points of the next section, times four"),
        Plane("lands", at.LANDS, 64, "by pencil to come: stations near its departure (16)"),
    ]
