"""Downtime: processes that are killed or suspended, and whose clocks lose nothing by it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from server.passing_time import time_passes
from server.services import ON_SQLITE, Backing, Server, until
from server.steps import rider_table
from support.own_loop import run

from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.core.migrations import upgrade
from headway.server.tables.clocks import DAY_SECONDS, Clock
from headway.server.tables.downtime import SILENCE_SECONDS
from headway.server.tables.events import DOWNTIME, MOVE
from headway.server.tables.store import TableStore


def kinds_at(server: Server, table: str, since: int) -> list[str]:
    """The kinds of a table's events after a number."""

    async def read() -> list[str]:
        database = Database(open_engine(server.backing.database))
        events = await TableStore(database, Calendar()).events_since(table, since)
        await database.close()
        return [event.kind for event in events]

    return run(read())


def test_downtime_is_given_back(start: Callable[..., Server]) -> None:
    """A player makes a move, the server is killed, and a quarter of an hour later it takes it."""
    server = start()
    ann = server.guest()
    table = ann.set_up("me", clock={"kind": "turn", "seconds": 600})
    ann.move(table, 0)
    before = ann.see(table)
    server.kill()
    time_passes(server, 900)
    server.start()
    move = before["legal"]["0"][0]
    ann.ok(ann.try_move(table, 0, move, number=before["number"]))
    assert kinds_at(server, table, before["number"]) == [DOWNTIME, MOVE]
    server.kill()
    time_passes(server, 900)
    server.start()
    seen = until(lambda: (s := ann.see(table))["number"] > before["number"] + 2 and s)
    assert 500 < seen["clocks"]["turn_ends"] - seen["now"] <= 600
    assert kinds_at(server, table, before["number"]) == [DOWNTIME, MOVE, DOWNTIME]


@ON_SQLITE
def test_a_process_that_was_suspended_gives_its_time_back(start: Callable[..., Server]) -> None:
    """Its timers ring at once when it wakes up, and still nobody has lost the time."""
    server = start()
    ann = server.guest()
    table = ann.set_up("me", clock={"kind": "turn", "seconds": 4})
    seen = ann.see(table)
    os.kill(server.process.pid, signal.SIGSTOP)
    until(lambda: time.time() > seen["started"] + 4 + SILENCE_SECONDS)
    os.kill(server.process.pid, signal.SIGCONT)
    kinds = until(lambda: kinds_at(server, table, seen["number"]))
    assert kinds[0] == DOWNTIME


def test_time_in_which_any_process_served_is_no_downtime(backing: Backing) -> None:
    async def check() -> None:
        database = Database(open_engine(backing.database))
        await upgrade(database.engine)
        store, began = TableStore(database, Calendar()), time.time() + DAY_SECONDS
        running = rider_table(Clock("turn", seconds=60), began)
        for state in (running, rider_table(Clock(), began)):
            await store.set_up(state)

        async def silent_since(before: float) -> list[float]:
            silent = await store.silent_tables(began + before)
            return [table.since - began for table in silent if table.since >= began]

        assert await silent_since(100.0) == [0.0]  # not the one without a clock
        await store.note_alive(began + 50.0)  # another process
        assert set(await silent_since(100.0)) == {50.0}
        await store.note_alive(began + 99.0)
        await store.note_alive(began + 70.0)
        assert await store.silent_tables(began + 99.0) == []
        await database.close()

    run(check())
