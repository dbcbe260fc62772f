"""Results, ratings and tries in the database; a game's own are written when its last move is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from headway.server.database.schema import BOT_TRIES, RATINGS, RESULTS, TABLES, TRIES
from headway.server.table.ratings import Skill, beginner, rate
from headway.server.table.standings import Standing, contest, standings
from headway.server.table.state import Sitting


class Ending(NamedTuple):
    """A game that is over, when that was, and on which day."""

    now: Sitting
    at: float
    today: str


async def write(connection: AsyncConnection, dialect: Any, endings: Sequence[Ending]) -> None:
    """Writes results and moves ratings; a game whose results are known already moves nothing."""
    found = {
        ending.now.setup.id: standings(ending.now)
        for ending in endings
        if not ending.now.setup.training
    }
    rows = [
        _result_row(ending, standing)
        for ending in endings
        for standing in found.get(ending.now.setup.id, ())
    ]
    if not rows:
        return
    adding = dialect.insert(RESULTS).on_conflict_do_nothing().returning(RESULTS.c.table_id)
    new = {row.table_id for row in await connection.execute(adding, rows)}
    contests = [
        (ending.now.setup.game, contest(ending.now, found[ending.now.setup.id]))
        for ending in endings
        if ending.now.setup.id in new
    ]
    await _rate(connection, dialect, [each for each in contests if each[1]])


def _result_row(ending: Ending, standing: Standing) -> dict[str, Any]:
    setup = ending.now.setup
    return {
        "table_id": setup.id,
        "seat": standing.seat,
        "guest": standing.guest,
        "bot": standing.bot,
        "game": setup.game,
        "map": setup.map,
        "modules": " ".join(sorted(name for name, on in setup.options.items() if on)),
        "seats": len(setup.chairs),
        "total": standing.total,
        "place": standing.place,
        "at": ending.at,
        "day": setup.day if setup.day == ending.today else "",
    }


async def _rate(
    connection: AsyncConnection, dialect: Any, contests: list[tuple[str, list[tuple[str, int]]]]
) -> None:
    """Everybody locks the same rows in the same order, so that no game is lost and none waits."""
    keys = sorted({(who, game) for game, seats in contests for who, _ in seats})
    if not keys:
        return
    fresh = beginner()._asdict()
    rows = [{"who": who, "game": game, **fresh} for who, game in keys]
    await connection.execute(dialect.insert(RATINGS).on_conflict_do_nothing(), rows)
    known: dict[tuple[str, str], Skill] = {}
    for who, game in keys:
        own = (RATINGS.c.who == who) & (RATINGS.c.game == game)
        row = (await connection.execute(select(RATINGS).where(own).with_for_update())).one()
        known[who, game] = Skill(row.mu, row.sigma, row.games)
    for game, seats in contests:
        before = {who: known[who, game] for who, _ in seats}
        known |= {(who, game): skill for who, skill in rate(seats, before).items()}
    own = (RATINGS.c.who == bindparam("key")) & (RATINGS.c.game == bindparam("of"))
    values: dict[str, Any] = {name: bindparam(name) for name in Skill._fields}
    changed = [{"key": who, "of": game, **known[who, game]._asdict()} for who, game in keys]
    await connection.execute(update(RATINGS).where(own).values(values), changed)


# Reading


async def without_results(connection: AsyncConnection, most: int) -> list[tuple[str, float]]:
    """Games that were over before results were written, the oldest first."""
    has = exists().where(RESULTS.c.table_id == TABLES.c.id)
    wanted = select(TABLES.c.id, TABLES.c.changed).where(
        TABLES.c.finished, ~TABLES.c.training, ~has
    )
    rows = await connection.execute(wanted.order_by(TABLES.c.changed).limit(most))
    return [(row.id, row.changed) for row in rows]


async def results_of(connection: AsyncConnection, guest: str, most: int) -> list[Any]:
    """Somebody's results, the last first, each with the day of its deal."""
    wanted = (
        select(RESULTS, TABLES.c.day.label("dealt"))
        .join(TABLES, TABLES.c.id == RESULTS.c.table_id)
        .where(RESULTS.c.guest == guest)
        .order_by(RESULTS.c.at.desc())
        .limit(most)
    )
    return list(await connection.execute(wanted))


async def ratings_of(connection: AsyncConnection, who: str) -> dict[str, Skill]:
    """The ratings of somebody, by game."""
    rows = await connection.execute(
        select(RATINGS).where(RATINGS.c.who == who).order_by(RATINGS.c.game)
    )
    return {row.game: Skill(row.mu, row.sigma, row.games) for row in rows}


async def bot_ratings(connection: AsyncConnection, game: str) -> dict[str, Skill]:
    """The ratings of the bots of a game, the strongest first."""
    wanted = select(RATINGS).where(RATINGS.c.game == game, RATINGS.c.who.startswith("bot:"))
    rows = await connection.execute(wanted.order_by(RATINGS.c.mu.desc()))
    return {row.who.removeprefix("bot:"): Skill(row.mu, row.sigma, row.games) for row in rows}


async def tries_of(connection: AsyncConnection, guest: str, day: str) -> dict[Any, str]:
    """The tables of somebody's tries on a day, by game and map."""
    wanted = select(TRIES).where(TRIES.c.guest == guest, TRIES.c.day == day)
    return {(row.game, row.map): row.table_id for row in await connection.execute(wanted)}


async def spread(connection: AsyncConnection, day: str) -> dict[tuple[str, str], Counter[int]]:
    """How often people reached each total at the deals of a day, by game and map."""
    columns = RESULTS.c.game, RESULTS.c.map, RESULTS.c.total
    wanted = select(*columns, func.count().label("times")).group_by(*columns)
    own = wanted.where(RESULTS.c.day == day, RESULTS.c.guest.is_not(None))
    found: dict[tuple[str, str], Counter[int]] = {}
    for row in await connection.execute(own):
        found.setdefault((row.game, row.map), Counter())[row.total] = row.times
    return found


async def results_at(connection: AsyncConnection, tables: list[str]) -> list[Any]:
    """The results of people at some tables."""
    wanted = select(RESULTS).where(RESULTS.c.table_id.in_(tables), RESULTS.c.guest.is_not(None))
    return list(await connection.execute(wanted))


async def days_of(connection: AsyncConnection, guest: str) -> list[str]:
    """The days on which somebody finished a deal of the day."""
    wanted = select(RESULTS.c.day).where(RESULTS.c.guest == guest, RESULTS.c.day != "")
    return list((await connection.execute(wanted.distinct())).scalars())


async def bot_tries(connection: AsyncConnection, day: str) -> dict[tuple[str, str, str], int]:
    """What bots made of the deals of a day, by game, map and bot."""
    rows = await connection.execute(select(BOT_TRIES).where(BOT_TRIES.c.day == day))
    return {(row.game, row.map, row.bot): row.total for row in rows}
