"""What a total is worth when it is about winning: the last round of a game of several.

The others' endings are played out on sampled cards; a total wins against those it passes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from headway.games.nextstation.rules.arrays import UNDERGROUNDS

LOWEST, HIGHEST, STEPS = -100, 400, 4
"""Totals that the curve covers, and its points for each of them."""
SCALE = 40.0
"""A certain win in points, so that the search is as exploring about it as about points."""
TIE_BREAK = 0.002
"""Worth of one more point of the total, where all is won or lost anyway."""


class Curve(NamedTuple):
    """What totals are worth against the best of the others."""

    worth: np.ndarray
    """By undergrounds to come, and by total from `LOWEST` on in steps."""
    rivals: np.ndarray
    """Totals that the best of the others may end with."""
    mean: float
    """One's own total to expect."""

    def wins(self, totals: np.ndarray) -> np.ndarray:
        """How often each total wins; a tie counts half."""
        margin = totals[:, None] - self.rivals[None, :]
        result: np.ndarray = ((margin > 0) + 0.5 * (margin == 0)).mean(axis=1)
        return result


def curve_against(rivals: np.ndarray, spread: float, mean: float, left: int) -> Curve:
    """The curve for a seat whose ending has a mean and a spread, `left` undergrounds to come."""
    totals = np.arange(LOWEST * STEPS, HIGHEST * STEPS + 1) / STEPS
    worth = np.empty((UNDERGROUNDS + 1, len(totals)))
    for k in range(UNDERGROUNDS + 1):
        sigma = max(spread * math.sqrt(k / max(left, 1)), 1e-3)
        worth[k] = _normal((totals[:, None] - rivals[None, :]) / sigma).mean(axis=1)
    return Curve(worth * SCALE + TIE_BREAK * totals, rivals, mean)


def _normal(x: np.ndarray) -> np.ndarray:
    """The normal distribution function, near enough."""
    result: np.ndarray = 1 / (1 + np.exp(np.clip(-1.702 * x, -50, 50)))
    return result


def probability(worth: float, curve: Curve) -> float:
    """The probability to win that a worth stands for."""
    return min(max((worth - TIE_BREAK * curve.mean) / SCALE, 0.0), 1.0)
