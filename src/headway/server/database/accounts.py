"""Accounts in the database: their names and sessions, and guests who become somebody else.

Wherever a guest is written, another can be put in the place: when somebody signs in who has played
as a guest, and when an account goes. Each table that this changes gets an event, after which every
process reads it anew.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from headway.server.database.schema import (
    ACCOUNTS,
    EVENTS,
    GUESTS,
    RATINGS,
    RESULTS,
    SEATS,
    SESSIONS,
    TABLES,
    TOKENS,
    TRIES,
)
from headway.server.database.tables import Store, Taken
from headway.server.table.state import OWNER, SIT

ATTEMPTS = 10
LONGEST = 365 * 86_400
"""Seconds that a session lasts, as its cookie does."""
T = TypeVar("T")


class NameTaken(Exception):
    """Another account has this name, or one that reads the same."""


class Register:
    """The accounts of a server."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # Finding

    async def named(self, key: str) -> Any:
        """The account of a name."""
        async with self.store.reading() as connection:
            wanted = select(ACCOUNTS).where(ACCOUNTS.c.key == key)
            return (await connection.execute(wanted)).first()

    async def of_guest(self, guest: str) -> Any:
        """The account of a guest, None for one who has none."""
        async with self.store.reading() as connection:
            wanted = select(ACCOUNTS).where(ACCOUNTS.c.guest == guest)
            return (await connection.execute(wanted)).first()

    async def of_session(self, hash: str) -> str | None:
        """The guest whose session this is, as long as it lasts."""
        async with self.store.reading() as connection:
            lasts = SESSIONS.c.created > time.time() - LONGEST
            wanted = select(SESSIONS.c.guest).where(SESSIONS.c.hash == hash, lasts)
            return (await connection.execute(wanted)).scalar()

    # Changing

    async def claim(self, row: dict[str, Any], session: str, guest: str) -> None:
        """Opens an account with all that a guest has done."""

        async def work(connection: AsyncConnection) -> None:
            taken = select(ACCOUNTS.c.guest).where(ACCOUNTS.c.key == row["key"])
            if (await connection.execute(taken)).first():
                raise NameTaken
            await connection.execute(insert(ACCOUNTS).values(**row))
            named = {"id": row["guest"], "name": row["name"], "created": row["created"]}
            await connection.execute(insert(GUESTS).values(**named))
            await _bring(connection, guest, row["guest"], row["created"])
            await _open_session(connection, session, row["guest"], row["created"])

        await self._often(work)

    async def sign_in(self, account: str, session: str, guest: str | None, now: float) -> None:
        """Opens a session; what the guest has done before becomes the account's."""

        async def work(connection: AsyncConnection) -> None:
            if guest:
                await _bring(connection, guest, account, now)
            await _open_session(connection, session, account, now)

        await self._often(work)

    async def sign_out(self, session: str) -> None:
        """Ends a session."""
        async with self.store.engine.begin() as connection:
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.hash == session))

    async def change_password(self, guest: str, password: str, session: str, now: float) -> None:
        """Another password; all sessions end but the new one."""
        async with self.store.engine.begin() as connection:
            own = ACCOUNTS.c.guest == guest
            await connection.execute(update(ACCOUNTS).where(own).values(password=password))
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.guest == guest))
            await _open_session(connection, session, guest, now)

    async def rename(self, guest: str, name: str, key: str) -> None:
        """Another name for an account."""

        async def work(connection: AsyncConnection) -> None:
            other = select(ACCOUNTS.c.guest).where(ACCOUNTS.c.key == key)
            if (await connection.execute(other)).scalar() not in (None, guest):
                raise NameTaken
            own = update(ACCOUNTS).where(ACCOUNTS.c.guest == guest)
            await connection.execute(own.values(name=name, key=key))
            await connection.execute(update(GUESTS).where(GUESTS.c.id == guest).values(name=name))

        await self._often(work)

    async def remove(self, guest: str, now: float) -> None:
        """An account goes with everything: games alone, and the name in those with others."""

        async def work(connection: AsyncConnection) -> None:
            moved = select(EVENTS.c.table_id).where(EVENTS.c.guest == guest).distinct()
            found = set((await connection.execute(moved)).scalars())
            found |= set(await _tables_of(connection, guest))
            await connection.execute(delete(TRIES).where(TRIES.c.guest == guest))
            await connection.execute(delete(RESULTS).where(RESULTS.c.guest == guest))
            for table in sorted(found):
                if await _has_others(connection, table, guest):
                    await _rewrite(connection, table, guest, secrets.token_urlsafe(16), now, True)
                else:
                    await _remove_table(connection, table)
            await connection.execute(delete(RATINGS).where(RATINGS.c.who == guest))
            await connection.execute(delete(TOKENS).where(TOKENS.c.guest == guest))
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.guest == guest))
            await connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.guest == guest))
            await connection.execute(delete(GUESTS).where(GUESTS.c.id == guest))

        await self._often(work)

    async def _often(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Does it in one transaction, again if somebody moved at one of the tables meanwhile."""
        for attempt in range(ATTEMPTS):
            try:
                async with self.store.engine.begin() as connection:
                    return await work(connection)
            except (Taken, IntegrityError):
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError


async def _open_session(connection: AsyncConnection, hash: str, guest: str, now: float) -> None:
    old = (SESSIONS.c.guest == guest) & (SESSIONS.c.created < now - LONGEST)
    await connection.execute(delete(SESSIONS).where(old))
    await connection.execute(insert(SESSIONS).values(hash=hash, guest=guest, created=now))


async def _tables_of(connection: AsyncConnection, guest: str) -> Sequence[str]:
    own = or_(SEATS.c.guest == guest, SEATS.c.former == guest)
    held = select(SEATS.c.table_id).where(own)
    wanted = select(TABLES.c.id).where(or_(TABLES.c.id.in_(held), TABLES.c.host == guest))
    return (await connection.execute(wanted.order_by(TABLES.c.id))).scalars().all()


async def _has_others(connection: AsyncConnection, table: str, guest: str) -> bool:
    """Whether anybody else sits at a table, or did and may come back."""
    people = or_(
        SEATS.c.guest.is_not(None) & (SEATS.c.guest != guest),
        SEATS.c.former.is_not(None) & (SEATS.c.former != guest),
    )
    wanted = select(SEATS.c.seat).where(SEATS.c.table_id == table, people)
    return (await connection.execute(wanted)).first() is not None


async def _bring(connection: AsyncConnection, old: str, new: str, now: float) -> None:
    """What a guest has done becomes an account's; what the account has already stays its own."""
    for table in await _tables_of(connection, old):
        await _rewrite(connection, table, old, new, now, False)
    await connection.execute(update(TOKENS).where(TOKENS.c.guest == old).values(guest=new))
    await _bring_tries(connection, old, new)
    await connection.execute(update(RESULTS).where(RESULTS.c.guest == old).values(guest=new))
    has = select(RATINGS.c.game).where(RATINGS.c.who == new).scalar_subquery()
    other = (RATINGS.c.who == old) & RATINGS.c.game.not_in(has)
    await connection.execute(update(RATINGS).where(other).values(who=new))
    await connection.execute(delete(RATINGS).where(RATINGS.c.who == old))
    await connection.execute(delete(GUESTS).where(GUESTS.c.id == old))


async def _bring_tries(connection: AsyncConnection, old: str, new: str) -> None:
    """One try for each deal: a second one, made as a guest, is a game like others."""
    own = select(TRIES).where(TRIES.c.guest == new)
    had = {(row.day, row.game, row.map) for row in await connection.execute(own)}
    for row in (await connection.execute(select(TRIES).where(TRIES.c.guest == old))).all():
        this = TRIES.c.table_id == row.table_id
        if (row.day, row.game, row.map) in had:
            await connection.execute(delete(TRIES).where(this))
            second = RESULTS.c.table_id == row.table_id
            await connection.execute(update(RESULTS).where(second).values(day=""))
        else:
            await connection.execute(update(TRIES).where(this).values(guest=new))


async def _rewrite(
    connection: AsyncConnection, table: str, old: str, new: str, now: float, nameless: bool
) -> None:
    """Puts one guest in the place of another in all that a table has kept, or nobody in particular.

    The event comes first: from then on whoever writes to this table waits, and then reads it anew.
    """
    here = TABLES.c.id == table
    row = (await connection.execute(select(TABLES).where(here))).one()
    event = {"table_id": table, "number": row.number + 1, "at": now, "kind": OWNER, "seat": -1}
    await connection.execute(insert(EVENTS).values(**event, text="", drops=[]))
    chairs = [_another(chair, old, new, nameless) for chair in row.chairs]
    host = new if row.host == old else row.host
    changed = {"number": row.number + 1, "chairs": chairs, "host": host}
    await connection.execute(update(TABLES).where(here).values(**changed))
    his = (EVENTS.c.table_id == table) & (EVENTS.c.guest == old)
    if nameless:
        await connection.execute(update(EVENTS).where(his, EVENTS.c.kind == SIT).values(text=""))
    await connection.execute(update(EVENTS).where(his).values(guest=new))
    for column in (SEATS.c.guest, SEATS.c.former):
        seat = (SEATS.c.table_id == table) & (column == old)
        values = {column.name: new} | ({"name": ""} if nameless else {})
        await connection.execute(update(SEATS).where(seat).values(**values))


def _another(chair: dict[str, Any], old: str, new: str, nameless: bool) -> dict[str, Any]:
    if old not in (chair["guest"], chair["former"]):
        return chair
    changed = {key: new for key in ("guest", "former") if chair[key] == old}
    return chair | changed | ({"name": ""} if nameless else {})


async def _remove_table(connection: AsyncConnection, table: str) -> None:
    for rows in (TRIES, RESULTS, SEATS, EVENTS):
        await connection.execute(delete(rows).where(rows.c.table_id == table))
    await connection.execute(delete(TABLES).where(TABLES.c.id == table))
