"""How many tables a guest and an address may have: waiting ones, those with bots, and open ones.

The database counts the tables of a guest. Which tables an address has set up only this process
knows, because no address is stored anywhere. What a guest may do at one table is limited elsewhere:
requests by `MOST_PER_GUEST` in `events.py`, hints by `require_hint` in `decisions.py`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable
from functools import partial

from headway.server.tables.setup import Setup
from headway.server.tables.store import OpenTable, TableStore
from headway.server.web.limits import Quota, Quotas, Usage

WAITING_TABLES = Quota("server.waiting_tables", 5, 20)
BOT_TABLES = Quota("server.bot_tables", 20, 60)
OPEN_TABLES = Quota("server.open_tables", 100, 500)
MOST_NETWORKS = 20_000
"""Tables of which a process knows where they were set up; it forgets the oldest."""
_OPEN_SECONDS = 7 * 86_400.0
"""A table that nobody has touched for so long no longer counts; with bots, after an hour."""
_KINDS: tuple[tuple[Quota, float, Callable[[OpenTable], bool]], ...] = (
    (WAITING_TABLES, _OPEN_SECONDS, lambda table: table.waiting),
    (BOT_TABLES, 3600.0, lambda table: table.with_bots),
    (OPEN_TABLES, _OPEN_SECONDS, lambda _: True),
)


class TableQuotas:
    """Admits new tables; `factor` multiplies all quotas, 0 switches them off."""

    def __init__(self, store: TableStore, factor: float) -> None:
        self.store = store
        self.networks: dict[str, str] = {}
        """The network from which each of the last tables was set up, by the table's id."""
        self._quotas = Quotas(factor)

    @contextlib.asynccontextmanager
    async def admit(self, setup: Setup, network: str) -> AsyncIterator[None]:
        """Refuses a table beyond a quota; one that is written inside the block counts from now."""
        async with self._quotas.admit(network, partial(self._used, setup, network)):
            yield
        if self._quotas.factor:
            self.networks[setup.id] = network
            if len(self.networks) > MOST_NETWORKS:
                del self.networks[next(iter(self.networks))]

    async def _used(self, setup: Setup, network: str) -> list[Usage]:
        new = OpenTable.of(setup)
        here = {table for table, known in self.networks.items() if known == network}
        tables = await self.store.open_tables(setup.host, here, _OPEN_SECONDS)
        for closed in here - {table.id for table in tables}:  # finished, deleted or idle for long
            self.networks.pop(closed, None)
        used, now = [], time.time()
        for quota, idle_seconds, counts in _KINDS:
            if counts(new):
                counted = [t for t in tables if counts(t) and t.changed > now - idle_seconds]
                mine = sum(table.host == setup.host for table in counted)
                used.append(Usage(quota, mine, sum(table.id in here for table in counted)))
        return used
