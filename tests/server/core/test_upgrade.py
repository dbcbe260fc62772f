"""A database of the version before, with games in it, goes on under this one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from own_loop import run
from server.people.test_accounts import claim
from server.services import Backing, Server, play_out, until
from server.tables.test_ratings import profile
from sqlalchemy import text

from headway.server.core.database import open_engine

Start = Callable[..., Server]


def test_a_finished_game_gets_its_results(start: Start, backing: Backing, tmp_path: Path) -> None:
    """A database of the version before, with a finished game in it, is migrated and caught up.

    A backup of it is made before.
    """
    server = start()
    guest = server.guest("Old Hand")
    table = guest.set_up("me", "greedy")
    totals = play_out(table, {0: guest})["outcome"]["totals"]
    running = guest.set_up("me")
    guest.move(running, 0)
    cookies = dict(guest.http.cookies)
    server.stop()
    run(_back_to_the_first_version(backing.database))
    server = start(HEADWAY_DATA_DIR=tmp_path)
    guest = server.guest()
    guest.http.cookies.update(cookies)
    assert guest.see(table)["outcome"]["totals"] == totals
    guest.move(running, 0)
    claim(guest, "Old Hand")
    until(lambda: profile(server, "old%20hand")["played"])
    seen = profile(server, "old%20hand")
    assert [game["total"] for game in seen["played"]] == [totals[0]]
    assert seen["ratings"] == []  # it was a guest's
    assert server.errors() == []
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    told = [line for line in lines if line["message"] == "backup before migration"]
    assert [line["schema"] for line in told] == ["0001"]
    started = next(line for line in lines if line["message"] == "started")
    assert started["schema_before"] == "0001"
    file = Path(told[0]["file"])
    if backing.name == "sqlite":
        assert file.parent == Path(backing.database.removeprefix("sqlite:///")).parent
        assert version_of_file(file) == "0001"
    else:
        assert file.parent == tmp_path
        assert file.read_bytes().startswith(b"PGDMP")


def version_of_file(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return str(database.execute("SELECT version_num FROM alembic_version").fetchone()[0])


async def _back_to_the_first_version(address: str) -> None:
    engine = open_engine(address)
    async with engine.begin() as connection:
        newer = (
            "sessions", "accounts", "results", "ratings", "tries", "bot_tries", "handovers",
            "reviews", "sharing", "answers", "puzzles", "heartbeat",
        )  # fmt: skip
        for table in newer:
            await connection.execute(text(f"DROP TABLE {table}"))
        for index in ("ix_events_guest", "ix_tables_host"):
            await connection.execute(text(f"DROP INDEX {index}"))
        for column in ("small_look", "look"):
            await connection.execute(text(f"DROP INDEX ix_guests_{column}"))
            await connection.execute(text(f"ALTER TABLE guests DROP COLUMN {column}"))
        for column in ("day", "chosen", "confirm", "progress", "seed_chosen", "opening"):
            await connection.execute(text(f"ALTER TABLE tables DROP COLUMN {column}"))
        await connection.execute(text("ALTER TABLE seats DROP COLUMN hidden"))
        await connection.execute(text("ALTER TABLE events DROP COLUMN pick"))
        await connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    await engine.dispose()
