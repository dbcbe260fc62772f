"""Who looks for somebody to play with, where all processes see it, and who is paired with whom.

Two are paired for the same game and clock, maps that agree, and ratings that are near. The longer
somebody waits, the further off a rating may be. The first who waits of every address comes before
any second, so that nobody keeps the others waiting by asking often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select, update

from headway.server.core.database import Database, NumberTakenError
from headway.server.core.schema import RATINGS, SEEKS
from headway.server.tables.standings import Skill, beginner

NEAR_POINTS = 100
"""Ratings this near are paired at once."""
POINTS_A_SECOND = 20
"""By how much ratings may differ more with each second that somebody waits."""


class Waiting(NamedTuple):
    """Somebody who looks for another to play with."""

    guest: str
    name: str
    face: str
    network: str
    game: str
    map: str
    clock: dict[str, Any]
    points: int
    asked: float

    def fits(self, other: Waiting, at: float) -> bool:
        """Tells whether two may be paired now."""
        wishes = self.game == other.game and self.clock == other.clock
        maps = self.map == other.map or not (self.map and other.map)
        waited = at - min(self.asked, other.asked)
        reach = NEAR_POINTS + POINTS_A_SECOND * waited
        return wishes and maps and abs(self.points - other.points) <= reach


def in_turn(waiting: Iterable[Waiting]) -> list[Waiting]:
    """Returns people in the order in which they are served: by address, then by time."""
    place: Counter[str] = Counter()
    ranked = []
    for one in sorted(waiting, key=lambda one: (one.asked, one.guest)):
        ranked.append((place[one.network], one))
        place[one.network] += 1
    return [one for _, one in sorted(ranked, key=lambda pair: pair[0])]


def pairs(
    waiting: Iterable[Waiting], apart: Collection[frozenset[str]], at: float
) -> list[tuple[Waiting, Waiting]]:
    """Returns who plays with whom; nobody with one whom they avoid."""
    left, made = in_turn(waiting), []
    while left:
        first, *others = left
        left = others
        fitting = [
            one
            for one in others
            if first.fits(one, at) and frozenset((first.guest, one.guest)) not in apart
        ]
        if fitting:
            nearest = min(fitting, key=lambda one: abs(one.points - first.points))
            left.remove(nearest)
            made.append((first, nearest))
    return made


CLAIMED = "?"
"""In place of a table, while a process sets it up."""


class SeekStore:
    """Reads and writes what people look for."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, one: Waiting, lease: float) -> Waiting:
        """Keeps what somebody looks for, in place of what they looked for before.

        Returns it with the points of their rating.
        """
        rated = select(RATINGS).where(RATINGS.c.who == one.guest, RATINGS.c.game == one.game)

        def work(connection: Connection) -> Waiting:
            row = connection.execute(rated).first()
            skill = Skill(row.mu, row.sigma, row.games) if row else beginner()
            known = one._replace(points=skill.points())
            connection.execute(delete(SEEKS).where(SEEKS.c.guest == one.guest))
            values = known._asdict() | {"lease": lease, "table_id": ""}
            connection.execute(SEEKS.insert().values(**values))
            return known

        return await self.database.write(work)

    async def remove(self, guests: Collection[str]) -> None:
        """Forgets what some people look for."""
        if guests:
            await self.database.change(delete(SEEKS).where(SEEKS.c.guest.in_(guests)))

    async def renew(self, guests: Collection[str], at: float, lease: float) -> None:
        """Lets what some people look for count for longer.

        Who was claimed by a process that ended before it found a table waits again.
        """
        lost = (SEEKS.c.table_id == CLAIMED) & (SEEKS.c.lease < at)
        theirs = SEEKS.c.guest.in_(guests) & (lost | (SEEKS.c.table_id == ""))
        await self.database.change(update(SEEKS).where(theirs).values(lease=lease, table_id=""))

    async def waiting(self, at: float) -> list[Waiting]:
        """Returns everybody who waits, through any process."""
        open_ = (SEEKS.c.table_id == "") & (SEEKS.c.lease > at)
        rows = await self.database.rows(select(SEEKS).where(open_))
        return [Waiting(*(getattr(row, name) for name in Waiting._fields)) for row in rows]

    async def found(self, guests: Collection[str]) -> dict[str, str]:
        """Returns the tables that were found for some people."""
        done = SEEKS.c.guest.in_(guests) & SEEKS.c.table_id.not_in(["", CLAIMED])
        rows = await self.database.rows(select(SEEKS.c.guest, SEEKS.c.table_id).where(done))
        return {row.guest: row.table_id for row in rows}

    async def claim(self, guests: Collection[str]) -> bool:
        """Takes people out of the waiting ones, all or none; False if another process did."""
        theirs = update(SEEKS).where(SEEKS.c.guest.in_(guests), SEEKS.c.table_id == "")

        def work(connection: Connection) -> None:
            if connection.execute(theirs.values(table_id=CLAIMED)).rowcount != len(guests):
                raise NumberTakenError

        try:
            await self.database.write(work)
        except NumberTakenError:
            return False
        return True

    async def seat(self, guests: Collection[str], table_id: str) -> None:
        """Notes the table that was found; none lets them wait again."""
        theirs: Any = update(SEEKS).where(SEEKS.c.guest.in_(guests))
        await self.database.change(theirs.values(table_id=table_id))
