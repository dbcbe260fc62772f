"""Ratings on the scale of chess: the mean is 1500, 100 points more win 64% of games.

Both methods treat a game as duels between all pairs of contestants. *Openskill* (Plackett and Luce)
learns duel by duel; its result depends on their order, so it is averaged over several random
orders. *Elo* is fitted to all win rates at once; each pair gets an extra half win on both sides, so
that the ratings stay finite.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

MEAN_RATING = 1500.0
SCALE = 400 / math.log(10)
"""Points per factor of e in the odds: 400 points are odds of 10 to 1."""
SHUFFLES = 8
ITERATIONS = 2000


class Duel(NamedTuple):
    """Two contestants who met; `won` is 1 if the first finished ahead, 0.5 if they tied."""

    first: str
    second: str
    won: float


def openskill_points(duels: Sequence[Duel], bots: Sequence[str]) -> dict[str, float]:
    """Returns Openskill's ratings, averaged over several orders of the duels.

    Its model gives odds of exp(difference / c) with c² = 2 beta² + both sigmas², so a difference
    times SCALE / c is in points of Elo.
    """
    if not duels:
        return {}
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    sums = dict.fromkeys(bots, 0.0)
    for order in range(SHUFFLES):
        shuffled = list(duels)
        random.Random(order).shuffle(shuffled)
        rated = {bot: model.rating() for bot in bots}
        for first, second, won in shuffled:
            teams = [[rated[first]], [rated[second]]]
            (rated[first],), (rated[second],) = model.rate(teams, ranks=[1 - won, won])
        doubt = sum(rating.sigma**2 for rating in rated.values()) / len(bots)
        scale = SCALE / math.sqrt(2 * model.beta**2 + 2 * doubt)
        for bot in bots:
            sums[bot] += (rated[bot].mu - model.mu) * scale / SHUFFLES
    return {bot: MEAN_RATING + points for bot, points in sums.items()}


def elo(duels: Sequence[Duel], bots: Sequence[str]) -> dict[str, float]:
    """Returns the maximum likelihood ratings of the Bradley-Terry model."""
    if not duels:
        return {}
    padded: defaultdict[tuple[str, str], float] = defaultdict(lambda: 0.5)
    for first, second, won in duels:
        padded[first, second] += won
        padded[second, first] += 1 - won
    met = [bot for bot in bots if any(bot == first for first, _ in padded)]
    strength = dict.fromkeys(met, 1.0)
    for _ in range(ITERATIONS):
        new = {}
        for bot in met:
            won = sum(padded[bot, other] for other in met if (bot, other) in padded)
            games = sum(
                (padded[bot, other] + padded[other, bot]) / (strength[bot] + strength[other])
                for other in met
                if (bot, other) in padded
            )
            new[bot] = won / games
        middle = math.prod(new.values()) ** (1 / len(new))
        strength = {bot: value / middle for bot, value in new.items()}
    return {bot: MEAN_RATING + SCALE * math.log(value) for bot, value in strength.items()}
