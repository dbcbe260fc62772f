"""Connections: everybody at a table hears of every change, each what they may know.

A connection keeps nothing but the log lines it has sent. A change of its table only marks it; its
task sends the newest state when the socket is free, so bursts merge and a slow reader holds up
nobody.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from headway.games.contract import CHANCE, LogLine
from headway.server.play.authority import TableAuthority
from headway.server.play.messages import Online, TableNow
from headway.server.play.process_bus import BusMessage, ProcessBus
from headway.server.table.state import TableState
from headway.server.table.view import ENCODER, Presence, table_view

SILENT_PROCESS_SECONDS = 12.0
"""A process that is silent for longer is gone, and with it everybody connected to it."""
RELOAD_SECONDS = 30.0
"""How long somebody may be gone, to reload the page, without counting as away."""
CONNECTED_PATIENCE = 5
"""Others wait this many times longer for a person who is connected."""
LAST_SEEN_SECONDS = 600.0
"""How long a process remembers when somebody left."""

Send = Callable[[bytes], Awaitable[None]]


class Connection:
    """One socket at a table: the guest behind it, and what was sent."""

    def __init__(self, table_id: str, guest: str, send: Send, since: int) -> None:
        self.table_id = table_id
        self.guest = guest
        self.send = send
        self.changed = asyncio.Event()
        self.changed.set()
        self.closing = False
        self._seat: int | None = None
        self._log: list[LogLine] = []
        self._number = -1
        self._since = since

    def mark(self) -> None:
        """Lets the connection's task look at the table."""
        self.changed.set()

    def close(self) -> None:
        """Ends the connection's task."""
        self.closing = True
        self.changed.set()

    async def serve(self, hub: ConnectionHub) -> None:
        """Sends the table whenever it has changed, until the connection closes."""
        online: list[int] | None = None
        while True:
            await self.changed.wait()
            self.changed.clear()
            if self.closing:
                return
            state = await hub.authority.get(self.table_id)
            presence = hub.presence(state)
            if state.number != self._number:
                await self.send(self._news(state, presence))
                self._number = self._since = state.number
            seats = [s for s, who in enumerate(state.occupants) if who.guest in presence.online]
            if seats != online:
                await self.send(ENCODER.encode(Online(seats)))
                online = seats

    def _news(self, state: TableState, presence: Presence) -> bytes:
        seat = (state.held_by(self.guest) or (CHANCE,))[0]
        if seat != self._seat:
            self._log, self._seat = state.log_at(seat, self._since), seat
        view = table_view(state, self.guest, presence, self._log)
        self._log = state.log(seat)
        return ENCODER.encode(TableNow(view))


class RemoteProcess:
    """Another process: when it was heard last, and who is connected to which table there."""

    def __init__(self) -> None:
        self.heard = 0.0
        self.guests: dict[str, frozenset[str]] = {}

    def update(self, guests: dict[str, list[str]]) -> set[str]:
        """Takes news about some tables; returns those at which anything changed."""
        news = {table_id: frozenset(names) for table_id, names in guests.items()}
        changed = {t for t, names in news.items() if self.guests.get(t, frozenset()) != names}
        self.guests = {t: names for t, names in (self.guests | news).items() if names}
        self.heard = time.time()
        return changed


