"""Real services for the tests, as throw-away processes: PostgreSQL, Redis and Headway's server."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx
import pytest
from support import preloaded
from websockets.sync.client import ClientConnection, connect

T = TypeVar("T")
DEADLINE = 120.0
PATIENT: dict[str, Any] = {"timeout": DEADLINE, "verify": False}
"""For every client: a busy machine answers late, and plain HTTP needs no certificates."""
ON_SQLITE = pytest.mark.parametrize("backing", ["sqlite"], indirect=True, scope="module")
"""For tests of what does not depend on the database: the others run on both."""
FIRST_PORT, PORTS = 10_000, 22_000
_ports = count()


def until(look: Callable[[], T | None], seconds: float = DEADLINE) -> T:
    """What `look` finds, as soon as it finds something; fails after a deadline."""
    end, pause = time.monotonic() + seconds, 0.02
    while True:
        result = look()
        if result:
            return result
        assert time.monotonic() < end, "nothing came before the deadline"
        time.sleep(pause)
        pause = min(0.25, pause * 1.2)  # what takes long needs the cores that looking would take


def free_port() -> int:
    """A port that nobody else takes: connections get theirs from 32768 upwards."""
    while True:
        port = FIRST_PORT + (os.getpid() * 101 + next(_ports)) % PORTS
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


def listens(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False


PROGRAMS = Path(__file__).parents[2] / ".venv/programs/usr/bin"
"""What `tests/install-services` unpacks where it is not installed."""


def require(program: str, package: str) -> str:
    """The path of a program of one of Debian's packages."""
    folders = [str(p) for p in Path("/usr/lib/postgresql").glob("*/bin")]
    path = os.pathsep.join([os.environ["PATH"], "/usr/sbin", *sorted(folders), str(PROGRAMS)])
    path_of_program = shutil.which(program, path=path)
    assert path_of_program, f"{program} is not there: see tests/install-services for {package}"
    return path_of_program


