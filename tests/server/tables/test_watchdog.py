"""Tables that nobody touches: what is due is done, whatever is wrong with another table."""

from __future__ import annotations

from pathlib import Path

from server.in_process import idle_process
from sqlalchemy import update
from support.own_loop import run

from headway.server.core.schema import TABLES
from headway.server.tables.setup import NewSeat, NewTable, Persona


def test_a_table_that_cannot_be_read_holds_up_no_other(tmp_path: Path) -> None:
    async def check() -> None:
        async with idle_process(tmp_path) as process:
            table = NewTable("next-station", "london", [NewSeat("me")])
            broken, sound = [
                (await process.authority.set_up(table, "ann", Persona("Ann"))).setup.id
                for _ in range(2)
            ]
            process.authority.evict([broken, sound])
            this = update(TABLES).where(TABLES.c.id == broken)
            await process.database.change(this.values(wake=1.0, clock={"kind": "sand"}))
            due = update(TABLES).where(TABLES.c.id == sound)
            await process.database.change(due.values(wake=2.0))
            await process.watchdog._sweep(0.0)
            assert process.authority.cached(sound)
            assert await process.store.due(3.0) == [sound]

    run(check())
