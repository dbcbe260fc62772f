"""Several processes of one server: one is killed, all are restarted in turn, and all end."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from server import services
from server.services import DEADLINE, PATIENT, Backing, Server, until
from support.own_loop import run
from websockets.exceptions import ConnectionClosed, WebSocketException

from headway.server.supervisor import Supervisor
from headway.settings import ServerSettings

PROCESSES = 2


@pytest.fixture(scope="module")
def running(
    postgresql: str, redis: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    backing = Backing("postgresql", services.new_database(postgresql), redis)
    server = Server(backing, tmp_path_factory.mktemp("logs"), HEADWAY_PROCESSES=PROCESSES)
    until(lambda: len(processes(server)) == PROCESSES)
    yield server
    server.stop()


def processes(server: Server) -> dict[int, int]:
    """The processes that tell their figures: the id of each place."""
    text = httpx.get(f"{server.url}/metrics", **PATIENT).text
    return {int(n): int(pid) for n, pid in re.findall(r'_up\{process="(\d+)-(\d+)"\} 1', text)}


class Player:
    """Somebody who plays alone for as long as the test lasts, and asks again if nobody answers."""

    def __init__(self, server: Server) -> None:
        self.guest = server.guest("Ann")
        self.table = self.guest.set_up("me", training=True)
        self.acknowledged: list[str] = []
        self.refused: list[str] = []
        self.opened = 0
        """How often the socket was opened."""
        self._over = threading.Event()
        self._ids = count()
        self._threads = [threading.Thread(target=work) for work in (self._play, self._watch)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(DEADLINE)

    def moves_on(self) -> None:
        """Waits for more acknowledged moves."""
        before = len(self.acknowledged)
        until(lambda: len(self.acknowledged) > before + 5)

    def _play(self) -> None:
        table = self.table
        while not self._over.wait(0.02):  # processes that start need the cores
            seen = self._asked("GET", f"/api/tables/{table}")
            if not (legal := seen["legal"].get("0")):
                table = self._asked("POST", f"/api/tables/{table}/rematch", {})["id"]
                continue
            client_id = f"move-{next(self._ids):06}"
            body = {"seat": 0, "move": legal[-1], "client_id": client_id}
            self._asked("POST", f"/api/tables/{table}/moves", body)
            self.acknowledged.append(client_id)

    def _asked(self, method: str, path: str, body: Any = None) -> Any:
        while True:
            try:
                answer = self.guest.http.request(method, path, json=body)
            except httpx.TransportError:
                continue
            if answer.status_code >= 300:
                self.refused.append(answer.text)
            return answer.json()

    def _watch(self) -> None:
        while not self._over.is_set():
            try:
                with self.guest.socket(self.table) as ear:
                    ear.hear()
                    self.opened += 1
                    while not self._over.is_set():
                        try:
                            ear.line.recv(timeout=0.1)
                        except TimeoutError:
                            continue
            except (ConnectionClosed, WebSocketException, OSError):
                continue


async def stored_moves(database: str) -> Counter[str]:
    """The moves in the database, by the ids that their players gave them."""
    connection = await asyncpg.connect(database)
    rows = await connection.fetch("SELECT client_id FROM events WHERE client_id LIKE 'move-%'")
    await connection.close()
    return Counter(row["client_id"] for row in rows)


def test_no_move_is_lost_or_refused(running: Server) -> None:
    first = processes(running)
    player = Player(running)
    try:
        player.moves_on()
        until(lambda: player.opened)
        os.kill(first[1], signal.SIGKILL)
        player.moves_on()
        second = until(lambda: changed(running, first, 1))
        opened = player.opened
        running.process.send_signal(signal.SIGHUP)
        third = until(lambda: changed(running, second, PROCESSES))
        player.moves_on()
        until(lambda: player.opened > opened)
    finally:
        player.stop()
    assert player.refused == []
    assert set(first.values()).isdisjoint(third.values())
    stored = run(stored_moves(running.backing.database))
    assert set(player.acknowledged) <= set(stored)
    assert set(stored.values()) == {1}
    lost = [line for line in running.errors() if line["logger"] == "headway.processes"]
    assert [line["message"] for line in lost] == ["process lost"]


def changed(server: Server, before: dict[int, int], most: int) -> dict[int, int] | None:
    """The processes, once so many of them are others and all are there."""
    now = processes(server)
    same = len(set(now.values()) & set(before.values()))
    return now if len(now) == PROCESSES and same == PROCESSES - most else None


def test_figures_of_all_processes(running: Server) -> None:
    text = httpx.get(f"{running.url}/metrics", **PATIENT).text
    families = {family.name: family for family in text_string_to_metric_families(text)}
    both = {sample.labels["process"][0] for sample in families["headway_build_info"].samples}
    assert both == {"1", "2"}
    assert [sample.labels for sample in families["headway_people_online"].samples] == [{}]
    # The parent ends all; one that loses its parent ends, too.
    children = processes(running).values()
    running.kill()
    until(lambda: not any(map(runs, children)))


def runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()


def test_a_process_that_cannot_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The parent says so and tries again later; a machine may be out of memory for a moment."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    parent = Supervisor(ServerSettings(processes=2), [], str(tmp_path))
    assert run(parent._start(1)) is None
    assert [line.message for line in caplog.records] == ["process not started"]
