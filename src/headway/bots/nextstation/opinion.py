"""A second opinion on close moves: games played to their end after each of them.

The tree knows the next turns well and trusts the network for the rest; what that misjudges of the
rounds to come, the tree misjudges however long it searches. Endings do not trust it: they count
the points. But they are played by a simple player and vary with the cards, so that the two are
weighed by how far each of them is usually off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from headway.bots.player import Appraisal
from headway.games.contract import Move

CLOSE = 2.0
"""Points behind the best within which a move is looked at once more."""
MOST_CLOSE = 6
TREE_ERROR = 0.65
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
        together = list(_weighed(alive, seen))
        weighed |= {each.move: each for each, _ in together}
        best = max(each.value for each, _ in together)
        alive = [
            each
            for each, (now, noise) in zip(alive, together, strict=True)
            if best - now.value <= SURE * noise
        ]
    return sorted(weighed.values(), key=lambda each: (-each.value, each.move))


def _weighed(
    close: list[Appraisal], seen: dict[Move, np.ndarray]
) -> Iterator[tuple[Appraisal, float]]:
    """Each move as tree and endings together see it, and what chance still moves it by.

    Only differences count: a simple player makes fewer points whatever the move.
    """
    totals = np.array([seen[each.move] for each in close])
    apart = totals - totals.mean(axis=0)
    noises = apart.std(axis=1) / math.sqrt(totals.shape[1])
    level = sum(each.value for each in close) / len(close)
    for each, differences, noise in zip(close, apart, noises, strict=True):
        doubt = float(noise) ** 2 + ENDINGS_ERROR**2
        weight = TREE_ERROR**2 / (TREE_ERROR**2 + doubt)
        value = (1 - weight) * each.value + weight * (level + float(differences.mean()))
        error = math.sqrt(weight * doubt)
        count = each.simulations + totals.shape[1]
        yield each._replace(value=value, error=error, simulations=count), weight * float(noise)
