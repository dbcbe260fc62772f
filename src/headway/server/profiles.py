"""Profiles: what everybody may know of an account, from its results and ratings."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from headway.bots import bots_of
from headway.bots.registry import character
from headway.games import boxes
from headway.server import ledger
from headway.server.ratings import Skill
from headway.server.schema import BotRating, Course, Played, Profile, Rating, Score
from headway.server.showing import titles
from headway.server.store import Store
from headway.settings import LANGUAGES

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
    return {lang: character(bot, game, lang).title for lang in LANGUAGES}


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
