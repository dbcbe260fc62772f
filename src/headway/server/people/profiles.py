"""Profiles: what everybody may know of an account, from its results and ratings."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import msgspec

from headway.bots import bots_of
from headway.bots.registry import character
from headway.games import boxes
from headway.i18n import languages
from headway.server.database import results as ledger
from headway.server.database.tables import Store
from headway.server.table.ratings import Skill
from headway.server.table.view import titles


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


class Course(msgspec.Struct, frozen=True):
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
    """A game that somebody has finished: of so many seats, the place, the points."""

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
    courses: list[Course]
    played: list[Played]


MOST_RESULTS = 2000
MOST_PLAYED = 50
MOST_SCORES = 200


async def profile(store: Store, account: Any, guest: str | None) -> Profile:
    """The page of an account; a deal of today is on its owner's alone, others still play it."""
    mine = account.guest == guest
    async with store.reading() as connection:
        rows = await ledger.results_of(connection, account.guest, MOST_RESULTS)
        skills = await ledger.ratings_of(connection, account.guest)
        bots = {game: await ledger.bot_ratings(connection, game) for game in skills}
    rows = [row for row in rows if mine or not store.days.is_today(row.dealt)]
    known = {found.name: found for found in boxes()}
    rows = [row for row in rows if row.game in known and row.map in known[row.game].maps]
    return Profile(
        name=account.name,
        since=account.created,
        mine=mine,
        games=len(rows),
        ratings=[_rating(game, skills[game], bots[game]) for game in known if game in skills],
        courses=_courses(rows),
        played=[_played(row) for row in rows[:MOST_PLAYED]],
    )


def _rating(game: str, skill: Skill, bots: dict[str, Skill]) -> Rating:
    found = next(found for found in boxes() if found.name == game)
    names = titles(game, found.default_map, found.seats.start)
    title = {lang: name.partition(":")[0].strip() for lang, name in names.items()}
    kinds = bots_of(game)
    others = [
        BotRating(name, _title(kinds[name], game), other.points(), other.error())
        for name, other in bots.items()
        if name in kinds
    ]
    return Rating(game, title, skill.points(), skill.error(), skill.games, others)


def _title(bot: Any, game: str) -> dict[str, str]:
    return {lang: character(bot, game, lang).title for lang in languages()}


def _courses(rows: list[Any]) -> list[Course]:
    """Results on the same map with the same modules, those played most first."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for row in reversed(rows):
        groups.setdefault((row.game, row.map, row.modules), []).append(row)
    found = []
    for (game, map, modules), own in groups.items():
        best = max(own, key=lambda row: row.total)
        course = Course(
            game=game,
            map=map,
            title=titles(game, map, best.seats),
            modules=modules.split(),
            games=len(own),
            mean=round(fmean(row.total for row in own), 1),
            best=best.total,
            best_table=best.table_id,
            best_seat=best.seat,
            scores=[Score(row.at, row.total) for row in own[-MOST_SCORES:]],
        )
        found.append(course)
    return sorted(found, key=lambda course: -course.games)


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
