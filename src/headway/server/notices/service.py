"""Calls people who do not look at their tables: in their browsers, and through their webhooks.

The process that commits an event tells those whom it concerns. It waits a moment, in which a page
may reload; nobody is called who looks at the table. A process that ends forgets the notices that
wait.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import msgspec

from headway.errors import HeadwayError
from headway.server.core import metrics
from headway.server.core.errors import RefusedError, invalid
from headway.server.core.log import Outage
from headway.server.core.workers import cancel, repeat, start_task
from headway.server.notices.calls import (
    Call,
    Kind,
    calls_of,
    still_holds,
    text_of_table,
    title_of_call,
)
from headway.server.notices.outbound import URL_LENGTH, Outbound, UnreachableError
from headway.server.notices.store import NoticeStore, Subscription, Webhook
from headway.server.notices.web_push import Browser, Vapid, encrypted, is_browser_key, push_headers
from headway.server.tables.authority import TableAuthority
from headway.server.tables.news import ConnectionHub
from headway.server.tables.state import TableState

log = logging.getLogger("headway.notices")
GRACE_SECONDS = 2.0
"""How long a page may take to open or to reload before its player is called."""
PAUSE_SECONDS = 60.0
"""The least time between two notices about a table to the same person."""
REFRESH_SECONDS = 30.0
"""How often a process reads who can be called: another one may know of more."""
MOST_WAITING = 2000
"""Notices that may wait in a process; further ones are dropped."""
AT_ONCE = 16
"""Requests of each kind under way at the same time."""
ATTEMPTS = 3
RETRY_SECONDS = 1.0, 4.0
"""Before a webhook is called again that did not take a notice."""
DAY_SECONDS, SHORT_SECONDS = 86_400, 600
"""How long a push service tries: in a game of days, in any other."""
GONE = (404, 410)
"""What a push service answers for a browser that it no longer knows."""


class Notice(msgspec.Struct, frozen=True):
    """What a browser is sent. `path` is the page to open; `waiting` tables wait for me."""

    kind: Kind
    title: str
    text: str
    path: str
    table: str
    waiting: int


class WebhookNotice(msgspec.Struct, frozen=True):
    """What a webhook is sent. `number` is that of the event at the table, `ends` when time is up.

    `url` is empty where the server does not know its own address.
    """

    kind: Kind
    table: str
    number: int
    game: str
    map: str
    text: str
    url: str
    at: float
    ends: float | None


class DueNotice(NamedTuple):
    """Whom to tell what about which table."""

    state: TableState
    guest: str
    call: Call


class Notices:
    """The notices of a server process."""

    def __init__(
        self,
        store: NoticeStore,
        authority: TableAuthority,
        connections: ConnectionHub,
        outbound: Outbound,
        vapid: Vapid,
        origin: str,
    ) -> None:
        self.store = store
        self.authority = authority
        self.connections = connections
        self.outbound = outbound
        self.vapid = vapid
        self.origin = origin
        self._reachable: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._pushing = asyncio.Semaphore(AT_ONCE)
        self._calling = asyncio.Semaphore(AT_ONCE)
        self._hooks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """One request at a time for each webhook, so that slow ones do not take all."""

    async def run(self) -> None:
        """Runs for ever: reads from time to time who can be called."""
        try:
            await repeat(self._read_reachable, REFRESH_SECONDS, Outage(log, "notices"))
        finally:
            await cancel(self._tasks)
            self.outbound.close()

    async def _read_reachable(self) -> None:
        self._reachable = set(await self.store.reachable())

    # Who is called how

    async def subscribe(self, guest: str, session: str, browser: Browser, lang: str) -> None:
        """Calls somebody in a browser from now on; refuses what is no push service."""
        if not is_browser_key(browser.p256dh, browser.auth):
            raise invalid("call.key")
        await self.outbound.check(browser.endpoint)
        await self.store.subscribe(guest, session, browser, lang)
        self._reachable.add(guest)

    async def set_webhook(self, guest: str, url: str, secret: str, lang: str) -> None:
        """Calls an address for an account from now on; refuses one in a private network."""
        if len(url) > URL_LENGTH:
            raise invalid("call.url")
        await self.outbound.check(url)
        await self.store.set_webhook(guest, url, secret, lang)
        self._reachable.add(guest)

    # What happens

    def table_changed(self, state: TableState) -> None:
        """Hears of an event that this process committed."""
        for guest, calls in calls_of(state).items():
            if guest in self._reachable:
                self._start(self._tell(state.setup.id, guest, calls))

    def invite(self, state: TableState, guest: str) -> None:
        """Tells somebody who is asked to a table where they have no seat yet."""
        if guest in self._reachable:
            reason = DueNotice(state, guest, Call("invited", state.number))
            self._start(self._send(reason, ["invited"]))

    def _start(self, work: Any) -> None:
        if len(self._tasks) >= MOST_WAITING:
            work.close()
            metrics.NOTICES.labels("dropped").inc()
            return
        task = start_task(work, "notice")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, table_id: str, guest: str, calls: list[Call]) -> None:
        """Tells somebody about a table, unless they look at it or have done what was asked."""
        wait = GRACE_SECONDS
        while wait:
            await asyncio.sleep(wait)
            try:
                state = await self.authority.get(table_id)
            except HeadwayError:
                return  # the table is gone
            calls = [call for call in calls if still_holds(call, state, guest)]
            if not calls or guest in self.connections.looking(table_id):
                return
            wait = await self.store.take_turn(table_id, guest, PAUSE_SECONDS)
        await self._send(DueNotice(state, guest, calls[0]), [call.kind for call in calls])

    async def _send(self, reason: DueNotice, kinds: list[Kind]) -> None:
        """Sends the first kind of notice that somebody wants to all their browsers and webhook."""
        ways = await self.store.ways(reason.guest)
        wanted = [kind for kind in kinds if kind not in ways.unwanted]
        if not wanted:
            return
        waiting = await self._waiting(reason.guest) if ways.browsers else 0
        sending = [self._push(reason, wanted[0], one, waiting) for one in ways.browsers]
        if ways.webhook and not ways.webhook.stopped:
            sending.append(self._call_webhook(reason, wanted[0], ways.webhook))
        await asyncio.gather(*sending)

    async def _waiting(self, guest: str) -> int:
        """Returns how many tables wait for somebody."""
        heads = await self.authority.store.heads(guest=guest, hidden=False)
        mine = (
            any(
                occupants[seat].guest == guest for seat in (row["progress"] or {}).get("actors", ())
            )
            for row, occupants in heads
            if not row["finished"]
        )
        return sum(mine)

    async def _push(self, reason: DueNotice, kind: Kind, one: Subscription, waiting: int) -> None:
        state, guest, _ = reason
        table = state.setup.id
        text = text_of_table(state, guest, one.lang)
        notice = Notice(kind, title_of_call(kind, one.lang), text, f"t/{table}", table, waiting)
        slow = state.setup.clock.kind in ("days", "none")
        headers = push_headers(DAY_SECONDS if slow else SHORT_SECONDS, table, urgent=not slow)
        body = encrypted(msgspec.json.encode(notice), one.browser)
        endpoint = one.browser.endpoint
        async with self._pushing:
            try:
                signed = {**headers, **self.vapid.headers(endpoint)}
                status = await self.outbound.post(endpoint, signed, body)
            except (UnreachableError, RefusedError):
                status = 0
        if status in GONE:
            await self.store.forget(one.hash)
        _count("push", status)

    async def _call_webhook(self, reason: DueNotice, kind: Kind, hook: Webhook) -> None:
        body = msgspec.json.encode(self._webhook_notice(reason, kind, hook.lang))
        turn = self._hooks.setdefault(reason.guest, asyncio.Lock())
        async with turn:
            arrived = await self._delivered(hook, body)
        if not arrived or hook.failures:
            await self.store.note_delivery(reason.guest, hook.url, arrived=arrived)

    async def _delivered(self, hook: Webhook, body: bytes) -> bool:
        """Tries to send a notice; tells whether the webhook took it."""
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(RETRY_SECONDS[attempt - 1])
            headers = {"content-type": "application/json", "headway-signature": signed(hook, body)}
            async with self._calling:
                try:
                    status = await self.outbound.post(hook.url, headers, body)
                except (UnreachableError, RefusedError):
                    status = 0
            _count("webhook", status)
            if 200 <= status < 300:
                return True
        return False

    def _webhook_notice(self, reason: DueNotice, kind: Kind, lang: str) -> WebhookNotice:
        state, guest, call = reason
        setup = state.setup
        mine = set(state.held_by(guest)) & set(state.people_to_move())
        ends = [end for seat in mine if (end := state.clock.ends(seat))]
        return WebhookNotice(
            kind=kind,
            table=setup.id,
            number=call.number,
            game=setup.game,
            map=setup.map,
            text=f"{title_of_call(kind, lang)} · {text_of_table(state, guest, lang)}",
            url=f"{self.origin}/t/{setup.id}" if self.origin else "",
            at=time.time(),
            ends=min(ends, default=None),
        )


def signed(hook: Webhook, body: bytes, at: float | None = None) -> str:
    """Returns the signature of a notice: its time, and a code of time and body with the secret."""
    moment = str(int(time.time() if at is None else at))
    code = hmac.digest(hook.secret.encode(), moment.encode() + b"." + body, "sha256").hex()
    return f"t={moment},v1={code}"


def _count(way: str, status: int) -> None:
    outcome = f"{status // 100}xx" if status else "unreachable"
    metrics.NOTICES.labels(f"{way} {outcome}").inc()
