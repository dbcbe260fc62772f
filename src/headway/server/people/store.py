"""Accounts in the database, and what changes when a guest becomes one.

A guest can be replaced by another wherever it is written: when somebody signs in who has played as
a guest, and when an account is deleted. Each table that this changes gets an event, after which
every process reloads it. Tables are handed over and forgotten in batches: a long transaction would
keep all other writers waiting. A process that starts continues where another one ended.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Column, Connection, bindparam, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from headway.server.core.database import Database, NumberTakenError
from headway.server.core.errors import conflict
from headway.server.core.schema import (
    ACCOUNTS,
    ANSWERS,
    AVOIDED,
    BANS,
    CALENDARS,
    CHALLENGES,
    DUELS,
    EVENTS,
    FEATS,
    GUESTS,
    HANDOVERS,
    PASSKEYS,
    PUZZLES,
    RATINGS,
    REMARKS,
    REPORTS,
    RESULTS,
    REVIEWS,
    SEATS,
    SEEKS,
    SESSIONS,
    SHARING,
    SUBSCRIPTIONS,
    TABLES,
    TOKENS,
    TRIES,
    UNWANTED_NOTICES,
    WEBHOOKS,
)
from headway.server.people.guests import Also, end_sessions, nothing, secret_hash
from headway.server.people.names import looks, name_key
from headway.server.tables.events import OWNER, SIT
from headway.server.tables.results import remove_puzzles
from headway.server.tables.rows import remove_tables
from headway.settings import SESSION_SECONDS

ATTEMPTS = 10
TABLES_PER_HANDOVER = 50
"""Tables that one transaction gives to another guest."""
HANDOVER_PAUSE_SECONDS = 0.15
"""Longer than a writer that waits for SQLite's lock sleeps before it tries again."""
PSEUDONYM, NAMED, OUT = "pseudonym", "named", "none"
"""How somebody appears in open data: under a pseudonym, which needs no row, a name, or not."""
NOBODY = ""
"""In place of an account: the guest's account was deleted, and its tables forget it."""
T = TypeVar("T")
OWNED = (
    TRIES.c.guest, REVIEWS.c.owner, RATINGS.c.who, ANSWERS.c.guest, TOKENS.c.guest,
    SHARING.c.guest, SUBSCRIPTIONS.c.guest, UNWANTED_NOTICES.c.guest, CALENDARS.c.guest,
    WEBHOOKS.c.guest, FEATS.c.guest, AVOIDED.c.guest, AVOIDED.c.other, DUELS.c.guest, DUELS.c.other,
    SEEKS.c.guest, REMARKS.c.guest, REPORTS.c.guest, REPORTS.c.other, BANS.c.guest,
    SESSIONS.c.guest, PASSKEYS.c.guest, CHALLENGES.c.guest, ACCOUNTS.c.guest, GUESTS.c.id,
)  # fmt: skip
"""What is deleted with an account."""
_PAIR = "guest", "other"


class Keys(NamedTuple):
    """The hashes of an account's password and of its recovery code."""

    password: str
    recovery: str


