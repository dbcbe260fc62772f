"""What counts as a mistake, in one place."""

from __future__ import annotations

from typing import NamedTuple

from headway.reviews.report import Mark, Measure

ERRORS = 2
"""A mark needs a loss above this many standard errors."""
TURNING_POINTS = 3
SHOWN_MOVES = 6
"""The best moves that a report lists; the one that was played is always among them."""


class Limits(NamedTuple):
    """The limits of a measure, in its thousandths."""

    inaccuracy: int
    mistake: int
    blunder: int
    good: int
    """Below this loss a move is good."""


LIMITS: dict[Measure, Limits] = {
    "points": Limits(inaccuracy=1000, mistake=3000, blunder=8000, good=500),
    "victory": Limits(inaccuracy=2000, mistake=5000, blunder=12000, good=1000),
}


def mark_of(measure: Measure, loss: int, error: int) -> Mark | None:
    """Returns the mark of a loss; None if it is small or may be chance."""
    limits = LIMITS[measure]
    if loss <= ERRORS * error or loss < limits.inaccuracy:
        return None
    if loss < limits.mistake:
        return "inaccuracy"
    return "mistake" if loss < limits.blunder else "blunder"
