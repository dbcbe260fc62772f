"""Results, ratings and tries in the database.

The results of a game are written in the transaction of its last move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Insert,
    Select,
    bindparam,
    cast,
    delete,
    exists,
    func,
    select,
    update,
)

from headway import __version__
from headway.reviews.report import Measure
from headway.server.core.schema import (
    ACCOUNTS,
    ANSWERS,
    BOT_TRIES,
    FEATS,
    PUZZLES,
    RATINGS,
    RESULTS,
    REVIEWS,
    TABLES,
    TRIES,
)
from headway.server.tables.standings import (
    BOT_PREFIX,
    RatedContest,
    SeatResult,
    Skill,
    beginner,
    contests,
    rate,
    standings,
)
from headway.server.tables.state import TableState

PUZZLE_PREFIX = "puzzle:"
"""How puzzles are called among those who have a rating."""
SETTLED_GAMES = 5
"""Rated games, against bots or settled accounts, before an account moves others' ratings."""
SETTLED_SECONDS = 86_400.0
"""How old such an account is at least."""


class Ending(NamedTuple):
    """A finished table, when its game ended, on which day, and the result of each seat."""

    state: TableState
    at: float
    today: str
    results: list[SeatResult]
    """None of a training game."""
    feats: dict[int, list[str]]
    """What each seat can be proud of."""

    @classmethod
    def of(cls, state: TableState, at: float, today: str) -> Ending:
        """Returns the end of a table's game."""
        if state.setup.training:
            return cls(state, at, today, [], {})
        position, seats = state.position, range(len(state.occupants))
        feats = {seat: position.feats(seat) for seat in seats}
        return cls(state, at, today, standings(state), feats)


class Movement(NamedTuple):
    """A rating before and after a game."""

    before: Skill
    after: Skill


class Settled(NamedTuple):
    """An account with enough rated games of a game to count for others, and since when it is."""

    who: str
    game: str
    created: float

    def counts(self, game: str, at: float) -> bool:
        """Tells whether others are rated against it at this time."""
        return self.game == game and self.created <= at - SETTLED_SECONDS


class Sums(NamedTuple):
    """A number of values, their sum and that of their squares."""

    number: int
    total: float
    squares: float


class DayFigures(NamedTuple):
    """What reviews tell of the results at a deal of the day, in thousandths.

    `losses` counts how often each loss occurs, in tenths.
    """

    luck: Sums
    loss: Sums
    without: Sums
    losses: Counter[int]
    measure: Measure


def write(connection: Connection, dialect: Any, endings: Sequence[Ending]) -> None:
    """Writes results and moves ratings; a game whose results exist moves nothing."""
    by_table = {ending.state.setup.id: ending.results for ending in endings}
    rows = [_result_row(ending, standing) for ending in endings for standing in ending.results]
    if not rows:
        return
    adding = dialect.insert(RESULTS).on_conflict_do_nothing().returning(RESULTS.c.table_id)
    new = {row.table_id for row in connection.execute(adding, rows)}
    rated = {standing.rated for result in by_table.values() for standing in result}
    accounts = accounts_among(connection, {who for who in rated if who})
    settled = settled_among(connection, accounts)
    held = [
        (ending.state.setup.id, ending.state.setup.game, contest)
        for ending in endings
        if ending.state.setup.id in new
        for contest in contests(
            ending.state,
            ending.results,
            accounts,
            {s.who for s in settled if s.counts(ending.state.setup.game, ending.at)},
        )
    ]
    moved = move_ratings(connection, dialect, held)
    _note_ratings(connection, moved, by_table)
    _write_feats(connection, dialect, [e for e in endings if e.state.setup.id in new])


def _write_feats(connection: Connection, dialect: Any, endings: Sequence[Ending]) -> None:
    """Writes what people are proud of for the first time."""
    rows = [
        {"guest": one.guest, "feat": feat, "table_id": ending.state.setup.id, "at": ending.at}
        for ending in endings
        for one in ending.results
        for feat in ending.feats.get(one.seat, [])
        if one.guest
    ]
    if rows:
        connection.execute(dialect.insert(FEATS).on_conflict_do_nothing(), rows)