class AccountStore:
    """Reads and writes accounts."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def names_in_use(self) -> list[tuple[str, str, str]]:
        """Returns table, guest and name of all people's seats in games that are not over."""
        columns = SEATS.c.table_id, SEATS.c.guest, SEATS.c.name
        query = select(*columns).join(TABLES, TABLES.c.id == SEATS.c.table_id)
        people = query.where(~TABLES.c.finished, SEATS.c.guest.is_not(None), SEATS.c.name != "")
        return [(row.table_id, row.guest, row.name) for row in await self.database.rows(people)]

    async def sharing_of(self, guest: str) -> str:
        """Returns what somebody decided about open data."""
        query = select(SHARING.c.choice).where(SHARING.c.guest == guest)
        return await self.database.value(query) or PSEUDONYM

    async def decide_sharing(self, guest: str, choice: str) -> None:
        """Keeps what somebody decided about open data."""

        def work(connection: Connection) -> None:
            connection.execute(delete(SHARING).where(SHARING.c.guest == guest))
            if choice != PSEUDONYM:
                connection.execute(insert(SHARING).values(guest=guest, choice=choice))

        await self.database.write(work)

    async def drop_name(self, table_id: str, guest: str) -> None:
        """Takes a guest's name at a table away; the seat stays theirs."""
        await self.retried(lambda c: _rewrite(c, [table_id], guest, guest, name=""))

    # Accounts

    async def by_name(self, key: str) -> Any:
        """Returns the account of a name, None if there is none."""
        return await self.database.first(select(ACCOUNTS).where(ACCOUNTS.c.key == key))

    async def look_alike(self, name: str) -> Any:
        """Returns an account whose name looks like this, None if there is none."""
        return await self.database.first(select(ACCOUNTS).where(_looks_like(ACCOUNTS, name)))

    async def by_guest(self, guest: str) -> Any:
        """Returns the account of a guest, None if there is none."""
        return await self.database.first(select(ACCOUNTS).where(ACCOUNTS.c.guest == guest))

    async def claim(
        self,
        guest: str,
        account: str,
        name: str,
        keys: Keys,
        cookie: str,
        also: Also = nothing,
    ) -> None:
        """Opens an account with everything that a guest has done; others give its name up.

        `also` is part of the transaction.
        """
        named = {"name": name, "created": time.time()}
        row = {"guest": account, "key": name_key(name), **keys._asdict(), **named}

        def work(connection: Connection) -> None:
            also(connection)
            _refuse_taken(connection, account, name)
            face = connection.scalar(select(GUESTS.c.face).where(GUESTS.c.id == guest)) or ""
            connection.execute(insert(ACCOUNTS).values(**row, **looks(name)._asdict()))
            connection.execute(delete(GUESTS).where(_looks_like(GUESTS, name)))
            connection.execute(insert(GUESTS).values(id=account, face=face, **named))
            _move_belongings(connection, guest, account)
            _move_subscriptions(connection, guest, account, cookie)
            _open_session(connection, cookie, account)

        await self.retried(work)
        await self._hand_over(guest, account)

    async def sign_in(self, account: str, cookie: str, guest: str | None) -> None:
        """Opens a session; what the guest has done before becomes the account's."""

        def work(connection: Connection) -> None:
            if guest:
                _move_belongings(connection, guest, account)
                _move_subscriptions(connection, guest, account, cookie)
            _open_session(connection, cookie, account)

        await self.retried(work)
        if guest:
            await self._hand_over(guest, account)

    async def finish_handovers(self, account: str | None = None) -> None:
        """Gives all accounts, or one, the tables that they did not get before a process ended."""
        query = select(HANDOVERS)
        if account is not None:
            query = query.where(HANDOVERS.c.account == account)
        for row in await self.database.rows(query):
            await self._hand_over(row.guest, row.account)

    async def _hand_over(self, guest: str, account: str) -> None:
        """Gives a guest's tables to an account, or lets them forget the guest.

        It does so for some tables at a time, so that other writers come between.
        """
        while await self.retried(partial(_hand_over_some, guest, account)):
            await asyncio.sleep(HANDOVER_PAUSE_SECONDS)

    async def change_keys(
        self, guest: str, cookie: str, *, keep_tokens: bool = False, **hashes: str
    ) -> None:
        """Sets the hash of a `password`, of a `recovery` code, or both.

        All sessions end but the new one, and tokens unless they are kept.
        """

        def work(connection: Connection) -> None:
            mine = ACCOUNTS.c.guest == guest
            connection.execute(update(ACCOUNTS).where(mine).values(**hashes))
            end_sessions(connection, guest)
            if not keep_tokens:
                connection.execute(delete(TOKENS).where(TOKENS.c.guest == guest))
            _open_session(connection, cookie, guest)

        await self.database.write(work)

    async def set_recovery(self, account: str, recovery: str) -> None:
        """Keeps the hash of another recovery code."""
        mine = update(ACCOUNTS).where(ACCOUNTS.c.guest == account)
        await self.database.change(mine.values(recovery=recovery))

    async def rename(self, guest: str, name: str, also: Also = nothing) -> None:
        """Changes the name of an account; others give it up. `also` is part of the transaction."""
        named = {"name": name, "key": name_key(name), **looks(name)._asdict()}

        def work(connection: Connection) -> None:
            _refuse_taken(connection, guest, name)
            connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.guest == guest).values(**named))
            others = _looks_like(GUESTS, name) & (GUESTS.c.id != guest)
            connection.execute(delete(GUESTS).where(others))
            connection.execute(update(GUESTS).where(GUESTS.c.id == guest).values(name=name))
            also(connection)

        await self.retried(work)

    async def delete(self, guest: str, also: Also = nothing) -> None:
        """Deletes an account: its games alone, and its name in games with others.

        `also` is part of the transaction.
        """

        def work(connection: Connection) -> None:
            connection.execute(insert(HANDOVERS).values(guest=guest, account=NOBODY))
            for column in OWNED:
                connection.execute(delete(column.table).where(column == guest))
            also(connection)

        await self.retried(work)
        await self._hand_over(guest, NOBODY)

    async def rename_at_tables(self, guest: str, name: str) -> None:
        """Writes another name at all tables where somebody sits or sat, some at a time."""
        table_ids = await self.database.read(partial(_tables_of, guest=guest))
        for start in range(0, len(table_ids), TABLES_PER_HANDOVER):
            some = table_ids[start : start + TABLES_PER_HANDOVER]
            await self.retried(partial(_rewrite, table_ids=some, old=guest, new=guest, name=name))

    async def retried(self, work: Callable[[Connection], T]) -> T:
        """Runs the work in one transaction, again if a table changed meanwhile."""
        for attempt in range(ATTEMPTS):
            try:
                return await self.database.write(work)
            except (NumberTakenError, IntegrityError):
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError


