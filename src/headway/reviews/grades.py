"""What counts as a mistake, and the level of the bots that loses as much as a player.

The limits of levels lie between the losses of the bots in London, a table of docs/measurements.md.
In Ticket to Ride they lie between the means of 200 games; one game says little there (`rough`).
`python -m benchmarks.grades` reviews more games and prints the limits that follow from them.
"""

from __future__ import annotations

from typing import NamedTuple

from headway.reviews.report import Level, Mark, Measure

SURE_ERRORS = 2
"""A mark needs a loss above this many standard errors."""
ROUGH_ERRORS = 3
"""The same where figures are rough."""


class MarkLimits(NamedTuple):
    """The limits of a measure, in its thousandths."""

    inaccuracy: int
    mistake: int
    blunder: int
    good: int
    """Below this loss a move is good."""


MARKS: dict[Measure, MarkLimits] = {
    "points": MarkLimits(inaccuracy=1000, mistake=3000, blunder=8000, good=500),
    "victory": MarkLimits(inaccuracy=2000, mistake=5000, blunder=12000, good=1000),
}


def mark_of(measure: Measure, loss: int, error: int, rough: bool = False) -> Mark | None:
    """Returns the mark of a loss; None if it is small or may be chance."""
    limits = MARKS[measure]
    if loss <= (ROUGH_ERRORS if rough else SURE_ERRORS) * error or loss < limits.inaccuracy:
        return None
    if loss < limits.mistake:
        return "inaccuracy"
    return "mistake" if loss < limits.blunder else "blunder"


class Fitted(NamedTuple):
    """Up to these losses a game is played like each level, best first; above all: the lowest."""

    expert: int
    driver: int
    commuter: int


LEVEL_LIMITS: dict[str, Fitted] = {
    "next-station": Fitted(2500, 8000, 27500),
    "ticket-to-ride": Fitted(44000, 85500, 118500),
}
"""In thousandths, by game; those of London are used on all maps."""

LOST: dict[str, dict[Level, int]] = {
    "next-station": {"tourist": 51800, "commuter": 21100, "driver": 2800, "expert": 0},
    "ticket-to-ride": {"tourist": 133600, "commuter": 102900, "driver": 67900, "expert": 20100},
}
"""What each level loses in a game, in thousandths (docs/measurements.md)."""


def level_of(loss: int, limits: Fitted) -> Level:
    """Returns the level that loses as much in a game."""
    if loss <= limits.expert:
        return "expert"
    if loss <= limits.driver:
        return "driver"
    return "commuter" if loss <= limits.commuter else "tourist"
