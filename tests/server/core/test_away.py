"""A database that is away, too slow or full: 503 with a sentence, and nothing is lost."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import httpx
from server import services
from server.in_process import browser, serving
from server.services import Backing, Server, table_request, until
from support.own_loop import run

SENTENCE = "The database does not answer."


def refuses(answer: httpx.Response) -> bool:
    """Whether the answer is the one for a database that cannot be used."""
    assert answer.status_code in (200, 201, 503), (answer.status_code, answer.text)
    if answer.status_code != 503:
        return False
    assert answer.json()["error"]["sentence"] == SENTENCE
    return True


def family(process: subprocess.Popen[bytes]) -> list[int]:
    """A process and all its children."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [process.pid, *map(int, children.split())]


@contextmanager
def stopped(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """While this lasts, a server is there and does nothing."""
    pids = family(process)
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def test_postgresql_goes_away_and_comes_back(tmp_path: Path) -> None:
    with services.postgresql_process() as (address, postgres):
        backing = Backing("postgresql", services.new_database(address), "")
        server = Server(backing, tmp_path, {"headway.server.core.database.STATEMENT_SECONDS": 3})
        ann = server.guest("Ann")
        table = ann.set_up("me")
        assert ann.http.get("/health").status_code == 200

        with stopped(postgres):
            # A move waits as long as a statement may take; then it is refused, not forgotten.
            assert refuses(ann.http.get("/health"))
            assert refuses(ann.try_move(table, 0, "pass", client_id="first-move"))
        until(lambda: not refuses(ann.http.get("/health")))
        until(lambda: not refuses(ann.try_move(table, 0, "pass", client_id="first-move")))
        assert ann.see(table)["number"] == 1

        _end(postgres)
        assert refuses(ann.try_move(table, 0, "pass", client_id="second-move"))
        assert refuses(ann.http.get("/api/tables"))
        assert refuses(ann.http.get("/health"))
        server.stop()


def test_tasks_that_nobody_waits_for_leave_no_complaint(tmp_path: Path) -> None:
    """A bot is to move and tries are to be reviewed when the database has gone."""
    complaints: list[str] = []

    async def broken(address: str, postgres: subprocess.Popen[bytes]) -> None:
        async with serving(address) as app, browser(app) as ann:
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda _, context: complaints.append(context["message"]))
            body = table_request("random", "random")
            table = (await ann.post("/api/tables", json=body)).json()["id"]
            await asyncio.to_thread(_end, postgres)
            process = app.app.state.process
            process.bot_runner.online = lambda _: frozenset({"ann"})
            before = asyncio.all_tasks()
            process.bot_runner.guests_changed(table)
            started = asyncio.all_tasks() - before
            assert len(started) == 1
            await asyncio.wait(started)
            setup = SimpleNamespace(day=process.calendar.today())
            for _ in range(2):  # it takes the second one after it has failed for the first
                process.daily.table_changed(SimpleNamespace(finished=True, setup=setup))
                while process.daily._try_ended.is_set():
                    services = {task.get_name() for task in asyncio.all_tasks()}
                    assert {"reviews", "deals of the day"} <= services, "they go on"
                    await asyncio.sleep(0.01)
            del started, before
            gc.collect()
            await asyncio.sleep(0)

    with services.postgresql_process() as (address, postgres):
        run(broken(services.new_database(address), postgres))
    assert complaints == []


def _end(postgres: subprocess.Popen[bytes]) -> None:
    postgres.send_signal(signal.SIGINT)
    postgres.wait(20)


def test_a_full_disk_is_said_and_forgotten_once_there_is_room(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    server = Server(Backing("sqlite", f"sqlite:///{file}", ""), tmp_path)
    ann = server.guest("Ann")
    table = ann.set_up("me")
    room = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)

    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1024, room[1]))
    assert refuses(ann.try_move(table, 0, "pass", client_id="full-disk"))
    assert refuses(ann.http.get("/health"))
    assert ann.see(table)["number"] == 0

    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, room)
    until(lambda: not refuses(ann.http.get("/health")))
    assert not refuses(ann.try_move(table, 0, "pass", client_id="full-disk"))
    assert ann.see(table)["number"] == 1
    server.stop()
