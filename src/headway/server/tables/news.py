"""Connections: everybody at a table hears of every change, each what they may know.

A connection keeps nothing but the log lines and views it has sent. A change of its table only marks
it; its task sends the newest state when the socket is free, so bursts merge and a slow reader holds
up nobody. While seats move and nothing is revealed, it sends only that they have moved. What
spectators see is encoded once for all of them; who comes and goes is told at most once a second.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import msgspec

from headway.errors import HeadwayError
from headway.games.contract import CHANCE, LogLine, View
from headway.server.core.background import take_error
from headway.server.core.calendar import steady_time
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bot_compiler import CompileWait
from headway.server.tables.bus import (
    NO_VIEW,
    BusMessage,
    ProcessBus,
)
from headway.server.tables.messages import (
    Compiling,
    Online,
    OwnChanges,
    OwnSeatMoved,
    SeatsMoved,
    TableNow,
)
from headway.server.tables.state import TableState
from headway.server.tables.view import (
    ENCODER,
    Presence,
    common_start,
    known_stand_ins,
    seat_heads,
    table_view,
)
from headway.server.tables.watcher_names import WatcherNames, shown_names

SILENT_PROCESS_SECONDS = 12.0
"""A process that is silent for longer is gone, and with it everybody connected to it."""
RELOAD_SECONDS = 30.0
"""How long somebody may be gone, to reload the page, without counting as away."""
CONNECTED_PATIENCE = 5
"""Others wait this many times longer for a person who is connected."""
LAST_SEEN_SECONDS = 600.0
"""How long a process remembers when somebody left."""
PRESENCE_SECONDS = 1.0
"""How often at most a table is told who is connected, and how old a spectators' view may be."""

Send = Callable[[bytes], Awaitable[None]]


class Connection:
    """One socket at a table: the guest and the network behind it, and what was sent."""

    def __init__(
        self, table_id: str, guest: str, send: Send, since: int, network: str = ""
    ) -> None:
        self.table_id = table_id
        self.guest = guest
        self.network = network
        self.send = send
        self.changed = asyncio.Event()
        self.changed.set()
        self.closing = False
        self._seat: int | None = None
        self._log: list[LogLine] = []
        self._views: dict[str, View] = {}
        self._number = -1
        self._since = since
        self._online: Online | None = None
        self._waited: CompileWait | None = None

    def mark(self) -> None:
        """Lets the connection's task look at the table."""
        self.changed.set()

    def close(self) -> None:
        """Ends the connection's task."""
        self.closing = True
        self.changed.set()

    async def serve(self, hub: ConnectionHub) -> None:
        """Sends the table whenever it has changed, until the connection closes."""
        while True:
            await self.changed.wait()
            self.changed.clear()
            if self.closing:
                return
            await self.bring(hub, await hub.authority.get(self.table_id))

    async def bring(self, hub: ConnectionHub, state: TableState) -> None:
        """Sends what is new about a table, and who is there if that is new."""
        presence = hub.presence(state)
        if state.number != self._number:
            await self.send(self._news(hub, presence))
            self._number = self._since = state.number
        there = await hub.who_is_there(presence, self.guest)
        if there != self._online:
            await self.send(ENCODER.encode(there))
            self._online = there
        wait = hub.compile_waits.get(self.table_id)
        if wait != self._waited:
            await self.send(ENCODER.encode(_compiling(wait)))
            self._waited = wait

    def _news(self, hub: ConnectionHub, presence: Presence) -> bytes:
        state = presence.state
        seats = state.held_by(self.guest) or (CHANCE,)
        if self._seat is None and self._since == state.number:
            # The page asked for the table just before, and has it.
            self._views = {str(seat): state.view(seat) for seat in seats}
            self._log, self._seat, self._number = state.log(seats[0]), seats[0], state.number
        if seats[0] != self._seat:
            self._log, self._seat = state.log_at(seats[0], self._since), seats[0]
        elif state.hidden_since(self._number):
            return self._moved(hub, presence)
        sent = self._log
        if self._is_spectator(state):
            news = hub.spectators.of(state)
            self._log, self._views = news.log, news.views
            return news.message(presence, sent)
        view = table_view(self.guest, presence, sent)
        self._log, self._views = state.log(seats[0]), view.views
        return ENCODER.encode(TableNow(view))

    def _moved(self, hub: ConnectionHub, presence: Presence) -> bytes:
        """Returns the news that seats have moved, after `self._number`."""
        sent, state = self._views, presence.state
        if self._is_spectator(state):
            news = hub.spectators.of(state)
            self._views = news.views
            return news.moved(presence, self._number, sent)
        self._views = {seat: state.view(int(seat)) for seat in sent}
        mine, own = state.held_by(self.guest), None
        if not state.moved_since(self._number).isdisjoint(mine):
            own = own_changes(state, mine, self._log)
            self._log = state.log(mine[0])
        return ENCODER.encode(seats_moved(self.guest, presence, sent, self._views, own))

    def _is_spectator(self, state: TableState) -> bool:
        return not any(self.guest in (who.guest, who.former) for who in state.occupants)


