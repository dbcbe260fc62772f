"""The sockets of a table: each keeps what it has sent, and sends what is new.

A change of its table only marks a connection; its task compares the newest state with what it has
sent when the socket is free, and sends the difference: bursts merge, and a slow reader holds up
nobody. Spectators share what they are told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import TYPE_CHECKING

import msgspec

from headway.server.tables.schema import TableNow, Watcher, news_since
from headway.server.tables.setup import Persona
from headway.server.tables.state import TableState
from headway.server.tables.view import ENCODER, Presence, table_view, with_news_only
from headway.server.web.sockets import Peer, Send

if TYPE_CHECKING:
    from headway.server.tables.news import ConnectionHub

MOST_NAMED = 5
"""The watchers of a table who are named; the others are counted."""
MOST_ASKED = 20
"""The watchers of a table whose names are looked for."""
MOST_NAMES_KEPT = 20_000
"""The names that a process keeps before it asks again."""

ChosenPersonas = Callable[[Collection[str]], Awaitable[dict[str, Persona]]]
"""Returns who guests have chosen to be, by guest."""


class Connection(Peer):
    """One socket at a table, and what was sent."""

    def __init__(
        self, table_id: str, guest: str, send: Send, since: int, network: str = ""
    ) -> None:
        super().__init__(guest, network, send)
        self.table_id = table_id
        self.looking = True
        """Whether the page is visible, as far as it says so."""
        self._since = since
        self._sent: TableNow | None = None
        self.mark()

    def mark(self) -> None:
        """Lets the connection's task look at the table."""
        self._news.set()

    async def update(self, hub: ConnectionHub) -> None:
        """Sends what is new about the table, if anything is."""
        await self.send_news(hub, await hub.authority.get(self.table_id))

    async def send_news(self, hub: ConnectionHub, state: TableState) -> None:
        """Sends what is new about a table in a state, if anything is."""
        presence = hub.presence(state)
        named = hub.watcher_names.shown(presence.watchers, self.guest)
        spectator = presence.is_spectator(self.guest)
        now = presence.complete(None if spectator else self.guest, named)
        if self._sent is None:
            message = self._first(now, presence)
        elif spectator:
            message = presence.shared_since(self._sent, now)
        else:
            message = encoded_since(self._sent, now)
        self._sent = now
        if message:
            await self.send(message)

    def _first(self, now: TableNow, presence: Audience) -> bytes:
        """Returns the first message; a page that asked for the table just before has most of it."""
        if self._since == presence.state.number:
            known = TableNow(msgspec.structs.replace(now.table, seats=[]))
            return encoded_since(known, now)
        table = with_news_only(now.table, presence.state, self.guest, self._since)
        return encoded_since(None, msgspec.structs.replace(now, table=table))


def encoded_since(sent: TableNow | None, now: TableNow) -> bytes:
    """Returns the message that says what differs, or all; empty if nothing does."""
    news = news_since(sent, now)
    return ENCODER.encode(news) if news else b""


@dataclass
class Audience(Presence):
    """A presence that also has what guests are told; spectators share it, and its messages."""

    _complete: dict[tuple[str | Watcher | None, ...], TableNow] = field(default_factory=dict)
    _messages: dict[tuple[int, int], tuple[TableNow, bytes]] = field(default_factory=dict)
    """By the ids of the news between which they lie; it keeps the earlier news."""

    def complete(self, guest: str | None, named: list[Watcher]) -> TableNow:
        """Returns everything that a guest is told, some of the watchers included."""
        key = guest, *named
        if key not in self._complete:
            table = table_view(guest, self)
            waits = self.compiling
            self._complete[key] = TableNow(table, len(self.watchers), named, waits, self.notice)
        return self._complete[key]

    def shared_since(self, sent: TableNow, now: TableNow) -> bytes:
        """Returns what `encoded_since` does, once for all who were told the same."""
        key = id(sent), id(now)
        if key not in self._messages:
            self._messages[key] = sent, encoded_since(sent, now)
        return self._messages[key][1]


class WatcherNames:
    """The names and faces of watchers, read once from the database."""

    def __init__(self, chosen_personas: ChosenPersonas) -> None:
        self._chosen_personas = chosen_personas
        self._known: dict[str, Persona | None] = {}

    def shown(self, watchers: Collection[str], guest: str) -> list[Watcher]:
        """Returns the watchers that a guest is told of, in alphabetical order, without the own."""
        others = (self._known.get(who) for who in _asked(watchers) if who != guest)
        named = sorted(who for who in others if who)[:MOST_NAMED] if watchers else []
        return [Watcher(*who) for who in named]

    def unknown(self, watchers: Collection[str]) -> list[str]:
        """Returns the watchers whose names have to be read."""
        return [guest for guest in _asked(watchers) if guest not in self._known]

    async def read(self, guests: Collection[str]) -> None:
        """Reads the names of some guests; most have chosen none."""
        if len(self._known) >= MOST_NAMES_KEPT:
            self._known.clear()
        chosen = await self._chosen_personas(guests)
        self._known |= {guest: chosen.get(guest) for guest in guests}

    def forget(self, guest: str) -> None:
        """Drops the name of a guest who has left, and may come back with another one."""
        self._known.pop(guest, None)


def _asked(watchers: Collection[str]) -> list[str]:
    return nsmallest(MOST_ASKED, watchers)
