"""How a server starts and stops: what it checks, what it says, and who can read its files."""

from __future__ import annotations

import json
import os
import re
import socket
import sqlite3
import stat
import tempfile
from pathlib import Path

import httpx
import pytest
from server.services import DEADLINE, PATIENT, Backing, Server
from support import preloaded

import headway
from headway import settings
from headway.server.core.database import prepare

ROOT = Path(__file__).parents[2]
WRONG = 2


@pytest.fixture
def backing(tmp_path: Path) -> Backing:
    return Backing("sqlite", f"sqlite:///{tmp_path / 'tables.sqlite'}", "")


def refused(*words: object, **variables: str) -> str:
    """The sentence with which `headway serve` ends at once, without having said where it is."""
    result = preloaded.run("serve", *words, env=os.environ | {"HEADWAY_WARM_UP": "0"} | variables)
    assert (result.returncode, result.stdout) == (WRONG, ""), result
    assert len(result.stderr.splitlines()) == 1, result.stderr
    return result.stderr


def lines(server: Server) -> list[dict[str, object]]:
    return [json.loads(line) for line in server.log.read_text().splitlines()]


def logged(server: Server, message: str) -> list[dict[str, object]]:
    """The lines of a server's log with a message, without those of requests."""
    return [line for line in lines(server) if str(line["message"]).startswith(message)]


def test_the_address_is_told_when_the_server_listens(backing: Backing, tmp_path: Path) -> None:
    words = ["serve", "--port", "0", "--database", backing.database]
    env = os.environ | {"HEADWAY_LANG": "en", "HEADWAY_WARM_UP": "0"}
    reading, writing = os.pipe()
    with open(reading) as output, tempfile.TemporaryFile() as log:
        process = preloaded.Process(words, env, None, writing, log)
        os.close(writing)
        try:
            said = re.fullmatch(r"Headway is at (http://localhost:(\d+)/) .*\n", output.readline())
            assert said
            # It may be asked at once.
            assert httpx.get(f"{said[1]}health", **PATIENT).status_code == 200
        finally:
            process.terminate()
            assert process.wait(DEADLINE) == 0