def seats_moved(
    guest: str | None,
    presence: Presence,
    sent: dict[str, View],
    views: dict[str, View],
    own: OwnChanges | None = None,
) -> SeatsMoved:
    """Returns the news that seats have moved, for a guest whose views differ from those sent.

    `own` comes with it if the guest's seats are among them.
    """
    state = presence.state
    news: dict[str, Any] = {
        "number": state.number,
        "seats": seat_heads(guest, presence),
        "clocks": state.clocks(),
        "now": steady_time(),
        "views": {seat: _changes(view, views[seat]) for seat, view in sent.items()},
    }
    return OwnSeatMoved(**news, own=own) if own else SeatsMoved(**news)


def own_changes(state: TableState, seats: tuple[int, ...], sent: list[LogLine]) -> OwnChanges:
    """Returns what is different for the holder of these seats, who was sent these log lines."""
    log = state.log(seats[0])
    start = common_start(sent, log)
    return OwnChanges(
        legal=state.legal(seats),
        can_undo=state.can_undo_of(seats),
        stand_ins=known_stand_ins(state, log),
        log=log[start:],
        log_from=start,
    )


def _changes(before: View, after: View) -> dict[str, Any]:
    """Returns the fields of a view that differ."""
    fields = ((n, getattr(before, n), getattr(after, n)) for n in after.__struct_fields__)
    return {name: new for name, old, new in fields if old is not new and old != new}


def _compiling(wait: CompileWait | None) -> Compiling:
    if not wait:
        return Compiling()
    elapsed = round(steady_time() - wait.since, 1)
    return Compiling(wait.bot, wait.simpler, elapsed, wait.typical)


