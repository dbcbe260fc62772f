"""Pages are sent only what is different, and have the whole table all the same."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Any

import msgspec
import pytest
from server.services import with_changes
from support import own_loop

from headway.bots import make_bot
from headway.games import boxes
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bus import ProcessBus
from headway.server.tables.connections import Connection, WatcherNames
from headway.server.tables.decisions import can_undo, new_event, undo_drops
from headway.server.tables.events import MOVE, UNDO, TableEvent
from headway.server.tables.news import ConnectionHub
from headway.server.tables.setup import (
    NewSeat,
    NewTable,
    Occupant,
    Persona,
    new_setup,
)
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore
from headway.server.tables.view import table_view

SEATS = 3
GUESTS = ("ann", "ben", "eve", "a stranger")
MOST_EVENTS = 40


async def no_names(guests: Collection[str]) -> dict[str, Persona]:
    return {}


class Page:
    """A client: takes what its connection would send, and keeps the table."""

    def __init__(self, hub: ConnectionHub, guest: str) -> None:
        self.hub = hub
        self.guest = guest
        self.connection = Connection("", guest, self.hear, -1)
        self.table: dict[str, Any] = {}
        self.sizes: list[int] = []

    async def hear(self, data: bytes) -> None:
        self.sizes.append(len(data))
        self.table = with_changes(self.table, msgspec.json.decode(data).get("table", {}))

    async def follow(self, state: TableState, loaded: TableState) -> None:
        """Hears of a state, and checks that the page has it as a table that was just loaded."""
        await self.connection.send_news(self.hub, state)
        presence = self.hub.presence(loaded)
        view = msgspec.json.encode(table_view(self.guest, presence))
        truth: dict[str, Any] = msgspec.json.decode(view)
        moving = "now", "log_from"
        assert {k: v for k, v in self.table.items() if k not in moving} == {
            k: v for k, v in truth.items() if k not in moving
        }


@pytest.mark.parametrize(
    ("game", "name"), [(box.name, name) for box in boxes() for name in box.maps]
)
def test_every_page_has_the_whole_table(game: str, name: str, tmp_path: Any) -> None:
    """Also with pages that are slow, and after a move is taken back."""

    async def play() -> list[Page]:
        database = Database(open_engine(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
        authority = TableAuthority(TableStore(database, Calendar()))
        hub = ConnectionHub(authority, ProcessBus("", "here"), 60.0, WatcherNames(no_names))
        rng = random.Random(5)
        request = NewTable(game, name, [NewSeat("open")] * SEATS)
        setup = new_setup(request, "ann", Persona("Ann"), 5)
        occupants = tuple(Occupant(guest, guest) for guest in GUESTS[:SEATS])
        state = TableState.new(msgspec.structs.replace(setup, occupants=occupants))
        bot = make_bot("random", state.game, 1)
        pages, events = [Page(hub, guest) for guest in GUESTS], list[TableEvent]()
        while not state.finished and state.number < MOST_EVENTS:
            seat = rng.choice(state.actors())
            move = bot.choose(state.view(seat), state.position.legal(seat))
            text = state.game.move_text(move)
            events.append(new_event(state, MOVE, seat, GUESTS[seat], text=text))
            state = state.after(events[-1])
            if can_undo(state, seat) and rng.random() < 0.2:
                undo = new_event(state, UNDO, seat, GUESTS[seat])
                drops = undo_drops(state, seat)
                events.append(msgspec.structs.replace(undo, drops=drops))
                state = state.after(events[-1])
            loaded = TableState.replayed(state.setup, events)
            for page in pages:
                if rng.random() < 0.7:
                    await page.follow(state, loaded)
        for page in pages:
            await page.follow(state, TableState.replayed(state.setup, events))
        await database.close()
        return pages

    pages = own_loop.run(play())
    for page in pages:
        assert sum(page.sizes[1:]) < page.sizes[0] * len(page.sizes[1:])
