"""Databases of released versions: today's server takes every one of them over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from server.commands import done, headway
from server.services import Backing, Server
from server.steps import sign_in
from sqlalchemy import Connection
from support.own_loop import run
from support.release_database import (
    FRIEND,
    HOST,
    PASSWORD,
    RELEASES,
    REMARK,
    dump,
    fill,
    load,
)

from headway import __version__
from headway.server.core.database import open_engine
from headway.server.core.schema import METADATA

STORED = [file.stem for file in sorted(RELEASES.glob("*.sql"))]


def database_at(folder: Path) -> Backing:
    return Backing("sqlite", f"sqlite:///{folder / 'tables.sqlite'}", "")


@pytest.fixture(scope="module")
def made_now(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The database that `make release` would store, of this version."""
    folder = tmp_path_factory.mktemp("now")
    server = Server(database_at(folder), folder)
    fill(server.url)
    server.stop()
    return dump(folder / "tables.sqlite")


@pytest.mark.parametrize("version", sorted({*STORED, __version__}))
def test_a_database_of_a_release_is_taken_over(
    version: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file = RELEASES / f"{version}.sql"
    sql = file.read_text("utf-8") if version in STORED else request.getfixturevalue("made_now")
    load(sql, tmp_path / "tables.sqlite")
    backing = database_at(tmp_path)
    server = Server(backing, tmp_path)
    assert run(_differences(backing)) == []
    done(headway(backing, "doctor"))
    ann = sign_in(server.guest(), HOST, PASSWORD)
    ben = sign_in(server.guest(), FRIEND, PASSWORD)
    tables = {(one["game"], one["map"], len(one["seats"])): one for one in mine(ann)}
    alone, ended = tables["next-station", "london", 1], tables["next-station", "tokyo", 3]
    assert alone["finished"]
    assert ended["finished"]
    profile = ben.ok(ben.http.get(f"/api/people/{HOST}"))
    assert [(one["game"], one["games"]) for one in profile["ratings"]] == [("next-station", 1)]
    runs = tables["next-station", "london", 2]["id"]
    assert [one["text"] for one in ann.ok(ann.http.get(f"/api/tables/{runs}/remarks"))] == [REMARK]
    before = ben.see(runs)["number"]
    assert ben.move(runs, 1)["number"] > before
    tickets = tables["ticket-to-ride", "london", 2]["id"]
    assert ann.move(tickets, 0)["number"] > 0
    done(headway(backing, "doctor"))
    server.stop()
    assert server.errors() == []


def mine(guest: Any) -> list[Any]:
    tables: list[Any] = guest.ok(guest.http.get("/api/tables", params={"which": "mine"}))
    return tables


async def _differences(backing: Backing) -> list[object]:
    """What the database lacks or has too much, beside one that is new today."""

    def compared(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    engine = open_engine(backing.database)
    async with engine.connect() as connection:
        found = await connection.run_sync(compared)
    await engine.dispose()
    return found
