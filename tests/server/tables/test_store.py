"""The database: migrations make what the code expects; events are added once and for all."""

from __future__ import annotations

import asyncio
import random

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from server.services import Backing
from server.steps import next_event
from sqlalchemy import Connection
from support.own_loop import run

from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.core.errors import RefusedError
from headway.server.core.migrations import upgrade
from headway.server.core.schema import METADATA
from headway.server.core.workers import cancel, start_task
from headway.server.tables.authority import TableAuthority
from headway.server.tables.decisions import can_undo, end, join, undo_drops
from headway.server.tables.events import UNDO
from headway.server.tables.setup import NewSeat, NewTable, Persona, new_setup
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore


def new_state(seats: int = 2) -> TableState:
    new_table = NewTable("next-station", "london", [NewSeat("me")] * seats, training=True)
    return TableState.new(new_setup(new_table, "guest", Persona("Ann"), 7))


def test_migrations_make_what_the_code_expects(backing: Backing) -> None:
    async def check() -> None:
        engine = open_engine(backing.database)
        await upgrade(engine)
        await upgrade(engine)
        async with engine.connect() as connection:
            assert await connection.run_sync(_differences) == []
        await engine.dispose()

    run(check())


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection)
    return list(compare_metadata(context, METADATA))


def test_several_processes_migrate_at_once(backing: Backing) -> None:
    async def check() -> None:
        engines = [open_engine(backing.database) for _ in range(3)]
        await asyncio.gather(*(upgrade(engine) for engine in engines))
        for engine in engines:
            await engine.dispose()

    run(check())


def test_two_writers_one_number(backing: Backing) -> None:
    """Two stores, many tables, the same numbers at the same time: each is written once."""

    async def check() -> None:
        stores = [TableStore(Database(open_engine(backing.database)), Calendar()) for _ in range(2)]
        await upgrade(stores[0].database.engine)
        writers = [start_task(store.run(), "event writer") for store in stores]
        states = [new_state() for _ in range(10)]
        for state in states:
            await stores[0].set_up(state)
        pairs = [(store, state) for state in states for store in stores]
        random.Random(1).shuffle(pairs)

        async def write(store: TableStore, state: TableState, seat: int) -> bool:
            event = next_event(state, seat)
            return await store.append(event, state.after(event))

        written = await asyncio.gather(
            *(write(store, state, i % 2) for i, (store, state) in enumerate(pairs))
        )
        assert sum(written) == len(states)
        for state in states:
            loaded = await stores[1].load(state.setup.id)
            assert loaded
            assert loaded.number == 1
        await cancel(writers)
        for store in stores:
            await store.database.close()

    run(check())


def test_loaded_is_what_was_played(backing: Backing) -> None:
    """Any course of moves and undos: the database gives back the table that memory has."""

    async def check() -> None:
        store = TableStore(Database(open_engine(backing.database)), Calendar())
        await upgrade(store.database.engine)
        writer = start_task(store.run(), "event writer")
        for seed in range(6):
            await _course(store, random.Random(seed))
        await cancel([writer])
        await store.database.close()

    run(check())


async def _course(store: TableStore, generator: random.Random) -> None:
    state = new_state(generator.choice((1, 3)))
    await store.set_up(state)
    for n in range(60):
        if state.finished:
            break
        seat = generator.choice(state.actors())
        takers = [s for s in range(len(state.occupants)) if can_undo(state, s)]
        if takers and generator.random() < 0.4:
            seat = generator.choice(takers)
            drops = list(undo_drops(state, seat))
            event = next_event(state, seat, kind=UNDO, text="", drops=drops, client_id=f"undo {n}")
        else:
            move = state.game.move_text(generator.choice(state.position.legal(seat)))
            event = next_event(state, seat, text=move, at=float(n), client_id=f"move {n}")
        after = state.after(event)
        assert await store.append(event, after)
        state = after
    loaded = await store.load(state.setup.id)
    assert loaded
    assert loaded.position.dump() == state.position.dump()
    assert (loaded.number, loaded.moves, vars(loaded.clock)) == (
        state.number,
        state.moves,
        vars(state.clock),
    )
    assert (loaded.by_client_id, loaded.last_undo, loaded.occupants) == (
        state.by_client_id,
        state.last_undo,
        state.occupants,
    )
    assert loaded.undone_seats == state.undone_seats
    assert loaded.told(0).log == state.told(0).log


def test_nothing_is_told_before_it_is_committed(backing: Backing) -> None:
    async def check() -> None:
        store = TableStore(Database(open_engine(backing.database)), Calendar())
        await upgrade(store.database.engine)
        writer = start_task(store.run(), "event writer")
        tables = TableAuthority(store)
        other = TableStore(Database(open_engine(backing.database)), Calendar())
        loads: list[asyncio.Task[TableState | None]] = []
        tables.on_change = (
            lambda state: loads.append(asyncio.create_task(other.load(state.setup.id))),
        )
        new = await tables.set_up(
            NewTable("next-station", "tokyo", [NewSeat("me")]), "g", Persona("Ann")
        )
        for _ in range(3):
            await tables.change(new.setup.id, lambda state: (next_event(state, 0), None))
        seen = [state.number for state in await asyncio.gather(*loads) if state]
        assert len(seen) == 4
        assert all(number >= i for i, number in enumerate(seen))
        await cancel([writer])
        await store.database.close()
        await other.database.close()

    run(check())


def test_nobody_watches_or_keeps_a_table_that_the_operator_ended(backing: Backing) -> None:
    """Nobody can leave it any more: those who played there remove it from their lists."""

    async def check() -> None:
        store = TableStore(Database(open_engine(backing.database)), Calendar())
        await upgrade(store.database.engine)
        writer = start_task(store.run(), "event writer")
        tables = TableAuthority(store)
        request = NewTable("next-station", "tokyo", [NewSeat("me"), NewSeat("open")], public=True)
        table = (await tables.set_up(request, "ann", Persona("Ann"))).setup.id
        await tables.change(table, lambda state: join(state, "ben", 1, Persona("Ben")))
        assert [row["id"] for row, _ in await store.watchable(5, 0.0)] == [table]
        with pytest.raises(RefusedError, match="leave the table first"):
            await tables.remove(table, "ben")
        await tables.change(table, end)
        assert await store.watchable(5, 0.0) == []
        await tables.remove(table, "ben")
        assert await store.heads(guest="ben", hidden=False) == []
        await cancel([writer])
        await store.database.close()

    run(check())
