"""Backups: taken while people play, complete, and restored without losing anything."""

from __future__ import annotations

import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from server import services
from server.commands import done, headway, refused
from server.services import ON_SQLITE, Backing, Guest, Server

from headway.server.backups.backups import back_up_before
from headway.server.core.migrations import Versions

Start = Callable[..., Server]
PLAYERS = 4
BACKUPS = 2


class Player(threading.Thread):
    """Somebody who plays table after table alone, as fast as the server answers."""

    def __init__(self, guest: Guest, stop: threading.Event) -> None:
        super().__init__()
        self.guest = guest
        self.stop = stop
        self.acknowledged: dict[str, int] = {}
        """The number of the last event that the server has acknowledged, by table."""
        self.started_playing = threading.Event()

    def run(self) -> None:
        while not self.stop.is_set():
            table = self.guest.set_up("me")
            answer = self.guest.try_move(table, 0, "pass")
            while answer.status_code == 200 and not self.stop.is_set():
                self.acknowledged[table] = answer.json()["number"]
                self.started_playing.set()
                answer = self.guest.try_move(table, 0, "pass")


@contextmanager
def playing(server: Server) -> Iterator[list[Player]]:
    """People who play on a server, until the end of the block."""
    stop = threading.Event()
    players = [Player(server.guest(), stop) for _ in range(PLAYERS)]
    for player in players:
        player.start()
    try:
        for player in players:
            assert player.started_playing.wait(services.DEADLINE)
        yield players
    finally:
        stop.set()
        for player in players:
            player.join()


def fresh(backing: Backing, folder: Path, request: pytest.FixtureRequest) -> Backing:
    """An empty database of the same kind."""
    if backing.name == "sqlite":
        return Backing("sqlite", f"sqlite:///{folder / 'fresh.sqlite'}", "")
    return Backing("postgresql", services.new_database(request.getfixturevalue("postgresql")), "")


