"""What operators see: health, figures and lines of the log; a server that ends drains first."""

from __future__ import annotations

import json
import socket
import stat
import subprocess
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from server.services import PATIENT, Backing, Server, require, until
from websockets.exceptions import ConnectionClosed

RESTARTING = 1012
"""The code with which a socket is closed that may be opened again at once."""


@pytest.fixture
def backing(tmp_path: Path) -> Backing:
    return Backing("sqlite", f"sqlite:///{tmp_path / 'tables.sqlite'}", "")


def requests(server: Server) -> list[dict[str, str]]:
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    return [line for line in lines if line["message"] == "request"]


def test_a_server_that_ends_drains_first(backing: Backing, tmp_path: Path) -> None:
    server = Server(backing, tmp_path, HEADWAY_DRAIN_SECONDS=1.5)
    ann = server.guest("Ann")
    table = ann.set_up("me", training=True)
    with ann.socket(table) as ear, httpx.Client(base_url=server.url, **PATIENT) as operator:
        ear.hear()
        assert operator.get("/health/ready").status_code == 200
        server.process.terminate()
        # The proxy hears of it first; meanwhile everything goes on.
        refused = until(lambda: one if (one := operator.get("/health/ready")).is_error else None)
        assert (refused.status_code, refused.json()["error"]["key"]) == (503, "server.draining")
        assert operator.get("/health/live").status_code == 200
        moved = ann.ok(ann.try_move(table, 0, ann.see(table)["legal"]["0"][-1]))
        with pytest.raises(ConnectionClosed) as closed:
            ear.wait(lambda _: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == RESTARTING
    assert server.process.wait(60) == 0
    server.start()
    assert ann.see(table)["number"] >= moved["number"]
    server.stop()


def test_figures_are_what_an_alert_needs(backing: Backing, tmp_path: Path) -> None:
    server = Server(backing, tmp_path, HEADWAY_METRICS_TOKEN="a token", HEADWAY_IDLE_WORK="never")
    ann = server.guest("Ann")
    table = ann.set_up("me", training=True)
    ann.post("tables/nothing/join")
    with ann.socket(table) as ear, httpx.Client(base_url=server.url, **PATIENT) as operator:
        ear.hear()
        assert operator.get("/metrics").status_code == 403
        key = {"authorization": "Bearer a token"}
        text = operator.get("/metrics", headers=key).text
    values = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    for name, value in {
        "headway_database_up": 1, "headway_redis_up": 1, "headway_ready": 1,
        "headway_people_online": 1, "headway_tables_running": 1, "headway_reviews_waiting": 0,
        "headway_reviews_oldest_seconds": 0, "headway_idle_work": 0,
    }.items():  # fmt: skip
        assert values[name,] == value, name
    assert values["headway_refusals_total", "server.no_table"] == 1
    assert values["headway_work_waiting", "bots"] == 0
    assert values["process_resident_memory_bytes",] > 10_000_000
    promtool = [require("promtool", "prometheus"), "check", "metrics"]
    assert subprocess.run(promtool, input=text, text=True, check=False).returncode == 0
    server.stop()


def test_lines_name_tables_and_guests_but_no_address(backing: Backing, tmp_path: Path) -> None:
    server = Server(backing, tmp_path)
    ann = server.guest("Ann")
    table = ann.set_up("me", training=True)
    ann.see(table)
    for path in ("/health", "/health/live", "/health/ready", "/robots.txt"):
        ann.http.get(path)
    server.stop()
    seen = [line for line in requests(server) if line["route"] == "/api/tables/{table}"]
    assert (seen[-1]["table"], seen[-1]["guest"]) == (table, ann.id)
    routes = [line["route"] for line in requests(server)]
    assert "/robots.txt" in routes
    assert not any(route.startswith("/health") for route in routes)
    text = server.log.read_text()
    assert "127.0.0.1" not in text
    assert "Ann" not in text


def test_a_unix_socket(backing: Backing, tmp_path: Path) -> None:
    """The proxy behind it is believed, and counts as no client."""
    path = tmp_path / "headway.sock"
    server = UnixServer(backing, tmp_path, HEADWAY_SOCKET=path, HEADWAY_RATE_LIMIT=1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    transport = httpx.HTTPTransport(uds=str(path))
    with httpx.Client(base_url="http://localhost", transport=transport, **PATIENT) as client:
        head = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https"}
        cookie = client.get("/api/me", headers=head).headers["set-cookie"]
    assert cookie.startswith("__Host-headway=")
    server.kill()
    server.start()  # in the place of what the killed one has left
    server.stop()
    assert not path.exists()


class UnixServer(Server):
    """A server on a Unix socket, which is there when it listens."""

    def listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(self.variables["HEADWAY_SOCKET"]) == 0
