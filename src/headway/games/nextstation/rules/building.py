"""Building: the sections that a seat may draw, and drawing them (NS-11 to NS-21, NT-02 to NT-04).

Each rule is one small function, used both for the list of legal moves and to explain why a move is
illegal. All are kernels, see `games/kernel.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.games.kernel import BIT, NONE, Mask, has, kernel, lowest, put
from headway.games.nextstation.moves import (
    BARE,
    DOUBLE_AT,
    WAY_AT,
    WITH_EFFECT,
    WITH_JOKER,
    WITH_SWITCH,
    circle_of,
    is_double,
    second_start_of,
    second_target_of,
    section_move,
    start_of,
    target_of,
    with_circle,
    with_second,
)
from headway.games.nextstation.rules.arrays import (
    EFFECT_DOUBLE,
    EFFECT_JOKER,
    EFFECT_SWITCH,
    EXTENSION,
    JOKER,
    POWER_DOUBLE,
    POWER_JOKER,
    POWER_SWITCH,
    SECOND,
    SHEET,
    WILD_SYMBOL,
    CityRecord,
    SharedRecord,
    SheetRecord,
)

# What the turn allows a seat


@kernel
def power_held(shared: SharedRecord, sheet: SheetRecord, seat: int) -> int:
    """Returns the power of the current pencil, 0 if spent or without the module (PW-01)."""
    if shared["use_powers"] == 0 or sheet["spent"] != 0:
        return 0
    return int(shared["powers"][shared["pencils"][seat, shared["round"]]])


@kernel
def effect_up(shared: SharedRecord) -> int:
    """Returns the effect of the special stations in this turn, 0 if there is none (SP-02)."""
    r = shared["round"]
    if shared["use_special"] == 0 or shared["card"] == JOKER:
        return 0
    if shared["card"] != shared["special_symbol"][r]:
        return 0
    return int(shared["special_effect"][r])


@kernel
def past_second_turn(shared: SharedRecord) -> bool:
    """Whether a switch of any kind works: from a round's third turn on (NS-09, PW-05, SP-03)."""
    return bool(shared["turn"] >= 3)


@kernel
def way_open(shared: SharedRecord, sheet: SheetRecord, seat: int, way: int) -> bool:
    """Whether a section may be drawn in this way: with the card alone, a power or an effect."""
    if way == WITH_JOKER:
        return power_held(shared, sheet, seat) == POWER_JOKER
    if way == WITH_SWITCH:
        return power_held(shared, sheet, seat) == POWER_SWITCH and past_second_turn(shared)
    if way == WITH_EFFECT:
        effect = effect_up(shared)
        return effect == EFFECT_JOKER or (effect == EFFECT_SWITCH and past_second_turn(shared))
    return True


@kernel
def from_anywhere(shared: SharedRecord, way: int) -> bool:
    """Whether a section may start at any station of the line (NS-08, PW-05, SP-03)."""
    if shared["switched"] != 0 and past_second_turn(shared):
        return True
    if way == WITH_SWITCH:
        return True
    return way == WITH_EFFECT and effect_up(shared) == EFFECT_SWITCH


@kernel
def symbol_played(shared: SharedRecord, way: int) -> int:
    """Returns the symbol of the target station; JOKER is every symbol (NS-15, PW-04, SP-04)."""
    if way == WITH_JOKER or (way == WITH_EFFECT and effect_up(shared) == EFFECT_JOKER):
        return JOKER
    return int(shared["card"])


@kernel
def double_track(city: CityRecord, shared: SharedRecord, way: int) -> bool:
    """Whether a second track may be drawn in this way (NT-03, PW-04, SP-04)."""
    if way == WITH_JOKER:
        return False
    if way == WITH_EFFECT:
        return effect_up(shared) == EFFECT_JOKER
    return bool(shared["card"] == JOKER and city["double_track_jokers"] != 0)


