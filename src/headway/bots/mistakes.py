"""Mistakes for the weaker levels."""

from __future__ import annotations

import random
from collections.abc import Sequence

from headway.games.contract import Move


def overlook(legal: Sequence[Move], share: float, generator: random.Random) -> list[Move]:
    """Returns the legal moves without a random share of them; the first move always stays.

    The first legal move is the plainest one: a pass, or a card from the pile.
    """
    return [legal[0], *(move for move in legal[1:] if generator.random() >= share)]