def _note_ratings(
    connection: Connection,
    moved: dict[tuple[str, str], Movement],
    by_table: dict[str, list[SeatResult]],
) -> None:
    """Writes the ratings before and after the games, by table and contestant, to the results."""
    rows = [
        {
            "key": table_id,
            "at_seat": standing.seat,
            "mu": movement.before.mu,
            "sigma": movement.before.sigma,
            "mu_after": movement.after.mu,
            "sigma_after": movement.after.sigma,
        }
        for table_id, result in by_table.items()
        for standing in result
        if (movement := moved.get((table_id, standing.rated or "")))
    ]
    if rows:
        here = (RESULTS.c.table_id == bindparam("key")) & (RESULTS.c.seat == bindparam("at_seat"))
        columns = "mu", "sigma", "mu_after", "sigma_after"
        values: dict[str, Any] = {name: bindparam(name) for name in columns}
        connection.execute(update(RESULTS).where(here).values(values), rows)


def accounts_among(connection: Connection, guests: set[str]) -> set[str]:
    """Returns which of some guests have an account."""
    query = select(ACCOUNTS.c.guest).where(ACCOUNTS.c.guest.in_(guests))
    return set(connection.execute(query).scalars())


def settled_among(connection: Connection, accounts: set[str]) -> list[Settled]:
    """Returns which of some accounts have enough rated games to count for others, by game."""
    query = select(RATINGS.c.who, RATINGS.c.game, ACCOUNTS.c.created).join(
        ACCOUNTS, ACCOUNTS.c.guest == RATINGS.c.who
    )
    enough = RATINGS.c.who.in_(accounts) & (RATINGS.c.games >= SETTLED_GAMES)
    return [Settled(*row) for row in connection.execute(query.where(enough))]


def _result_row(ending: Ending, standing: SeatResult) -> dict[str, Any]:
    setup = ending.state.setup
    return {
        "table_id": setup.id,
        "seat": standing.seat,
        "guest": standing.guest,
        "bot": standing.bot,
        "game": setup.game,
        "map": setup.map,
        "modules": " ".join(sorted(name for name, on in setup.options.items() if on)),
        "seats": len(ending.state.occupants),
        "total": standing.total,
        "place": standing.place,
        "at": ending.at,
        "day": setup.day if setup.day == ending.today else "",
        "version": __version__,
    }


def move_ratings(
    connection: Connection, dialect: Any, held: list[tuple[str, str, RatedContest]]
) -> dict[tuple[str, str], Movement]:
    """Moves ratings; returns how each game moved them, by table and contestant.

    Locks rows in one order, so concurrent games neither lose nor block.
    """
    keys = sorted({(who, game) for _, game, contest in held for who, _ in contest.seats})
    if not keys:
        return {}
    fresh = beginner()._asdict()
    rows = [{"who": who, "game": game, **fresh} for who, game in keys]
    connection.execute(dialect.insert(RATINGS).on_conflict_do_nothing(), rows)
    skills: dict[tuple[str, str], Skill] = {}
    for who, game in keys:
        this = (RATINGS.c.who == who) & (RATINGS.c.game == game)
        row = connection.execute(select(RATINGS).where(this).with_for_update()).one()
        skills[who, game] = Skill(row.mu, row.sigma, row.games)
    noted: dict[tuple[str, str], Movement] = {}
    for table_id, game, contest in held:
        before = {who: skills[who, game] for who, _ in contest.seats}
        after = rate(contest.seats, before)
        noted |= {(table_id, who): Movement(before[who], after[who]) for who in contest.moving}
        skills |= {(who, game): after[who] for who in contest.moving}
    this = (RATINGS.c.who == bindparam("key")) & (RATINGS.c.game == bindparam("of"))
    values: dict[str, Any] = {name: bindparam(name) for name in Skill._fields}
    changed = [{"key": who, "of": game, **skills[who, game]._asdict()} for who, game in keys]
    connection.execute(update(RATINGS).where(this).values(values), changed)
    return noted


