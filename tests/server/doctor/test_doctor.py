"""`headway doctor`, `config` and `health`: what is wrong is said, and nothing else is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from server.commands import done, headway
from server.services import ON_SQLITE, Backing, Server, free_port, play_out, until
from server.steps import PASSWORD, claim
from support.preloaded import run

from headway.server.backups.backups import keep_backup, last_of

Start = Callable[..., Server]
DAY = 86_400.0


def levels(backing: Backing, *words: str, **variables: object) -> dict[str, str]:
    """What the doctor finds, by the key of its sentence."""
    said = headway(backing, "doctor", "--json", *words, **variables)
    return {one["key"]: one["level"] for one in json.loads(said.stdout)}


def test_a_server_that_was_used_is_well(server: Server, backing: Backing) -> None:
    ann, ben, leaver = (server.guest(name) for name in ("Ann", "Ben", "Leaver"))
    claim(ann, "Ann of Doctors")
    shared = ann.set_up("me", "open", "greedy")
    ben.join(shared)
    play_out(shared, {0: ann, 1: ben})
    claim(leaver, "Leaver of Doctors")
    left = ann.set_up("me", "open")
    leaver.join(left)
    play_out(left, {0: ann, 1: leaver})
    assert leaver.post("account/delete", password=PASSWORD).status_code == 200
    undone = ann.set_up("me", "greedy", training=True)
    ann.move(undone, 0)
    ann.post(f"tables/{undone}/undo", seat=0, client_id="undo-it-please")
    done(headway(backing, "admin", "tables", "end", undone, "--yes"))
    ann.set_up("me", "open")
    examined = done(headway(backing, "doctor"))
    assert "All tables replay" in examined.stdout
    assert "WRONG" not in examined.stdout


@ON_SQLITE
@pytest.mark.parametrize(
    ("harm", "key"),
    [
        ("UPDATE results SET total = total + 1", "table_results"),
        ("UPDATE tables SET seed = '5' WHERE finished", "table_deal"),
        ("UPDATE tables SET finished = 0, progress = NULL", "table_end"),
        ("UPDATE seats SET name = 'Somebody else'", "table_seats"),
        ("UPDATE tables SET number = number + 1", "table_number"),
        ("UPDATE events SET text = 'z9z9' WHERE kind = 'move' AND number = 3", "table_broken"),
        ("UPDATE ratings SET sigma = -1", "rating"),
        ("UPDATE results SET luck = luck + 1 WHERE reviewed != ''", "review_figures"),
        ("UPDATE reviews SET content = x'00' WHERE finished", "review_broken"),
    ],
)
def test_what_is_wrong_is_found(
    server: Server, backing: Backing, tmp_path: Path, harm: str, key: str
) -> None:
    ann = server.guest("Ann")
    ben = server.guest("Ben")
    table = ann.set_up("me", "open")
    ben.join(table)
    play_out(table, {0: ann, 1: ben})
    if "review" in key:
        ann.ok(ann.post(f"tables/{table}/review"))
        until(lambda: ann.see(f"{table}/review")["state"] == "done")
    copy = tmp_path / "copy.sqlite"
    done(headway(backing, "backup", copy))
    with closing(sqlite3.connect(copy)) as database, database:
        assert database.execute(harm).rowcount
    harmed = Backing("sqlite", f"sqlite:///{copy}", "")
    assert levels(harmed)[f"doctor.{key}"] == "wrong"
    assert headway(harmed, "doctor", "--quick").returncode == (1 if key == "rating" else 0)


@ON_SQLITE
def test_settings_that_mean_trouble(server: Server, backing: Backing, tmp_path: Path) -> None:
    file = tmp_path / "open.sqlite"
    done(headway(backing, "backup", file))
    file.chmod(0o644)
    mine = Backing("sqlite", f"sqlite:///{file}", "")
    found = levels(
        mine,
        "--quick",
        HEADWAY_SEED="x",
        HEADWAY_ORIGIN="http://play.example",
        HEADWAY_PORTT="1",
        HEADWAY_CHANNELS_URL=f"redis://127.0.0.1:{free_port()}",
        HEADWAY_TEXTS_DIR=tmp_path,
        HEADWAY_BACKUPS=tmp_path / "none",
        HEADWAY_RATE_LIMIT="0",
    )
    assert {key.partition(".")[2] for key, level in found.items() if level == "wrong"} == {
        "for_tests", "readable", "no_redis", "never_backed_up",
    }  # fmt: skip
    assert {key.partition(".")[2] for key, level in found.items() if level == "doubtful"} >= {
        "variable_likely", "plain_http", "no_limits",
    }  # fmt: skip
    nowhere = Backing("sqlite", f"sqlite:///{tmp_path / 'none.sqlite'}", "")
    assert levels(nowhere)["doctor.database"] == "wrong"
    assert not (tmp_path / "none.sqlite").exists()


def test_config_hides_what_is_secret(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret://do-not-tell")
    variables = {
        "HEADWAY_DATABASE_URL": "postgresql://me:pass-word@db/headway",
        "HEADWAY_SECRET_FILE": str(secret),
        "HEADWAY_LANG": "en",
        "PATH": "",
    }
    said = run("config", "--json", env=variables).stdout
    assert "pass-word" not in said
    assert "do-not-tell" not in said
    found = {one["variable"]: one for one in json.loads(said)}
    assert found["HEADWAY_DATABASE_URL"]["value"] == "postgresql://me:***@db/headway"
    assert found["HEADWAY_DATABASE_URL"]["source"] == "environment"
    assert (found["HEADWAY_SECRET"]["source"], found["HEADWAY_SECRET"]["value"]) == ("file", "***")
    assert found["HEADWAY_SECRET"]["place"] == str(secret)
    assert found["HEADWAY_PORT"] == {
        "variable": "HEADWAY_PORT", "value": "8000", "source": "default", "place": "",
    }  # fmt: skip


@ON_SQLITE
def test_health_of_a_server(server: Server) -> None:
    assert run("health", "--url", server.url).returncode == 0
    silent = run("health", env={"HEADWAY_PORT": str(free_port()), "PATH": ""})
    assert (silent.returncode, len(silent.stderr.splitlines())) == (1, 1)
    assert run("health", "--url", "nowhere").returncode == 2


def test_backups_are_kept_for_days_and_weeks(
    server: Server, backing: Backing, tmp_path: Path
) -> None:
    server.guest().set_up("me")
    monday = 4 * DAY + 40 * 7 * DAY  # 1970 began on a Thursday
    days = range(0, 50, 1 if backing.name == "sqlite" else 7)
    times = [monday + day * DAY for day in days]
    # In a thread, as the server does: in this one the loop of a browser may run.
    with ThreadPoolExecutor(1) as thread:
        made = list(thread.map(lambda now: keep_backup(backing.database, tmp_path, now), times))
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert last_of(tmp_path) == made[-1]
    assert [name for name in kept if "W" not in name] == [path.name for path in made[-7:]]
    assert len([name for name in kept if "W" in name]) == 5
    fresh = tmp_path / "fresh.sqlite"
    if backing.name == "sqlite":
        restored = Backing("sqlite", f"sqlite:///{fresh}", "")
        done(headway(restored, "restore", made[-1]))
        done(headway(restored, "doctor", HEADWAY_BACKUPS=tmp_path))


def test_one_process_keeps_the_backups(start: Start, backing: Backing, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    servers = [start(HEADWAY_BACKUPS=folder) for _ in range(2 if backing.channels else 1)]

    def made() -> list[str]:
        logs = [server.log.read_text() for server in servers]
        return [line for text in logs for line in text.splitlines() if "backup made" in line]

    assert len(until(made)) == 1
    assert len(list(folder.iterdir())) == 2  # of the day and of the week
