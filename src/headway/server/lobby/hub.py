"""The lobby's sockets: everybody hears of tables to join and to watch, each of their own.

What all are told is read at most every few seconds, encoded once, and only if it differs. So a
thousand people who look at the home page cost little.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from headway.errors import HeadwayError
from headway.games import box
from headway.server.core.errors import conflict, invalid
from headway.server.core.fields import Word
from headway.server.core.log import Outage
from headway.server.core.workers import repeat, start_task
from headway.server.lobby.seeks import SeekStore, Waiting, pairs
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bus import ProcessBus
from headway.server.tables.clocks import Clock
from headway.server.tables.news import ConnectionHub
from headway.server.tables.setup import NewSeat, NewTable, Occupant, Persona
from headway.server.tables.state import TableState
from headway.server.tables.view import ENCODER, ListedTable, table_head
from headway.server.web.sockets import Peer

log = logging.getLogger("headway.lobby")
PULSE_SECONDS = 1.0
"""How often pairs are looked for while somebody waits."""
LISTS_SECONDS = 3.0
"""How often at most lists are read again after a change; without one, five times as rarely."""
LEASE_SECONDS = 20.0
"""How long somebody counts as waiting after their process was last alive."""
SILENT_SECONDS = 12.0
MOST_OPEN, MOST_RUNNING = 20, 12
WATCHABLE_SECONDS = 600.0
"""A public game in which nothing has happened for so long is not shown."""
SEATS = 2
"""People who are paired."""

Apart = Callable[[Collection[str]], Awaitable[set[frozenset[str]]]]


class NewSeek(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom I look for: the game, one of its maps or any, and the clock."""

    game: Word
    map: Annotated[str, Meta(max_length=40)] = ""
    clock: Clock = Clock()


class Seek(msgspec.Struct, frozen=True):
    """What I look for, and since when."""

    game: str
    map: str
    clock: Clock
    asked: float


class LobbyNews(msgspec.Struct, frozen=True, tag="lobby"):
    """What is new in the lobby; the first message has all of it.

    `here` counts the people at this server, `seeking` those who look for each game. `open` tables
    have a free seat, `running` ones can be watched. `mine` counts the changes of my own tables.
    `seek` is what I look for; `paired` is the table that was found.
    """

    here: int | UnsetType = UNSET
    seeking: dict[str, int] | UnsetType = UNSET
    open: list[ListedTable] | UnsetType = UNSET
    running: list[ListedTable] | UnsetType = UNSET
    mine: int | UnsetType = UNSET
    seek: Seek | UnsetType | None = UNSET
    paired: str | UnsetType = UNSET


