"""What many reviews tell together: means with their errors, and kinds of decisions that cost most.

Each reviewed seat is reduced to a few sums once, so that nobody reads whole reviews again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec

from headway.reviews.job import reviewers
from headway.reviews.report import Measure, Review, SeatReview

ALL = "all"
"""What stands for the kind of every decision."""
FEWEST_DECISIONS = 20
"""A kind with fewer decisions is compared with nothing."""
KIND_ERRORS = 3
"""How many standard errors a kind must differ from the others by.

With about ten kinds, one of them differs by two errors from chance alone in every third profile.
"""


class LossSums(msgspec.Struct, frozen=True, array_like=True):
    """The number of decisions, the sum of their losses in thousandths, and that of the squares."""

    decisions: int = 0
    loss: int = 0
    squares: int = 0

    def plus(self, other: LossSums) -> LossSums:
        """Returns the sums of both."""
        return LossSums(
            self.decisions + other.decisions, self.loss + other.loss, self.squares + other.squares
        )

    def minus(self, other: LossSums) -> LossSums:
        """Returns the sums without a part of them."""
        return self.plus(LossSums(-other.decisions, -other.loss, -other.squares))

    def mean(self) -> float:
        """Returns the mean loss."""
        return self.loss / self.decisions

    def error(self) -> float:
        """Returns the standard error of the mean."""
        return _error(self.decisions, self.loss, self.squares)


class SeatFigures(msgspec.Struct, frozen=True):
    """A reviewed seat: its sum in thousandths of the measure, and its losses by kind."""

    seat: int
    measure: Measure
    result: int
    luck: int
    loss: int
    kinds: dict[str, LossSums]


class Mean(msgspec.Struct, frozen=True):
    """A mean in thousandths and its standard error; None for a single game."""

    mean: int
    error: int | None


class KindLoss(msgspec.Struct, frozen=True):
    """What a kind of decision loses in the mean, and what all other decisions lose."""

    kind: str
    decisions: int
    loss: Mean
    others: int


def figures_of(review: Review) -> list[SeatFigures]:
    """Returns the figures of all seats of a review."""
    return [
        SeatFigures(s.seat, s.measure, s.result, s.luck, s.loss, _kinds(review.game, s))
        for s in review.seats
    ]


def _kinds(game: str, seat: SeatReview) -> dict[str, LossSums]:
    kinds_of, sums = reviewers()[game].kinds, dict[str, LossSums]()
    for turn in seat.turns:
        if turn.decision is not True:
            continue
        one = LossSums(1, turn.loss, turn.loss * turn.loss)
        for kind in (ALL, *kinds_of(turn)):
            sums[kind] = sums.get(kind, LossSums()).plus(one)
    return sums


def mean_of(values: Sequence[int]) -> Mean:
    """Returns the mean of some games."""
    return mean_of_sums(len(values), sum(values), sum(value * value for value in values))


def mean_of_sums(count: int, total: float, squares: float) -> Mean:
    """Returns the mean of some games from their sum and that of their squares."""
    if count < 2:
        return Mean(round(total / max(count, 1)), None)
    return Mean(round(total / count), round(_error(count, total, squares)))


def _error(count: int, total: float, squares: float) -> float:
    """Returns the standard error of a mean."""
    return sqrt(max(squares - total * total / count, 0.0) / (count - 1) / count)


def distinct_kinds(games: Sequence[dict[str, LossSums]]) -> list[KindLoss]:
    """Returns the kinds whose mean loss surely differs from that of all other decisions.

    The most expensive kind comes first.
    """
    sums: dict[str, LossSums] = {}
    for game in games:
        for kind, loss in game.items():
            sums[kind] = sums.get(kind, LossSums()).plus(loss)
    whole = sums.pop(ALL, LossSums())
    distinct = []
    for kind, mine in sums.items():
        others = whole.minus(mine)
        if min(mine.decisions, others.decisions) < FEWEST_DECISIONS:
            continue
        error = sqrt(mine.error() ** 2 + others.error() ** 2)
        if abs(mine.mean() - others.mean()) > KIND_ERRORS * error:
            mean = mean_of_sums(mine.decisions, mine.loss, mine.squares)
            distinct.append(KindLoss(kind, mine.decisions, mean, round(others.mean())))
    return sorted(distinct, key=lambda one: (one.others - one.loss.mean, one.kind))
