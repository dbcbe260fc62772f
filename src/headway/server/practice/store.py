"""Puzzles in the database: where they come from, who answered which, and ratings of both."""

from __future__ import annotations

import secrets
import time
import zlib
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, exists, func, or_, select

from headway.server.core.database import Database
from headway.server.core.schema import ANSWERS, PUZZLES, RATINGS, TABLES
from headway.server.tables.results import (
    PUZZLE_PREFIX,
    accounts_among,
    move_ratings,
    remove_puzzles,
)
from headway.server.tables.standings import RatedContest, Skill, beginner

PRACTICE = "practice"
"""What stands for the game in the ratings of solvers and puzzles."""
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

        def work(connection: Connection) -> None:
            there = select(TABLES.c.id).where(TABLES.c.id == table_id)
            if connection.execute(there).first() is None:
                return
            self._insert(connection, puzzles, table_id)
            made = select(PUZZLES.c.id).where(PUZZLES.c.table_id != "")
            newest = made.order_by(PUZZLES.c.made.desc()).offset(MOST_MADE)
            remove_puzzles(connection, PUZZLES.c.id.in_(connection.scalars(newest).all()))

        await self.database.write(work)

    async def ship(self, puzzles: Sequence[StoredPuzzle]) -> None:
        """Puts the puzzles that come with this version in the place of those of another one."""

        def work(connection: Connection) -> None:
            query = select(PUZZLES.c.id).where(PUZZLES.c.table_id == "")
            there = set(connection.scalars(query))
            self._insert(connection, [p for p in puzzles if p.id not in there], "")
            gone = there - {puzzle.id for puzzle in puzzles}
            remove_puzzles(connection, PUZZLES.c.id.in_(gone))

        await self.database.write(work)

    def _insert(
        self, connection: Connection, puzzles: Sequence[StoredPuzzle], table_id: str
    ) -> None:
        rows = [
            puzzle._asdict()
            | {"content": zlib.compress(puzzle.content, 9)}
            | {"table_id": table_id, "made": time.time()}
            for puzzle in puzzles
        ]
        if rows:
            adding = self.database.dialect.insert(PUZZLES).on_conflict_do_nothing()
            connection.execute(adding, rows)

    async def next(
        self, guest: str, game: str | None, today: str, known: Collection[str] = ()
    ) -> StoredPuzzle | None:
        """Returns a puzzle that somebody has not answered; None if there is none left.

        Those whose solution is `known` come last.
        """

        def work(connection: Connection) -> list[Any]:
            mine = _skills(connection, guest, "").solver
            mu = func.coalesce(RATINGS.c.mu, beginner().mu)
            query = (
                _visible(today)
                .outerjoin(RATINGS, _is_rating(PUZZLE_PREFIX + PUZZLES.c.id))
                .where(*_open(guest, game))
                .order_by(PUZZLES.c.id.in_(known), func.abs(mu - mine.mu), func.random())
                .limit(CHOICES)
            )
            return list(connection.execute(query))

        rows = await self.database.read(work)
        fresh = [row for row in rows if row.id not in known] or rows
        return _stored(secrets.choice(fresh)) if fresh else None

    async def left(self, guest: str, game: str | None, today: str) -> int:
        """Returns how many puzzles somebody has not answered."""
        puzzles = _visible(today).where(*_open(guest, game)).subquery()
        return int(await self.database.value(select(func.count()).select_from(puzzles)))

    async def find(self, puzzle_id: str, today: str) -> StoredPuzzle | None:
        """Returns a puzzle, unless it is from a deal that is played today."""
        row = await self.database.first(_visible(today).where(PUZZLES.c.id == puzzle_id))
        return _stored(row) if row else None

    async def ratings(self, guest: str, puzzle_id: str) -> Ratings:
        """Returns the ratings of a solver and a puzzle."""
        return await self.database.read(lambda c: _skills(c, guest, puzzle_id))

    async def rating(self, guest: str) -> Skill:
        """Returns the rating of a solver."""
        return (await self.database.read(lambda c: _skills(c, guest, ""))).solver

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

        def work(connection: Connection) -> Rated:
            before = _skills(connection, guest, puzzle_id)
            new = connection.execute(adding.returning(ANSWERS.c.puzzle)).first()
            if new is None or not rated:
                return Rated(before, before, counted=False)
            puzzle = PUZZLE_PREFIX + puzzle_id
            known = accounts_among(connection, {guest})
            moving = frozenset({guest, puzzle} if known else {guest})
            contest = RatedContest([(guest, 1 + (not solved)), (puzzle, 1 + solved)], moving)
            move_ratings(connection, dialect, [("", PRACTICE, contest)])
            return Rated(before, _skills(connection, guest, puzzle_id), counted=True)

        return await self.database.write(work)


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


def _skills(connection: Connection, guest: str, puzzle_id: str) -> Ratings:
    puzzle = PUZZLE_PREFIX + puzzle_id
    query = select(RATINGS).where(_is_rating(RATINGS.c.who), RATINGS.c.who.in_([guest, puzzle]))
    rows = {row.who: Skill(row.mu, row.sigma, row.games) for row in connection.execute(query)}
    return Ratings(rows.get(guest, beginner()), rows.get(puzzle, beginner()))
