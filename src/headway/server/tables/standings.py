"""The result of each seat of a finished game, whose result it is, and who is rated against whom.

Ratings of people and bots: openskill's model of Plackett and Luce, on the scale of chess.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from headway.bots.registry import is_rated, split
from headway.server.tables.events import MOVE
from headway.server.tables.state import TableState

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

BOT_PREFIX = "bot:"
MIDDLE = 1500
"""The points of a contestant without games."""
SCALE = 400 / math.log(10)
"""As in the arena: 400 points mean odds of 10 to 1 between two well-known strengths."""


class SeatResult(msgspec.Struct, frozen=True):
    """A seat at the end: its place, and whose result it is (nobody's if several played it).

    `rated` is the contestant whose rating it moves: a guest, or `bot:` and a bot's name; one who
    has `left` the seat comes last.
    """

    seat: int
    total: int
    place: int
    guest: str | None = None
    bot: str | None = None
    rated: str | None = None
    left: bool = False


class RatedContest(NamedTuple):
    """Contestants who are rated against each other, each with a rank, and whose ratings move."""

    seats: list[tuple[str, int]]
    moving: frozenset[str]


def standings(state: TableState) -> list[SeatResult]:
    """Returns the standing of every seat of a finished game."""
    outcome = state.playing().outcome()
    assert outcome
    losers = [total for seat, total in enumerate(outcome.totals) if seat not in outcome.winners]
    result = []
    for seat, total in enumerate(outcome.totals):
        ahead = len(outcome.winners) + sum(other > total for other in losers)
        place = 1 if seat in outcome.winners else 1 + ahead
        result.append(_attributed(state, SeatResult(seat, total, place)))
    return result


def _attributed(state: TableState, standing: SeatResult) -> SeatResult:
    occupant = state.occupants[standing.seat]
    movers = [
        move.guest for move in state.moves if move.seat == standing.seat and move.kind == MOVE
    ]
    people = [guest for guest in movers if guest]
    if occupant.guest is None:
        gone = occupant.former or (people[-1] if people else None)
        if gone:
            return msgspec.structs.replace(standing, rated=gone, left=True)
        bot = occupant.bot
        rated = bot is not None and is_rated(split(bot)[0], state.setup.game)
        contestant = f"{BOT_PREFIX}{bot}" if rated else None
        return msgspec.structs.replace(standing, bot=bot, rated=contestant)
    alone = set(movers) <= {occupant.guest}  # neither a bot nor anybody else moved there
    if not alone or len(state.held_by(occupant.guest)) > 1:
        return standing
    return msgspec.structs.replace(standing, guest=occupant.guest, rated=occupant.guest)


def contests(
    state: TableState,
    result: list[SeatResult],
    accounts: Collection[str],
    settled: Collection[str],
) -> list[RatedContest]:
    """Returns the contests of a game: of settled accounts and bots, of each new account, of guests.

    Nothing that guests or new accounts do moves another's rating, because anybody can be several
    of them. A new account is rated against bots and settled accounts. Unrated are training, deals
    of the day, and tables where one guest holds several seats.
    """
    shared = any(len(state.held_by(who.guest)) > 1 for who in state.occupants if who.guest)
    if state.setup.training or state.setup.day or shared:
        return []
    last = len(result) + 1
    ranks = [(standing.rated, last if standing.left else standing.place) for standing in result]
    rated = [(who, rank) for who, rank in ranks if who]
    bots = {who for who, _ in rated if who.startswith(BOT_PREFIX)}
    members = {who for who, _ in rated if who in accounts}
    guests = {who for who, _ in rated} - bots - members
    known = members & set(settled)
    sides = [(known, known | bots), (guests, guests)]
    sides += [(known | {new}, {new}) for new in sorted(members - known)]
    held = [
        RatedContest(
            [(who, rank) for who, rank in rated if who in bots | people], frozenset(moving)
        )
        for people, moving in sides
        if people
    ]
    return [contest for contest in held if len(contest.seats) > 1]


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
