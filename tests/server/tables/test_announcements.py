"""Who hears of an event: every process once, and from the process that wrote it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from server.services import Backing
from support.own_loop import run

from headway.errors import HeadwayError
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.core.migrations import upgrade
from headway.server.core.workers import cancel, start_task
from headway.server.tables import decisions
from headway.server.tables.authority import TableAuthority
from headway.server.tables.setup import NewSeat, NewTable, Persona
from headway.server.tables.store import TableStore


class Listener(list[int]):
    """Keeps the numbers of the states that it hears of."""

    def __call__(self, state: object) -> None:
        self.append(state.number)  # type: ignore[attr-defined]


@asynccontextmanager
async def authority(address: str) -> AsyncIterator[TableAuthority]:
    database = Database(open_engine(address))
    await upgrade(database.engine)
    store = TableStore(database, Calendar())
    writer = start_task(store.run(), "event writer")
    yield TableAuthority(store)
    await cancel([writer])
    await database.close()


def test_a_process_that_catches_up_announces_nothing(backing: Backing) -> None:
    async def check() -> None:
        async with authority(backing.database) as here, authority(backing.database) as there:
            changes, commits = Listener(), Listener()
            there.on_change, there.on_commit = (changes,), (commits,)
            seats = [NewSeat("me"), NewSeat("open")]
            table = await here.set_up(
                NewTable("next-station", "london", seats), "ann", Persona("Ann")
            )
            table_id = table.setup.id
            await there.get(table_id)
            await here.change(
                table_id, lambda state: decisions.join(state, "ben", None, Persona("Ben"))
            )
            await there.refresh(table_id)
            assert (changes, commits) == ([1], [])
            await there.move(table_id, "ann", 0, "pass", "a-click-on-pass", None)
            assert (changes, commits) == ([1, 2], [2])

    run(check())


def test_an_event_of_another_process_is_taken_without_reading_it(backing: Backing) -> None:
    """An event after a gap, or one that changes the past, has to be read."""

    async def check() -> None:
        async with authority(backing.database) as here, authority(backing.database) as there:
            events: list[Any] = []
            here.on_commit = (lambda state: events.append(state.last_event),)
            seats = [NewSeat("me"), NewSeat("me")]
            table = await here.set_up(
                NewTable("next-station", "london", seats), "ann", Persona("Ann")
            )
            table_id = table.setup.id
            await there.get(table_id)
            await here.move(table_id, "ann", 0, "pass", "the first", None)
            await here.change(
                table_id, lambda state: decisions.take_back(state, "ann", 0, "the undo")
            )
            for seat in (0, 1):
                await here.move(table_id, "ann", seat, "pass", f"again {seat}", None)
            first, undo, again, last = events
            there.store = None  # type: ignore[assignment]
            assert not there.apply_committed(again)
            assert there.apply_committed(first)
            assert not there.apply_committed(undo)
            there.store = here.store
            await there.refresh(table_id)
            assert there.apply_committed(first)
            assert there.apply_committed(last)
            mine, other = here.cached(table_id), there.cached(table_id)
            assert mine
            assert other
            assert mine.number == other.number == 4
            assert mine.view(0) == other.view(0)

    run(check())


def test_a_refused_move_asks_no_database(backing: Backing) -> None:
    """Otherwise every refusal makes an overload worse; who has seen more is worth a look."""

    async def check() -> None:
        async with authority(backing.database) as here, authority(backing.database) as there:
            request = NewTable("next-station", "london", [NewSeat("me"), NewSeat("me")])
            table_id = (await here.set_up(request, "ann", Persona("Ann"))).setup.id
            await there.get(table_id)
            await here.move(table_id, "ann", 0, "pass", "a click", 0)
            await here.move(table_id, "ann", 1, "pass", "another", 1)
            await there.move(table_id, "ann", 0, "pass", "the next turn", 2)
            store = there.store
            there.store = None  # type: ignore[assignment]
            with pytest.raises(HeadwayError):
                await there.move(table_id, "ann", 0, "pass", "twice", 3)
            there.store = store

    run(check())