@kernel
def starts(
    city: CityRecord, shared: SharedRecord, sheet: SheetRecord, seat: int, anywhere: bool
) -> Mask:
    """Returns the stations where a section may start (NS-08, NS-13, NS-14)."""
    r = shared["round"]
    line = sheet["lines"][r]
    if line == NONE:
        return BIT[city["departure"][shared["pencils"][seat, r]]]
    if anywhere:
        return line
    return sheet["ends"]


# Drawing


@kernel
def draw(city: CityRecord, sheet: SheetRecord, r: int, a: int, b: int, double: bool) -> None:
    """Draws the section from a to b in round r's line; it must be legal."""
    section = int(city["between"][a, b])
    start, end = BIT[a], BIT[b]
    if sheet["lines"][r] == NONE:
        sheet["ends"] = start | end
    else:
        # A start with one section gets its second and is no end any more (NS-14); one that is in
        # the middle of the line stays as it was (NS-21).
        sheet["ends"] = (sheet["ends"] & ~start) | end
    sheet["lines"][r] |= start | end
    put(sheet["tracks"][r], section)
    if double:
        sheet["single"][section >> 6] &= ~BIT[section & 63]
    else:
        put(sheet["single"], section)
        crossed = city["crossed"][section]
        closed = sheet["closed"]
        for word in range(closed.shape[0]):
            closed[word] |= crossed[word]


@kernel
def play(city: CityRecord, shared: SharedRecord, sheet: SheetRecord, move: int) -> None:
    """Applies a legal move to the sheet."""
    r = int(shared["round"])
    to, second, circle = target_of(move), second_target_of(move), circle_of(move)
    if to >= 0:
        draw(city, sheet, r, start_of(move), to, is_double(move))
    if second >= 0:
        draw(city, sheet, r, second_start_of(move), second, False)
    if circle >= 0:
        sheet["circled"][r] |= BIT[circle]
    way = move >> WAY_AT
    if shared["use_powers"] != 0:
        if way in (WITH_JOKER, WITH_SWITCH) or second >= 0 or circle >= 0:
            sheet["spent"] = 1


# Legal moves


@kernel
def sections_between(
    city: CityRecord,
    sheet: SheetRecord,
    r: int,
    start: Mask,
    target: Mask,
    doubles: bool,
    out: Any,
    n: int,
) -> int:
    """Appends all sections from `start` to `target` stations to `out`; returns the new length.

    A section goes to a station that the line does not have (NS-18), along no drawn section (NS-19)
    and across none (NS-17); a second track goes along a section with one track (NT-04).
    """
    reach = target & ~sheet["lines"][r]
    closed, single = sheet["closed"], sheet["single"]
    while start != NONE:
        a = lowest(start)
        start &= ~BIT[a]
        near = city["neighbours"][a] & reach
        while near != NONE:
            b = lowest(near)
            near &= ~BIT[b]
            section = int(city["between"][a, b])
            if not has(closed, section):
                out[n] = section_move(a, b)
                n += 1
            elif doubles and has(single, section):
                out[n] = (1 << DOUBLE_AT) | section_move(a, b)
                n += 1
    return n


@kernel
def single_sections(
    city: CityRecord,
    shared: SharedRecord,
    sheet: SheetRecord,
    seat: int,
    way: int,
    out: Any,
    n: int,
) -> int:
    """Appends all single sections that a seat may draw in a way; returns the new length."""
    start = starts(city, shared, sheet, seat, from_anywhere(shared, way))
    target = city["targets"][symbol_played(shared, way)]
    doubles = double_track(city, shared, way)
    first = n
    n = sections_between(city, sheet, int(shared["round"]), start, target, doubles, out, n)
    if way != BARE:
        for i in range(first, n):
            out[i] |= way << WAY_AT
    return n


@kernel
def second_targets(city: CityRecord, shared: SharedRecord, first_to: int) -> Mask:
    """Returns the stations that the second section of the power `second` may reach (PW-02)."""
    symbol = int(shared["card"])
    if symbol == JOKER and city["symbol"][first_to] != WILD_SYMBOL:
        symbol = int(city["symbol"][first_to])
    return city["targets"][symbol]


