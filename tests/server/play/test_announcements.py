"""Who hears of an event: every process once, and from the process that wrote it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from own_loop import run
from server.services import Backing

from headway.server.calendar import Calendar
from headway.server.database.engine import Database, open_engine
from headway.server.database.migrations import upgrade
from headway.server.database.tables import TableStore
from headway.server.play.authority import TableAuthority
from headway.server.table.setup import NewSeat, NewTable


class Listener(list[int]):
    """Keeps the numbers of the states that it hears of."""

    def __call__(self, state: object) -> None:
        self.append(state.number)  # type: ignore[attr-defined]


@asynccontextmanager
async def authority(address: str) -> AsyncIterator[TableAuthority]:
    database = Database(open_engine(address))
    await upgrade(database.engine)
    store = TableStore(database, Calendar())
    store.open()
    yield TableAuthority(store)
    await store.close()
    await database.close()


def test_a_process_that_catches_up_announces_nothing(backing: Backing) -> None:
    async def check() -> None:
        async with authority(backing.database) as here, authority(backing.database) as there:
            changes, commits = Listener(), Listener()
            there.on_change, there.on_commit = (changes,), (commits,)
            seats = [NewSeat("me"), NewSeat("open")]
            table = await here.set_up(NewTable("next-station", "london", seats), "ann", "Ann")
            table_id = table.setup.id
            await there.get(table_id)
            await here.join(table_id, "ben", None, "Ben")
            await there.refresh(table_id)
            assert (changes, commits) == ([1], [])
            await there.move(table_id, "ann", 0, "pass", "a-click-on-pass", None)
            assert (changes, commits) == ([1, 2], [2])

    run(check())