class Lobby:
    """Everybody in the lobby of this process, and who looks for somebody to play with."""

    def __init__(
        self,
        authority: TableAuthority,
        connections: ConnectionHub,
        bus: ProcessBus,
        seeks: SeekStore,
        apart: Apart,
    ) -> None:
        self.authority = authority
        self.connections = connections
        self.bus = bus
        self.seeks = seeks
        self._apart = apart
        self.visitors: dict[str, set[Peer]] = {}
        self._waiting: dict[str, Waiting] = {}
        """Those of this process who look for somebody."""
        self._shown = LobbyNews(here=0, seeking={}, open=[], running=[])
        self._changed = True
        self._changes: Counter[str] = Counter()
        self._told: set[str] = set()
        """Those whose tables have changed since the last pulse."""
        self._read_at = 0.0
        self._renewed_at = 0.0
        self._remote: dict[str, tuple[int, float]] = {}
        self._key = secrets.token_bytes(16)
        self._first = asyncio.Lock()

    # Coming and going

    async def connect(self, visitor: Peer) -> None:
        """Adds a socket, and tells it everything."""
        async with self._first:  # of many who come at once, one reads the lists
            if not self.visitors:
                await self._read_lists()
            self.visitors.setdefault(visitor.guest, set()).add(visitor)
        visitor.tell(self._everything(visitor.guest))

    def disconnect(self, visitor: Peer) -> None:
        """Removes a socket; who has no other no longer looks for anybody."""
        guest = visitor.guest
        sockets = self.visitors.get(guest, set())
        sockets.discard(visitor)
        if not sockets:
            self.visitors.pop(guest, None)
            self._changes.pop(guest, None)
            if self._waiting.pop(guest, None):
                start_task(self.seeks.remove([guest]), "seek")

    def close_guest(self, guest: str) -> None:
        """Closes the sockets of a guest who is somebody else now; pages open new ones."""
        for visitor in self.visitors.get(guest, ()):
            visitor.close()

    def _everything(self, guest: str) -> bytes:
        seek = self._waiting.get(guest)
        now = msgspec.structs.replace(
            self._shown, mine=self._changes[guest], seek=_shown_seek(seek) if seek else None
        )
        return ENCODER.encode(now)

    # Looking for somebody

    async def seek(self, guest: str, persona: Persona, wish: NewSeek, network: str) -> Seek:
        """Looks for somebody for a guest whose page is open."""
        game_box = box(wish.game)
        if wish.map and wish.map not in game_box.maps:
            raise invalid("server.no_map", map=wish.map, known=", ".join(game_box.maps))
        if SEATS not in game_box.seats:
            raise conflict("server.no_duel")
        wish.clock.checked(training=False)
        if guest not in self.visitors:
            raise conflict("server.not_in_lobby")
        near = hashlib.blake2s(network.encode(), key=self._key, digest_size=8).hexdigest()
        clock = msgspec.to_builtins(wish.clock)
        now = time.time()
        one = Waiting(guest, *persona, near, wish.game, wish.map, clock, 0, now)
        self._waiting[guest] = await self.seeks.add(one, now + LEASE_SECONDS)
        self._changed = True
        seek = _shown_seek(self._waiting[guest])
        self._tell(guest, LobbyNews(seek=seek))
        return seek

    async def give_up(self, guest: str) -> None:
        """Looks for nobody any more."""
        if self._waiting.pop(guest, None):
            await self.seeks.remove([guest])
            self._changed = True
            self._tell(guest, LobbyNews(seek=None))

    # What happens

    def table_changed(self, state: TableState) -> None:
        """Hears of a table's new state: its players are told, and the lists if it is public."""
        self._changed |= state.setup.public
        if self.visitors:
            self._told |= {guest for guest in state.players if guest in self.visitors}

    def receive(self, sender: str, people: int) -> None:
        """Hears how many people are in the lobby of another process."""
        self._remote[sender] = people, time.monotonic()

    async def run(self) -> None:
        """Runs for ever: pairs people, and tells everybody what has changed."""
        await repeat(self._pulse, PULSE_SECONDS, Outage(log, "lobby"))

    async def _pulse(self) -> None:
        if self._waiting:
            await self.pair()
        await self._tell_news()

    async def _tell_news(self) -> None:
        for guest in self._told.intersection(self.visitors):
            self._changes[guest] += 1
            self._tell(guest, LobbyNews(mine=self._changes[guest]))
        self._told = set()
        pause = LISTS_SECONDS if self._changed else 5 * LISTS_SECONDS
        if self.visitors and time.monotonic() > self._read_at + pause:
            self.bus.send(lobby=len(self.visitors))
            await self._read_lists()

    async def _read_lists(self) -> None:
        """Reads the lists again, and tells everybody what differs."""
        self._read_at, self._changed = time.monotonic(), False
        store, watched = self.authority.store, self.connections.watched()
        open_ = await store.heads(watched=watched, most=MOST_OPEN)
        since = time.time() - WATCHABLE_SECONDS
        running = await store.watchable(MOST_RUNNING, since)
        waiting = await self.seeks.waiting(time.time())
        now = LobbyNews(
            here=self._here(),
            seeking=dict(Counter(one.game for one in waiting)),
            open=[self._head(*head) for head in open_],
            running=[self._head(*head) for head in running],
        )
        before, self._shown = self._shown, now
        different = {
            name: getattr(now, name)
            for name in ("here", "seeking", "open", "running")
            if getattr(now, name) != getattr(before, name)
        }
        if different:
            message = ENCODER.encode(LobbyNews(**different))
            for visitors in self.visitors.values():
                for visitor in visitors:
                    visitor.tell(message)

    def _head(self, row: Any, occupants: Any) -> ListedTable:
        """A table in a list, as somebody sees it who has no seat."""
        return table_head(row, occupants, None, self.connections.online(row["id"]))

    def _here(self) -> int:
        """Returns how many people are at this server, in the lobby or at tables."""
        silent = time.monotonic() - SILENT_SECONDS
        self._remote = {name: one for name, one in self._remote.items() if one[1] > silent}
        elsewhere = sum(people for people, _ in self._remote.values())
        return len(self.connections.everybody().union(self.visitors)) + elsewhere

    def _tell(self, guest: str, news: LobbyNews) -> None:
        message = ENCODER.encode(news)
        for visitor in self.visitors.get(guest, ()):
            visitor.tell(message)

    # Pairing

    async def pair(self) -> None:
        """Pairs whom it can; tells those of this process for whom a table was found."""
        now = time.time()
        if now > self._renewed_at + LEASE_SECONDS / 4:
            self._renewed_at = now
            await self.seeks.renew(list(self._waiting), now, now + LEASE_SECONDS)
        waiting = await self.seeks.waiting(now)
        apart = await self._apart([one.guest for one in waiting]) if len(waiting) > 1 else set()
        for first, second in pairs(waiting, apart, now):
            # The process of the first sets the table up; the other one finds it.
            if first.guest in self._waiting:
                await self._bring_together(first, second)
        found = await self.seeks.found(list(self._waiting))
        for guest, table_id in found.items():
            if self._waiting.pop(guest, None):  # else their last page was closed meanwhile
                self._tell(guest, LobbyNews(seek=None, paired=table_id))
        self._changed |= bool(found)
        await self.seeks.remove(found)

    async def _bring_together(self, first: Waiting, second: Waiting) -> None:
        guests = [first.guest, second.guest]
        if not await self.seeks.claim(guests):
            return
        people = [first, second]
        secrets.SystemRandom().shuffle(people)
        map_name = first.map or second.map or box(first.game).default_map
        seats = [NewSeat("me"), NewSeat("open")]
        clock = msgspec.convert(first.clock, Clock)
        request = NewTable(first.game, map_name, seats, clock=clock, public=True)
        try:
            seated = [Occupant(one.name, one.guest, face=one.face) for one in people]
            state = await self.authority.set_up(
                request,
                first.guest,
                Persona(first.name, first.face),
                first.network,
                occupants=tuple(seated),
            )
        except HeadwayError:
            # The host has too many tables, say: only they stop waiting.
            await self.seeks.seat([second.guest], "")
            await self.give_up(first.guest)
            return
        await self.seeks.seat(guests, state.setup.id)


def _shown_seek(one: Waiting) -> Seek:
    return Seek(one.game, one.map, msgspec.convert(one.clock, Clock), one.asked)
