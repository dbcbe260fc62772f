"""A second opinion on close moves: games played to their end after each of them.

The tree knows the next turns well and trusts the network for the rest; what that misjudges of the
rounds to come, the tree misjudges however long it searches. Endings do not trust it: they count
the points. But they are played by a simple player and vary with the cards, so that the two are
weighed by how far each of them is usually off.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from headway.bots.player import Appraisal
from headway.games.contract import Move

CLOSE = 2.5
"""Points behind the best within which a move is looked at once more."""
MOST_CLOSE = 6
TREE_ERROR = 0.7
"""By how many points the tree's difference of two close moves is off, as a root mean square."""
ENDINGS_ERROR = 0.4
"""And that of endings, however many there are."""
SURE = 3.0
"""Standard errors behind the best with which a move drops out."""
CHUNK = 16
"""Endings of each move between two looks."""

Endings = Callable[[Move, int, int], np.ndarray]
"""Final totals after a move: so many of them, on the cards of a number."""


def weigh(
    found: list[Appraisal], endings: Endings, allows: Callable[[int], bool]
) -> list[Appraisal]:
    """The appraisals of a tree, the best first, with the close ones weighed against endings.

    Endings are played as long as it `allows` so many more of them, on the same cards for every
    move that is still in question.
    """
    alive = [each for each in found[:MOST_CLOSE] if each.value > found[0].value - CLOSE]
    if not any(each.error for each in alive):
        return found
    seen = {each.move: np.zeros(0) for each in alive}
    weighed = {each.move: each for each in found}
    number = 0
    while len(alive) > 1 and allows(CHUNK * len(alive)):
        number += 1
        for each in alive:
            new = endings(each.move, CHUNK, number)
            seen[each.move] = np.concatenate([seen[each.move], new])
        together, noise = _weighed(alive, np.array([seen[each.move] for each in alive]))
        weighed |= {each.move: each for each in together}
        best = max(each.value for each in together)
        behind = [best - each.value for each in together]
        alive = [each for each, by in zip(alive, behind, strict=True) if by <= SURE * noise]
    return sorted(weighed.values(), key=lambda each: (-each.value, each.move))


def _weighed(close: list[Appraisal], totals: np.ndarray) -> tuple[list[Appraisal], float]:
    """The moves as tree and endings together see them, and what chance still sets them apart by.

    Only differences count: a simple player makes fewer points whatever the move.
    """
    moves, games = totals.shape
    apart = totals - totals.mean(axis=0)
    means = apart.mean(axis=1)
    # Two moves are further apart than each of them is from the mean of all.
    variance = 2 * moves / (moves - 1) * float((apart - means[:, None]).var())
    doubt = variance / games + ENDINGS_ERROR**2
    weight = TREE_ERROR**2 / (TREE_ERROR**2 + doubt)
    level = sum(each.value for each in close) / moves
    together = [
        each._replace(
            value=(1 - weight) * each.value + weight * (level + float(mean)),
            error=math.sqrt(weight * doubt),
            simulations=each.simulations + games,
        )
        for each, mean in zip(close, means, strict=True)
    ]
    return together, weight * math.sqrt(variance / games)