def _looks_like(names: Any, name: str) -> Any:
    small_look, look = looks(name)
    return or_(names.c.small_look == small_look, names.c.look == look)


def _refuse_taken(connection: Connection, guest: str, name: str) -> None:
    """Refuses a name that reads or looks like that of another account."""
    same = or_(ACCOUNTS.c.key == name_key(name), _looks_like(ACCOUNTS, name))
    taken = select(ACCOUNTS.c.guest).where(same, ACCOUNTS.c.guest != guest)
    if connection.execute(taken).first():
        raise conflict("server.name_taken", name=name)


def _open_session(connection: Connection, cookie: str, guest: str) -> None:
    now = time.time()
    old = (SESSIONS.c.guest == guest) & (SESSIONS.c.created < now - SESSION_SECONDS)
    connection.execute(delete(SESSIONS).where(old))
    connection.execute(insert(SESSIONS).values(hash=secret_hash(cookie), guest=guest, created=now))


def _tables_of(connection: Connection, guest: str) -> Sequence[str]:
    """Returns all tables that know a guest, also those that they joined and left again."""
    mine = or_(SEATS.c.guest == guest, SEATS.c.former == guest)
    held = TABLES.c.id.in_(select(SEATS.c.table_id).where(mine))
    acted = TABLES.c.id.in_(select(EVENTS.c.table_id).where(EVENTS.c.guest == guest))
    query = select(TABLES.c.id).where(or_(held, acted, TABLES.c.host == guest))
    return connection.execute(query.order_by(TABLES.c.id)).scalars().all()


def _with_others(connection: Connection, table_ids: Sequence[str], guest: str) -> list[str]:
    """Returns the tables that are somebody else's, or where others sit or may come back."""
    people = or_(
        SEATS.c.guest.is_not(None) & (SEATS.c.guest != guest),
        SEATS.c.former.is_not(None) & (SEATS.c.former != guest),
    )
    occupied = TABLES.c.id.in_(select(SEATS.c.table_id).where(people))
    query = select(TABLES.c.id).where(
        TABLES.c.id.in_(table_ids), or_(occupied, TABLES.c.host != guest)
    )
    return list(connection.execute(query).scalars())