def remove_puzzles(connection: Connection, which: ColumnElement[bool]) -> None:
    """Deletes puzzles with their answers and ratings."""
    ids = list(connection.execute(select(PUZZLES.c.id).where(which)).scalars())
    if not ids:
        return
    connection.execute(delete(ANSWERS).where(ANSWERS.c.puzzle.in_(ids)))
    names = [PUZZLE_PREFIX + puzzle_id for puzzle_id in ids]
    connection.execute(delete(RATINGS).where(RATINGS.c.who.in_(names)))
    connection.execute(delete(PUZZLES).where(PUZZLES.c.id.in_(ids)))


def adding_bot_try(dialect: Any, key: tuple[str, str, str, str], total: int) -> Insert:
    """Keeps a bot's total at a deal, by day, game, map and bot; the first one counts."""
    row = dict(zip(("day", "game", "map", "bot"), key, strict=True)) | {"total": total}
    adding: Insert = dialect.insert(BOT_TRIES).values(**row).on_conflict_do_nothing()
    return adding


# Reading


def results_of(connection: Connection, guest: str, most: int) -> list[Any]:
    """Returns somebody's results, the last first, each with the day of its deal."""
    return list(connection.execute(_of(guest).limit(most)))


def _of(guest: str) -> Select[Any]:
    return (
        select(RESULTS, TABLES.c.day.label("dealt"))
        .join(TABLES, TABLES.c.id == RESULTS.c.table_id)
        .where(RESULTS.c.guest == guest)
        .order_by(RESULTS.c.at.desc())
    )


def reviewed_of(connection: Connection, guest: str, most: int) -> list[Any]:
    """Returns somebody's results in reviewed games as `results_of` does, with their figures."""
    query = _of(guest).where(RESULTS.c.reviewed.is_not(None)).limit(most)
    return list(connection.execute(query))


def not_reviewed(guest: str, engine: str, most: int) -> Select[Any]:
    """Selects the tables of somebody's last games that have no review and wait for none."""
    return _of(guest).with_only_columns(RESULTS.c.table_id).where(*_open(engine)).limit(most)


def _open(engine: str) -> tuple[Any, ...]:
    asked = exists().where(REVIEWS.c.key == RESULTS.c.table_id, REVIEWS.c.engine == engine)
    return RESULTS.c.reviewed.is_(None), ~asked


def ratings_of(connection: Connection, who: str) -> dict[str, Skill]:
    """Returns the ratings of somebody, by game."""
    rows = connection.execute(select(RATINGS).where(RATINGS.c.who == who).order_by(RATINGS.c.game))
    return {row.game: Skill(row.mu, row.sigma, row.games) for row in rows}


def bot_ratings(connection: Connection, game: str) -> dict[str, Skill]:
    """Returns the ratings of the bots of a game, the strongest first."""
    rated = (RATINGS.c.game == game) & RATINGS.c.who.startswith(BOT_PREFIX) & (RATINGS.c.games > 0)
    rows = connection.execute(select(RATINGS).where(rated).order_by(RATINGS.c.mu.desc()))
    return {row.who.removeprefix(BOT_PREFIX): Skill(row.mu, row.sigma, row.games) for row in rows}


def tries_of(connection: Connection, guest: str, day: str) -> dict[Any, str]:
    """Returns the tables of somebody's tries on a day, by game and map."""
    query = select(TRIES).where(TRIES.c.guest == guest, TRIES.c.day == day)
    return {(row.game, row.map): row.table_id for row in connection.execute(query)}


def spread(connection: Connection, day: str) -> dict[tuple[str, str], Counter[int]]:
    """Returns how often people reached each total on a day, by game and map."""
    columns = RESULTS.c.game, RESULTS.c.map, RESULTS.c.total
    query = select(*columns, func.count().label("times")).group_by(*columns)
    people = query.where(RESULTS.c.day == day, RESULTS.c.guest.is_not(None))
    counts: dict[tuple[str, str], Counter[int]] = {}
    for row in connection.execute(people):
        counts.setdefault((row.game, row.map), Counter())[row.total] = row.times
    return counts