def test_a_port_in_use(backing: Backing, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sentence = refused("--port", port, "--database", backing.database)
    assert str(port) in sentence
    assert not list(tmp_path.iterdir())  # nothing was touched
    assert "no.such.host" in refused("--host", "no.such.host.invalid", "--port", 0)


@pytest.mark.parametrize(
    "origin",
    [
        "play.example", "ftp://play.example", "https://", "https://play.example/he adway",
        "https://play.example/a/../b", "https://play.example?x", "https://a@play.example", "https://play.example:99999",
        "https://one.example,https://two.example", "*", "https://pl ay.example",
    ],
)  # fmt: skip
def test_an_impossible_origin(origin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWAY_ORIGIN", origin)
    with pytest.raises(settings.WrongSettingError) as wrong:
        settings.server()
    assert wrong.value.args == ("cli.serve_origin", "HEADWAY_ORIGIN", origin)


@pytest.mark.parametrize(
    ("origin", "sent"),
    [
        ("https://Play.Example:443/", "https://play.example"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://café.example", "https://xn--caf-dma.example"),
        ("http://[2001:DB8::1]:80", "http://[2001:db8::1]"),
        ("https://Play.example/Headway/", "https://play.example/Headway"),
        ("", ""),
    ],
)
def test_an_origin_is_as_browsers_send_it(
    origin: str, sent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWAY_ORIGIN", origin)
    assert settings.server().origin == sent


WRONG_SETTINGS = [
    ("HEADWAY_ORIGIN", "https://play.example?x", "https://example.org/headway"),
    ("HEADWAY_CONTACT", "somebody", "an e-mail address"),
    ("HEADWAY_PORT", "70000", "a port from 0 to 65535, not 70000"),
    ("HEADWAY_LOG_LEVEL", "loud", "is one of debug, info, warning, error, not loud"),
    ("HEADWAY_LOG_FORMAT", "xml", "is one of json, text, not xml"),
    ("HEADWAY_SECRET_FILE", "/missing", "cannot be read: No such file or directory"),
    ("HEADWAY_CONFIG", "/missing", "cannot be read: No such file or directory"),
    ("HEADWAY_AWAY_SECONDS", "soon", "must be a number"),
    ("HEADWAY_PROCESSES", "0", "is a number from 1 to 64, not 0"),
    ("HEADWAY_IDLE_WORK", "25-3", "is always, never, or hours such as 22-6, not 25-3"),
    ("HEADWAY_TODAY", "yesterday", "is a day such as 2026-11-16, not yesterday"),
    ("HEADWAY_CHANNELS_URL", "localhost:6379", "such as redis://localhost:6379/0"),
    ("HEADWAY_TRUSTED_PROXY", "nobody", "is 1 or a list of networks"),
    ("HEADWAY_DRAIN_SECONDS", "-1", "must be a number of at least 0"),
    ("HEADWAY_TIME_ZONE", "Mars", "is a time zone such as Europe/Paris, not Mars"),
    ("HEADWAY_ENTRY", "shut", "is one of open, account, invite, not shut"),
    ("HEADWAY_NAME", "a\nb", "is a line of at most 40 characters"),
    ("HEADWAY_PAGES_DIR", "/nowhere/at/all", "is not a folder"),
    ("HEADWAY_TRUSTED_NETWORKS", "school", "is a list of networks"),
]


@pytest.mark.parametrize(("variable", "value", "told"), WRONG_SETTINGS)
def test_wrong_settings_are_told(variable: str, value: str, told: str) -> None:
    sentence = refused(**{variable: value})
    assert sentence.startswith(variable)
    assert told in sentence


def test_several_processes_need_services(tmp_path: Path) -> None:
    assert "PostgreSQL and Redis" in refused("--processes", 2)
    missing = tmp_path / "missing" / "socket"
    assert str(missing) in refused("--socket", missing)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("port = ", "is not a configuration file"),
        ("prot = 8000", "prot is not a setting of Headway. Did you mean port?"),
        ("whatever_it_is = 1", "whatever_it_is is not a setting of Headway."),
        ("[server]\nport = 1", "server"),
        ("port = 70000", "not 70000"),
        ("secret_file = '/missing'", "/missing"),
    ],
)
def test_a_wrong_configuration_file_is_told(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "headway.toml"
    file.write_text(content)
    assert told in refused("--config", file)


def test_where_settings_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument comes before the environment, the environment before files."""
    (tmp_path / "secret").write_text("from a file\n")
    file = tmp_path / "headway.toml"
    file.write_text(
        f"port = 1\nhost = '::1'\nwarm_up = false\ntrusted_proxy = ['10.0.0.0/8', '::1']\n"
        f"secret_file = '{tmp_path / 'secret'}'\ndata_dir = '{tmp_path}'\n"
    )
    monkeypatch.setenv("HEADWAY_CONFIG", str(file))
    monkeypatch.setenv("HEADWAY_PORT", "2")
    (tmp_path / "channels").write_text("redis://:password@localhost")
    monkeypatch.setenv("HEADWAY_CHANNELS_URL_FILE", str(tmp_path / "channels"))
    in_force = {one.variable: one for one in settings.in_force(database="sqlite:///x")}
    told = {
        name.removeprefix("HEADWAY_").lower(): (one.value, one.source, one.place)
        for name, one in in_force.items()
        if one.source != "default"
    }
    assert told == {
        "database_url": ("sqlite:///x", "argument", ""),
        "port": (2, "environment", ""),
        "channels_url": ("redis://:password@localhost", "file", str(tmp_path / "channels")),
        "secret": ("from a file", "file", str(tmp_path / "secret")),
        "host": ("::1", "file", str(file)),
        "warm_up": (False, "file", str(file)),
        "trusted_proxy": ("10.0.0.0/8,::1", "file", str(file)),
        "data_dir": (tmp_path, "file", str(file)),
    }
    assert {one.variable for one in in_force.values() if one.secret} == {
        "HEADWAY_CHANNELS_URL", "HEADWAY_DATABASE_URL", "HEADWAY_METRICS_TOKEN", "HEADWAY_SECRET",
    }  # fmt: skip
    monkeypatch.setenv("HEADWAY_SECRET", "another one")
    assert settings.server().secret == "another one"
    monkeypatch.setenv("HEADWAY_SECRET_FILE", str(tmp_path / "secret"))
    with pytest.raises(settings.WrongSettingError, match="twice"):
        settings.server()


def test_a_log_for_people(backing: Backing, tmp_path: Path) -> None:
    server = Server(backing, tmp_path, HEADWAY_LOG_FORMAT="text")
    httpx.get(f"{server.url}/robots.txt", **PATIENT)
    server.stop()
    started, request, *_ = server.log.read_text().splitlines()
    assert re.match(r"\S+Z info    headway.app: started version=\"", started)
    assert 'route="/robots.txt"' in request
    server.variables["HEADWAY_LOG_LEVEL"] = "error"
    server.log.unlink()
    server.start()
    httpx.get(f"{server.url}/robots.txt", **PATIENT)
    server.stop()
    assert server.log.read_text() == ""


def test_all_variables_are_known_and_described() -> None:
    sources = [path.read_text() for path in Path(headway.__file__).parent.rglob("*.py")]
    read = {name for source in sources for name in re.findall(r"\bHEADWAY_[A-Z_]+\b", source)}
    read -= set(settings.SECRET_FILES)
    assert {name for name in read if not name.endswith("_")} == set(settings.VARIABLES)
    hosting = (ROOT / "docs/hosting/settings.md").read_text("utf-8")
    elsewhere = {"HEADWAY_LANG", "HEADWAY_TOKEN"}
    assert {name for name in settings.VARIABLES if name not in hosting} <= elsewhere


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for file in (tmp_path / "file" / "tables.sqlite", tmp_path / "missing" / "tables.sqlite"):
        assert str(file) in refused("--port", 0, "--database", f"sqlite:///{file}")
    assert str(tmp_path) in refused("--port", 0, HEADWAY_DATA_DIR=str(tmp_path / "file" / "data"))


def test_a_database_of_a_newer_headway(backing: Backing, tmp_path: Path) -> None:
    Server(backing, tmp_path).stop()
    file = tmp_path / "tables.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    before = file.read_bytes()
    sentence = refused("--port", 0, "--database", backing.database)
    assert "9999" in sentence
    assert "newer" in sentence
    assert file.read_bytes() == before


def test_start_and_stop_are_logged(backing: Backing, tmp_path: Path) -> None:
    server = Server(backing, tmp_path, HEADWAY_ORIGN="https://play.example", HEADWAY_XYZ=1)
    server.stop()
    typed, unknown, started, stopped = (line for line in lines(server) if "kind" not in line)
    assert "HEADWAY_ORIGIN?" in str(typed["message"])
    assert "HEADWAY_XYZ" in str(unknown["message"])
    assert started["message"] == "started"
    assert (started["version"], started["database"]) == (headway.__version__, "sqlite")
    assert started["schema_before"] == ""  # the database is new
    assert stopped["message"] == "stopped"
    server.start()
    server.stop()
    assert "schema_before" not in logged(server, "started")[-1]


def test_a_second_process_on_the_same_file(backing: Backing, tmp_path: Path) -> None:
    first, second = Server(backing, tmp_path), Server(backing, tmp_path)
    warning = "Another process uses this SQLite file"
    assert len(logged(second, warning)) == 1
    assert not logged(first, warning)
    first.kill()
    second.kill()
    third = Server(backing, tmp_path)  # what was killed holds nothing any more
    third.stop()
    assert third.errors() == []


def test_forwarding_by_a_stranger_is_told_once(backing: Backing, tmp_path: Path) -> None:
    server = Server(backing, tmp_path, HEADWAY_TRUSTED_PROXY="127.0.0.2")
    told = "X-Forwarded-For came from an address that is not in HEADWAY_TRUSTED_PROXY"
    trusted = httpx.HTTPTransport(local_address="127.0.0.2")
    header = {"x-forwarded-for": "203.0.113.7"}
    with httpx.Client(base_url=server.url, headers=header, transport=trusted) as proxy:
        proxy.get("/health", timeout=DEADLINE)
    assert not logged(server, told)
    for _ in range(3):
        httpx.get(f"{server.url}/health", headers=header, **PATIENT)
    server.stop()
    assert len(logged(server, told)) == 1
    assert "203.0.113.7" not in server.log.read_text()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_the_owner_reads_the_database(tmp_path: Path) -> None:
    """The files and the folder that Headway makes, and those that an older Headway made."""
    data = tmp_path / "data"
    server = Server(
        Backing("sqlite", f"sqlite:///{data / 'tables.sqlite'}", ""),
        tmp_path,
        HEADWAY_DATA_DIR=data,
    )
    server.guest("Ann")

    def modes() -> dict[str, int]:
        return {path.name: mode(path) for path in data.iterdir()}

    endings = ("", "-lock", "-shm", "-wal")
    private = {f"tables.sqlite{ending}": 0o600 for ending in endings}
    assert (mode(data), modes()) == (0o700, private)
    server.kill()
    data.chmod(0o755)
    for path in data.iterdir():
        path.chmod(0o644)
    server.start()
    assert mode(data) == 0o700
    assert modes() == private
    server.stop()


def test_a_folder_with_other_files_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWAY_DATA_DIR", str(tmp_path))
    tmp_path.chmod(0o755)
    (tmp_path / "something else").touch()
    prepare(tmp_path / "tables.sqlite")
    assert mode(tmp_path) == 0o755
    assert mode(tmp_path / "tables.sqlite") == 0o600
