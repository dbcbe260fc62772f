"""The keeper looks after tables that nobody touches: flags, bots after a restart, lost notes."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time

from headway.errors import HeadwayError
from headway.server.database import results as ledger
from headway.server.metrics import METRICS
from headway.server.play.authority import Tables
from headway.server.play.bot_runner import Bots
from headway.server.play.connections import Live
from headway.server.table.state import BOT_GRACE, Sitting

log = logging.getLogger("headway.keeper")
EVERY = 1.0
REFRESH = 4.0
MANY_CLOSED = 400
"""Closed sockets, some 10 KB each, that wait for the collector."""


class Keeper:
    """Runs as long as the server does."""

    def __init__(self, tables: Tables, bots: Bots, live: Live) -> None:
        self.tables, self.bots, self.live = tables, bots, live
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._flags: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        tables.told.append(self.look)

    def open(self) -> None:
        """Starts. What was left waiting when the last server ended goes on at once."""
        self._task = asyncio.create_task(self._run(), name="keeper")
        self._flags.add(task := asyncio.create_task(self._catch_up_results(), name="results"))
        task.add_done_callback(self._flags.discard)

    async def close(self) -> None:
        """Stops."""
        for timer in self._timers.values():
            timer.cancel()
        tasks = [*self._flags, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def look(self, now: Sitting) -> None:
        """Lets bots move and sets the alarm for the next flag."""
        self.bots.nudge(now)
        table = now.setup.id
        if timer := self._timers.pop(table, None):
            timer.cancel()
        end = now.deadline()
        if end is not None and end < time.time() + 3600:
            loop = asyncio.get_running_loop()
            wait = max(0.0, end - time.time())
            self._timers[table] = loop.call_later(wait, self._ring, table)

    def _ring(self, table: str) -> None:
        self._timers.pop(table, None)
        task = asyncio.create_task(self._fall(table))
        self._flags.add(task)
        task.add_done_callback(self._flags.discard)

    async def _fall(self, table: str) -> None:
        """The flags of all seats of a table whose time is over fall."""
        while seats := (now := await self.tables.fresh(table)).flags(time.time()):
            with contextlib.suppress(HeadwayError):
                await self.tables.flag(table, seats[0])
            if self.tables.remembered(table) is now:
                break
        self.look(await self.tables.get(table))

    async def _catch_up_results(self) -> None:
        """Games that ended under a version without results get theirs, the oldest first."""
        store, tried = self.tables.store, set[str]()
        while True:
            async with store.reading() as connection:
                found = await ledger.without_results(connection, len(tried) + 20)
            if not (missing := [each for each in found if each[0] not in tried]):
                return
            for table, at in missing:
                tried.add(table)
                try:
                    if now := await store.load(table):
                        await store.add_results(now, at)
                except Exception as error:  # played by other rules or on another map
                    told = {"table": table, "error": type(error).__name__}
                    log.warning("no results of an old game", extra=told)
                await asyncio.sleep(0.05)

    async def _run(self) -> None:
        refreshed, early = 0.0, BOT_GRACE
        while True:
            try:
                await self._sweep(early)
                if time.monotonic() - refreshed > REFRESH:
                    refreshed = time.monotonic()
                    self.live.refresh()
                    self.tables.forget(set(self.live.lines))
                self._tidy()
                early = 0.0
            except Exception as error:
                log.warning("sweep failed", extra={"error": type(error).__name__})
            await asyncio.sleep(EVERY)

    def _tidy(self) -> None:
        """What closed sockets leave behind are circles, and the calm collector comes too seldom."""
        if self.live.closed >= MANY_CLOSED:
            self.live.closed = 0
            began = time.perf_counter()
            gc.collect()
            METRICS.span("headway_collect_seconds", time.perf_counter() - began)

    async def _sweep(self, early: float) -> None:
        for table in await self.tables.store.awake(time.time() + early):
            try:
                now = await self.tables.fresh(table)
            except HeadwayError as error:
                # Played by other rules or on another map: nobody can go on with it.
                log.warning("table cannot go on", extra={"table": table, "key": error.key})
                await self.tables.store.let_sleep(table)
                continue
            if now.flags(time.time()):
                await self._fall(table)
            else:
                self.look(now)
        watched = list(self.live.lines)
        for start in range(0, len(watched), 500):
            numbers = await self.tables.store.numbers(watched[start : start + 500])
            for table, number in numbers.items():
                known = self.tables.remembered(table)
                if known and known.number < number:
                    self.live.catch_up(table)
