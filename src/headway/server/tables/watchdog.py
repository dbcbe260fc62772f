"""The watchdog looks after tables that nobody touches: flags, restarted bots, lost messages."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import math
import time

from headway.errors import HeadwayError
from headway.server.core import metrics
from headway.server.core.calendar import steady_time
from headway.server.core.database import DatabaseAwayError
from headway.server.core.log import Outage
from headway.server.core.workers import cancel, repeat, running, start_task
from headway.server.tables import decisions
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bots import BotRunner
from headway.server.tables.news import ConnectionHub
from headway.server.tables.state import BOT_GRACE_SECONDS, TableState
from headway.server.tables.store import WAITING_TABLE_SECONDS

log = logging.getLogger("headway.watchdog")
SWEEP_SECONDS = 1.0
REFRESH_SECONDS = 4.0
LONGEST_TIMER_SECONDS = 3600
"""Later deadlines are found by a sweep."""
CLOSED_SOCKETS = 400
"""Closed sockets, about 10 KB each, after which the garbage collector runs."""
EXPIRE_SECONDS = 600.0
"""How often expired tables are looked for."""


class TableWatchdog:
    """Runs as long as the server does."""

    def __init__(
        self, authority: TableAuthority, bot_runner: BotRunner, connections: ConnectionHub
    ) -> None:
        self.authority = authority
        self.bot_runner = bot_runner
        self.connections = connections
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._removed: list[str] = []
        """The tables that expired last."""
        self._early = BOT_GRACE_SECONDS
        """How much earlier than they are due the first sweep looks after tables."""
        self._refreshed, self._expired_at = -math.inf, -math.inf

    async def run(self) -> None:
        """Runs for ever; tables that waited when the last server ended continue at once."""
        try:
            async with running(self.authority.downtime.run, "heartbeat"):
                await repeat(self._watch, SWEEP_SECONDS, Outage(log, "watchdog"))
        finally:
            for timer in self._timers.values():
                timer.cancel()
            await cancel(self._tasks)

    def table_changed(self, state: TableState) -> None:
        """Lets bots move and sets the timer for the next flag."""
        self.bot_runner.table_changed(state)
        table_id = state.setup.id
        if timer := self._timers.pop(table_id, None):
            timer.cancel()
        end = state.deadline()
        if end is not None and end < steady_time() + LONGEST_TIMER_SECONDS:
            loop = asyncio.get_running_loop()
            wait = max(0.0, end - steady_time())
            self._timers[table_id] = loop.call_later(wait, self._ring, table_id)

    def table_deleted(self, table_id: str) -> None:
        """Stops the timer of a table that is gone."""
        if timer := self._timers.pop(table_id, None):
            timer.cancel()

    def _ring(self, table_id: str) -> None:
        self._timers.pop(table_id, None)
        task = start_task(self._flag(table_id), f"flag of {table_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_after(self, table_id: str) -> None:
        """Flags the seats of a table whose time is over, or lets its bots move."""
        state = await self.authority.refresh(table_id)
        end = state.deadline()
        if end is not None and end <= steady_time():
            await self._flag(table_id)
        else:
            self.table_changed(state)

    async def _flag(self, table_id: str) -> None:
        """Makes the moves of all seats of a table whose time is over."""
        await self._begin(table_id)
        while True:
            state = await self.authority.refresh(table_id)
            seats = state.flagged_seats(steady_time())
            if not seats:
                break
            with contextlib.suppress(HeadwayError):
                await self.authority.flag(table_id, seats[0])
            if self.authority.cached(table_id) is state:
                break
        self.table_changed(await self.authority.get(table_id))

    async def _begin(self, table_id: str) -> None:
        """Begins a game whose time before it is over."""
        begins = (await self.authority.refresh(table_id)).starts_at
        if begins is not None and begins <= steady_time():
            with contextlib.suppress(HeadwayError):
                await self.authority.change(
                    table_id, lambda state: decisions.start(state, self.connections.all_here)
                )

    async def _watch(self) -> None:
        """Does everything that is due."""
        await self._sweep(self._early)
        if time.monotonic() - self._refreshed > REFRESH_SECONDS:
            self._refreshed = time.monotonic()
            self.connections.refresh()
            self.authority.evict_idle(set(self.connections.by_table))
        if time.monotonic() - self._expired_at > EXPIRE_SECONDS:
            await self._remove_expired()
            self._expired_at = time.monotonic()
        # A request that read one of them meanwhile may have kept it.
        self.authority.evict(self._removed)
        self._collect_garbage()
        self._early = 0.0

    async def _remove_expired(self) -> None:
        """Deletes tables whose players never came."""
        before = time.time() - WAITING_TABLE_SECONDS
        store, self._removed = self.authority.store, list[str]()
        while expired := await store.remove_waiting(before, self.connections.watched()):
            self._removed += expired

    def _collect_garbage(self) -> None:
        """Closed sockets form reference cycles; collect them now, as full collections are rare."""
        if self.connections.closed >= CLOSED_SOCKETS:
            self.connections.closed = 0
            with metrics.COLLECT_SECONDS.time():
                gc.collect()

    async def _sweep(self, early: float) -> None:
        for table_id in await self.authority.store.due(steady_time() + early):
            try:
                await self._look_after(table_id)
            except DatabaseAwayError:
                raise
            except Exception as error:
                key = error.key if isinstance(error, HeadwayError) else type(error).__name__
                if key != "server.no_table":  # else deleted since it was due
                    # Played by other rules or on another map: no process can continue it, and the
                    # tables behind it must not wait for it.
                    log.warning("table cannot go on", extra={"table": table_id, "key": key})
                    await self.authority.store.put_to_sleep(table_id)
        # Messages of other processes may be lost.
        for table_id in await self.authority.behind(self.connections.by_table):
            self.connections.catch_up(table_id)
