"""Many people watch a table: their names are read once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

import msgspec
from support import own_loop

from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bus import ProcessBus
from headway.server.tables.connections import MOST_ASKED, MOST_NAMED, Connection, WatcherNames
from headway.server.tables.news import ConnectionHub
from headway.server.tables.setup import NewSeat, NewTable, Persona, new_setup
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore

FACE = "31415"
WATCHERS = [f"guest-{number:02}" for number in range(30)]


def test_names_are_read_once_for_all_watchers(tmp_path: Path) -> None:
    asked: list[Collection[str]] = []
    told: dict[str, dict[str, object]] = {}

    async def chosen_personas(guests: Collection[str]) -> dict[str, Persona]:
        asked.append(guests)
        await asyncio.sleep(0)
        return {guest: Persona(guest.upper(), FACE) for guest in guests}

    async def watch() -> None:
        database = Database(open_engine(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
        authority = TableAuthority(TableStore(database, Calendar()))
        hub = ConnectionHub(authority, ProcessBus("", "here"), 60.0, WatcherNames(chosen_personas))
        request = NewTable("next-station", "london", [NewSeat("me")])
        state = TableState.new(new_setup(request, "ann", Persona("Ann"), 5))

        async def bring(guest: str) -> None:
            async def hear(data: bytes) -> None:
                message = msgspec.json.decode(data)
                told[guest] = told.get(guest, {}) | message

            connection = Connection(state.setup.id, guest, hear, -1)
            hub.connect(connection)
            await asyncio.sleep(0)
            await connection.send_news(hub, state)  # nobody waits for names
            await asyncio.sleep(0.1)
            await connection.send_news(hub, state)

        await asyncio.gather(*map(bring, WATCHERS))
        await database.close()

    own_loop.run(watch())
    assert [len(guests) for guests in asked] == [MOST_ASKED]
    first, last = told[WATCHERS[0]], told[WATCHERS[-1]]
    assert first["watchers"] == last["watchers"] == len(WATCHERS)
    named = [{"name": guest.upper(), "face": FACE} for guest in WATCHERS]
    assert first["named"] == named[1 : MOST_NAMED + 1]  # nobody is told the own name
    assert last["named"] == named[:MOST_NAMED]
