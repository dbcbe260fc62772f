"""What results and ratings tell: profiles of accounts, what a game has brought, the ladders."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from headway.bots import bots_of
from headway.games import box, boxes
from headway.reviews.figures import KindLoss, LossSums, Mean, distinct_kinds, mean_of
from headway.reviews.report import Measure
from headway.server.core.schema import ACCOUNTS, FEATS, RATINGS, RESULTS, SEATS, SHARING, TABLES
from headway.server.people.acquaintances import MINE, THEIRS, met, won_lost_level
from headway.server.people.store import OUT
from headway.server.reviews.service import Reviewing, ReviewQueue
from headway.server.tables import results
from headway.server.tables.standings import Skill
from headway.server.tables.store import TableStore
from headway.server.tables.view import bot_title, game_title, titles

MOST_ON_LADDER = 100


class Rating(msgspec.Struct, frozen=True):
    """How strong somebody is at a game: points around 1500, and how far off they may be.

    It is `provisional` before it counts for others, for want of games. `bots` has those of
    the game's bots that have met people here, the strongest first.
    """

    game: str
    title: dict[str, str]
    points: int
    error: int
    games: int
    provisional: bool
    bots: list[BotRating]


class BotRating(msgspec.Struct, frozen=True):
    """The rating of a bot, from its games against people here."""

    bot: str
    title: dict[str, str]
    points: int
    error: int


class Score(msgspec.Struct, frozen=True):
    """A result in a plot: when, and how many points."""

    at: float
    total: int


class ReviewedGame(msgspec.Struct, frozen=True):
    """What a review tells of a game, in thousandths of the measure."""

    table: str
    at: float
    result: int
    luck: int
    loss: int


class ReviewSeries(msgspec.Struct, frozen=True):
    """What reviews tell of the last reviewed games of a series, the first one first.

    `without` is the result without luck. `kinds` are the kinds of decisions whose loss surely
    differs from that of all others, the most expensive first.
    """

    measure: Measure
    loss: Mean
    without: Mean
    games: list[ReviewedGame]
    kinds: list[KindLoss]


class ResultSeries(msgspec.Struct, frozen=True):
    """Somebody's results on a map with the same modules, the first one first."""

    game: str
    map: str
    title: dict[str, str]
    modules: list[str]
    games: int
    mean: float
    best: int
    best_table: str
    best_seat: int
    scores: list[Score]
    reviewed: ReviewSeries | None


class Opponent(msgspec.Struct, frozen=True):
    """Somebody else at a finished game; with an `account`, `/u/NAME` is their page."""

    name: str
    account: bool
    bot: str | None


class Played(msgspec.Struct, frozen=True):
    """A finished game: the number of seats, the place and the points, and who else played."""

    table: str
    game: str
    map: str
    title: dict[str, str]
    at: float
    seats: int
    place: int
    total: int
    day: str
    others: list[Opponent]


class Feat(msgspec.Struct, frozen=True):
    """Something to be proud of, done for the first time at a table."""

    feat: str
    table: str
    at: float


class Profile(msgspec.Struct, frozen=True):
    """What everybody may know of an account; the last games first."""

    name: str
    since: float
    mine: bool
    games: int
    ratings: list[Rating]
    courses: list[ResultSeries]
    played: list[Played]
    feats: list[Feat]
    reviews: ReviewQueue
    """Mine; empty on the page of somebody else."""


Skills = dict[str, Skill]
MOST_REVIEWED = 200
"""How many of the last reviewed games make the figures of reviews."""
MOST_RESULTS = 2000
MOST_PLAYED = 50
MOST_SCORES = 200


async def profile(
    store: TableStore, reviewing: Reviewing, account: Any, guest: str | None
) -> Profile:
    """Returns the page of an account; today's deals show to its owner alone."""
    mine = account.guest == guest

    def work(connection: Connection) -> tuple[Any, ...]:
        rows = results.results_of(connection, account.guest, MOST_RESULTS)
        reviewed = results.reviewed_of(connection, account.guest, MOST_REVIEWED)
        skills = results.ratings_of(connection, account.guest)
        bots = {game: results.bot_ratings(connection, game) for game in skills}
        others = _others(connection, rows[:MOST_PLAYED])
        feats = connection.execute(_feats(account.guest)).all()
        return rows, reviewed, skills, bots, others, feats

    rows, reviewed, skills, bots, others, feats = await store.database.read(work)
    games = {game_box.name: game_box for game_box in boxes()}

    def shown(row: Any) -> bool:
        told = mine or not store.calendar.is_today(row.dealt)
        return told and row.game in games and row.map in games[row.game].maps

    rows, reviewed = list(filter(shown, rows)), list(filter(shown, reviewed))
    return Profile(
        name=account.name,
        since=account.created,
        mine=mine,
        games=len(rows),
        ratings=[_rating(game, skills[game], bots[game]) for game in games if game in skills],
        courses=_result_series(rows, reviewed),
        played=[_played(row, others.get(row.table_id, [])) for row in rows[:MOST_PLAYED]],
        feats=[Feat(row.feat, row.table_id, row.at) for row in feats if shown(row)],
        reviews=await reviewing.queue_of(account.guest) if mine else ReviewQueue(0, 0),
    )


