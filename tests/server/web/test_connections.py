"""Connections: heads that are too long or too slow, too many of them, and who is served anyway."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.services import PATIENT, Backing, Server, until

ATTACKER, HONEST = "127.0.0.2", "127.0.0.3"
HALF_A_HEAD = b"GET /api/me HTTP/1.1\r\nhost: x\r\nx-slow: "
HALF_A_BODY = (
    b"POST /api/tables HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    b'content-length: 500\r\naccept-language: fr\r\n\r\n{"game": '
)


@contextlib.contextmanager
def serving(
    folder: Path, constants: Mapping[str, object] | None = None, /, **variables: object
) -> Iterator[Server]:
    backing = Backing("sqlite", f"sqlite:///{folder / 'tables.sqlite'}", "")
    running = Server(backing, folder, constants, HEADWAY_RATE_LIMIT=1, **variables)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    variables = {"HEADWAY_CONNECTIONS_PER_ADDRESS": 30, "HEADWAY_CONNECTIONS": 100}
    with serving(tmp_path_factory.mktemp("connections"), **variables) as running:
        yield running


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that gives requests a few seconds, not ten for a head and twenty for a body."""
    module = "headway.server.web.protocol"
    limits = {f"{module}.HEAD_SECONDS": 3.0, f"{module}.BODY_SECONDS": 4.0}
    with serving(tmp_path_factory.mktemp("impatient"), limits) as running:
        yield running


def dial(server: Server, address: str = ATTACKER) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 60, (address, 0))


def browser(server: Server, address: str = HONEST) -> httpx.Client:
    return httpx.Client(
        base_url=server.url, transport=httpx.HTTPTransport(local_address=address), **PATIENT
    )


def answer(line: socket.socket) -> tuple[int, dict[str, Any]]:
    """Everything until the server closes the connection: the status and the error."""
    received = b""
    while data := line.recv(65536):
        received += data
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]


@pytest.mark.parametrize("kind", ["one header", "many headers", "address"])
def test_a_head_that_is_too_long(server: Server, kind: str) -> None:
    """A head without an end is refused soon after 64 KB, whatever it consists of."""
    start = b"GET /" if kind == "address" else b"GET / HTTP/1.1\r\nhost: x\r\nx-long: "
    part = b"x-header: value\r\n" if kind == "many headers" else b"a" * 1000
    with dial(server) as line:
        line.sendall(start)
        with contextlib.suppress(ConnectionError):
            for _ in range(20_000_000 // len(part)):
                line.sendall(part)
            raise AssertionError("the server reads on for ever")
        with contextlib.suppress(ConnectionError):
            status, error = answer(line)
            assert (status, error["key"]) == (431, "server.head_large")


def test_a_long_head_that_comes_at_once(server: Server) -> None:
    with dial(server) as line:
        line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nx-long: " + b"a" * 70_000 + b"\r\n\r\n")
        status, error = answer(line)
    assert (status, error["key"]) == (431, "server.head_large")
    with browser(server) as ann:
        assert ann.get("/api/me", headers={"x-long": "a" * 50_000}).status_code == 200


def test_slow_requests_are_closed(impatient: Server) -> None:
    """Idle connections, half a head, a byte now and then, half a body: all end with a sentence."""
    sent = [b"", HALF_A_HEAD, b"\r\n", HALF_A_BODY]
    keys = ["server.head_slow"] * 3 + ["server.body_slow"]
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(dial(impatient)) for _ in sent]
        slow = stack.enter_context(dial(impatient))
        slow.sendall(HALF_A_HEAD)
        for line, data in zip(lines, sent, strict=True):
            line.sendall(data)

        for line, key in zip(lines, keys, strict=True):
            status, error = answer(line)
            assert (status, error["key"]) == (408, key)
        assert error["lang"] == "fr"
        with contextlib.suppress(ConnectionError):
            while True:
                slow.sendall(b"a")
                time.sleep(0.2)


def test_requests_after_the_first_are_limited_too(impatient: Server) -> None:
    with dial(impatient) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
        assert b"200" in line.recv(65536).splitlines()[0]
        line.sendall(HALF_A_HEAD)
        status, error = answer(line)
    assert (status, error["key"]) == (408, "server.head_slow")


def test_half_sent_requests_from_one_address_disturb_nobody(server: Server) -> None:
    """A thousand half-sent requests: thirty stay open for a while, another address is served."""
    with contextlib.ExitStack() as stack, browser(server) as ann:
        for _ in range(1000):
            line = stack.enter_context(dial(server))
            with contextlib.suppress(ConnectionError):
                line.sendall(HALF_A_HEAD)
        status, error = answer(stack.enter_context(dial(server)))
        assert ann.get("/api/me").status_code == 200
        assert (status, error["key"]) == (429, "server.connections_address")


def test_closed_connections_are_forgotten(server: Server) -> None:
    """One after the other, an address opens many more connections and sockets than at once."""

    def works() -> bool:
        with contextlib.suppress(httpx.TransportError), browser(server, ATTACKER) as eve:
            return eve.get("/health").status_code == 200
        return False

    for _ in range(50):
        until(works)
    ann = server.guest()
    table = ann.set_up("me")
    for _ in range(30):
        with ann.socket(table) as ear:
            ear.table()
    assert ann.http.get("/health").status_code == 200


def test_connections_in_total(tmp_path: Path) -> None:
    with serving(tmp_path, HEADWAY_CONNECTIONS=10) as server, contextlib.ExitStack() as stack:
        for n in range(10):
            stack.enter_context(dial(server, f"127.0.1.{n + 1}"))
        status, error = answer(stack.enter_context(dial(server, HONEST)))
        assert (status, error["key"]) == (503, "server.connections")


def test_the_limit_of_files_is_raised(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        with serving(tmp_path) as server:
            limits = Path(f"/proc/{server.process.pid}/limits").read_text().splitlines()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    files = next(line for line in limits if line.startswith("Max open files"))
    assert files.split()[3] == str(hard)
