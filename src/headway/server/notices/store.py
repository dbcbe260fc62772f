"""What people want to be told and where, in the database."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, or_, select, union, update

from headway.server.core.database import Database
from headway.server.core.schema import (
    CALENDARS,
    SEATS,
    SUBSCRIPTIONS,
    UNWANTED_NOTICES,
    WEBHOOKS,
)
from headway.server.notices.web_push import Browser
from headway.server.people.guests import secret_hash

MOST_BROWSERS = 10
"""Browsers that somebody can be called in; a further one replaces the oldest."""
MOST_FAILURES = 20
"""Notices in a row that do not arrive before a webhook gets no more."""


class Subscription(NamedTuple):
    """A browser to call, and in which language."""

    hash: str
    browser: Browser
    lang: str


class Webhook(NamedTuple):
    """An account's own program to call."""

    url: str
    secret: str
    lang: str
    failures: int

    @property
    def stopped(self) -> bool:
        """Whether it failed so often that nothing is sent any more."""
        return self.failures >= MOST_FAILURES


class Ways(NamedTuple):
    """How somebody is told, and of what not."""

    browsers: list[Subscription]
    webhook: Webhook | None
    unwanted: frozenset[str]


class NoticeStore:
    """Reads and writes subscriptions, choices, calendars and webhooks."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def reachable(self) -> frozenset[str]:
        """Returns everybody who has a browser or a webhook to call."""
        both = union(select(SUBSCRIPTIONS.c.guest), select(WEBHOOKS.c.guest))
        rows = await self.database.read(lambda c: c.execute(both).scalars().all())
        return frozenset(rows)

    async def ways(self, guest: str) -> Ways:
        """Returns how somebody is told, and of what not."""

        def work(connection: Connection) -> Ways:
            found = connection.execute(_of(SUBSCRIPTIONS, guest)).all()
            browsers = [
                Subscription(row.hash, Browser(row.endpoint, row.p256dh, row.auth), row.lang)
                for row in found
            ]
            hook = connection.execute(_of(WEBHOOKS, guest)).first()
            fields = (hook.url, hook.secret, hook.lang, hook.failures) if hook else None
            unwanted = connection.execute(_of(UNWANTED_NOTICES, guest)).all()
            webhook = Webhook(*fields) if fields else None
            return Ways(browsers, webhook, frozenset(row.kind for row in unwanted))

        return await self.database.read(work)

    async def choose(self, guest: str, unwanted: Collection[str]) -> None:
        """Keeps which kinds of notices somebody does not want."""
        rows = [{"guest": guest, "kind": kind} for kind in sorted(unwanted)]
        await self._replace(UNWANTED_NOTICES, guest, rows)

    async def subscribe(self, guest: str, session: str, browser: Browser, lang: str) -> None:
        """Keeps a browser that may be called; it belongs to whoever uses it last."""
        place = secret_hash(browser.endpoint)
        row = {"hash": place, "guest": guest, "session": session, "lang": lang}
        row |= {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth}

        def work(connection: Connection) -> None:
            connection.execute(delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.hash == place))
            newest = _of(SUBSCRIPTIONS, guest).order_by(SUBSCRIPTIONS.c.created.desc())
            old = [row.hash for row in connection.execute(newest)][MOST_BROWSERS - 1 :]
            connection.execute(delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.hash.in_(old)))
            connection.execute(insert(SUBSCRIPTIONS).values(**row, created=time.time()))

        await self.database.write(work)

    async def unsubscribe(self, guest: str, endpoint: str) -> None:
        """Forgets a browser of somebody."""
        this = SUBSCRIPTIONS.c.hash == secret_hash(endpoint)
        await self.database.change(_without(SUBSCRIPTIONS, guest).where(this))

    async def forget(self, subscription: str) -> None:
        """Forgets a browser that its push service no longer knows."""
        this = SUBSCRIPTIONS.c.hash == subscription
        await self.database.change(delete(SUBSCRIPTIONS).where(this))

    async def take_turn(self, table_id: str, guest: str, pause: float) -> float:
        """Notes that somebody is told about a table now; returns 0, or how long that has to wait.

        So there is one notice in a `pause`, whichever process sends it.
        """
        now = time.time()
        here = (SEATS.c.table_id == table_id) & (SEATS.c.guest == guest)
        rested = or_(SEATS.c.noticed.is_(None), SEATS.c.noticed <= now - pause)
        if await self.database.change(update(SEATS).where(here, rested).values(noticed=now)):
            return 0.0
        last = await self.database.value(select(SEATS.c.noticed).where(here))
        return pause if last is None else max(0.01, last + pause - now)

    # Calendars and webhooks

    async def calendar(self, guest: str) -> bool:
        """Tells whether somebody has a calendar."""
        return await self.database.first(_of(CALENDARS, guest)) is not None

    async def set_calendar(self, guest: str, secret: str, lang: str) -> None:
        """Gives somebody a calendar at a new address, in place of an older one."""
        row = {"guest": guest, "hash": secret_hash(secret), "lang": lang}
        await self._replace(CALENDARS, guest, [row])

    async def drop_calendar(self, guest: str) -> None:
        """Ends somebody's calendar."""
        await self.database.change(_without(CALENDARS, guest))

    async def owner_of_calendar(self, secret: str) -> Any:
        """Returns the guest and the language of a calendar; None if there is none."""
        query = select(CALENDARS).where(CALENDARS.c.hash == secret_hash(secret))
        return await self.database.first(query)

    async def set_webhook(self, guest: str, url: str, secret: str, lang: str) -> None:
        """Keeps the address to call for somebody, in place of an earlier one."""
        row = {"guest": guest, "url": url, "secret": secret, "lang": lang, "failures": 0}
        await self._replace(WEBHOOKS, guest, [row])

    async def drop_webhook(self, guest: str) -> None:
        """Ends somebody's webhook."""
        await self.database.change(_without(WEBHOOKS, guest))

    async def note_delivery(self, guest: str, url: str, *, arrived: bool) -> None:
        """Counts the notices in a row that did not arrive."""
        failures = 0 if arrived else WEBHOOKS.c.failures + 1
        this = (WEBHOOKS.c.guest == guest) & (WEBHOOKS.c.url == url)
        await self.database.change(update(WEBHOOKS).where(this).values(failures=failures))

    async def _replace(self, table: Any, guest: str, rows: Sequence[dict[str, Any]]) -> None:
        """Writes what a table has of somebody, in place of everything before."""

        def work(connection: Connection) -> None:
            connection.execute(_without(table, guest))
            if rows:
                connection.execute(insert(table), rows)

        await self.database.write(work)


def _of(rows: Any, guest: str) -> Any:
    return select(rows).where(rows.c.guest == guest)


def _without(rows: Any, guest: str) -> Any:
    return delete(rows).where(rows.c.guest == guest)
