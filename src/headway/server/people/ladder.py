"""Ratings as people see them: how a game moved them, firsts and records, the ladder of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from headway.games import box
from headway.server.core.schema import ACCOUNTS, FEATS, RATINGS, RESULTS, SHARING
from headway.server.people.acquaintances import MINE, THEIRS, met, won_lost_level
from headway.server.people.profiles import BotRating, Rating, rating_of
from headway.server.people.store import OUT
from headway.server.tables import results
from headway.server.tables.standings import Skill
from headway.server.tables.view import game_title

MOST_ON_LADDER = 100


class GameRating(msgspec.Struct, frozen=True):
    """How a game moved the rating of a seat's player; `provisional` until it counts for others."""

    seat: int
    before: int
    after: int
    error: int
    provisional: bool


class BestResult(msgspec.Struct, frozen=True):
    """My result, and my best one before on the map with the same modules, if there was one."""

    seat: int
    total: int
    before: int | None


class SeatAgainst(msgspec.Struct, frozen=True):
    """How often I came before the person at a seat in this game, behind, and level."""

    seat: int
    won: int
    lost: int
    level: int


class Standing(msgspec.Struct, frozen=True):
    """What a finished game has brought: ratings, results against others, firsts and records."""

    ratings: list[GameRating]
    against: list[SeatAgainst]
    feats: list[str]
    best: BestResult | None


class Rung(msgspec.Struct, frozen=True):
    """An account on the ladder; several with the same points share a place."""

    place: int
    name: str
    points: int
    error: int
    games: int
    mine: bool


class Ladder(msgspec.Struct, frozen=True):
    """The ladder of a game: settled accounts and bots, and where I stand, on it or not yet.

    `settled_games` and `settled_seconds` say when an account comes on the ladder.
    """

    game: str
    title: dict[str, str]
    rungs: list[Rung]
    bots: list[BotRating]
    mine: Rating | None
    settled_games: int
    settled_seconds: float


def standing(connection: Connection, table_id: str, guest: str) -> Standing:
    """Returns what a finished game has brought; for somebody without a seat only ratings."""
    rows = connection.execute(select(RESULTS).where(RESULTS.c.table_id == table_id)).all()
    settled = {
        row.who
        for row in results.settled_among(connection, {row.guest for row in rows if row.guest})
    }
    mine = next((row for row in rows if row.guest == guest), None)
    feats = select(FEATS.c.feat).where(FEATS.c.table_id == table_id, FEATS.c.guest == guest)
    return Standing(
        ratings=[
            GameRating(
                row.seat,
                Skill(row.mu, row.sigma, 0).points(),
                Skill(row.mu_after, row.sigma_after, 0).points(),
                Skill(row.mu_after, row.sigma_after, 0).error(),
                row.guest is not None and row.guest not in settled,
            )
            for row in sorted(rows, key=lambda row: row.seat)
            if row.mu_after is not None
        ],
        against=_against(connection, mine, rows) if mine else [],
        feats=sorted(connection.execute(feats).scalars()),
        best=_best(connection, mine) if mine else None,
    )


def _against(connection: Connection, mine: Any, rows: Sequence[Any]) -> list[SeatAgainst]:
    """Counts all results of this game between somebody and each other person at its table."""
    others = {row.guest: row.seat for row in rows if row.guest not in (None, mine.guest)}
    query = met(mine.guest).where(MINE.c.game == mine.game, THEIRS.c.guest.in_(others))
    behind: dict[str, list[int]] = {}
    for row in connection.execute(query) if others else ():
        behind.setdefault(row.other, []).append(row.behind)
    return [
        SeatAgainst(seat, *won_lost_level(behind.get(other, [])))
        for other, seat in sorted(others.items(), key=lambda one: one[1])
    ]


def _best(connection: Connection, mine: Any) -> BestResult:
    """Returns a result beside the best before it, on the map with the same modules."""
    alike = [RESULTS.c[name] == getattr(mine, name) for name in ("guest", "game", "map", "modules")]
    earlier = select(func.max(RESULTS.c.total)).where(*alike, RESULTS.c.at < mine.at)
    return BestResult(mine.seat, mine.total, connection.execute(earlier).scalar())


def ladder(connection: Connection, game: str, guest: str, at: float) -> Ladder:
    """Returns the ladder of a game, without those who keep out of open data."""
    out = select(SHARING.c.guest).where(SHARING.c.choice == OUT)
    query = (
        select(RATINGS, ACCOUNTS.c.name)
        .join(ACCOUNTS, ACCOUNTS.c.guest == RATINGS.c.who)
        .where(RATINGS.c.game == game, RATINGS.c.games >= results.SETTLED_GAMES)
        .where(ACCOUNTS.c.created <= at - results.SETTLED_SECONDS, RATINGS.c.who.not_in(out))
        .order_by(RATINGS.c.mu.desc(), ACCOUNTS.c.name)
        .limit(MOST_ON_LADDER)
    )
    rungs: list[Rung] = []
    for number, row in enumerate(connection.execute(query), 1):
        skill = Skill(row.mu, row.sigma, row.games)
        same = rungs and rungs[-1].points == skill.points()
        place = rungs[-1].place if same else number
        mine = row.who == guest
        rungs.append(Rung(place, row.name, skill.points(), skill.error(), skill.games, mine))
    bots = results.bot_ratings(connection, game)
    own = results.ratings_of(connection, guest).get(game)
    of_bots = rating_of(game, own or Skill(0.0, 0.0, 0), bots).bots
    return Ladder(
        game=game,
        title=game_title(box(game)),
        rungs=rungs,
        bots=of_bots,
        mine=rating_of(game, own, {}) if own else None,
        settled_games=results.SETTLED_GAMES,
        settled_seconds=results.SETTLED_SECONDS,
    )
