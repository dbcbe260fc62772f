"""News: everybody at a table hears of every change, each what they may know.

`connections.py` sends it. Who comes and goes is told at most once a second.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from functools import partial

from headway.server.core.calendar import steady_time
from headway.server.core.workers import start_task, take_error
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bus import BusMessage, ProcessBus
from headway.server.tables.connections import Audience, Connection, WatcherNames
from headway.server.tables.schema import ANSWERS, Remark, Said
from headway.server.tables.state import TableState
from headway.server.tables.view import ENCODER, CompileWait

SILENT_PROCESS_SECONDS = 12.0
"""A process that is silent for longer is gone, and with it everybody connected to it."""
RELOAD_SECONDS = 30.0
"""How long somebody may be gone, to reload the page, without counting as away."""
CONNECTED_PATIENCE = 5
"""Others wait this many times longer for a person who is connected."""
LAST_SEEN_SECONDS = 600.0
"""How long a process remembers when somebody left."""
ANSWER_SECONDS = 600.0
"""How long somebody who comes later hears how others answered the invitation."""
MOST_ANSWERS = 1000
"""The answers that a process keeps for that."""
PRESENCE_SECONDS = 1.0
"""How often at most a table is told who is connected."""


class RemoteProcess:
    """Another process: when it was heard last, and who is connected to which table there."""

    def __init__(self) -> None:
        self.heard = 0.0
        self.guests: dict[str, frozenset[str]] = {}
        self.hidden: dict[str, frozenset[str]] = {}
        """Those of them whose pages nobody sees."""

    def update(self, guests: dict[str, list[str]]) -> set[str]:
        """Takes news about some tables; returns those at which anything changed."""
        news = {table_id: frozenset(names) for table_id, names in guests.items()}
        changed = {t for t, names in news.items() if self.guests.get(t, frozenset()) != names}
        self.guests = {t: names for t, names in (self.guests | news).items() if names}
        self.hidden = {t: names for t, names in self.hidden.items() if t in self.guests}
        self.heard = steady_time()
        return changed

    def seeing(self, table_id: str) -> frozenset[str]:
        """Returns who sees a table's page there."""
        connected = self.guests.get(table_id, frozenset())
        return connected - self.hidden.get(table_id, frozenset())