def _rating(game: str, skill: Skill, bots: dict[str, Skill]) -> Rating:
    """Returns a rating as people see it, beside those of some bots of the game."""
    return Rating(
        game=game,
        title=game_title(box(game)),
        points=skill.points(),
        error=skill.error(),
        games=skill.games,
        provisional=skill.games < results.SETTLED_GAMES,
        bots=_bot_ratings(game, bots),
    )


def _bot_ratings(game: str, bots: dict[str, Skill]) -> list[BotRating]:
    """Returns the ratings of those bots that the game still has."""
    known = bots_of(game)
    return [
        BotRating(name, bot_title(name, game), rating.points(), rating.error())
        for name, rating in bots.items()
        if name in known
    ]


Series = tuple[str, str, str]
"""Game, map and modules."""


def _groups(rows: list[Any]) -> dict[Series, list[Any]]:
    """Groups results on the same map with the same modules, the first one first."""
    groups: dict[Series, list[Any]] = {}
    for row in reversed(rows):
        groups.setdefault((row.game, row.map, row.modules), []).append(row)
    return groups


def _review_series(rows: list[Any]) -> ReviewSeries | None:
    if not rows:
        return None
    return ReviewSeries(
        measure=rows[-1].measure,
        loss=mean_of([row.loss for row in rows]),
        without=mean_of([row.worth - row.luck for row in rows]),
        games=[ReviewedGame(row.table_id, row.at, row.worth, row.luck, row.loss) for row in rows],
        kinds=distinct_kinds([msgspec.convert(row.kinds, dict[str, LossSums]) for row in rows]),
    )


def _result_series(rows: list[Any], reviewed: list[Any]) -> list[ResultSeries]:
    """Returns the results on each map with the same modules, those played most first."""
    series, figures = [], _groups(reviewed)
    for (game, map_name, modules), group in _groups(rows).items():
        best = max(group, key=lambda row: row.total)
        series.append(
            ResultSeries(
                game=game,
                map=map_name,
                title=titles(game, map_name, best.seats),
                modules=modules.split(),
                games=len(group),
                mean=round(fmean(row.total for row in group), 1),
                best=best.total,
                best_table=best.table_id,
                best_seat=best.seat,
                scores=[Score(row.at, row.total) for row in group[-MOST_SCORES:]],
                reviewed=_review_series(figures.get((game, map_name, modules), [])),
            )
        )
    return sorted(series, key=lambda one: -one.games)


def _feats(guest: str) -> Any:
    """Selects somebody's firsts, with what decides whether they may be shown."""
    columns = TABLES.c.game, TABLES.c.map, TABLES.c.day.label("dealt")
    return (
        select(FEATS, *columns)
        .join(TABLES, TABLES.c.id == FEATS.c.table_id)
        .where(FEATS.c.guest == guest)
        .order_by(FEATS.c.at.desc())
    )


def _others(connection: Connection, rows: list[Any]) -> dict[str, list[Opponent]]:
    """Returns who else sat at the tables of some results."""
    mine = {(row.table_id, row.seat) for row in rows}
    query = (
        select(SEATS, ACCOUNTS.c.name.label("account"))
        .outerjoin(ACCOUNTS, ACCOUNTS.c.guest == SEATS.c.guest)
        .where(SEATS.c.table_id.in_({table_id for table_id, _ in mine}))
        .order_by(SEATS.c.table_id, SEATS.c.seat)
    )
    others: dict[str, list[Opponent]] = {}
    for row in connection.execute(query):
        if (row.table_id, row.seat) not in mine:
            one = Opponent(row.account or row.name, row.account is not None, row.bot)
            others.setdefault(row.table_id, []).append(one)
    return others


def _played(row: Any, others: list[Opponent]) -> Played:
    return Played(
        table=row.table_id,
        game=row.game,
        map=row.map,
        title=titles(row.game, row.map, row.seats),
        at=row.at,
        seats=row.seats,
        place=row.place,
        total=row.total,
        day=row.dealt,
        others=others,
    )


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
    own = results.ratings_of(connection, guest).get(game)
    return Ladder(
        game=game,
        title=game_title(box(game)),
        rungs=rungs,
        bots=_bot_ratings(game, results.bot_ratings(connection, game)),
        mine=_rating(game, own, {}) if own else None,
        settled_games=results.SETTLED_GAMES,
        settled_seconds=results.SETTLED_SECONDS,
    )
