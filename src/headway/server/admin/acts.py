"""Acts: what operators did, when and to whom. The list is the audit log and the messenger.

An act is written in the transaction of what it changes. Every server process reads new acts once a
second and obeys, with SQLite as with PostgreSQL and without Redis. So it knows the bans and the
notice that hold: people who are banned may look on and sign out, but change nothing else.
"""

from __future__ import annotations

import getpass
import logging
import os
import time
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from headway.server.core.database import Database
from headway.server.core.errors import forbidden
from headway.server.core.log import Outage
from headway.server.core.schema import ACTS, BANS, NOTICES
from headway.server.core.workers import repeat
from headway.server.tables.authority import TableAuthority
from headway.server.tables.news import ConnectionHub

log = logging.getLogger("headway.admin")
POLL_SECONDS = 1.0
"""How often a process looks for new acts."""
OF_PERSON = "person."
"""How the names of acts begin that concern a person; their subject is the guest."""
ALLOWED = ("DELETE /api/account/session", "POST /api/account/delete")
"""What a banned person may still do: leave."""


class Act(msgspec.Struct, frozen=True):
    """One act: its number, when, by whom, what it was, whom or what it concerned."""

    number: int
    at: float
    operator: str
    act: str
    subject: str
    details: dict[str, Any]


def note(connection: Connection, act: str, subject: str, **details: object) -> None:
    """Writes an act in the transaction of what it did.

    Of two operators at the same moment, the second one's transaction fails: numbers have no gaps,
    so a process that has read one act has read all before it.
    """
    number = (connection.scalar(select(func.max(ACTS.c.number))) or 0) + 1
    row = {"number": number, "at": time.time(), "operator": operator_name()}
    row |= {"act": act, "subject": subject, "details": details}
    connection.execute(insert(ACTS).values(**row))


def operator_name() -> str:
    """Returns who runs the command, as far as the system knows."""
    try:
        return (os.environ.get("SUDO_USER") or getpass.getuser())[:80]
    except (OSError, KeyError):  # a container's user may have no name
        return f"uid {os.getuid()}"


def acts_since(connection: Connection, number: int) -> list[Act]:
    """Returns the acts after a number, in order."""
    query = select(ACTS).where(ACTS.c.number > number).order_by(ACTS.c.number)
    return [Act(**row) for row in connection.execute(query).mappings()]


def last_acts(connection: Connection, most: int) -> list[Act]:
    """Returns the last acts, the newest first."""
    query = select(ACTS).order_by(ACTS.c.number.desc()).limit(most)
    return [Act(**row) for row in connection.execute(query).mappings()]


class Ban(NamedTuple):
    """Until when somebody is banned, None for good, and what they are told."""

    until: float | None
    reason: str


class Bans:
    """The bans that hold, in memory."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._bans: dict[str, Ban] = {}

    async def read(self) -> None:
        """Reads all bans."""
        rows = await self.database.rows(select(BANS))
        self._bans = {row.guest: Ban(row.until, row.reason) for row in rows}

    def refuse(self, guest: str, request: str) -> None:
        """Refuses somebody who is banned, unless they want to leave."""
        ban = self._bans.get(guest)
        if (
            ban is None
            or (ban.until is not None and ban.until <= time.time())
            or request in ALLOWED
        ):
            return
        key = "server.banned" if ban.until is None else "server.banned_until"
        at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(ban.until or 0))
        raise forbidden(key, until=at, reason=ban.reason)


class OperatorNotice(msgspec.Struct, frozen=True):
    """What the operator tells everybody, and until when; number 0 says that there is nothing."""

    number: int = 0
    text: str = ""
    until: float = 0.0


def put_up_notice(connection: Connection, text: str, until: float) -> None:
    """Replaces the notice."""
    number = (connection.scalar(select(func.max(NOTICES.c.number))) or 0) + 1
    connection.execute(delete(NOTICES))
    connection.execute(insert(NOTICES).values(number=number, text=text, until=until))


def last_notice(connection: Connection) -> OperatorNotice:
    """Returns the last notice, which may be over."""
    row = connection.execute(select(NOTICES).order_by(NOTICES.c.number.desc())).first()
    return OperatorNotice(*row) if row else OperatorNotice()


class StandingNotice:
    """The notice that holds, in memory."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._last = OperatorNotice()

    async def read(self) -> bool:
        """Reads the last notice; returns whether it is another one than before."""
        before, self._last = self._last, await self.database.read(last_notice)
        return self._last != before

    @property
    def now(self) -> OperatorNotice:
        """The notice that everybody is shown now."""
        return self._last if self._last.until > time.time() else OperatorNotice()

    @property
    def number(self) -> int:
        """Its number, 0 if there is none."""
        return self.now.number


class ActFollower:
    """Lets a server process do what operators want."""

    def __init__(
        self,
        database: Database,
        authority: TableAuthority,
        connections: ConnectionHub,
        bans: Bans,
        notice: StandingNotice,
    ) -> None:
        self.database = database
        self.authority = authority
        self.connections = connections
        self.bans = bans
        self.notice = notice
        self._read = 0

    async def start(self) -> None:
        """Reads what holds when the process starts."""
        query = select(func.max(ACTS.c.number))
        self._read = await self.database.value(query) or 0
        await self.bans.read()
        await self.notice.read()

    async def run(self) -> None:
        """Obeys for ever."""
        await repeat(self.follow, POLL_SECONDS, Outage(log, "acts of operators"))

    async def follow(self) -> None:
        """Does what is new; an act that fails halfway is done again."""
        acts = await self.database.read(lambda connection: acts_since(connection, self._read))
        if not acts:
            return
        await self.bans.read()
        if await self.notice.read():
            self.connections.notice_changed(self.notice.number)
        await self.authority.catch_up_all()
        for act in acts:
            if act.act.startswith(OF_PERSON):
                self.connections.rename_here(act.subject)
                self.connections.close_here(act.subject)
            log.info("act of operator", extra={"act": act.act, "subject": act.subject})
        self._read = acts[-1].number