def _hand_over_some(guest: str, account: str, connection: Connection) -> bool:
    """Gives some tables of a guest to an account; returns whether there may be more."""
    table_ids = _tables_of(connection, guest)
    some = table_ids[:TABLES_PER_HANDOVER]
    if account == NOBODY:
        _forget(connection, some, guest)
    else:
        _rewrite(connection, some, guest, account)
    if len(table_ids) > TABLES_PER_HANDOVER:
        return True
    late = RESULTS.c.guest == guest  # a game may have ended meanwhile
    gone = delete(RESULTS) if account == NOBODY else update(RESULTS).values(guest=account)
    connection.execute(gone.where(late))
    connection.execute(delete(HANDOVERS).where(HANDOVERS.c.guest == guest))
    return False


def _forget(connection: Connection, table_ids: Sequence[str], guest: str) -> None:
    """Deletes a guest's games alone, and the name in games with others."""
    shared = _with_others(connection, table_ids, guest)
    remove_puzzles(connection, PUZZLES.c.table_id.in_(table_ids))
    remove_tables(connection, [table_id for table_id in table_ids if table_id not in shared])
    for table_id in shared:
        # Another one for each table, so that nobody sees that the same person was there.
        _rewrite(connection, [table_id], guest, secrets.token_urlsafe(16), name="")


def _move_belongings(connection: Connection, old: str, new: str) -> None:
    """Gives what a guest has to an account, and notes that the tables follow.

    Others may know a guest's token; it must not play for an account. Neither does a provisional
    rating become an account's.
    """
    connection.execute(delete(HANDOVERS).where(HANDOVERS.c.guest == old))
    connection.execute(insert(HANDOVERS).values(guest=old, account=new))
    connection.execute(delete(TOKENS).where(TOKENS.c.guest == old))
    _move_tries(connection, old, new)
    connection.execute(update(RESULTS).where(RESULTS.c.guest == old).values(guest=new))
    connection.execute(delete(RATINGS).where(RATINGS.c.who == old))
    _move_new(connection, ANSWERS.c.puzzle, old, new)  # an answer counts once
    _move_new(connection, FEATS.c.feat, old, new)
    connection.execute(delete(GUESTS).where(GUESTS.c.id == old))
    _move_sharing(connection, old, new)
    _move_acquaintances(connection, old, new)


def _move_acquaintances(connection: Connection, old: str, new: str) -> None:
    """Keeps whom a guest avoids, who has challenged or reported whom, and remarks."""
    for mine, theirs in ((AVOIDED.c.guest, AVOIDED.c.other), (AVOIDED.c.other, AVOIDED.c.guest)):
        for row in connection.execute(select(AVOIDED).where(mine == old)).all():
            pair = {mine.name: new, theirs.name: row._mapping[theirs.name], "how": row.how}
            same = [AVOIDED.c[name] == value for name, value in pair.items()]
            if (
                pair["guest"] != pair["other"]
                and not connection.execute(select(AVOIDED).where(*same)).first()
            ):
                connection.execute(insert(AVOIDED).values(**pair, name=row.name))
        connection.execute(delete(AVOIDED).where(mine == old))
    for rows, names in ((DUELS, _PAIR), (REPORTS, _PAIR), (REMARKS, ("guest",))):
        for name in names:
            connection.execute(update(rows).where(rows.c[name] == old).values({name: new}))


def _move_subscriptions(connection: Connection, old: str, new: str, cookie: str) -> None:
    """Calls an account where the guest was called: the browser that signs in; and as often."""
    values = {"guest": new, "session": secret_hash(cookie)}
    mine = SUBSCRIPTIONS.c.guest == old
    connection.execute(update(SUBSCRIPTIONS).where(mine).values(**values))
    for rows in (CALENDARS, UNWANTED_NOTICES):
        connection.execute(delete(rows).where(rows.c.guest == old))


