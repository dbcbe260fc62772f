"""Puzzles in the database: where they come from, who answered which, and ratings of both."""

from __future__ import annotations

import secrets
import time
import zlib
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from headway.server.core.database import Database
from headway.server.core.schema import ANSWERS, PUZZLES, RATINGS, TABLES
from headway.server.tables.results import accounts_among, move_ratings
from headway.server.tables.standings import RatedContest, Skill, beginner

PRACTICE = "practice"
"""What stands for the game in the ratings of solvers and puzzles."""
PUZZLE_PREFIX = "puzzle:"
CHOICES = 12
"""The next puzzle is one of this many whose ratings are nearest to the solver's."""
MOST_MADE = 5000
"""How many puzzles from games on this server are kept."""


class StoredPuzzle(NamedTuple):
    """A puzzle: its id, its game and map, and its JSON."""

    id: str
    game: str
    map: str
    content: bytes


class Ratings(NamedTuple):
    """The ratings of a solver and of a puzzle."""

    solver: Skill
    puzzle: Skill


class Rated(NamedTuple):
    """The ratings before and after an answer; the same if it does not count."""

    before: Ratings
    after: Ratings
    counted: bool


class PuzzleStore:
    """Reads and writes puzzles."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, puzzles: Sequence[StoredPuzzle], table_id: str) -> None:
        """Adds puzzles from a table that still exists; the oldest leave when there are too many."""
        async with self.database.writing() as connection:
            there = select(TABLES.c.id).where(TABLES.c.id == table_id)
            if (await connection.execute(there)).first() is None:
                return
            await self._insert(connection, puzzles, table_id)
            made = select(PUZZLES.c.id).where(PUZZLES.c.table_id != "")
            newest = made.order_by(PUZZLES.c.made.desc()).offset(MOST_MADE)
            old = list((await connection.execute(newest)).scalars())
            await remove_puzzles(connection, PUZZLES.c.id.in_(old))

    async def ship(self, puzzles: Sequence[StoredPuzzle]) -> None:
        """Puts the puzzles that come with this version in the place of those of another one."""
        async with self.database.writing() as connection:
            query = select(PUZZLES.c.id).where(PUZZLES.c.table_id == "")
            there = set((await connection.execute(query)).scalars())
            await self._insert(connection, [p for p in puzzles if p.id not in there], "")
            gone = there - {puzzle.id for puzzle in puzzles}
            await remove_puzzles(connection, PUZZLES.c.id.in_(gone))

    async def _insert(
        self, connection: AsyncConnection, puzzles: Sequence[StoredPuzzle], table_id: str
    ) -> None:
        rows = [
            puzzle._asdict()
            | {"content": zlib.compress(puzzle.content, 9)}
            | {"table_id": table_id, "made": time.time()}
            for puzzle in puzzles
        ]
        if rows:
            adding = self.database.dialect.insert(PUZZLES).on_conflict_do_nothing()
            await connection.execute(adding, rows)

    async def next(
        self, guest: str, game: str | None, today: str, known: Collection[str] = ()
    ) -> StoredPuzzle | None:
        """Returns a puzzle that somebody has not answered; None if there is none left.

        Those whose solution is `known` come last.
        """
        async with self.database.reading() as connection:
            mine = (await _skills(connection, guest, "")).solver
            mu = func.coalesce(RATINGS.c.mu, beginner().mu)
            query = (
                _visible(today)
                .outerjoin(RATINGS, _is_rating(PUZZLE_PREFIX + PUZZLES.c.id))
                .where(*_open(guest, game))
                .order_by(PUZZLES.c.id.in_(known), func.abs(mu - mine.mu), func.random())
                .limit(CHOICES)
            )
            rows = list(await connection.execute(query))
        fresh = [row for row in rows if row.id not in known] or rows
        return _stored(secrets.choice(fresh)) if fresh else None

    async def left(self, guest: str, game: str | None, today: str) -> int:
        """Returns how many puzzles somebody has not answered."""
        puzzles = _visible(today).where(*_open(guest, game)).subquery()
        async with self.database.reading() as connection:
            query = select(func.count()).select_from(puzzles)
            return int((await connection.execute(query)).scalar_one())

    async def find(self, puzzle_id: str, today: str) -> StoredPuzzle | None:
        """Returns a puzzle, unless it is from a deal that is played today."""
        async with self.database.reading() as connection:
            query = _visible(today).where(PUZZLES.c.id == puzzle_id)
            row = (await connection.execute(query)).first()
        return _stored(row) if row else None

    async def ratings(self, guest: str, puzzle_id: str) -> Ratings:
        """Returns the ratings of a solver and a puzzle."""
        async with self.database.reading() as connection:
            return await _skills(connection, guest, puzzle_id)

    async def answer(
        self, guest: str, puzzle_id: str, solved: bool, *, rated: bool = True
    ) -> Rated:
        """Notes an answer and moves the ratings; only the first answer of somebody counts.

        One that is not `rated` is noted and moves nothing.

        As in games, nothing that guests do moves another's rating, because anybody can be several
        guests: the puzzle's rating moves with answers of accounts.
        """
        row = {"guest": guest, "puzzle": puzzle_id, "at": time.time(), "solved": solved}
        dialect = self.database.dialect
        adding = dialect.insert(ANSWERS).values(**row).on_conflict_do_nothing()
        async with self.database.writing() as connection:
            before = await _skills(connection, guest, puzzle_id)
            new = (await connection.execute(adding.returning(ANSWERS.c.puzzle))).first()
            if new is None or not rated:
                return Rated(before, before, counted=False)
            puzzle = PUZZLE_PREFIX + puzzle_id
            known = await accounts_among(connection, {guest})
            moving = frozenset({guest, puzzle} if known else {guest})
            contest = RatedContest([(guest, 1 + (not solved)), (puzzle, 1 + solved)], moving)
            await move_ratings(connection, dialect, [("", PRACTICE, contest)])
            return Rated(before, await _skills(connection, guest, puzzle_id), counted=True)


def _visible(today: str) -> Any:
    """Selects all puzzles but those from deals that are played today."""
    query = select(PUZZLES).outerjoin(TABLES, TABLES.c.id == PUZZLES.c.table_id)
    return query.where(or_(TABLES.c.day.is_(None), TABLES.c.day != today))


def _open(guest: str, game: str | None) -> list[ColumnElement[bool]]:
    answered = exists().where(ANSWERS.c.puzzle == PUZZLES.c.id, ANSWERS.c.guest == guest)
    return [~answered, *([PUZZLES.c.game == game] if game else [])]


def _is_rating(who: Any) -> ColumnElement[bool]:
    return and_(RATINGS.c.who == who, RATINGS.c.game == PRACTICE)


def _stored(row: Any) -> StoredPuzzle:
    return StoredPuzzle(row.id, row.game, row.map, zlib.decompress(row.content))


async def _skills(connection: AsyncConnection, guest: str, puzzle_id: str) -> Ratings:
    puzzle = PUZZLE_PREFIX + puzzle_id
    query = select(RATINGS).where(_is_rating(RATINGS.c.who), RATINGS.c.who.in_([guest, puzzle]))
    rows = {row.who: Skill(row.mu, row.sigma, row.games) for row in await connection.execute(query)}
    return Ratings(rows.get(guest, beginner()), rows.get(puzzle, beginner()))


async def remove_puzzles(connection: AsyncConnection, which: ColumnElement[bool]) -> None:
    """Deletes puzzles with their answers and ratings."""
    ids = list((await connection.execute(select(PUZZLES.c.id).where(which))).scalars())
    if not ids:
        return
    await connection.execute(delete(ANSWERS).where(ANSWERS.c.puzzle.in_(ids)))
    names = [PUZZLE_PREFIX + puzzle_id for puzzle_id in ids]
    await connection.execute(delete(RATINGS).where(RATINGS.c.who.in_(names)))
    await connection.execute(delete(PUZZLES).where(PUZZLES.c.id.in_(ids)))