def tries_at(connection: Connection, day: str) -> dict[tuple[str, str], list[Any]]:
    """Returns people's tables and totals at the deals of a day, the best first, by game and map."""
    columns = RESULTS.c.game, RESULTS.c.map, RESULTS.c.total, RESULTS.c.table_id
    people = select(*columns).where(RESULTS.c.day == day, RESULTS.c.guest.is_not(None))
    tries: dict[tuple[str, str], list[Any]] = {}
    for row in connection.execute(people.order_by(RESULTS.c.total.desc(), RESULTS.c.table_id)):
        tries.setdefault((row.game, row.map), []).append(row)
    return tries


def day_figures(connection: Connection, day: str) -> dict[tuple[str, str], DayFigures]:
    """Returns what reviews tell of the results of a day, by game and map."""
    place = RESULTS.c.game, RESULTS.c.map
    people = (RESULTS.c.day == day, RESULTS.c.guest.is_not(None), RESULTS.c.reviewed.is_not(None))
    values = RESULTS.c.luck, RESULTS.c.loss, RESULTS.c.worth - RESULTS.c.luck
    sums = [
        func.sum(cast(value, Float) * factor)
        for value in values
        for factor in (1, cast(value, Float))
    ]
    columns = *place, func.min(RESULTS.c.measure), func.count(), *sums
    figures = {}
    for row in connection.execute(select(*columns).where(*people).group_by(*place)):
        game, map_name, measure, count, *rest = row
        luck, loss, without = (Sums(count, *rest[i : i + 2]) for i in (0, 2, 4))
        figures[game, map_name] = DayFigures(luck, loss, without, Counter(), measure)
    # As they are printed, with one decimal: those that look the same share their place.
    tenths = ((RESULTS.c.loss + 50) // 100).label("tenths")
    losses = select(*place, tenths).where(*people).subquery()
    counted = select(*losses.c, func.count().label("times")).group_by(*losses.c)
    for row in connection.execute(counted):
        figures[row.game, row.map].losses[row.tenths] = row.times
    return figures


def not_prefetched(days: Sequence[str], engine: str) -> Select[Any]:
    """Selects the tables of people's results on some days that have no review and wait for none."""
    people = (RESULTS.c.day.in_(days), RESULTS.c.guest.is_not(None))
    return select(RESULTS.c.table_id).where(*people, *_open(engine))


def best_reviewed(day: str, game: str, map_name: str) -> Select[Any]:
    """Selects the highest reviewed total of people at a deal of the day, and its table."""
    return (
        select(RESULTS.c.total, RESULTS.c.table_id)
        .where(RESULTS.c.day == day, RESULTS.c.game == game, RESULTS.c.map == map_name)
        .where(RESULTS.c.guest.is_not(None), RESULTS.c.reviewed.is_not(None))
        .order_by(RESULTS.c.total.desc())
        .limit(1)
    )


def results_at(connection: Connection, tables: list[str]) -> list[Any]:
    """Returns the results of people at some tables."""
    query = select(RESULTS).where(RESULTS.c.table_id.in_(tables), RESULTS.c.guest.is_not(None))
    return list(connection.execute(query))


def days_of(connection: Connection, guest: str) -> list[str]:
    """Returns the days on which somebody finished a deal of the day."""
    query = select(RESULTS.c.day).where(RESULTS.c.guest == guest, RESULTS.c.day != "")
    return list(connection.execute(query.distinct()).scalars())


def bot_tries(connection: Connection, day: str) -> dict[tuple[str, str, str], int]:
    """Returns the totals of bots at the deals of a day, by game, map and bot."""
    rows = connection.execute(select(BOT_TRIES).where(BOT_TRIES.c.day == day))
    return {(row.game, row.map, row.bot): row.total for row in rows}
