"""How many tables a guest and an address may have: waiting ones, those with bots, and open ones.

The database counts the tables of a guest. Which tables an address has set up only this process
knows, because no address is stored anywhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple
from weakref import WeakValueDictionary

from headway.server.core.errors import Reason, RefusedError
from headway.server.tables.setup import Setup
from headway.server.tables.store import OpenTable, TableStore


class Quota(NamedTuple):
    """The most tables of a kind, for a guest and for an address.

    A table that nobody has touched for `idle_seconds` no longer counts.
    """

    key: str
    """The sentence that says so."""
    per_guest: int
    per_address: int
    idle_seconds: float
    counts: Callable[[OpenTable], bool]


WAITING_TABLES = Quota("server.waiting_tables", 5, 20, 7 * 86_400, lambda table: table.waiting)
BOT_TABLES = Quota("server.bot_tables", 20, 60, 3600, lambda table: table.with_bots)
OPEN_TABLES = Quota("server.open_tables", 100, 500, 7 * 86_400, lambda _: True)
QUOTAS = (WAITING_TABLES, BOT_TABLES, OPEN_TABLES)


class TableQuotas:
    """Admits new tables; `factor` multiplies all quotas, 0 switches them off."""

    def __init__(self, store: TableStore, factor: float) -> None:
        self.store = store
        self.factor = factor
        self.networks: dict[str, str] = {}
        """The network from which each open table was set up, by the table's id."""
        self._by_network: dict[str, set[str]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @contextlib.asynccontextmanager
    async def admit(self, setup: Setup, network: str) -> AsyncIterator[None]:
        """Refuses a table beyond a quota; one that is written inside the block counts from now on.

        Tables of one address are admitted one after the other, so that none slips through.
        """
        if not self.factor:
            yield
            return
        lock = self._locks.setdefault(network, asyncio.Lock())
        async with lock:
            await self._check(setup, network)
            yield
        self.networks[setup.id] = network
        self._by_network.setdefault(network, set()).add(setup.id)

    async def _check(self, setup: Setup, network: str) -> None:
        new, here = OpenTable.of(setup), self._by_network.get(network, set())
        tables = await self.store.open_tables(setup.host, here, OPEN_TABLES.idle_seconds)
        self._forget(network, here - {table.id for table in tables})
        for quota in QUOTAS:
            if not quota.counts(new):
                continue
            since = time.time() - quota.idle_seconds
            counted = [t for t in tables if quota.counts(t) and t.changed > since]
            mine = sum(table.host == setup.host for table in counted)
            theirs = sum(table.id in here for table in counted)
            for count, most in ((mine, quota.per_guest), (theirs, quota.per_address)):
                if count >= most * self.factor:
                    raise RefusedError(Reason.TOO_OFTEN, quota.key, most=count)

    def _forget(self, network: str, closed: set[str]) -> None:
        """Forgets tables that are finished, deleted or idle for long."""
        for table_id in closed:
            self.networks.pop(table_id, None)
        left = self._by_network.get(network, set()) - closed
        if left:
            self._by_network[network] = left
        else:
            self._by_network.pop(network, None)
