"""Open data does not link a person's months: an attacker looks for everybody in the next month."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

from headway.server.export import (
    PEOPLE_PER_BAND,
    RATING_BAND,
    rating_bands,
)
from headway.server.tables.standings import (
    MIDDLE,
    Skill,
    beginner,
    rate,
)

GAME = "ticket-to-ride"
PEOPLE = [f"person {number}" for number in range(80)]
GAMES_BEFORE, GAMES_OF_A_MONTH = 10, 8
"""Games of each person, on average."""
_UNIT = beginner().error() / beginner().sigma


class Rated(NamedTuple):
    """The result of a seat, as the database keeps it."""

    guest: str
    mu: float
    sigma: float
    place: int
    at: int
    bot: str | None = None
    game: str = GAME

    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma, 0)

    def columns(self) -> tuple[int, int]:
        """The rating before the game and its error, as they were published once."""
        return self.skill().points(), self.skill().error()


Month = list[tuple[Rated, Rated]]


def months(seed: int) -> tuple[Month, Month]:
    """The games of two months, between people who have played before."""
    generator, numbers = random.Random(seed), count()
    strength = {who: generator.gauss(0, 1) for who in PEOPLE}
    skills = {who: beginner() for who in PEOPLE}

    def game() -> tuple[Rated, Rated]:
        pair = generator.sample(PEOPLE, 2)
        pair.sort(key=lambda who: strength[who] + generator.gauss(0, 1), reverse=True)
        at = next(numbers)
        first, second = (Rated(who, *skills[who][:2], n, at) for n, who in enumerate(pair))
        skills.update(rate([(who, place) for place, who in enumerate(pair)], skills))
        return first, second

    for _ in range(len(PEOPLE) * GAMES_BEFORE // 2):
        game()
    number = len(PEOPLE) * GAMES_OF_A_MONTH // 2
    return [game() for _ in range(number)], [game() for _ in range(number)]


def by_person(month: Month) -> dict[str, list[tuple[Rated, Rated]]]:
    """The games of each person, who comes first in them."""
    games: dict[str, list[tuple[Rated, Rated]]] = {}
    for first, second in month:
        games.setdefault(first.guest, []).append((first, second))
        games.setdefault(second.guest, []).append((second, first))
    return games


def after(own: Rated, other: Rated) -> tuple[int, int]:
    """The columns after a game, worked out from what was published of it."""
    before = {
        seat.guest: Skill(25 + (points - MIDDLE) / _UNIT, error / _UNIT, 0)
        for seat, (points, error) in ((own, own.columns()), (other, other.columns()))
    }
    new = rate([(seat.guest, seat.place) for seat in (own, other)], before)[own.guest]
    return new.points(), new.error()


def found(
    last: Mapping[str, tuple[int, ...]],
    first: Mapping[str, tuple[int, ...]],
    generator: random.Random,
) -> float:
    """The share of people whose nearest in the next month is themselves; ties by lot."""

    def nearest(columns: tuple[int, ...]) -> str:
        def distance(who: str) -> int:
            return sum(abs(a - b) for a, b in zip(columns, first[who], strict=True))

        return min(first, key=lambda who: (distance(who), generator.random()))

    both = last.keys() & first.keys()
    return sum(nearest(last[who]) == who for who in sorted(both)) / len(both)


def test_ratings_do_not_tell_who_it_is_in_the_next_month() -> None:
    """Exact ratings before each game did: the error falls with every game, so it gives the order.

    Against bands the attacker gets more than anybody has, the exact ratings at the end of the first
    month, and still cannot tell apart those who have the same band.
    """
    generator = random.Random(1)
    first, second = months(seed=1)
    games, later = by_person(first), by_person(second)
    last = {who: after(*min(g, key=lambda pair: pair[0].sigma)) for who, g in games.items()}
    exact = {who: max(g, key=lambda p: p[0].sigma)[0].columns() for who, g in later.items()}
    assert found(last, exact, generator) > 0.8

    bands = rating_bands([seat for game in second for seat in game])
    middles = {who: (band + RATING_BAND // 2,) for (who, _), band in bands.items()}
    known = {who: (points,) for who, (points, _) in last.items()}
    shares = [found(known, middles, generator) for _ in range(20)]
    by_chance = len(set(bands.values())) / len(bands)
    assert sum(shares) / len(shares) < 1.3 * by_chance < 0.2


def test_a_band_holds_for_a_month_and_for_several_people() -> None:
    """So it does not follow the games, and the strongest are not alone with theirs."""
    games, _ = months(seed=2)
    robot = Rated("", 50.0, 1.0, 0, -1)._replace(bot="expert")
    bands = rating_bands([robot, *(seat for game in games for seat in game)])
    assert bands.pop(("expert", GAME)) == robot.skill().points() // 100 * 100
    of_all = {
        who: own[0][0].skill().points() // RATING_BAND * RATING_BAND
        for who, own in by_person(games).items()
    }
    sharing = Counter(of_all.values())
    assert bands == {(w, GAME): b for w, b in of_all.items() if sharing[b] >= PEOPLE_PER_BAND}
    assert len(bands) < len(of_all)
