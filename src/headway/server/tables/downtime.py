"""Downtime: time in which no process served is given back to running clocks.

While a clock runs, every process writes once a second into the database that it is alive. If none
has for a while (killed, suspended with its machine, cut off from the database), the first one that
is back gives each running clock its time back, with an event of its table. The time of a table's
last event counts too, so a process that ends halfway gives nothing twice.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable

from headway.errors import HeadwayError
from headway.server.core.calendar import steady_time
from headway.server.core.database import DatabaseAwayError
from headway.server.core.log import Outage
from headway.server.core.workers import repeat
from headway.server.tables.store import SilentTable, TableStore

log = logging.getLogger("headway.downtime")
BEAT_SECONDS = 1.0
SILENCE_SECONDS = 5.0
"""How long all processes may be silent before that counts as downtime."""
RESTART_SECONDS = 2.0
"""The same for a process that starts: no restart is as quick as this."""
RETURN_SECONDS = 10.0
"""What everybody gets on top: pages need some seconds to notice that the server is back."""


class Downtime:
    """What a process knows of the time in which nobody served.

    `give_back` gives a table back the seconds that it lost. `catch_up` reads what other processes
    wrote while this one was silent.
    """

    def __init__(
        self,
        store: TableStore,
        give_back: Callable[[SilentTable, float], Awaitable[object]],
        catch_up: Callable[[], Awaitable[None]],
    ) -> None:
        self.store = store
        self._give_back = give_back
        self._catch_up = catch_up
        self._beaten = -math.inf
        self._back = 0.0
        self._silent: dict[str, SilentTable] = {}
        """The tables that still have to get their time back."""
        self._looking, self._giving = asyncio.Lock(), asyncio.Lock()

    async def run(self) -> None:
        """Says for ever that this process is alive."""
        await repeat(self.beat, BEAT_SECONDS, Outage(log, "heartbeat"))

    async def beat(self) -> None:
        """Gives all lost time back, and writes that this process is alive."""
        await self._look()
        if count := len(self._silent):
            seconds = round(self._back - min(table.since for table in self._silent.values()), 1)
            log.info("downtime given back", extra={"tables": count, "seconds": seconds})
        while self._silent:
            await self._settle(next(iter(self._silent)))
        # Only now: a process that ends before this leaves the rest to the next one.
        await self.store.note_alive(self._beaten)

    async def settle(self, table_id: str) -> None:
        """Gives a table its lost time back, before anything there depends on its clock."""
        if steady_time() - self._beaten > SILENCE_SECONDS:
            await self._look()
        if table_id in self._silent:
            await self._settle(table_id)

    async def _look(self) -> None:
        """Looks for tables whose clocks ran while nobody served."""
        async with self._looking:
            now = steady_time()
            started = math.isinf(self._beaten)
            if not self._silent:
                silence = RESTART_SECONDS if started else SILENCE_SECONDS
                self._silent = {t.id: t for t in await self.store.silent_tables(now - silence)}
                self._back = now
            if not started and now - self._beaten > SILENCE_SECONDS:
                await self._catch_up()
            self._beaten = now

    async def _settle(self, table_id: str) -> None:
        async with self._giving:
            table = self._silent.get(table_id)
            if table is None:
                return
            try:
                await self._give_back(table, self._back - table.since + RETURN_SECONDS)
            except DatabaseAwayError:
                raise
            except HeadwayError as error:
                # Somebody was faster, or no process can continue the table.
                log.info("no downtime given back", extra={"table": table_id, "key": error.key})
            del self._silent[table_id]