def _move_sharing(connection: Connection, old: str, new: str) -> None:
    """Keeps a guest's games out of open data if the guest wanted so; else the account decides."""
    rows = connection.execute(
        delete(SHARING).where(SHARING.c.guest == old).returning(SHARING.c.choice)
    )
    if rows.scalar() == OUT:
        connection.execute(delete(SHARING).where(SHARING.c.guest == new))
        connection.execute(insert(SHARING).values(guest=new, choice=OUT))


def _move_new(connection: Connection, key: Column[Any], old: str, new: str) -> None:
    """Gives an account a guest's rows in the table of a key, but for keys that it has already."""
    table = key.table
    known = select(key).where(table.c.guest == new)
    connection.execute(delete(table).where(table.c.guest == old, key.in_(known)))
    connection.execute(update(table).where(table.c.guest == old).values(guest=new))


def _move_tries(connection: Connection, old: str, new: str) -> None:
    """Keeps one try for each deal; a second one, made as a guest, becomes an ordinary game."""
    theirs = select(TRIES).where(TRIES.c.guest == new)
    had = {(row.day, row.game, row.map) for row in connection.execute(theirs)}
    for row in connection.execute(select(TRIES).where(TRIES.c.guest == old)).all():
        this = TRIES.c.table_id == row.table_id
        if (row.day, row.game, row.map) in had:
            connection.execute(delete(TRIES).where(this))
            second = RESULTS.c.table_id == row.table_id
            connection.execute(update(RESULTS).where(second).values(day=""))
        else:
            connection.execute(update(TRIES).where(this).values(guest=new))


def _rewrite(
    connection: Connection, table_ids: Sequence[str], old: str, new: str, name: str | None = None
) -> None:
    """Replaces a guest by another in everything that tables have kept; `name` is a new one, or "".

    The events come first: later writers to these tables wait for them, and then reload the tables.
    """
    if not table_ids:
        return
    query = select(TABLES).where(TABLES.c.id.in_(table_ids)).order_by(TABLES.c.id)
    rows = connection.execute(query).all()
    event = {"at": time.time(), "kind": OWNER, "seat": -1, "text": "", "drops": []}
    events = [event | {"table_id": row.id, "number": row.number + 1} for row in rows]
    connection.execute(insert(EVENTS), events)
    changes = [
        {
            "key": row.id,
            "number": row.number + 1,
            "chairs": [_replaced(chair, old, new, name) for chair in row.chairs],
            "host": new if row.host == old else row.host,
        }
        for row in rows
    ]
    columns: dict[str, Any] = {name: bindparam(name) for name in ("number", "chairs", "host")}
    changing = update(TABLES).where(TABLES.c.id == bindparam("key")).values(columns)
    connection.execute(changing, changes)
    theirs = EVENTS.c.table_id.in_(table_ids) & (EVENTS.c.guest == old)
    named = _named(name)
    if named:
        sat = update(EVENTS).where(theirs, EVENTS.c.kind == SIT)
        text = {"text" if key == "name" else key: value for key, value in named.items()}
        connection.execute(sat.values(**text))
    connection.execute(update(EVENTS).where(theirs).values(guest=new))
    for column in (SEATS.c.guest, SEATS.c.former):
        seat = SEATS.c.table_id.in_(table_ids) & (column == old)
        values = {column.name: new} | named
        connection.execute(update(SEATS).where(seat).values(**values))


def _replaced(chair: dict[str, Any], old: str, new: str, name: str | None) -> dict[str, Any]:
    if old not in (chair["guest"], chair["former"]):
        return chair
    changed = {key: new for key in ("guest", "former") if chair[key] == old}
    return chair | changed | _named(name)


def _named(name: str | None) -> dict[str, str]:
    """Returns what a seat has of its person's name: nothing new, another name, or none."""
    if name is None:
        return {}
    return {"name": name} if name else {"name": "", "face": ""}
