"""Evaluates the results of a job: means, paired differences, win rates, ratings.

The unit of observation is the deal. Bots are compared on the same cards, and all games of a deal
(its seatings) count as one observation, so that standard errors are correct.

Ratings are on the scale of chess: the mean is 1500, 100 points more win 64% of games. Both methods
treat a game as duels between all pairs of contestants. *Openskill* (Plackett and Luce) learns duel
by duel; its result depends on their order, so it is averaged over several random orders. *Elo* is
fitted to all win rates at once; each pair gets an extra half win on both sides, so that the ratings
stay finite.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any, NamedTuple

import msgspec
import numpy as np

from headway.arena.job import Job, Result

MEAN_RATING = 1500.0
SCALE = 400 / math.log(10)
"""Points per factor of e in the odds: 400 points are odds of 10 to 1."""
SHUFFLES = 8
ITERATIONS = 2000


Duel = tuple[str, str, float]
"""Two contestants who met; 1.0 if the first finished ahead, 0.5 if they tied."""


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
    met = {bot for first, second, _ in duels for bot in (first, second)}
    number = {bot: i for i, bot in enumerate(bot for bot in bots if bot in met)}
    won = np.zeros((len(number), len(number)))
    for first, second, share in duels:
        won[number[first], number[second]] += share
        won[number[second], number[first]] += 1 - share
    won[won + won.T > 0] += 0.5
    games, strength = won + won.T, np.ones(len(number))
    for _ in range(ITERATIONS):
        strength = won.sum(axis=1) / (games / np.add.outer(strength, strength)).sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
    return {bot: MEAN_RATING + SCALE * math.log(strength[i]) for bot, i in number.items()}


class Estimate(msgspec.Struct, frozen=True):
    """A mean with its standard error and 95% confidence interval."""

    mean: float
    error: float
    low: float
    high: float


class BotStanding(msgspec.Struct, frozen=True):
    """The results of a contestant; fields that need an opponent are None without one."""

    bot: str
    games: int
    score: Estimate
    fair: Estimate | None
    """The score without the luck of the cards: the same mean with a smaller error."""
    median: float
    lowest: int
    highest: int
    wins: Estimate | None
    rating: float | None
    elo: float | None
    decisions: int
    cpu: float
    """The mean processor time of a decision in seconds."""
    longest: float


class BotPair(msgspec.Struct, frozen=True):
    """Two contestants on the same deals: the difference of points, and the first one's win rate."""

    bot: str
    other: str
    deals: int
    difference: Estimate
    fair: Estimate | None
    wins: Estimate


class ArenaReport(msgspec.Struct, frozen=True):
    """The evaluation of a job's results."""

    job: Job
    games: int
    standings: list[BotStanding]
    pairs: list[BotPair]


class Contest(NamedTuple):
    """Contestants to be compared: those of one game or, in solo games, all who played a deal."""

    deal: int
    totals: dict[str, int]
    ranks: dict[str, int]
    fair: dict[str, float]

    def share(self, bot: str) -> float:
        """Returns a contestant's share of the victory."""
        first = [name for name, rank in self.ranks.items() if rank == 0]
        return (bot in first) / len(first)

    def beats(self, bot: str, other: str) -> float:
        """Returns 1 if the first finished ahead of the second, 0.5 if they tied."""
        mine, its = self.ranks[bot], self.ranks[other]
        return 0.5 if mine == its else float(mine < its)


def report(job: Job, results: Sequence[Result]) -> ArenaReport:
    """Evaluates the results of a job."""
    contests = contests_of(job, results)
    met = [contest for contest in contests if len(contest.totals) > 1]
    duels = _duels(met, job.contestants)
    ratings = openskill_points(duels, job.contestants)
    points = elo(duels, job.contestants)
    standings = [
        _standing(bot, results, met, ratings.get(bot), points.get(bot))
        for bot in job.contestants
        if any(bot in result.bots for result in results)
    ]
    pairs = [_pair(bot, other, met) for bot, other in combinations(job.contestants, 2)]
    return ArenaReport(job, len(results), standings, [pair for pair in pairs if pair])


def contests_of(job: Job, results: Iterable[Result]) -> list[Contest]:
    """Returns the contests in order: the games or, in solo games, the deals."""
    together: defaultdict[int, list[Result]] = defaultdict(list)
    for result in results:
        together[result.deal if job.solo else result.game].append(result)
    return [_contest(together[number]) for number in sorted(together)]