class ConnectionHub:
    """All connections of this process, by table, and who is connected elsewhere."""

    def __init__(
        self, authority: TableAuthority, bus: ProcessBus, away_seconds: float, names: WatcherNames
    ) -> None:
        self.authority = authority
        self.bus = bus
        self.away_seconds = away_seconds
        self.by_table: dict[str, set[Connection]] = {}
        self.watcher_names = names
        self.compile_waits: Mapping[str, CompileWait] = {}
        """What tables wait for whose bots are being compiled; `process.py` sets it."""
        self.on_guest: Callable[[str], None] = lambda _: None
        """Hears of a table to which somebody has connected; `process.py` sets it."""
        self.on_close: Callable[[str], None] = lambda _: None
        """Hears of a guest whose sockets all close; `process.py` sets it."""
        self.notice = 0
        """The number of the operator's notice, 0 for none."""
        self.on_lobby: Callable[[str, int], None] = lambda *_: None
        """Hears how many people are in another process's lobby; `process.py` sets it."""
        self.closed = 0
        """Sockets closed since the last garbage collection."""
        self._started = steady_time()
        self._remote: dict[str, RemoteProcess] = {}
        self._last_seen: dict[tuple[str, str], float] = {}
        self._catching_up: dict[str, asyncio.Task[object]] = {}
        self._answers: dict[tuple[str, str], tuple[float, BusMessage]] = {}
        """How guests who are not here have answered the invitation to a table, and when."""
        self._reading_names: set[str] = set()
        """Tables for which names are read."""
        self._presence: dict[str, Audience] = {}
        """What all connections of a table are told alike, until somebody comes or goes."""
        self._told_at: dict[str, float] = {}
        self._telling: dict[str, asyncio.TimerHandle] = {}

    def count(self) -> int:
        """Returns how many sockets are open."""
        return sum(map(len, self.by_table.values()))

    def people(self) -> int:
        """Returns how many people are connected to tables, through any process."""
        return len(self.everybody())

    def watched(self) -> list[str]:
        """Returns the tables to which somebody is connected, through any process."""
        return list(set(self.by_table).union(*(p.guests for p in self._remote.values())))

    # Who is there

    def here(self, table_id: str) -> frozenset[str]:
        """Returns the guests who are connected to a table through this process."""
        return frozenset(c.guest for c in self.by_table.get(table_id, ()))

    def online(self, table_id: str) -> frozenset[str]:
        """Returns the guests who are connected to a table, through any process."""
        remote = (process.guests.get(table_id, ()) for process in self._remote.values())
        return self.here(table_id).union(*remote)

    def everybody(self) -> frozenset[str]:
        """Returns the guests who are connected to any table, through any process."""
        here = (c.guest for connections in self.by_table.values() for c in connections)
        remote = (p.guests.values() for p in self._remote.values())
        return frozenset(here).union(*(guests for tables in remote for guests in tables))

    def looking(self, table_id: str) -> frozenset[str]:
        """Returns the guests who see a table's page now, through any process."""
        here = (c.guest for c in self.by_table.get(table_id, ()) if c.looking)
        remote = (p.seeing(table_id) for p in self._remote.values())
        return frozenset(here).union(*remote)

    def look(self, connection: Connection, looking: bool) -> None:
        """Notes whether somebody sees the page; other processes hear of it."""
        if connection.looking != looking:
            connection.looking = looking
            self._tell(connection.table_id)

    def all_here(self, state: TableState) -> bool:
        """Tells whether everybody who plays is connected."""
        people = {who.guest for who in state.occupants if who.guest}
        return people <= self.online(state.setup.id)

    def presence(self, state: TableState) -> Audience:
        """Returns who is connected to a table, and who is away."""
        table_id = state.setup.id
        presence = self._presence.get(table_id)
        if presence is None or presence.state is not state:
            sealed = self.authority.store.calendar.is_today(state.setup.day)
            wait = self.compile_waits.get(table_id)
            online, notice = self.online(table_id), self.notice
            presence = Audience(state, online, self.away_at, sealed, wait, notice)
            unknown = self.watcher_names.unknown(presence.watchers)
            if unknown and table_id not in self._reading_names:
                self._reading_names.add(table_id)
                start_task(self._tell_names(table_id, unknown), "names of watchers")
            # The day of a deal of the day ends while nothing else changes.
            if table_id in self.by_table and not state.setup.day:
                self._presence[table_id] = presence
        return presence

    async def _tell_names(self, table_id: str, guests: list[str]) -> None:
        try:
            await self.watcher_names.read(guests)
        finally:
            self._reading_names.discard(table_id)
        self._guests_changed(table_id)

    def away_at(self, state: TableState, seat: int) -> float | None:
        """Returns when the others may give a person's seat to a bot; None if they may not.

        A game of days waits for its clock instead; before a game, others wait for confirmation.
        """
        occupant = state.occupants[seat]
        asked = state.clock.since.get(seat)
        if seat in state.unready():
            asked = state.full_since
        elif state.setup.clock.kind == "days":
            return None
        if occupant.guest is None or asked is None:
            return None
        table_id = state.setup.id
        if occupant.guest in self.online(table_id):
            return asked + self.away_seconds * CONNECTED_PATIENCE
        gone = self._last_seen.get((table_id, occupant.guest), self._started)
        return max(asked + self.away_seconds, gone + min(RELOAD_SECONDS, self.away_seconds))

    def is_away(self, state: TableState, seat: int) -> bool:
        """Tells whether the others may give this seat to a bot now."""
        at = self.away_at(state, seat)
        return at is not None and at <= steady_time()

    # Opening and closing

    def connect(self, connection: Connection) -> None:
        """Adds a socket that has opened."""
        table_id = connection.table_id
        self.by_table.setdefault(table_id, set()).add(connection)
        self._answers.pop((table_id, connection.guest), None)
        for (asked_to, _), (_, answer) in self._answers.items():
            if asked_to == table_id and answer.is_for(connection.guest):
                connection.tell(ENCODER.encode(answer.said))
        self._guests_changed(table_id)
        self.on_guest(table_id)

    def disconnect(self, connection: Connection) -> None:
        """Removes a socket that has closed."""
        self.closed += 1
        table_id = connection.table_id
        connections = self.by_table.get(table_id, set())
        connections.discard(connection)
        if not connections:
            self.by_table.pop(table_id, None)
        if connection.guest not in self.here(table_id):
            self._last_seen[table_id, connection.guest] = steady_time()
            self.watcher_names.forget(connection.guest)
        self._guests_changed(table_id)

    def _guests_changed(self, table_id: str) -> None:
        """Tells a table who is connected: at once, or a second after the last time."""
        self._presence.pop(table_id, None)
        if table_id not in self._telling:
            wait = self._told_at.get(table_id, 0.0) + PRESENCE_SECONDS - time.monotonic()
            if wait <= 0:
                self._tell_guests(table_id)
            else:
                loop = asyncio.get_running_loop()
                self._telling[table_id] = loop.call_later(wait, self._tell_guests, table_id)

    def _tell_guests(self, table_id: str) -> None:
        self._telling.pop(table_id, None)
        self._told_at[table_id] = time.monotonic()
        self.mark(table_id)
        self._tell(table_id, answer=table_id in self.by_table)

    def notice_changed(self, number: int) -> None:
        """Tells all connections that the operator's notice is another one."""
        self.notice = number
        for table_id in self.by_table:
            self.presence_changed(table_id)

    def table_deleted(self, table_id: str) -> None:
        """Closes all sockets at a table that is gone; pages that ask again hear that it is."""
        for connection in self.by_table.get(table_id, ()):
            connection.close()

    def close_guest(self, guest: str) -> None:
        """Closes all sockets of a guest who is somebody else now; allowed pages reconnect."""
        self.close_here(guest)
        self.bus.send(disconnect=guest)

    def close_here(self, guest: str) -> None:
        """Closes the sockets that a guest has at this process, those in the lobby too."""
        self.on_close(guest)
        for connections in self.by_table.values():
            for connection in connections:
                if connection.guest == guest:
                    connection.close()

    def rename_guest(self, guest: str) -> None:
        """Tells the tables of a guest what the guest is called now."""
        self.rename_here(guest)
        self.bus.send(renamed=guest)

    def rename_here(self, guest: str) -> None:
        """Does so for the connections of this process."""
        self.watcher_names.forget(guest)
        for table_id in list(self.by_table):
            if guest in self.online(table_id):
                self._guests_changed(table_id)

    def say(
        self,
        table_id: str,
        said: Said | Remark,
        speaker: str,
        deaf: Collection[str] = (),
        hearers: Collection[str] | None = None,
    ) -> None:
        """Tells a table, or some of it, what somebody says, but not those who are deaf to that."""
        some = None if hearers is None else sorted(hearers)
        message = BusMessage(table_id, said=said, speaker=speaker, deaf=sorted(deaf), hearers=some)
        self._say_here(message)
        self.bus.send_message(message)

    def _say_here(self, message: BusMessage) -> None:
        data, table_id = ENCODER.encode(message.said), message.table_id
        if isinstance(message.said, Said) and message.said.what in ANSWERS:
            self._answers.pop((table_id, message.speaker), None)
            if len(self._answers) < MOST_ANSWERS:
                self._answers[table_id, message.speaker] = steady_time(), message
        for connection in self.by_table.get(table_id, ()):
            if message.is_for(connection.guest):
                connection.tell(data)

    def refresh(self) -> None:
        """Tells the other processes who is here, and drops those that are silent."""
        self._tell_all()
        stale = steady_time() - ANSWER_SECONDS
        self._answers = {key: one for key, one in self._answers.items() if one[0] > stale}
        old = steady_time() - max(LAST_SEEN_SECONDS, 2 * self.away_seconds)
        self._last_seen = {key: at for key, at in self._last_seen.items() if at > old}
        recently = time.monotonic() - PRESENCE_SECONDS
        self._told_at = {table: at for table, at in self._told_at.items() if at > recently}
        for name, process in list(self._remote.items()):
            if process.heard < steady_time() - SILENT_PROCESS_SECONDS:
                del self._remote[name]
                for table_id in process.guests:
                    self.presence_changed(table_id)

    def _tell(self, table_id: str, *, answer: bool = False) -> None:
        here = self.here(table_id)
        seen = {c.guest for c in self.by_table.get(table_id, ()) if c.looking}
        self.bus.send(table_id, guests=sorted(here), hidden=sorted(here - seen), answer=answer)

    def _tell_all(self) -> None:
        if self.bus.address:
            self.bus.send(all_guests={table: sorted(self.here(table)) for table in self.by_table})

    # Changes

    def presence_changed(self, table_id: str) -> None:
        """Tells a table who is there now, or what it waits for."""
        self._presence.pop(table_id, None)
        self.mark(table_id)

    def mark(self, table_id: str) -> None:
        """Lets every connection of a table look at it."""
        for connection in self.by_table.get(table_id, ()):
            connection.mark()

    def table_changed(self, state: TableState) -> None:
        """Hears of a table's new state."""
        self.mark(state.setup.id)

    def announce(self, state: TableState) -> None:
        """Tells the other processes of an event that this process committed, a little later.

        The answer to the player who made it goes first.
        """
        sending = partial(self.bus.send, state.setup.id, event=state.last_event)
        asyncio.get_running_loop().call_soon(sending)

    def receive(self, sender: str, message: BusMessage) -> None:
        """Takes a message of another process."""
        process = self._remote.setdefault(sender, RemoteProcess())
        if message.event:
            process.heard = steady_time()
            if not self.authority.apply_committed(message.event):
                self.catch_up(message.event.table_id)
            return
        if message.lobby is not None:
            self.on_lobby(sender, message.lobby)
        if message.disconnect:
            self.close_here(message.disconnect)
        if message.said:
            self._say_here(message)
        if message.renamed:
            self.rename_here(message.renamed)
        if message.guests is not None:
            process.hidden[message.table_id] = frozenset(message.hidden)
        news = {} if message.guests is None else {message.table_id: message.guests}
        if message.all_guests is not None:
            gone: dict[str, list[str]] = {table_id: [] for table_id in process.guests}
            news = gone | message.all_guests
        for table_id in process.update(news):
            self.presence_changed(table_id)
        if message.answer and not message.table_id:
            self._tell_all()
        elif message.answer and message.table_id in self.by_table:
            self._tell(message.table_id)

    def catch_up(self, table_id: str) -> None:
        """Reads what another process wrote; once at a time for each table."""
        if table_id in self._catching_up:
            return
        task = asyncio.create_task(self.authority.refresh(table_id))
        self._catching_up[table_id] = task
        task.add_done_callback(lambda _: self._catching_up.pop(table_id, None))
        task.add_done_callback(take_error)
