"""All that chance may bring before a choice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from headway.games.contract import CHANCE, State


def turns(world: State) -> Iterator[tuple[State, Fraction]]:
    """All that may come up before the next choice, with its probability."""
    if CHANCE not in world.actors():
        yield world, Fraction(1)
        return
    for card, chance in world.chance():
        dealt = world.copy()
        dealt.apply(CHANCE, card)
        for turn, rest in turns(dealt):
            yield turn, chance * rest
