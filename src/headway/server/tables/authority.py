"""The authority over all tables: every change of a table is made here.

The database decides. A change is tried on the state that this process has in memory, its event is
committed, and only then the new state replaces the old one and listeners hear of it. If another
process was faster, the event's number is taken: the authority reads what it missed and tries again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from headway import dealer
from headway.errors import HeadwayError
from headway.server.core import metrics
from headway.server.core.errors import RefusedError, conflict, forbidden, not_found, unavailable
from headway.server.tables import decisions, events
from headway.server.tables.decisions import Decision
from headway.server.tables.downtime import Downtime
from headway.server.tables.events import TableEvent
from headway.server.tables.quotas import TableQuotas
from headway.server.tables.setup import (
    NewTable,
    Persona,
    SeedSource,
    Setup,
    against_people,
    new_setup,
    rematch_setup,
)
from headway.server.tables.state import TableState
from headway.server.tables.store import SilentTable, TableStore

MOST_IDLE_TABLES = 50
"""Tables kept in memory that nobody is connected to; each takes about 250 KB at its end."""
MOST_EVENTS_TO_CATCH_UP = 20
"""With more events missed than this, loading the whole table is quicker."""
ATTEMPTS = 20
RELOADING = (events.UNDO, events.OWNER)
"""Events after which a table is loaded from its beginning."""

Change = Callable[[TableState], Decision]
"""Decides on the next event of a table; raises if it is not allowed."""
Listener = Callable[[TableState], None]


class TableAuthority:
    """The tables of a server.

    `on_change` hears every state that is new to this process, `on_commit` those that this process
    itself committed, `on_deleted` the ids of tables that are gone. `process.py` says who listens.
    """

    def __init__(
        self, store: TableStore, seeds: SeedSource | None = None, quota_factor: float = 0.0
    ) -> None:
        self.store = store
        self.seeds = seeds or SeedSource()
        self.quotas = TableQuotas(store, quota_factor)
        self.countdown = 0.0
        """What new tables have; `process.py` sets it."""
        self.on_change: tuple[Listener, ...] = ()
        self.on_commit: tuple[Listener, ...] = ()
        self.on_deleted: tuple[Callable[[str], None], ...] = ()
        self._states: OrderedDict[str, TableState] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.downtime = Downtime(store, self._give_back, self.catch_up_all)

    # Reading

    def cached(self, table_id: str) -> TableState | None:
        """Returns the table if it is in memory, perhaps some events behind."""
        return self._states.get(table_id)

    def count(self) -> int:
        """Returns how many tables are in memory."""
        return len(self._states)

    async def get(self, table_id: str) -> TableState:
        """Returns the table, from memory if it is there."""
        state = self._states.get(table_id)
        if state is not None:
            self._states.move_to_end(table_id)
            return state
        loaded = await self.store.load(table_id)
        if loaded is None:
            raise not_found("server.no_table")
        state = self._states.get(table_id)
        if state is not None and state.number >= loaded.number:
            return state
        self._cache(loaded)
        return loaded

    async def refresh(self, table_id: str) -> TableState:
        """Returns the table with everything that any process has committed."""
        if table_id not in self._states:
            return await self.get(table_id)
        state = await self.get(table_id)
        number = await self.store.number(table_id)
        if number < 0:
            self._forget(table_id)
            raise not_found("server.no_table")
        if number <= state.number:
            return self._states.get(table_id, state)
        async with self._lock(table_id):
            return await self._catch_up(table_id)

    async def _catch_up(self, table_id: str) -> TableState:
        state = await self.get(table_id)
        missed = await self.store.events_since(table_id, state.number)
        if not missed:
            return state
        reload = any(event.kind in RELOADING for event in missed)
        if reload or len(missed) > MOST_EVENTS_TO_CATCH_UP:
            loaded = await self.store.load(table_id)
            if loaded is None:
                self._forget(table_id)
                raise not_found("server.no_table")
            state = loaded
        else:
            for event in missed:
                state = state.after(event)
        self._publish(state)
        return state

    async def catch_up_all(self) -> None:
        """Reads what other processes wrote about the tables in memory."""
        for table_id in await self.behind(self._states):
            with contextlib.suppress(RefusedError):
                await self.refresh(table_id)

    async def behind(self, table_ids: Iterable[str]) -> list[str]:
        """Returns those of some tables in memory of which the database knows more, or nothing."""
        asked = list(table_ids)
        numbers = await self.store.numbers(asked)
        states = ((self._states.get(table_id), numbers.get(table_id)) for table_id in asked)
        return [s.setup.id for s, number in states if s and (number is None or number > s.number)]

    def _forget(self, table_id: str) -> None:
        """Drops a table that somebody has deleted."""
        self._states.pop(table_id, None)
        for listen in self.on_deleted:
            listen(table_id)

    def apply_committed(self, event: TableEvent) -> bool:
        """Takes an event that another process committed; False if it has to be read instead.

        That process has checked the move in the state before the event, which is the same here.
        """
        state = self._states.get(event.table_id)
        if state is None or event.number <= state.number:
            return True
        if event.number > state.number + 1 or event.kind in RELOADING:
            return False
        try:
            after = state.after(event, checked=True)
        except HeadwayError:
            return False
        self._publish(after)
        return True

    def evict_idle(self, watched: set[str]) -> None:
        """Frees finished games and the tables not used for longest, except the watched ones."""
        idle = [table_id for table_id in self._states if table_id not in watched]
        over = {table for table in idle if self._states[table].over}
        running = [table_id for table_id in idle if table_id not in over]
        self.evict([*over, *running[: max(0, len(running) - MOST_IDLE_TABLES)]])

    def evict(self, table_ids: Iterable[str]) -> None:
        """Frees tables, except those that are being changed."""
        for table_id in table_ids:
            lock = self._locks.get(table_id)
            if not (lock and lock.locked()):
                self._states.pop(table_id, None)

    def _cache(self, state: TableState) -> None:
        self._states[state.setup.id] = state
        self._states.move_to_end(state.setup.id)

    def _publish(self, state: TableState) -> None:
        self._cache(state)
        for listen in self.on_change:
            listen(state)

    def _commit(self, state: TableState) -> None:
        self._publish(state)
        for listen in self.on_commit:
            listen(state)

    def _lock(self, table_id: str) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

    # Writing

    async def change(
        self,
        table_id: str,
        change: Change,
        client_id: str | None = None,
        guest: str = "",
        seat: int = -1,
        seen: int | None = None,
    ) -> TableState:
        """Makes an event and commits it; the same `client_id` again changes nothing.

        `seen` is the number of the last event that its sender knew. Only the guest who used a
        `client_id`, or who holds the seat, hears that it was used.
        """
        await self.get(table_id)  # a table that does not exist gets no lock
        async with self._lock(table_id):
            for _ in range(ATTEMPTS):
                state = await self.get(table_id)
                used = state.by_client_id.get(client_id) if client_id else None
                if used and (used.guest == guest or seat in state.held_by(guest)):
                    if used.seat != seat:
                        raise conflict("server.id_used")
                    return state
                try:
                    event, move = change(state)
                    after = state.after(event, move)
                except HeadwayError:
                    if seen is not None and seen <= state.number:
                        raise
                    # This process may be behind: only what the database knows counts.
                    if (await self._catch_up(table_id)).number == state.number:
                        raise
                    continue
                if await self.store.append(event, after):
                    metrics.events(event.kind).inc()
                    self._commit(after)
                    return after
                metrics.CONFLICTS.inc()
                await self._catch_up(table_id)
        raise unavailable()

    async def set_up(
        self,
        request: NewTable,
        guest: str,
        persona: Persona,
        network: str = "",
        seed: int | None = None,
        **fixed: Any,
    ) -> TableState:
        """Sets up a table; its deal is fixed and committed to from now on.

        The `seed` is one that the request does not choose; `fixed` are fields of `Setup` that it
        does not say. A deal of the day that the guest has begun before is the same table again.
        """
        if seed is None:
            seed = self._seed(request, guest)
        setup = new_setup(request, guest, persona, seed)
        setup = msgspec.structs.replace(setup, countdown=self.countdown, **fixed)
        state = TableState.new(setup)
        async with self.quotas.admit(setup, network):
            counted_id = await self.store.set_up(state)
        if counted_id != setup.id:
            return await self.refresh(counted_id)
        self._publish(state)
        return state

    def _seed(self, request: NewTable, guest: str) -> int:
        chosen = request.seed
        if isinstance(chosen, str):
            chosen = dealer.parse_seed(chosen)
        return self.seeds.seed(guest, request.map) if chosen is None else chosen

    async def move(
        self, table_id: str, guest: str, seat: int, text: str, client_id: str, seen: int | None
    ) -> TableState:
        """Makes a guest's move; `seen` is the number of the last event that the guest saw."""
        await self.downtime.settle(table_id)
        return await self.change(
            table_id,
            lambda state: decisions.move(state, guest, seat, text, client_id, seen),
            client_id,
            guest,
            seat,
            seen,
        )

    async def flag(self, table_id: str, seat: int) -> TableState:
        """Makes an idle move for a seat whose time is over."""
        await self.downtime.settle(table_id)
        return await self.change(table_id, lambda state: decisions.flag(state, seat))

    async def _give_back(self, table: SilentTable, seconds: float) -> TableState:
        return await self.change(
            table.id, lambda state: decisions.give_back(state, table.number, seconds)
        )

    async def ready(self, table_id: str, guest: str) -> TableState:
        """Notes that a guest is there, so that the clock may start; again changes nothing."""
        state = await self.refresh(table_id)
        if not state.held_by(guest):
            raise forbidden("server.not_at_table")
        if state.free_seats():
            raise conflict("server.not_started")
        if not decisions.is_asked_to_confirm(state, guest):
            return state
        return await self.change(table_id, lambda state: decisions.confirm(state, guest))

    async def remove(self, table_id: str, guest: str) -> None:
        """Removes a table from a guest's list; refuses one where others wait for the guest.

        Strangers do not hear whether there is such a table.
        """
        state = await self.refresh(table_id)
        others = against_people(state.occupants) and state.held_by(guest)
        if others and not state.over:
            raise conflict("server.leave_first")
        if not await self.store.hide(table_id, guest):
            raise not_found("server.no_table")

    async def rematch(self, table_id: str, guest: str, network: str = "") -> TableState:
        """Returns the next table for the same people, who are there when they ask for it.

        Everybody gets the same one. Its clock starts when all have asked.
        """
        state = await self.refresh(table_id)
        async with self._lock(table_id):
            for _ in range(ATTEMPTS):
                if state.next:
                    break
                if not state.held_by(guest):
                    raise forbidden("server.not_at_table")
                if not state.finished:
                    raise conflict("server.not_over")
                new = TableState.new(self._rematch(state))
                event = decisions.new_event(state, events.REMATCH, -1, guest, text=new.setup.id)
                after = state.after(event)
                async with self.quotas.admit(new.setup, network):
                    written = await self.store.append(event, after, new)
                if written:
                    self._cache(new)
                    self._commit(after)
                    state = after
                    break
                state = await self._catch_up(table_id)
        assert state.next
        following = await self.get(state.next)
        return await self.ready(state.next, guest) if following.held_by(guest) else following

    def _rematch(self, state: TableState) -> Setup:
        seed = self.seeds.seed(state.setup.host, state.setup.map)
        return rematch_setup(state.setup, state.occupants, state.game.chosen, seed)