class SpectatorNews:
    """What spectators are sent about a state, encoded once for all who have the same log."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.at = time.monotonic()
        self.log = state.log(CHANCE)
        self.views: dict[str, View] = {str(CHANCE): state.view(CHANCE)}
        self._messages: dict[int, bytes] = {}
        self._moved: dict[int, bytes] = {}

    def message(self, presence: Presence, sent: list[LogLine]) -> bytes:
        """Returns the message for a spectator who was sent these lines of the log."""
        start = common_start(sent, self.log)
        if start not in self._messages:
            view = table_view(None, presence, sent)
            self._messages[start] = ENCODER.encode(TableNow(view))
        return self._messages[start]

    def moved(self, presence: Presence, number: int, sent: dict[str, View]) -> bytes:
        """Returns the news that others have moved, for one who has the views of an event."""
        if number not in self._moved:
            message = seats_moved(None, presence, sent, self.views)
            self._moved[number] = ENCODER.encode(message)
        return self._moved[number]


class SpectatorNewsCache:
    """The last news of each table that is watched."""

    def __init__(self) -> None:
        self._news: dict[str, SpectatorNews] = {}

    def of(self, state: TableState) -> SpectatorNews:
        """Returns the news about a state, at most a second old."""
        news = self._news.get(state.setup.id)
        if not news or news.state is not state or time.monotonic() - news.at > PRESENCE_SECONDS:
            news = self._news[state.setup.id] = SpectatorNews(state)
        return news

    def forget(self, table_id: str) -> None:
        """Drops the messages of a table that nobody is connected to."""
        self._news.pop(table_id, None)


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
        self.heard = steady_time()
        return changed


class ConnectionHub:
    """All connections of this process, by table, and who is connected elsewhere."""

    def __init__(self, authority: TableAuthority, bus: ProcessBus, away_seconds: float) -> None:
        self.authority = authority
        self.bus = bus
        self.away_seconds = away_seconds
        self.by_table: dict[str, set[Connection]] = {}
        self.spectators = SpectatorNewsCache()
        self.watcher_names = WatcherNames()
        self.compile_waits: Mapping[str, CompileWait] = {}
        """What tables wait for whose bots are being compiled; `process.py` sets it."""
        self.on_guests: tuple[Callable[[str], None], ...] = ()
        """Hear of a table to which somebody has connected; `process.py` says who."""
        self.closed = 0
        """Sockets closed since the last garbage collection."""
        self._started = steady_time()
        self._remote: dict[str, RemoteProcess] = {}
        self._last_seen: dict[tuple[str, str], float] = {}
        self._catching_up: dict[str, asyncio.Task[object]] = {}
        self._here: dict[str, frozenset[str]] = {}
        self._presence: dict[str, Presence] = {}
        """What all connections of a table are told alike, until somebody comes or goes."""
        self._told_at: dict[str, float] = {}
        self._telling: dict[str, asyncio.TimerHandle] = {}

    def count(self) -> int:
        """Returns how many sockets are open."""
        return sum(map(len, self.by_table.values()))

    def watched(self) -> list[str]:
        """Returns the tables to which somebody is connected, through any process."""
        return list(set(self.by_table).union(*(p.guests for p in self._remote.values())))

    def of_guest(self, table_id: str, guest: str) -> int:
        """Returns how many sockets a guest has open at a table, in this process."""
        return sum(c.guest == guest for c in self.by_table.get(table_id, ()))

    def of_network(self, table_id: str, network: str) -> int:
        """Returns how many sockets a network has open at a table, in this process."""
        return sum(c.network == network for c in self.by_table.get(table_id, ()))

    # Who is there

    def here(self, table_id: str) -> frozenset[str]:
        """Returns the guests who are connected to a table through this process."""
        if table_id not in self._here and table_id in self.by_table:
            self._here[table_id] = frozenset(c.guest for c in self.by_table[table_id])
        return self._here.get(table_id, frozenset())

    def online(self, table_id: str) -> frozenset[str]:
        """Returns the guests who are connected to a table, through any process."""
        remote = [process.guests.get(table_id) for process in self._remote.values()]
        return self.here(table_id).union(*[guests for guests in remote if guests])

    async def who_is_there(self, presence: Presence, guest: str) -> Online:
        """Returns who is at the table and who only watches it, as it is told to a guest."""
        watchers = presence.watchers
        if not watchers:
            return Online(presence.seats, 0)
        return Online(
            presence.seats, len(watchers), shown_names(await self._names_of(presence), guest)
        )

    async def _names_of(self, presence: Presence) -> dict[str, str]:
        """Returns the names of watchers; all connections of a table wait for the same reading."""
        if presence.names is None:
            presence.names = asyncio.ensure_future(self.watcher_names.of(presence.watchers))
            presence.names.add_done_callback(take_error)
        try:
            return await asyncio.shield(presence.names)
        except HeadwayError:
            presence.names = None
            raise

    def presence(self, state: TableState) -> Presence:
        """Returns who is connected to a table, and who is away."""
        table_id = state.setup.id
        presence = self._presence.get(table_id)
        if presence is None or presence.state is not state:
            sealed = self.authority.store.calendar.is_today(state.setup.day)
            presence = Presence(state, self.online(table_id), self.away_at, sealed)
            # The day of a deal of the day ends while nothing else changes.
            if table_id in self.by_table and not state.setup.day:
                self._presence[table_id] = presence
        return presence

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
        self._guests_changed(table_id)
        for listen in self.on_guests:
            listen(table_id)

    def disconnect(self, connection: Connection) -> None:
        """Removes a socket that has closed."""
        self.closed += 1
        table_id = connection.table_id
        connections = self.by_table.get(table_id, set())
        connections.discard(connection)
        if not connections:
            self.by_table.pop(table_id, None)
            self.spectators.forget(table_id)
        self._here.pop(table_id, None)
        if connection.guest not in self.here(table_id):
            self._last_seen[table_id, connection.guest] = steady_time()
            self.watcher_names.forget(connection.guest)
        self._guests_changed(table_id)

    def _guests_changed(self, table_id: str) -> None:
        """Tells a table who is connected: at once, or a second after the last time."""
        self._here.pop(table_id, None)
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

    def close_guest(self, guest: str) -> None:
        """Closes all sockets of a guest who is somebody else now; allowed pages reconnect."""
        self._close_here(guest)
        self.bus.send(disconnect=guest)

    def _close_here(self, guest: str) -> None:
        for connections in self.by_table.values():
            for connection in connections:
                if connection.guest == guest:
                    connection.close()

    def rename_guest(self, guest: str) -> None:
        """Tells the tables of a guest what the guest is called now."""
        self._rename_here(guest)
        self.bus.send(renamed=guest)

    def _rename_here(self, guest: str) -> None:
        self.watcher_names.forget(guest)
        for table_id in list(self.by_table):
            if guest in self.online(table_id):
                self._guests_changed(table_id)

    def refresh(self) -> None:
        """Tells the other processes who is here, and drops those that are silent."""
        self._tell_all()
        old = steady_time() - max(LAST_SEEN_SECONDS, 2 * self.away_seconds)
        self._last_seen = {key: at for key, at in self._last_seen.items() if at > old}
        recently = time.monotonic() - PRESENCE_SECONDS
        self._told_at = {table: at for table, at in self._told_at.items() if at > recently}
        for name, process in list(self._remote.items()):
            if process.heard < steady_time() - SILENT_PROCESS_SECONDS:
                del self._remote[name]
                self._remote_guests_changed(process.guests)

    def _tell(self, table_id: str, *, answer: bool = False) -> None:
        self.bus.send(table_id, guests=sorted(self.here(table_id)), answer=answer)

    def _tell_all(self) -> None:
        self.bus.send(all_guests={table: sorted(self.here(table)) for table in self.by_table})

    def _remote_guests_changed(self, table_ids: Iterable[str]) -> None:
        for table_id in table_ids:
            self._presence.pop(table_id, None)
            self.mark(table_id)

    # Changes

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
        asyncio.get_running_loop().call_soon(self._send_event, state)

    def _send_event(self, state: TableState) -> None:
        table_id, view = state.setup.id, None
        if state.revealed == state.number and self._is_watched_elsewhere(table_id):
            view = state.position.public_view()
        raw = msgspec.Raw(ENCODER.encode(view)) if view else NO_VIEW
        self.bus.send(table_id, event=state.last_event, view=raw)

    def _is_watched_elsewhere(self, table_id: str) -> bool:
        return any(table_id in process.guests for process in self._remote.values())

    def hear(self, sender: str, message: BusMessage) -> None:
        """Takes a message of another process."""
        process = self._remote.setdefault(sender, RemoteProcess())
        if message.event:
            process.heard = steady_time()
            if not self.authority.hear(message.event, message.view):
                self.catch_up(message.event.table_id)
            return
        if message.disconnect:
            self._close_here(message.disconnect)
        if message.renamed:
            self._rename_here(message.renamed)
        news = {} if message.guests is None else {message.table_id: message.guests}
        if message.all_guests is not None:
            gone: dict[str, list[str]] = {table_id: [] for table_id in process.guests}
            news = gone | message.all_guests
        self._remote_guests_changed(process.update(news))
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
