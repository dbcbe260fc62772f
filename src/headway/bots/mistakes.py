"""Human mistakes, for the levels that make them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from headway.games.contract import Move


def overlook(legal: Sequence[Move], share: float, generator: random.Random) -> list[Move]:
    """The moves that somebody notices who overlooks a share of them; the first is never missed.

    Legal moves begin with the plainest one: passing, or a card from the pile.
    """
    return [legal[0], *(move for move in legal[1:] if generator.random() >= share)]
