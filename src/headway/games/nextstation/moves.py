"""Moves and cards as text, as records write them (specification, section 11)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from headway.errors import InputError
from headway.games.contract import Move
from headway.games.kernel import kernel
from headway.games.nextstation.city.city import City

# A move is an int: way | double | from | to + 1 | second from | second to + 1 | circle + 1.
PASS = 0
CIRCLE_AT, SECOND_TO_AT, SECOND_FROM_AT, TO_AT, FROM_AT = 0, 7, 14, 20, 27
DOUBLE_AT, WAY_AT = 33, 34
BARE, WITH_JOKER, WITH_SWITCH, WITH_EFFECT = 0, 1, 2, 3

WAY_TOKENS = {WITH_JOKER: "!joker", WITH_SWITCH: "!switch", WITH_EFFECT: "~"}
_WAYS = {token: way for way, token in WAY_TOKENS.items()}
_STATION = r"([a-z][0-9])"
_MOVE = re.compile(
    rf"(?:pass|(?:(!joker|!switch|~) )?(=)?{_STATION}{_STATION})"
    rf"(?: \+{_STATION}{_STATION})?(?: \*{_STATION})?"
)
_TOKEN = re.compile(
    r"pass|!joker|!switch|~|=?[a-z][0-9][a-z][0-9]|\+[a-z][0-9][a-z][0-9]|\*[a-z][0-9]"
)


# Parts of a move in kernels; a station is -1 if the move does not have it


@kernel
def start_of(move: int) -> int:
    """Returns the station where a move's section starts; 0 for a pass."""
    return (move >> FROM_AT) & 63


@kernel
def target_of(move: int) -> int:
    """Returns the station that a move's section reaches."""
    return ((move >> TO_AT) & 127) - 1


@kernel
def second_start_of(move: int) -> int:
    """Returns the station where a move's second section starts; 0 without one."""
    return (move >> SECOND_FROM_AT) & 63


@kernel
def second_target_of(move: int) -> int:
    """Returns the station that a move's second section reaches."""
    return ((move >> SECOND_TO_AT) & 127) - 1


@kernel
def circle_of(move: int) -> int:
    """Returns the station that a move circles."""
    return ((move >> CIRCLE_AT) & 127) - 1


@kernel
def is_double(move: int) -> bool:
    """Whether a move draws a second track."""
    return (move >> DOUBLE_AT) & 1 == 1


@kernel
def section_move(a: int, b: int) -> int:
    """Returns the move that draws a section from a to b."""
    return (a << FROM_AT) | ((b + 1) << TO_AT)


@kernel
def with_second(move: int, a: int, b: int) -> int:
    """Returns a move with a second section from a to b."""
    return move | (a << SECOND_FROM_AT) | ((b + 1) << SECOND_TO_AT)


@kernel
def with_circle(move: int, station: int) -> int:
    """Returns a move with a circle around a station."""
    return move | ((station + 1) << CIRCLE_AT)


class Parts(NamedTuple):
    """The parts of a move; stations are indices, or None."""

    way: int
    double: bool
    section: tuple[int, int] | None
    second: tuple[int, int] | None
    circle: int | None


def parts(move: Move) -> Parts:
    """Splits a move into its parts."""
    to, second, circle = target_of(move), second_target_of(move), circle_of(move)
    return Parts(
        way=move >> WAY_AT,
        double=is_double(move),
        section=(start_of(move), to) if to >= 0 else None,
        second=(second_start_of(move), second) if second >= 0 else None,
        circle=circle if circle >= 0 else None,
    )


def pack(parts: Parts) -> Move:
    """Returns the move with these parts."""
    move = PASS | parts.way << WAY_AT | int(parts.double) << DOUBLE_AT
    if parts.section:
        move |= section_move(*parts.section)
    if parts.second:
        move = with_second(move, *parts.second)
    if parts.circle is not None:
        move = with_circle(move, parts.circle)
    return move


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
    match = _MOVE.fullmatch(" ".join(tokens))
    if not match:
        raise InputError("format.token_order", move=text)
    way, double, *names = match.groups()
    a, b, c, d, circle = (None if name is None else _station(city, name) for name in names)
    return pack(
        Parts(
            way=_WAYS.get(way, BARE),
            double=bool(double),
            section=None if a is None or b is None else (a, b),
            second=None if c is None or d is None else (c, d),
            circle=circle,
        )
    )


def _station(city: City, name: str) -> int:
    if name not in city.station_named:
        raise InputError("format.station", station=name, city=city.title)
    return city.station_named[name]
