"""Why a move lost points: the parts of the score that the better move would have brought (RV-06).

From the sheets after both moves the same cards are played many times by the driver. The mean
differences of the parts are the reasons. Where they do not add up to the loss there are none.
"""

from __future__ import annotations

import math

import numpy as np

from headway.games.nextstation.city.city import City
from headway.games.nextstation.rules.arrays import ROUNDS
from headway.reviews.grades import SURE_ERRORS
from headway.reviews.report import Reason, thousandths


def parts_of(city: City, scores: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the parts of the score of each game; they add up to the total and its deduction."""
    river = scores["over_river"] * city.scoring.river
    districts = scores["lines"] - river
    parts = {f"districts:{r + 1}": districts[:, r] for r in range(ROUNDS)}
    parts["river"] = river.sum(axis=1)
    parts["sites"] = scores["tourist"]
    for name in ("interchanges", "stamps", "loop", "objectives"):
        parts[name] = scores[name]
    return parts


def reasons(
    city: City, best: np.ndarray, played: np.ndarray, loss: int, error: int
) -> tuple[Reason, ...]:
    """Returns the reasons for a loss from games after both moves, the weightiest first.

    Empty unless their sum agrees with the loss within its error.
    """
    total = played["total"] - best["total"]
    both = math.hypot(error, _error(total))
    if abs(_mean(total) + loss) > SURE_ERRORS * both:
        return ()
    after_best, after_played = parts_of(city, best), parts_of(city, played)
    found = []
    for part, points in after_played.items():
        difference = points - after_best[part]
        if difference.any():
            found.append(Reason(part, _mean(difference), _error(difference)))
    return tuple(sorted(found, key=lambda reason: (reason.points, reason.part)))


def _mean(values: np.ndarray) -> int:
    return thousandths(float(values.mean()))


def _error(values: np.ndarray) -> int:
    return thousandths(float(values.std()) / math.sqrt(max(len(values) - 1, 1)))
