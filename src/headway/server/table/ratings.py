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
"""What everybody begins with."""
SCALE = 400 / math.log(10)
"""As in the arena: 400 points are odds of 10 to 1 between two whose strength is known well."""


class Skill(NamedTuple):
    """What is known of a contestant: strength, doubt, and the games that say so."""

    mu: float
    sigma: float
    games: int

    def points(self) -> int:
        """The rating as people see it."""
        return round(MIDDLE + (self.mu - _model().mu) * _unit())

    def error(self) -> int:
        """How far off it may be, in points: one standard deviation."""
        return round(self.sigma * _unit())


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # slow to load, and seldom needed

    return PlackettLuce()


def _unit() -> float:
    """Points for each unit of the model's strength."""
    return SCALE / (math.sqrt(2) * float(_model().beta))


def beginner() -> Skill:
    """Somebody of whom nothing is known."""
    return Skill(_model().mu, _model().sigma, 0)


def rate(seats: Sequence[tuple[str, int]], known: Mapping[str, Skill]) -> dict[str, Skill]:
    """The ratings after a game, by contestant; who had several seats gets the mean of them."""
    model = _model()
    teams = [[model.rating(mu=known[who].mu, sigma=known[who].sigma)] for who, _ in seats]
    after = model.rate(teams, ranks=[float(rank) for _, rank in seats])
    found: dict[str, Skill] = {}
    for who in sorted({who for who, _ in seats}):
        own = [team[0] for team, (other, _) in zip(after, seats, strict=True) if other == who]
        mu, sigma = fmean(each.mu for each in own), fmean(each.sigma for each in own)
        found[who] = Skill(mu, sigma, known[who].games + 1)
    return found
