"""The moves of CHANCE: pencils, objectives, powers, special stations, cards.

Each one is an int; this module gives its meaning, as values for records and as text. A new kind of
deal also needs a phase in `arrays.py`; branches in `engine.py` (`deal_setup`, `next_deal_phase`,
`take_dealt`), `state.py` and `game.py`; fields in `records.py`, `view.py` and both
`observation.py`; a line in `presentation/render.py`; a place in `note_setup` of the environments,
in `deal_key` of `solo_game.py` and in the reviews' `sheets.py`; in the client `turn/dealing.ts`,
`turn/Paper.svelte` and `dealName` in `words/labels.ts`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from typing import Any

from headway.games.nextstation.city.city import SYMBOLS, City
from headway.games.nextstation.rules.arrays import CARDS, EFFECTS, POWERS, ROUNDS, SPECIAL_SYMBOL_AT

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


def special(move: int) -> list[str]:
    """Returns a deal of special stations as records write it: symbol and effect."""
    symbol, effect = divmod(move, 1 << SPECIAL_SYMBOL_AT)
    return [SYMBOLS[symbol], EFFECTS[effect]]


def written(city: City, seats: int, name: str, move: int) -> Any:
    """Returns what a move of chance deals as records write it; `name` is its `chance_name`."""
    kind = name.split()[0]
    if kind == "pencils":
        return [[city.colours[i] for i in row] for row in rings(seats)[move]]
    if kind == "objectives":
        return [city.objectives[i].id for i in objective_pairs(len(city.objectives))[move]]
    if kind == "powers":
        powers = [POWERS[i] for i in power_orders()[move]]
        return dict(zip(city.colours, powers, strict=True))
    return special(move) if kind == "special" else CARDS[move]


def chance_text(city: City, seats: int, name: str, move: int) -> str:
    """Returns what a move of chance deals as a line of text; `name` is its `chance_name`."""
    kind, dealt = name.split()[0], written(city, seats, name, move)
    if kind == "pencils":
        dealt = " / ".join(" ".join(row) for row in dealt)
    elif kind == "powers":
        dealt = " ".join(f"{colour}:{power}" for colour, power in dealt.items())
    elif kind != "card":
        dealt = " ".join(dealt)
    return f"{kind} {dealt}"
