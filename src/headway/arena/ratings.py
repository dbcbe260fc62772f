"""Ratings on the scale of chess: 1500 is the middle of the field, 100 points more win 64 of 100.

Two ways stand side by side; both see every game as duels, each contestant against each other one.
*Openskill* (Plackett and Luce) learns duel by duel; since its answer depends a little on their
order, they are shuffled several times and the mean is taken. *Elo* is fitted to all win rates at
once, without any order; each pair gets half a win more on both sides, so that a clean sweep stays
finite.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

MIDDLE = 1500.0
SCALE = 400 / math.log(10)
"""Points for each factor of e in the odds: 400 points are odds of 10 to 1."""
ORDERS = 8
ROUNDS = 2000


class Duel(NamedTuple):
    """Two contestants who met; `won` is 1 if the first came before the second, a half if equal."""

    first: str
    second: str
    won: float


def openskill_points(duels: Sequence[Duel], bots: Sequence[str]) -> dict[str, float]:
    """Openskill's ratings, the mean over several orders of the duels.

    Its model gives odds of exp(difference / c) with c² = 2 beta² + both sigmas², so a difference
    times SCALE / c is in points of Elo.
    """
    if not duels:
        return {}
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    sums = dict.fromkeys(bots, 0.0)
    for order in range(ORDERS):
        shuffled = list(duels)
        random.Random(order).shuffle(shuffled)
        rated = {bot: model.rating() for bot in bots}
        for first, second, won in shuffled:
            teams = [[rated[first]], [rated[second]]]
            (rated[first],), (rated[second],) = model.rate(teams, ranks=[1 - won, won])
        doubt = sum(rating.sigma**2 for rating in rated.values()) / len(bots)
        scale = SCALE / math.sqrt(2 * model.beta**2 + 2 * doubt)
        for bot in bots:
            sums[bot] += (rated[bot].mu - model.mu) * scale / ORDERS
    return {bot: MIDDLE + points for bot, points in sums.items()}


def elo(duels: Sequence[Duel], bots: Sequence[str]) -> dict[str, float]:
    """The ratings of Bradley and Terry under which these duels are likeliest."""
    if not duels:
        return {}
    padded: defaultdict[tuple[str, str], float] = defaultdict(lambda: 0.5)
    for first, second, won in duels:
        padded[first, second] += won
        padded[second, first] += 1 - won
    met = [bot for bot in bots if any(bot == first for first, _ in padded)]
    strength = dict.fromkeys(met, 1.0)
    for _ in range(ROUNDS):
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
    return {bot: MIDDLE + SCALE * math.log(value) for bot, value in strength.items()}
