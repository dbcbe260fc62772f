"""Sockets: everybody at a table is told of every change, each what they may know.

A socket keeps nothing but the log lines it has sent. When its table changes it is only marked;
its own task sends the newest state when the line is free, so bursts merge and a slow reader holds
up nobody.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from headway.games.contract import CHANCE, LogLine
from headway.server.play.authority import Tables
from headway.server.play.messages import Online, TableNow
from headway.server.play.process_bus import Note, Notes
from headway.server.table.state import Sitting
from headway.server.table.view import ENCODER, Presence, show

STALE = 12.0
"""Seconds of silence after which another process is gone, and with it all who were connected."""
RELOAD = 30.0
"""Seconds that somebody may be gone, to load the page again, without being away."""
PATIENCE = 5
"""So many times longer than for one who is gone, others wait for one who is connected."""

Send = Callable[[bytes], Awaitable[None]]


class Line:
    """One socket at a table: the guest behind it, and what was sent."""

    def __init__(self, table: str, guest: str, send: Send, since: int) -> None:
        self.table = table
        self.guest = guest
        self.send = send
        self.since = since
        self.changed = asyncio.Event()
        self.changed.set()
        self.seat: int | None = None
        self.told: list[LogLine] = []
        self.sent = -1
        self.over = False

    async def talk(self, live: Live) -> None:
        """Sends the table whenever it has changed, until somebody hangs up."""
        online: list[int] | None = None
        while True:
            await self.changed.wait()
            self.changed.clear()
            if self.over:
                return
            now = await live.tables.get(self.table)
            presence = live.presence(now)
            if now.number != self.sent:
                await self.send(self._table(now, presence))
                self.sent = self.since = now.number
            seats = [s for s, c in enumerate(now.chairs) if c.guest in presence.online]
            if seats != online:
                await self.send(ENCODER.encode(Online(seats)))
                online = seats

    def _table(self, now: Sitting, presence: Presence) -> bytes:
        seat = (now.held_by(self.guest) or (CHANCE,))[0]
        if seat != self.seat:
            self.told, self.seat = now.log_at(seat, self.since), seat
        shown = show(now, self.guest, presence, self.told)
        self.told = now.log(seat)
        return ENCODER.encode(TableNow(shown))


class Elsewhere:
    """Another process: when it was heard last, and who is connected to which table there."""

    def __init__(self) -> None:
        self.heard = 0.0
        self.there: dict[str, frozenset[str]] = {}

    def say(self, there: dict[str, list[str]]) -> set[str]:
        """Takes a word about some tables; those at which anything changed by it."""
        changed = {t for t, guests in there.items() if self.there.get(t) != frozenset(guests)}
        self.there |= {table: frozenset(guests) for table, guests in there.items()}
        self.there = {table: guests for table, guests in self.there.items() if guests}
        self.heard = time.time()
        return changed


class Live:
    """All sockets of this process, by table."""

    def __init__(self, tables: Tables, notes: Notes, away: float) -> None:
        self.tables = tables
        self.notes = notes
        self.away = away
        self.lines: dict[str, set[Line]] = {}
        self.closed = 0
        """Sockets that have closed since somebody looked."""
        self.started = time.time()
        self._elsewhere: dict[str, Elsewhere] = {}
        self._last_seen: dict[tuple[str, str], float] = {}
        tables.told.append(self._told)
        notes.heard.append(self._heard)
        self._catching: dict[str, asyncio.Task[object]] = {}

    # Who is there

    def here(self, table: str) -> frozenset[str]:
        """The guests who are connected to a table through this process."""
        return frozenset(line.guest for line in self.lines.get(table, ()))

    def online(self, table: str) -> frozenset[str]:
        """The guests who are connected to a table, through any process."""
        others = [other.there.get(table, frozenset()) for other in self._elsewhere.values()]
        return self.here(table).union(*others)

    def presence(self, now: Sitting) -> Presence:
        """Who is connected to a table, and who is away."""
        sealed = self.tables.store.days.is_today(now.setup.day)
        return Presence(self.online(now.setup.id), self.away_at, sealed)

    def away_at(self, now: Sitting, seat: int) -> float | None:
        """From when on the others may give a person's seat to a bot; None if there is no such time.

        A game of days waits for its clock instead.
        """
        chair = now.chairs[seat]
        asked = now.times.since.get(seat)
        if chair.guest is None or asked is None or now.setup.clock.kind == "days":
            return None
        table = now.setup.id
        if chair.guest in self.online(table):
            return asked + self.away * PATIENCE
        gone = self._last_seen.get((table, chair.guest), self.started)
        return max(asked + self.away, gone + min(RELOAD, self.away))

    def is_away(self, now: Sitting, seat: int) -> bool:
        """Whether the others may give this seat to a bot now."""
        at = self.away_at(now, seat)
        return at is not None and at <= time.time()

    # Coming and going

    def connect(self, line: Line) -> None:
        """A socket opens."""
        self.lines.setdefault(line.table, set()).add(line)
        self._mark(line.table)
        self.notes.send(line.table, guests=sorted(self.here(line.table)), answer=True)

    def disconnect(self, line: Line) -> None:
        """A socket closes."""
        self.closed += 1
        lines = self.lines.get(line.table, set())
        lines.discard(line)
        if not lines:
            self.lines.pop(line.table, None)
        if line.guest not in self.here(line.table):
            self._last_seen[line.table, line.guest] = time.time()
        self._mark(line.table)
        self.notes.send(line.table, guests=sorted(self.here(line.table)))

    def hang_up(self, guest: str) -> None:
        """Closes all sockets of a guest, who is somebody else now; pages that may come back do."""
        self._close(guest)
        self.notes.send(gone=guest)

    def _close(self, guest: str) -> None:
        for lines in self.lines.values():
            for line in lines:
                if line.guest == guest:
                    line.over = True
                    line.changed.set()

    def refresh(self) -> None:
        """Tells the other processes again who is here, and forgets those that are silent."""
        self._tell_all()
        old = time.time() - max(600.0, 2 * self.away)
        self._last_seen = {k: at for k, at in self._last_seen.items() if at > old}
        for process, other in list(self._elsewhere.items()):
            if other.heard < time.time() - STALE:
                del self._elsewhere[process]
                for table in other.there:
                    self._mark(table)

    def _tell_all(self) -> None:
        self.notes.send(there={table: sorted(self.here(table)) for table in self.lines})

    # Changes

    def _mark(self, table: str) -> None:
        for line in self.lines.get(table, ()):
            line.changed.set()

    def _told(self, now: Sitting) -> None:
        self._mark(now.setup.id)
        self.notes.send(now.setup.id, number=now.number)

    def _heard(self, note: Note) -> None:
        if note.gone:
            self._close(note.gone)
        other = self._elsewhere.setdefault(note.process, Elsewhere())
        if note.there is not None:
            gone: dict[str, list[str]] = {table: [] for table in other.there}
            changed = other.say(gone | note.there)
        else:
            changed = other.say({} if note.guests is None else {note.table: note.guests})
        for table in changed:
            self._mark(table)
        if note.answer and not note.table:
            self._tell_all()
        elif note.answer and note.table in self.lines:
            self.notes.send(note.table, guests=sorted(self.here(note.table)))
        known = self.tables.remembered(note.table)
        if note.number is not None and known and known.number < note.number:
            self.catch_up(note.table)

    def catch_up(self, table: str) -> None:
        """Reads what another process wrote; once at a time for each table."""
        if table in self._catching:
            return
        task = asyncio.create_task(self.tables.fresh(table))
        self._catching[table] = task

        def done(finished: asyncio.Task[object]) -> None:
            self._catching.pop(table, None)
            if not finished.cancelled():
                finished.exception()

        task.add_done_callback(done)