def _contest(results: Sequence[Result]) -> Contest:
    """Returns one contest; ties of a game are broken by the game's rule, if it has one."""
    first, *others = results
    winners = [] if others else [first.bots[seat] for seat in first.winners]
    totals = {bot: total for r in results for bot, total in zip(r.bots, r.totals, strict=True)}
    fair = {bot: points for r in results for bot, points in _fair(r).items()}
    return Contest(first.deal, totals, _ranks(totals, winners), fair)


def _fair(result: Result) -> dict[str, float]:
    """Returns the totals without luck, if it was measured."""
    if not result.luck:
        return {}
    rows = zip(result.bots, result.totals, result.luck, strict=True)
    return {bot: total - luck for bot, total, luck in rows}


def _ranks(totals: dict[str, int], winners: Sequence[str]) -> dict[str, int]:
    keys = {bot: (bot not in winners, -total) for bot, total in totals.items()}
    order = sorted(set(keys.values()))
    return {bot: order.index(key) for bot, key in keys.items()}


def _standing(
    bot: str,
    results: Sequence[Result],
    met: Sequence[Contest],
    rating: float | None,
    points: float | None,
) -> BotStanding:
    rows = [(result, result.bots.index(bot)) for result in results if bot in result.bots]
    totals = [result.totals[seat] for result, seat in rows]
    decisions = sum(result.moves[seat] for result, seat in rows)
    fair = [(result.deal, _fair(result)[bot]) for result, _ in rows if result.luck]
    shares = [(contest.deal, contest.share(bot)) for contest in met if bot in contest.ranks]
    return BotStanding(
        bot=bot,
        games=len(rows),
        score=estimate((result.deal, result.totals[seat]) for result, seat in rows),
        fair=estimate(fair) if fair else None,
        median=float(np.median(totals)),
        lowest=min(totals),
        highest=max(totals),
        wins=rate(shares) if shares else None,
        rating=rating,
        elo=points,
        decisions=decisions,
        cpu=sum(result.cpu[seat] for result, seat in rows) / max(decisions, 1),
        longest=max(result.longest[seat] for result, seat in rows),
    )


def _pair(bot: str, other: str, met: Sequence[Contest]) -> BotPair | None:
    both = [contest for contest in met if bot in contest.totals and other in contest.totals]
    if not both:
        return None
    fair = [(c.deal, c.fair[bot] - c.fair[other]) for c in both if c.fair]
    return BotPair(
        bot=bot,
        other=other,
        deals=len({contest.deal for contest in both}),
        difference=estimate((c.deal, c.totals[bot] - c.totals[other]) for c in both),
        fair=estimate(fair) if fair else None,
        wins=rate((c.deal, c.beats(bot, other)) for c in both),
    )


def _duels(met: Iterable[Contest], bots: Sequence[str]) -> list[Duel]:
    """Returns the duels of all contests, each contestant against each other one."""
    return [
        (bot, other, contest.beats(bot, other))
        for contest in met
        for bot, other in combinations([b for b in bots if b in contest.ranks], 2)
    ]


def estimate(values: Iterable[tuple[int, float]]) -> Estimate:
    """Returns the mean of values by deal; values of one deal count as one observation."""
    means = _by_deal(values)
    mean = float(means.mean())
    if len(means) < 2:
        return Estimate(mean, 0.0, mean, mean)
    error = float(means.std(ddof=1) / np.sqrt(len(means)))
    reach = _student(len(means) - 1) * error
    return Estimate(mean, error, mean - reach, mean + reach)


def rate(values: Iterable[tuple[int, float]]) -> Estimate:
    """Returns the mean of values from 0 to 1, with Wilson's interval, which fits near the ends."""
    means = _by_deal(values)
    mean, z = float(means.mean()), NormalDist().inv_cdf(0.975)
    error = float(means.std(ddof=1) / np.sqrt(len(means))) if len(means) > 1 else 0.0
    count = mean * (1 - mean) / error**2 if error else len(means)
    middle = (mean + z**2 / (2 * count)) / (1 + z**2 / count)
    reach = z / (1 + z**2 / count) * np.sqrt(mean * (1 - mean) / count + (z / (2 * count)) ** 2)
    return Estimate(mean, error, max(0.0, middle - float(reach)), min(1.0, middle + float(reach)))


def _by_deal(values: Iterable[tuple[int, float]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    deals: defaultdict[int, list[float]] = defaultdict(list)
    for deal, value in values:
        deals[deal].append(value)
    return np.array([np.mean(deals[deal]) for deal in sorted(deals)])


def _student(freedom: int) -> float:
    """Returns the 97.5% quantile of Student's distribution, by an expansion of the normal one."""
    z = NormalDist().inv_cdf(0.975)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))