def test_backups_under_load(
    start: Start, backing: Backing, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    server = start()
    with playing(server) as players:
        known = []
        for number in range(BACKUPS):
            known.append([dict(player.acknowledged) for player in players])
            done(headway(backing, "backup", tmp_path / f"{number}.backup"))
        moves = sum(sum(player.acknowledged.values()) for player in players)
        before = sum(sum(tables.values()) for tables in known[0])
        assert moves > before  # people played meanwhile
    server.kill()
    for number in range(BACKUPS):
        file, folder = tmp_path / f"{number}.backup", tmp_path / f"restored-{number}"
        folder.mkdir()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        restored = fresh(backing, folder, request)
        done(headway(restored, "restore", file))
        if restored.name == "sqlite":
            with sqlite3.connect(folder / "fresh.sqlite") as database:
                assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            database.close()
        if number == BACKUPS - 1:
            done(headway(restored, "doctor"))
        again = Server(restored, folder)
        for player, tables in zip(players, known[number], strict=True):
            player.guest.moved_to(again)
            for table, acknowledged in tables.items():
                seen = player.guest.see(table)  # the server replays the whole table
                assert seen["number"] >= acknowledged
                assert seen["seats"][0]["mine"]
        again.kill()
    for player in players:
        player.guest.http.close()


def test_restored_in_the_place_of_another(start: Start, backing: Backing, tmp_path: Path) -> None:
    """Refused while a server runs; what was there before is kept."""
    server, data = start(), tmp_path / "data"
    ann = server.guest("Ann")
    early = ann.set_up("me")
    ann.move(early, 0)
    backup = tmp_path / "early.backup"
    done(headway(backing, "backup", backup))
    late = ann.set_up("me")
    refused(headway(backing, "backup", backup), "early.backup", "--force")
    refused(headway(backing, "restore", backup), "--force")
    refused(headway(backing, "restore", backup, "--force", HEADWAY_DATA_DIR=data), "Stop")
    server.kill()
    restored = done(headway(backing, "restore", backup, "--force", HEADWAY_DATA_DIR=data))
    kept = Path(restored.stdout.split(" is in ")[1].split(";")[0])
    server.start()
    assert ann.see(early)["number"] == 1
    assert ann.http.get(f"/api/tables/{late}").status_code == 404
    server.kill()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    done(headway(backing, "restore", kept, "--force", HEADWAY_DATA_DIR=data))
    server.start()
    assert ann.see(late)["number"] == 0


def test_what_cannot_be_restored(start: Start, backing: Backing, tmp_path: Path) -> None:
    server = start()
    ann = server.guest()
    table = ann.set_up("me")
    backup = tmp_path / "good.backup"
    done(headway(backing, "backup", backup))
    server.kill()
    broken = tmp_path / "broken.backup"
    content = backup.read_bytes()
    restore = "restore", broken, "--force"
    data = {"HEADWAY_DATA_DIR": tmp_path}
    refused(headway(backing, *restore, **data), "broken.backup")  # there is no such file
    for wrong in (b"", b"Not a backup", content[: len(content) // 2]):
        broken.write_bytes(wrong)
        refused(headway(backing, *restore, **data), "broken.backup" if len(wrong) < 99 else "")
    other = BACKUP_HEADS[backing.name == "sqlite"]
    broken.write_bytes(other + content[16:])
    refused(headway(backing, *restore, **data), "SQLite", "PostgreSQL")
    server.start()
    assert ann.see(table)["number"] == 0  # everything is as it was
    server.stop()


BACKUP_HEADS = (b"SQLite format 3\0", b"PGDMP")


@ON_SQLITE
def test_files_that_are_not_backups_of_sqlite(
    start: Start, backing: Backing, tmp_path: Path
) -> None:
    server = start()
    ann = server.guest()
    table = ann.set_up("me")
    backup, file = tmp_path / "a.backup", Path(backing.database.removeprefix("sqlite:///"))
    done(headway(backing, "backup", backup))
    refused(headway(backing, "backup", file, "--force"), "itself")
    refused(headway(backing, "backup", tmp_path / "no" / "x.backup"), "x.backup")
    server.kill()
    missing = Backing("sqlite", f"sqlite:///{tmp_path / 'none.sqlite'}", "")
    refused(headway(missing, "backup", tmp_path / "none.backup"), "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()
    with sqlite3.connect(backup) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    refused(headway(backing, "restore", backup, "--force"), "9999", "newer")
    with sqlite3.connect(backup) as database:
        database.execute("DROP TABLE alembic_version")
    database.close()
    refused(headway(backing, "restore", backup, "--force"), "not a backup")
    before = {path.name for path in file.parent.iterdir()}
    # Somebody without our lock has opened the database.
    with sqlite3.connect(file) as database:
        database.execute("SELECT * FROM tables").fetchall()
        done(headway(backing, "backup", tmp_path / "b.backup"))
        refused(headway(backing, "restore", tmp_path / "b.backup", "--force"), "another program")
    database.close()
    assert {path.name for path in file.parent.iterdir()} <= before
    server.start()
    assert ann.see(table)["number"] == 0
    server.stop()


@pytest.mark.parametrize("backing", ["postgresql"], indirect=True, scope="module")
def test_programs_of_postgresql(
    backing: Backing,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """They are missing, or older than the server."""
    Server(backing, tmp_path).stop()
    target = tmp_path / "a.backup"
    refused(headway(backing, "backup", target, PATH=tmp_path), "pg_dump", "postgresql-client")
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    old.chmod(0o755)
    refused(headway(backing, "backup", target, PATH=tmp_path), "pg_dump is version 9")
    old.write_text("#!/bin/sh\necho 'pg_dump: error: no more' >&2; exit 1\n")
    refused(headway(backing, "backup", target, PATH=tmp_path), "no more")
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == []
    away = Backing("postgresql", "postgresql://headway@127.0.0.1:1/none", "")
    refused(headway(away, "backup", target), "database")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("HEADWAY_DATA_DIR", str(tmp_path / "data"))
    with ThreadPoolExecutor(1) as thread:  # it runs a loop, and Playwright keeps one in this thread
        migrating = thread.submit(back_up_before, backing.database, Versions("0001", "0002"))
    migrating.result()  # no error: the migration does not need the backup
    (line,) = caplog.messages
    assert "No backup was made before the upgrade of the database: pg_dump" in line
