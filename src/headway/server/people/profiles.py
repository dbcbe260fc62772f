"""Profiles: what everybody may know of an account, from its results and ratings."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import msgspec

from headway.bots import bots_of
from headway.games import box, boxes
from headway.server.database import results
from headway.server.database.tables import TableStore
from headway.server.table.ratings import Skill
from headway.server.table.view import bot_title, titles


class Rating(msgspec.Struct, frozen=True):
    """How strong somebody is at a game: points around 1500, and how far off they may be.

    `bots` has those of the game's bots that have met people here, the strongest first.
    """

    game: str
    title: dict[str, str]
    points: int
    error: int
    games: int
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


class Played(msgspec.Struct, frozen=True):
    """A finished game: the number of seats, the place and the points."""

    table: str
    game: str
    map: str
    title: dict[str, str]
    at: float
    seats: int
    place: int
    total: int
    day: str


class Profile(msgspec.Struct, frozen=True):
    """What everybody may know of an account; the last games first."""

    name: str
    since: float
    mine: bool
    games: int
    ratings: list[Rating]
    courses: list[ResultSeries]
    played: list[Played]


MOST_RESULTS = 2000
MOST_PLAYED = 50
MOST_SCORES = 200


async def profile(store: TableStore, account: Any, guest: str | None) -> Profile:
    """Returns the page of an account; today's deals show to its owner alone."""
    mine = account.guest == guest
    async with store.database.reading() as connection:
        rows = await results.results_of(connection, account.guest, MOST_RESULTS)
        skills = await results.ratings_of(connection, account.guest)
        bots = {game: await results.bot_ratings(connection, game) for game in skills}
    games = {game_box.name: game_box for game_box in boxes()}
    rows = [
        row
        for row in rows
        if (mine or not store.calendar.is_today(row.dealt))
        and row.game in games
        and row.map in games[row.game].maps
    ]
    return Profile(
        name=account.name,
        since=account.created,
        mine=mine,
        games=len(rows),
        ratings=[_rating(game, skills[game], bots[game]) for game in games if game in skills],
        courses=_result_series(rows),
        played=[_played(row) for row in rows[:MOST_PLAYED]],
    )


def _rating(game: str, skill: Skill, bots: dict[str, Skill]) -> Rating:
    game_box = box(game)
    names = titles(game, game_box.default_map, game_box.seats.start)
    title = {lang: name.partition(":")[0].strip() for lang, name in names.items()}
    classes = bots_of(game)
    bot_ratings = [
        BotRating(name, bot_title(name, game), rating.points(), rating.error())
        for name, rating in bots.items()
        if name in classes
    ]
    return Rating(game, title, skill.points(), skill.error(), skill.games, bot_ratings)


def _result_series(rows: list[Any]) -> list[ResultSeries]:
    """Groups results on the same map with the same modules, those played most first."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for row in reversed(rows):
        groups.setdefault((row.game, row.map, row.modules), []).append(row)
    series = []
    for (game, map_name, modules), group in groups.items():
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
            )
        )
    return sorted(series, key=lambda one: -one.games)


def _played(row: Any) -> Played:
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
    )
