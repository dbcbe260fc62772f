"""Moves of seats and of chance: their numbers, and their text in records (`docs/records.md`).

A new kind of deal also needs a phase in `rules/arrays.py`; branches in `rules/engine.py`
(`deal_setup`, `next_deal_phase`, `take_dealt`), `state.py` and `game.py`; fields in `records.py`,
`view.py`, `observation.py` and `envs/nextstation/spaces.py`; a line in `presentation/render.py`; a
place in `note_setup` of the environments, in `deal_key` of `SoloGame`, in `analysis.py`, `tree.py`
and `levels.py` of the bots, and in the reviews' `sheets.py`; in the client `turn/dealing.ts`,
`turn/Dealt.svelte`, `turn/Extras.svelte`, `turn/Paper.svelte`, and `dealName` in `words/labels.ts`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

from headway.errors import InputError
from headway.games.contract import Move
from headway.games.kernel import kernel
from headway.games.nextstation.city.city import SYMBOLS, City
from headway.games.nextstation.rules.arrays import CARDS, EFFECTS, POWERS, ROUNDS, SPECIAL_SYMBOL_AT

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


# Moves of chance: pencils, objectives, powers, special stations, cards

Ring = tuple[tuple[int, ...], ...]
"""Colours by seat and round."""


@cache
def rings(seats: int) -> tuple[Ring, ...]:
    """Returns all ways to hand out the pencils, by seat and round (NS-02, NS-04).

    Four slots hold the pencils. After each round every pencil moves one slot to the left, so in
    round r a slot gets what the slot r places to its right had first. With three players the spare
    may lie between any two of them; two players sit opposite; a solo player takes the colours in
    any order.
    """
    hands = set()
    for slots in _slots(seats):
        for first in permutations(range(4)):
            hands.add(tuple(tuple(first[(s - r) % 4] for r in range(ROUNDS)) for s in slots))
    return tuple(sorted(hands))


def _slots(seats: int) -> list[tuple[int, ...]]:
    if seats == 3:
        return [(0, 1, 2), (0, 2, 3), (0, 1, 3)]
    return [{1: (0,), 2: (0, 2), 4: (0, 1, 2, 3)}[seats]]


def spare_after(ring: Ring) -> int:
    """Returns the seat of three to whose left the spare pencil lies (NS-02)."""
    return next(s for s in range(3) if ring[(s + 1) % 3][1] != ring[s][0])


@cache
def objective_pairs(count: int) -> tuple[tuple[int, int], ...]:
    """Returns the pairs of objectives that may be drawn (OB-01)."""
    return tuple(combinations(range(count), 2))


@cache
def power_orders() -> tuple[tuple[int, ...], ...]:
    """Returns all ways to deal the four powers to the four colours (PW-01)."""
    return tuple(permutations(range(1, 5)))


def special_pair(symbol: int, effect: int) -> int:
    """Returns the move that deals a symbol card and an effect card (SP-01)."""
    return (symbol << SPECIAL_SYMBOL_AT) | effect


@cache
def special_pairs(symbols: frozenset[int], effects: frozenset[int]) -> tuple[int, ...]:
    """Returns the moves left when these symbols and effects are used, sorted (SP-01)."""
    return tuple(
        special_pair(symbol, effect)
        for symbol in sorted(set(range(4)) - symbols)
        for effect in sorted(set(range(1, 5)) - effects)
    )


def card_name(r: int, drawn: int) -> str:
    """Returns the name of the deal of a card, after some were drawn in round r."""
    return f"card {r + 1}.{drawn + 1}"


def special_cards(move: int) -> list[str]:
    """Returns a deal of special stations as records write it: symbol and effect."""
    symbol, effect = divmod(move, 1 << SPECIAL_SYMBOL_AT)
    return [SYMBOLS[symbol], EFFECTS[effect]]


def written_deal(city: City, seats: int, name: str, move: int) -> Any:
    """Returns what a move of chance deals as records write it; `name` is its `chance_name`."""
    kind = name.split()[0]
    if kind == "pencils":
        return [[city.colours[i] for i in row] for row in rings(seats)[move]]
    if kind == "objectives":
        return [city.objectives[i].id for i in objective_pairs(len(city.objectives))[move]]
    if kind == "powers":
        powers = [POWERS[i] for i in power_orders()[move]]
        return dict(zip(city.colours, powers, strict=True))
    return special_cards(move) if kind == "special" else CARDS[move]


def deal_text(city: City, seats: int, name: str, move: int) -> str:
    """Returns what a move of chance deals as a line of text; `name` is its `chance_name`."""
    kind, dealt = name.split()[0], written_deal(city, seats, name, move)
    if kind == "pencils":
        dealt = " / ".join(" ".join(row) for row in dealt)
    elif kind == "powers":
        dealt = " ".join(f"{colour}:{power}" for colour, power in dealt.items())
    elif kind != "card":
        dealt = " ".join(dealt)
    return f"{kind} {dealt}"