def as_postgres(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root: then its own user runs it."""
    change = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
    return [*change, *command] if os.geteuid() == 0 else command


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL server without a database of ours."""
    with postgresql_process() as (address, _):
        yield address


@contextlib.contextmanager
def postgresql_process() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A PostgreSQL server: its address and its process."""
    initdb, postgres = require("initdb", "postgresql"), require("postgres", "postgresql")
    folder = Path(tempfile.mkdtemp(prefix="headway-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    data, port = str(folder / "data"), free_port()
    make = [initdb, "-D", data, "-U", "headway", "-A", "trust", "--no-sync", "-E", "UTF8"]
    subprocess.run(as_postgres(make), check=True, capture_output=True, cwd="/")
    options = ["-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", str(folder), "-F"]
    process = subprocess.Popen(
        as_postgres([postgres, *options]), stderr=subprocess.DEVNULL, cwd="/"
    )
    try:
        until(lambda: listens(port))
        until(lambda: _sql(port, "SELECT 1") == 0)
        yield f"postgresql://headway@127.0.0.1:{port}", process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(DEADLINE)
        shutil.rmtree(folder, ignore_errors=True)


def _sql(port: int, statement: str) -> int:
    psql = require("psql", "postgresql-client")
    command = [psql, "-h", "127.0.0.1", "-p", str(port), "-U", "headway", "-d", "postgres"]
    return subprocess.run([*command, "-c", statement], capture_output=True).returncode


def new_database(address: str) -> str:
    """The address of a fresh, empty database."""
    name = f"t{uuid.uuid4().hex[:12]}"
    assert _sql(int(address.rpartition(":")[2]), f"CREATE DATABASE {name}") == 0
    return f"{address}/{name}"


@contextlib.contextmanager
def redis(port: int = 0) -> Iterator[str]:
    """The address of a Redis server."""
    program, port = require("redis-server", "redis-server"), port or free_port()
    options = ["--port", str(port), "--save", "", "--appendonly", "no"]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL, cwd=folder)
        try:
            until(lambda: listens(port))
            yield f"redis://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(DEADLINE)


class Backing(NamedTuple):
    """Where servers keep tables and how they talk to each other."""

    name: str
    database: str
    channels: str


class Server:
    """A server process, forked from one that has loaded the server if its settings allow it.

    A forked one can have other constants than ours: `{"headway.module.SECONDS": 2}`, because a test
    of a time limit should not take ten seconds.
    """

    preload = True
    folder = ""
    """The folder below which its pages are, `/headway`."""

    def __init__(
        self,
        backing: Backing,
        folder: Path,
        constants: Mapping[str, object] | None = None,
        /,
        **variables: object,
    ) -> None:
        self.backing = backing
        self.program = preloaded.program_with(constants) if constants else ""
        self.port = free_port()
        self.guests: list[Guest] = []
        self.log = folder / f"server-{self.port}.log"
        self.variables = {
            "HEADWAY_RATE_LIMIT": "0",
            "HEADWAY_LANG": "en",
            "HEADWAY_WARM_UP": "0",
            "HEADWAY_START_SECONDS": "0",
            "HEADWAY_REVIEW_BUDGET": "4",  # every try at today's deal is reviewed
        }
        if self.folder:
            self.variables["HEADWAY_ORIGIN"] = self.url
        self.variables |= {name: str(value) for name, value in variables.items()}
        self.start()

    def start(self) -> None:
        """Starts it, or starts it again on the same port."""
        words = ["serve", "--port", str(self.port), "--database", self.backing.database]
        if self.backing.channels:
            words += ["--channels", self.backing.channels]
        env = os.environ | self.variables
        with open(self.log, "ab") as log:
            self.process = (
                preloaded.Process(words, env, None, None, log, program=self.program)
                if self.program or (self.preload and preloaded.suits(self.variables))
                else subprocess.Popen(
                    [sys.executable, "-m", "headway", *words],
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    env=env,
                )
            )
        until(lambda: self.process.poll() is not None or self.listens())
        assert self.process.poll() is None, self.log.read_text()[-3000:]

    def listens(self) -> bool:
        """Whether it can be asked."""
        return listens(self.port)

    def kill(self) -> None:
        """The process ends at once, without a chance to save anything."""
        self.process.kill()
        self.process.wait(DEADLINE)

    def stop(self) -> None:
        """Asks it to end, as a host would; its guests leave first."""
        for guest in self.guests:
            guest.http.close()
        if self.process.poll() is None:
            self.process.terminate()
            assert self.process.wait(DEADLINE) == 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.folder}"

    def guest(self, name: str = "") -> Guest:
        """Somebody who comes for the first time."""
        return Guest(self, name)

    def errors(self) -> list[dict[str, Any]]:
        """The lines of the log that are worse than information."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if line["level"] in ("error", "warning", "critical")]


class CommandServer(Server):
    """A server process as the command starts it."""

    preload = False


def table_request(*seats: str | dict[str, str], **more: Any) -> dict[str, Any]:
    """What asks for a table: a seat is "me", "open" or a bot's name, or all that is said of it."""
    kinds = [
        seat if isinstance(seat, dict)
        else {"kind": seat} if seat in ("me", "open")
        else {"kind": "bot", "bot": seat}
        for seat in seats
    ]  # fmt: skip
    return {"game": "next-station", "map": "london", "seats": kinds} | more


class Guest:
    """A browser's view of the server: cookies and sockets."""

    def __init__(self, server: Server, name: str = "") -> None:
        self.http = httpx.Client(base_url=server.url, **PATIENT)
        server.guests.append(self)
        self.server = server
        self.id = self.ok(self.http.get("/api/me"))["id"]
        if name:
            self.ok(self.http.patch("/api/me", json={"name": name}))

    @staticmethod
    def ok(answer: httpx.Response) -> Any:
        """The content of an answer that must be good."""
        assert answer.status_code in (200, 201), (answer.status_code, answer.text)
        return answer.json()

    def moved_to(self, server: Server) -> Guest:
        """The same guest, talking to another process."""
        self.http.base_url = server.url
        self.server = server
        return self

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.http.post(f"/api/{path}", json=body)

    def set_up(self, *seats: str, **more: Any) -> str:
        """A table with these seats, "me", "open" or a bot's name; its id."""
        table: str = self.ok(self.post("tables", **table_request(*seats, **more)))["id"]
        return table

    def join(self, table: str, **more: Any) -> Any:
        return self.ok(self.post(f"tables/{table}/join", **more))

    def see(self, table: str, **query: Any) -> Any:
        return self.ok(self.http.get(f"/api/tables/{table}", params=query))

    def try_move(self, table: str, seat: int, move: str, **more: Any) -> httpx.Response:
        more.setdefault("client_id", str(uuid.uuid4()))
        return self.post(f"tables/{table}/moves", seat=seat, move=move, **more)

    def move(self, table: str, seat: int, move: str | None = None, **more: Any) -> Any:
        """Moves, the last legal move by default; the table afterwards."""
        if move is None:
            move = self.see(table)["legal"][str(seat)][-1]
        self.ok(self.try_move(table, seat, move, **more))
        return self.see(table)

    @contextlib.contextmanager
    def socket(self, table: str, query: str = "", **more: Any) -> Iterator[Ear]:
        cookies = "; ".join(f"{c.name}={c.value}" for c in self.http.cookies.jar)
        url = f"{self.server.url.replace('http', 'ws')}/api/tables/{table}/live{query}"
        settings: dict[str, Any] = {
            "origin": self.server.url.removesuffix(self.server.folder),
            "additional_headers": {"cookie": cookies},
            "max_size": None,
            "close_timeout": 1,
        }
        with connect(url, **(settings | more)) as line:
            yield Ear(line)


class Ear:
    """The client's end of a socket."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.heard: list[dict[str, Any]] = []
        self.known: dict[str, Any] = {}
        """The table as the messages so far make it."""
        self.watchers: int = 0
        self.names: list[str] = []

    def hear(self, seconds: float = DEADLINE) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self.line.recv(timeout=seconds))
        self.heard.append(message)
        self.known = with_changes(self.known, message.get("table", {}))
        self.watchers = message.get("watchers", self.watchers)
        named = message.get("named")
        if named is not None:
            self.names = [who["name"] for who in named]
        return message

    def wait(self, condition: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The next message that is as wanted."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            message = self.hear(end - time.monotonic())
            if condition(message):
                return message
        raise AssertionError("the message did not come")

    def table(self, condition: Callable[[dict[str, Any]], Any] = lambda _: True) -> dict[str, Any]:
        """The next state of the table that is as wanted."""
        self.wait(lambda message: "table" in message and condition(self.known))
        return self.known

    def await_people(self, seats: list[int], watchers: int, names: Sequence[str] = ()) -> None:
        """Waits until these seats are connected, and a number of others, some with names."""
        there = seats, watchers, list(names)
        self.wait(lambda _: (online(self.known), self.watchers, self.names) == there)

    def say(self, **message: Any) -> None:
        self.line.send(json.dumps(message))


def with_changes(table: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The table after the changes that a socket has brought."""
    after = table | changes
    if "views" in changes:
        before = table.get("views", {})
        after["views"] = {s: before.get(s, {}) | view for s, view in changes["views"].items()}
    if "log" in changes:
        after["log"] = table.get("log", [])[: changes["log_from"]] + changes["log"]
    return after


def online(seen: dict[str, Any]) -> list[int]:
    """The seats whose holders are connected."""
    return [seat["seat"] for seat in seen["seats"] if seat["online"]]


def start_clock(table: str, *players: Guest) -> Any:
    """Lets all players of a table with a clock confirm; the table afterwards."""
    return [player.ok(player.post(f"tables/{table}/ready")) for player in players][-1]


def turn_of(seen: dict[str, Any]) -> int:
    """The turn that a table shows, counted over all rounds so that it only rises."""
    view = next(iter(seen["views"].values()))
    return int((view["round"] - 1) * 100 + view["turn"])


def reached(turn: int) -> Callable[[dict[str, Any]], bool]:
    """Whether a table that is seen has come to a turn."""
    return lambda seen: bool(seen["finished"]) or turn_of(seen) >= turn


def await_turn(guest: Guest, table: str, turn: int) -> None:
    """Waits until a table has come to a turn."""
    until(lambda: reached(turn)(guest.see(table)))


def play_out(table: str, players: dict[int, Guest], pick: int = -1) -> Any:
    """Plays a table to its end, every guest any move; the table as the first one sees it."""
    first = next(iter(players.values()))
    seen = first.see(table)
    end = time.monotonic() + DEADLINE
    while not seen["finished"]:
        number = seen["number"]
        for seat, guest in players.items():
            seen = guest.see(table) if len(players) > 1 else seen
            while not seen["finished"] and (legal := seen["legal"].get(str(seat))):
                seen = guest.move(table, seat, legal[pick])
        if seen["number"] == number:  # others are to move
            time.sleep(0.05)
            seen = first.see(table)
        if seen["number"] != number:
            end = time.monotonic() + DEADLINE
        assert time.monotonic() < end, "the game did not go on"
    return first.see(table)
