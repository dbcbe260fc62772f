"""Ratings of people and bots: openskill's model of Plackett and Luce, on the scale of chess."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MIDDLE = 1500
"""The points of a contestant without games."""
SCALE = 400 / math.log(10)
"""As in the arena: 400 points mean odds of 10 to 1 between two well-known strengths."""


class Skill(NamedTuple):
    """The strength of a contestant, its standard deviation, and the number of games behind it."""

    mu: float
    sigma: float
    games: int

    def points(self) -> int:
        """Returns the rating as people see it."""
        return round(MIDDLE + (self.mu - _model().mu) * _unit())

    def error(self) -> int:
        """Returns one standard deviation of the rating, in points."""
        return round(self.sigma * _unit())


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # slow to load, and rarely needed

    return PlackettLuce()


def _unit() -> float:
    """Returns the points of one unit of the model's strength."""
    return SCALE / (math.sqrt(2) * float(_model().beta))


def beginner() -> Skill:
    """Returns the skill of a contestant without games."""
    return Skill(_model().mu, _model().sigma, 0)


def rate(seats: Sequence[tuple[str, int]], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """Returns the ratings after a game, by contestant; several seats of one are averaged."""
    model = _model()
    teams = [[model.rating(mu=before[who].mu, sigma=before[who].sigma)] for who, _ in seats]
    rated = model.rate(teams, ranks=[float(rank) for _, rank in seats])
    after: dict[str, Skill] = {}
    for who in sorted({who for who, _ in seats}):
        skills = [team[0] for team, (other, _) in zip(rated, seats, strict=True) if other == who]
        mu, sigma = fmean(s.mu for s in skills), fmean(s.sigma for s in skills)
        after[who] = Skill(mu, sigma, before[who].games + 1)
    return after