@kernel
def second_sections(
    city: CityRecord, shared: SharedRecord, sheets: Any, seat: int, out: Any, first: int, n: int
) -> int:
    """Appends each move of `out[first:n]` with each possible second section (PW-02)."""
    sheet, trial = sheets[0], sheets[1]
    r = int(shared["round"])
    anywhere = from_anywhere(shared, BARE)
    last = n
    for i in range(first, last):
        move = int(out[i])
        sheets[1] = sheet
        play(city, shared, trial, move)
        start = starts(city, shared, trial, seat, anywhere)
        target = second_targets(city, shared, target_of(move))
        begin = n
        n = sections_between(city, trial, r, start, target, False, out, n)
        for j in range(begin, n):
            section = int(out[j])
            out[j] = with_second(move, start_of(section), target_of(section))
    return n


@kernel
def onward_station(city: CityRecord, sheet: SheetRecord, r: int, a: int, b: int) -> int:
    """Returns the station straight on behind b that a second section may reach, or -1 (SP-05)."""
    to = int(city["onward"][a, b])
    if to < 0 or sheet["lines"][r] & BIT[to] != NONE:
        return -1
    if has(sheet["closed"], int(city["between"][b, to])):
        return -1
    return to


@kernel
def extensions(
    city: CityRecord, shared: SharedRecord, sheet: SheetRecord, out: Any, first: int, n: int
) -> int:
    """Appends each move of `out[first:n]` with its extension (SP-05)."""
    r = int(shared["round"])
    last = n
    for i in range(first, last):
        move = int(out[i])
        a, b = start_of(move), target_of(move)
        to = onward_station(city, sheet, r, a, b)
        if to >= 0:
            out[n] = with_second(move, b, to)
            n += 1
    return n


@kernel
def circles(shared: SharedRecord, sheet: SheetRecord, out: Any, n: int) -> int:
    """Appends each move of `out[:n]` with each circle of the power `double` (PW-06)."""
    line = sheet["lines"][shared["round"]]
    last = n
    for i in range(last):
        move = int(out[i])
        stations = line
        to = target_of(move)
        if to >= 0:
            stations = line | BIT[to] | BIT[start_of(move)]
        while stations != NONE:
            station = lowest(stations)
            stations &= ~BIT[station]
            out[n] = with_circle(move, station)
            n += 1
    return n


@kernel
def legal_moves(city: CityRecord, shared: SharedRecord, sheets: Any, seat: int, out: Any) -> int:
    """Writes all legal moves of a seat into `out`; returns their number.

    `sheets[0]` is the seat's sheet; `sheets[1]` is scratch memory for the power `second`. The first
    move is PASS (NS-11), then single sections follow.
    """
    sheet = sheets[0]
    out[0] = 0
    n = single_sections(city, shared, sheet, seat, BARE, out, 1)
    if shared["use_powers"] != 0:
        power = power_held(shared, sheet, seat)
        if power == SECOND:
            n = second_sections(city, shared, sheets, seat, out, 1, n)
        elif power == POWER_DOUBLE:
            n = circles(shared, sheet, out, n)
        elif power == POWER_JOKER:
            n = single_sections(city, shared, sheet, seat, WITH_JOKER, out, n)
        elif way_open(shared, sheet, seat, WITH_SWITCH):
            n = single_sections(city, shared, sheet, seat, WITH_SWITCH, out, n)
    elif shared["use_special"] != 0:
        effect = effect_up(shared)
        if effect == EXTENSION:
            n = extensions(city, shared, sheet, out, 1, n)
        elif effect == EFFECT_DOUBLE:
            last = n
            for i in range(1, last):
                move = int(out[i])
                out[n] = with_circle(move, target_of(move))
                n += 1
        elif way_open(shared, sheet, seat, WITH_EFFECT):
            n = single_sections(city, shared, sheet, seat, WITH_EFFECT, out, n)
    return n


def trial_sheets(sheet: SheetRecord) -> np.ndarray:
    """Returns a copy of a sheet and a scratch sheet, as `legal_moves` needs them."""
    sheets = np.empty(2, SHEET)
    sheets[0] = sheet
    return sheets
