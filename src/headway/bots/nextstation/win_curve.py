"""The value of a total in the last round of a game with several seats: the probability to win.

The opponents' endings are sampled; a total wins against the sampled totals that it exceeds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from headway.games.nextstation.rules.arrays import UNDERGROUNDS

LOWEST, HIGHEST, STEPS = -100, 400, 4
"""The range of totals that the curve covers, and its points per total."""
SCALE = 40.0
"""The value of a certain win in points, so that the search explores wins as it explores points."""
TIE_BREAK = 0.002
"""The value of one more point; it decides between moves that all win or all lose."""


class Curve(NamedTuple):
    """The value of totals against the best opponent."""

    worth: np.ndarray
    """Values by undergrounds to come, and by total from `LOWEST` on in `STEPS`."""
    rivals: np.ndarray
    """Sampled totals of the best opponent."""
    mean: float
    """The seat's expected total."""

    def wins(self, totals: np.ndarray) -> np.ndarray:
        """Returns how often each total wins; a tie counts half."""
        margin = totals[:, None] - self.rivals[None, :]
        result: np.ndarray = ((margin > 0) + 0.5 * (margin == 0)).mean(axis=1)
        return result


def curve_against(rivals: np.ndarray, spread: float, mean: float, left: int) -> Curve:
    """Returns the curve for a seat whose ending has this mean and spread.

    `left` is the number of undergrounds to come.
    """
    totals = np.arange(LOWEST * STEPS, HIGHEST * STEPS + 1) / STEPS
    worth = np.empty((UNDERGROUNDS + 1, len(totals)))
    for k in range(UNDERGROUNDS + 1):
        sigma = max(spread * math.sqrt(k / max(left, 1)), 1e-3)
        worth[k] = _normal((totals[:, None] - rivals[None, :]) / sigma).mean(axis=1)
    return Curve(worth * SCALE + TIE_BREAK * totals, rivals, mean)


def _normal(x: np.ndarray) -> np.ndarray:
    """Returns the normal distribution function, by a logistic approximation."""
    result: np.ndarray = 1 / (1 + np.exp(np.clip(-1.702 * x, -50, 50)))
    return result


def probability(worth: float, curve: Curve) -> float:
    """Converts a value of the curve to a probability to win."""
    return min(max((worth - TIE_BREAK * curve.mean) / SCALE, 0.0), 1.0)