class ConnectionHub:
    """All connections of this process, by table, and who is connected elsewhere."""

    def __init__(self, authority: TableAuthority, bus: ProcessBus, away_seconds: float) -> None:
        self.authority = authority
        self.bus = bus
        self.away_seconds = away_seconds
        self.by_table: dict[str, set[Connection]] = {}
        self.closed = 0
        """Sockets closed since the last garbage collection."""
        self._started = time.time()
        self._remote: dict[str, RemoteProcess] = {}
        self._last_seen: dict[tuple[str, str], float] = {}
        self._catching_up: dict[str, asyncio.Task[object]] = {}

    def count(self) -> int:
        """Returns how many sockets are open."""
        return sum(map(len, self.by_table.values()))

    def of_guest(self, table_id: str, guest: str) -> int:
        """Returns how many sockets a guest has open at a table, in this process."""
        return sum(c.guest == guest for c in self.by_table.get(table_id, ()))

    # Who is there

    def here(self, table_id: str) -> frozenset[str]:
        """Returns the guests who are connected to a table through this process."""
        return frozenset(connection.guest for connection in self.by_table.get(table_id, ()))

    def online(self, table_id: str) -> frozenset[str]:
        """Returns the guests who are connected to a table, through any process."""
        remote = [process.guests.get(table_id, frozenset()) for process in self._remote.values()]
        return self.here(table_id).union(*remote)

    def presence(self, state: TableState) -> Presence:
        """Returns who is connected to a table, and who is away."""
        sealed = self.authority.store.calendar.is_today(state.setup.day)
        return Presence(self.online(state.setup.id), self.away_at, sealed)

    def away_at(self, state: TableState, seat: int) -> float | None:
        """Returns when the others may give a person's seat to a bot; None if they may not.

        A game of days waits for its clock instead.
        """
        occupant = state.occupants[seat]
        asked = state.clock.since.get(seat)
        if occupant.guest is None or asked is None or state.setup.clock.kind == "days":
            return None
        table_id = state.setup.id
        if occupant.guest in self.online(table_id):
            return asked + self.away_seconds * CONNECTED_PATIENCE
        gone = self._last_seen.get((table_id, occupant.guest), self._started)
        return max(asked + self.away_seconds, gone + min(RELOAD_SECONDS, self.away_seconds))

    def is_away(self, state: TableState, seat: int) -> bool:
        """Tells whether the others may give this seat to a bot now."""
        at = self.away_at(state, seat)
        return at is not None and at <= time.time()

    # Opening and closing

    def connect(self, connection: Connection) -> None:
        """Adds a socket that has opened."""
        self.by_table.setdefault(connection.table_id, set()).add(connection)
        self.mark(connection.table_id)
        self._tell(connection.table_id, answer=True)

    def disconnect(self, connection: Connection) -> None:
        """Removes a socket that has closed."""
        self.closed += 1
        table_id = connection.table_id
        connections = self.by_table.get(table_id, set())
        connections.discard(connection)
        if not connections:
            self.by_table.pop(table_id, None)
        if connection.guest not in self.here(table_id):
            self._last_seen[table_id, connection.guest] = time.time()
        self.mark(table_id)
        self._tell(table_id)

    def close_guest(self, guest: str) -> None:
        """Closes all sockets of a guest who is somebody else now; allowed pages reconnect."""
        self._close_here(guest)
        self.bus.send(disconnect=guest)

    def _close_here(self, guest: str) -> None:
        for connections in self.by_table.values():
            for connection in connections:
                if connection.guest == guest:
                    connection.close()

    def refresh(self) -> None:
        """Tells the other processes who is here, and drops those that are silent."""
        self._tell_all()
        old = time.time() - max(LAST_SEEN_SECONDS, 2 * self.away_seconds)
        self._last_seen = {key: at for key, at in self._last_seen.items() if at > old}
        for name, process in list(self._remote.items()):
            if process.heard < time.time() - SILENT_PROCESS_SECONDS:
                del self._remote[name]
                for table_id in process.guests:
                    self.mark(table_id)

    def _tell(self, table_id: str, *, answer: bool = False) -> None:
        self.bus.send(table_id, guests=sorted(self.here(table_id)), answer=answer)

    def _tell_all(self) -> None:
        self.bus.send(all_guests={table: sorted(self.here(table)) for table in self.by_table})

    # Changes

    def mark(self, table_id: str) -> None:
        """Lets every connection of a table look at it."""
        for connection in self.by_table.get(table_id, ()):
            connection.mark()

    def table_changed(self, state: TableState) -> None:
        """Hears of a table's new state."""
        self.mark(state.setup.id)

    def announce(self, state: TableState) -> None:
        """Tells the other processes of an event that this process committed."""
        self.bus.send(state.setup.id, number=state.number)

    def hear(self, message: BusMessage) -> None:
        """Takes a message of another process."""
        if message.disconnect:
            self._close_here(message.disconnect)
        process = self._remote.setdefault(message.process, RemoteProcess())
        news = {} if message.guests is None else {message.table_id: message.guests}
        if message.all_guests is not None:
            gone: dict[str, list[str]] = {table_id: [] for table_id in process.guests}
            news = gone | message.all_guests
        for table_id in process.update(news):
            self.mark(table_id)
        if message.answer and not message.table_id:
            self._tell_all()
        elif message.answer and message.table_id in self.by_table:
            self._tell(message.table_id)
        state = self.authority.cached(message.table_id)
        if message.number is not None and state and state.number < message.number:
            self.catch_up(message.table_id)

    def catch_up(self, table_id: str) -> None:
        """Reads what another process wrote; once at a time for each table."""
        if table_id in self._catching_up:
            return
        task = asyncio.create_task(self.authority.refresh(table_id))
        self._catching_up[table_id] = task

        def done(finished: asyncio.Task[object]) -> None:
            self._catching_up.pop(table_id, None)
            if not finished.cancelled():
                finished.exception()

        task.add_done_callback(done)
