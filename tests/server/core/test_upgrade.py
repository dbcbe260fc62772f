"""A migration: a backup is made before it, and an older Headway refuses its database."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from server.commands import done, headway, refused
from server.services import Backing, Server
from sqlalchemy import text
from support.own_loop import run

from headway.server.backups.backups import back_up_before
from headway.server.core import migrations
from headway.server.core.database import open_engine
from headway.server.core.migrations import Versions, upgrade

Start = Callable[..., Server]
NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("mood", sa.String(10), nullable=False, server_default="fair"))
"""


def test_a_migration(
    start: Start,
    backing: Backing,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = start()
    guest = server.guest("Old Hand")
    table = guest.set_up("me")
    guest.move(table, 0)
    number = guest.see(table)["number"]
    cookies = dict(guest.http.cookies)
    server.stop()
    monkeypatch.setenv("HEADWAY_DATA_DIR", str(tmp_path))
    folder = tmp_path / "versions"
    shutil.copytree(migrations.VERSIONS, folder)
    (folder / "0002_next.py").write_text(NEXT)
    with monkeypatch.context() as newer, caplog.at_level(logging.INFO):
        newer.setattr(migrations, "VERSIONS", folder)
        assert run(_upgrade(backing.database)) == Versions("0001", "0002")
        assert run(_upgrade(backing.database)) == Versions("0002", "0002")
    assert run(_moods(backing.database)) == {"fair"}
    (told,) = [line for line in caplog.records if line.message == "backup before migration"]
    assert vars(told)["schema"] == "0001"
    backup = Path(vars(told)["file"])
    if backing.name == "sqlite":
        assert backup.parent == Path(backing.database.removeprefix("sqlite:///")).parent
        assert _version_of(backup) == "0001"
    else:
        assert backup.parent == tmp_path
        assert backup.read_bytes().startswith(b"PGDMP")
    refused(headway(backing, "serve", "--port", 0), "0002", "newer")
    done(headway(backing, "restore", backup, "--force"))
    server = start()
    guest = server.guest()
    guest.http.cookies.update(cookies)
    assert guest.see(table)["number"] == number
    guest.move(table, 0)
    assert server.errors() == []


async def _upgrade(address: str) -> Versions:
    engine = open_engine(address, patient=True)
    try:
        return await upgrade(
            engine, lambda versions: asyncio.to_thread(back_up_before, address, versions)
        )
    finally:
        await engine.dispose()


async def _moods(address: str) -> set[str]:
    engine = open_engine(address)
    async with engine.connect() as connection:
        moods = set((await connection.execute(text("SELECT mood FROM tables"))).scalars())
    await engine.dispose()
    return moods


def _version_of(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return str(database.execute("SELECT version_num FROM alembic_version").fetchone()[0])
