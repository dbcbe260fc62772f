"""Moves and cards as text, as records write them (specification, section 11)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from headway.errors import InputError
from headway.games.contract import Move
from headway.games.nextstation.city.city import City
from headway.games.nextstation.rules.arrays import (
    BARE,
    CIRCLE_AT,
    DOUBLE_AT,
    FROM_AT,
    PASS,
    SECOND_FROM_AT,
    SECOND_TO_AT,
    TO_AT,
    WAY_AT,
    WITH_EFFECT,
    WITH_JOKER,
    WITH_SWITCH,
)

WAY_TOKENS = {WITH_JOKER: "!joker", WITH_SWITCH: "!switch", WITH_EFFECT: "~"}
_WAYS = {token: way for way, token in WAY_TOKENS.items()}
_STATION = r"([a-z][0-9])"
_MOVE = re.compile(
    rf"(?:(?P<way>!joker|!switch|~) )?(?P<double>=)?{_STATION}{_STATION}"
    rf"(?: \+{_STATION}{_STATION})?(?: \*{_STATION})?"
)
_PASSED = re.compile(rf"pass(?: \+{_STATION}{_STATION})?(?: \*{_STATION})?")
_TOKEN = re.compile(
    r"pass|!joker|!switch|~|=?[a-z][0-9][a-z][0-9]|\+[a-z][0-9][a-z][0-9]|\*[a-z][0-9]"
)


class Parts(NamedTuple):
    """The parts of a move; stations are indices, or None."""

    way: int
    double: bool
    section: tuple[int, int] | None
    second: tuple[int, int] | None
    circle: int | None


def parts(move: Move) -> Parts:
    """Splits a move into its parts."""
    to, second, circle = (move >> at & 127 for at in (TO_AT, SECOND_TO_AT, CIRCLE_AT))
    return Parts(
        way=move >> WAY_AT,
        double=move >> DOUBLE_AT & 1 == 1,
        section=(move >> FROM_AT & 63, to - 1) if to else None,
        second=(move >> SECOND_FROM_AT & 63, second - 1) if second else None,
        circle=circle - 1 if circle else None,
    )


def pack(parts: Parts) -> Move:
    """Returns the move with these parts."""
    move = PASS | parts.way << WAY_AT | int(parts.double) << DOUBLE_AT
    if parts.section:
        move |= parts.section[0] << FROM_AT | parts.section[1] + 1 << TO_AT
    if parts.second:
        move |= parts.second[0] << SECOND_FROM_AT | parts.second[1] + 1 << SECOND_TO_AT
    if parts.circle is not None:
        move |= parts.circle + 1 << CIRCLE_AT
    return move


def means_something(city: City, move: int) -> bool:
    """Whether a number is a move that the notation can write, legal or not."""
    if move < 0 or pack(parts(move)) != move or move >> WAY_AT > WITH_EFFECT:
        return False
    way, double, section, second, circle = parts(move)
    stations = [*(section or ()), *(second or ()), *([] if circle is None else [circle])]
    if any(station >= len(city.stations) for station in stations):
        return False
    return section is not None or (way == BARE and not double)


@lru_cache(maxsize=10_000)
def move_text(city: City, move: Move) -> str:
    """Returns a move in the notation of records: `!joker d2a2 *a2`."""
    way, double, section, second, circle = parts(move)

    def pair(stations: tuple[int, int]) -> str:
        return "".join(city.stations[i].name for i in stations)

    tokens = [WAY_TOKENS[way]] if way != BARE else []
    tokens.append(("=" if double else "") + pair(section) if section else "pass")
    if second:
        tokens.append("+" + pair(second))
    if circle is not None:
        tokens.append("*" + city.stations[circle].name)
    return " ".join(tokens)


def parse_move(city: City, text: str) -> Move:
    """Parses a move on this city's sheet, legal or not."""
    tokens = text.split()
    unknown = next((token for token in tokens if not _TOKEN.fullmatch(token)), None)
    if unknown is not None:
        raise InputError("format.token", token=unknown)
    plain = " ".join(tokens)
    match = _MOVE.fullmatch(plain)
    passed = None if match else _PASSED.fullmatch(plain)
    if not match and not passed:
        raise InputError("format.token_order", move=text)
    names = match.groups()[2:] if match else (None, None, *(passed.groups() if passed else ()))
    a, b, c, d, circle = (None if name is None else _station(city, name) for name in names)
    return pack(
        Parts(
            way=_WAYS.get(match["way"], BARE) if match else BARE,
            double=bool(match and match["double"]),
            section=None if a is None or b is None else (a, b),
            second=None if c is None or d is None else (c, d),
            circle=circle,
        )
    )


def _station(city: City, name: str) -> int:
    if name not in city.station_named:
        raise InputError("format.station", station=name, city=city.title)
    return city.station_named[name]
