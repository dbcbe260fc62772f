"""Processes that are killed, and several processes on one database."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from server import services
from server.services import (
    ON_SQLITE,
    Backing,
    Guest,
    Server,
    await_turn,
    free_port,
    play_out,
    reached,
    until,
)
from support.preloaded import run

from headway import record
from headway.cli.options import WRONG

Start = Callable[..., Server]


def test_killed_in_the_middle_and_started_again(start: Start) -> None:
    """After kill -9 at any moment every confirmed move is there, and play goes on."""
    server = start()
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", "greedy", options={"powers": True})
    ben.join(table)
    for kill in range(3):
        for seat, guest in ((0, ann), (1, ben)):
            confirmed = until(partial(_to_move, guest, table, seat))
            move = confirmed["legal"][str(seat)][-1]
            guest.move(table, seat, move, client_id=f"seat-{seat}-kill-{kill}")
            if seat == 0:
                last = ann.see(table)
                server.kill()
                server.start()
                again = ann.see(table)
                assert again["number"] >= last["number"]
                assert again["views"]["0"]["own_move"] == last["views"]["0"]["own_move"]
                assert again["log"] == last["log"]
                repeated = ann.move(table, 0, "pass", client_id=f"seat-0-kill-{kill}")
                assert repeated["views"]["0"]["own_move"] == last["views"]["0"]["own_move"]
    end = play_out(table, {0: ann, 1: ben})
    text = ann.http.get(f"/api/tables/{table}/record").content
    assert list(record.verify(record.read(text)).outcome.totals) == end["outcome"]["totals"]


def _to_move(guest: Guest, table: str, seat: int) -> dict[str, Any]:
    """The table when it is the seat's turn, else nothing."""
    seen: dict[str, Any] = guest.see(table)
    return seen if seen["legal"][str(seat)] else {}


def test_moves_under_fire_are_all_or_nothing(start: Start) -> None:
    """Killed while moves rain down: what was confirmed is there, what is there is legal."""
    server = start()
    ann = server.guest()
    tables = [ann.set_up("me") for _ in range(4)]
    confirmed = dict.fromkeys(tables, 0)

    def play(table: str) -> None:
        with suppress(httpx.TransportError):  # the server is killed
            for _ in range(15):  # before any game ends
                confirmed[table] = ann.move(table, 0, "pass")["number"]

    threads = [threading.Thread(target=play, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    until(lambda: min(confirmed.values()) >= 3)
    server.kill()
    for thread in threads:
        thread.join()
    server.start()
    for table in tables:
        assert confirmed[table] <= ann.see(table)["number"] <= confirmed[table] + 1


@ON_SQLITE
def test_bot_goes_on_after_a_restart(start: Start) -> None:
    server = start()
    ann = server.guest()
    table = ann.set_up("me", "greedy", "greedy", "greedy")
    ann.http.post(
        f"/api/tables/{table}/moves",
        json={"seat": 0, "move": "pass", "client_id": "just-before-the-end"},
    )
    server.kill()
    server.start()
    until(lambda: ann.see(table)["views"]["0"]["turn"] >= 2)


@ON_SQLITE
def test_workers_end_with_a_killed_server(start: Start) -> None:
    server = start()
    ann = server.guest()
    table = ann.set_up("me", "random")
    ann.move(table, 0)
    until(lambda: ann.see(table)["views"]["0"]["turn"] == 2)
    workers = _children(server.process.pid)
    assert workers
    server.kill()
    until(lambda: not any(_alive(worker) for worker in workers))


def _children(process: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True)
    return [int(word) for word in listed.stdout.split()]


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()


def test_two_processes_share_a_table_and_one_is_killed(start: Start) -> None:
    """Players on different processes; one process dies, its player goes to the other one."""
    left, right = start(), start()
    ann, ben, eve = left.guest("Ann"), right.guest("Ben"), right.guest()
    table = ann.set_up("me", "open", "greedy")
    with ann.socket(table) as far, eve.socket(table) as watcher:
        ben.join(table)
        far.table(lambda t: t["started"])
        with ben.socket(table) as near:
            for turn in range(2, 5):
                ann.move(table, 0)
                near.table(lambda t: t["seats"][0]["moved"])
                ben.move(table, 1)
                far.table(reached(turn))
                watcher.table(reached(turn))
        left.kill()
        ann.moved_to(right)
        seen = ann.see(table)
        assert seen["seats"][0]["mine"]
        ann.move(table, 0)
        ben.move(table, 1)
        watcher.table(lambda t: t["views"]["-1"]["turn"] == 5)
    end = play_out(table, {0: ann, 1: ben}, pick=0)
    text = ann.http.get(f"/api/tables/{table}/record").content
    assert list(record.verify(record.read(text)).outcome.totals) == end["outcome"]["totals"]


def test_two_processes_know_who_is_online(start: Start, backing: Backing) -> None:
    if not backing.channels:
        return  # without channels each process knows its own sockets only
    left, right = start(), start()
    ann, ben = left.guest(), right.guest()
    table = ann.set_up("me", "open")
    ben.join(table)
    with ann.socket(table) as ear:
        with ben.socket(table) as other:
            ear.await_people([0, 1], 0)
            other.await_people([0, 1], 0)
        ear.await_people([0], 0)


def test_who_is_online_survives_processes_that_come_and_go(start: Start, backing: Backing) -> None:
    if not backing.channels:
        return  # without channels each process knows its own sockets only
    left, right = start(), start()
    ann, ben = left.guest(), right.guest()
    table = ann.set_up("me", "open", public=True)
    ben.join(table)

    def online(guest: Guest) -> list[bool]:
        return [seat["online"] for seat in guest.see(table)["seats"]]

    with ann.socket(table) as ear, ben.socket(table):
        ear.await_people([0, 1], 0)
        late = start().guest()  # nobody comes or goes any more, and still it knows
        until(lambda: online(late) == [True, True])
        mine = ann.ok(ann.http.get("/api/tables?which=mine"))
        assert [seat["online"] for seat in mine[0]["seats"]] == [True, True]
        right.kill()  # without a chance to say who left
        ear.await_people([0], 0)
        until(lambda: online(late) == [True, False])


def test_redis_that_is_lost_holds_up_nobody(tmp_path: Path) -> None:
    """Without notes the processes still hear of each other's events, from the database."""
    with services.redis() as address:
        backing = Backing("sqlite", f"sqlite:///{tmp_path / 'tables.sqlite'}", address)
        left, right = Server(backing, tmp_path), Server(backing, tmp_path)
        ann, ben = left.guest(), right.guest()
        table = ann.set_up("me", "open")
        ben.join(table)
    with ben.socket(table) as ear:
        ear.table()
        ann.move(table, 0)
        ear.table(lambda t: t["seats"][0]["moved"])
        ben.move(table, 1)
        await_turn(ann, table, 2)
    for server in (left, right):
        server.stop()
        told = [line["message"].partition(" ")[0] for line in server.errors()]
        assert [word for word in told if word != "Another"] == ["channels"]  # lost, told once


def test_two_processes_race_for_the_same_event(start: Start) -> None:
    """One guest, two processes, the same turn at the same time, again and again: one move each."""
    left, right = start(), start()
    ann = left.guest()
    table = ann.set_up("me", "me")
    other = left.guest()
    other.http.cookies = ann.http.cookies
    other.moved_to(right)
    for turn in range(1, 6):
        with ThreadPoolExecutor(2) as pool:
            clicks = [pool.submit(guest.try_move, table, 0, "pass") for guest in (ann, other)]
        assert sorted(click.result().status_code for click in clicks) == [200, 409]
        ann.move(table, 1, "pass")
        assert other.see(table)["number"] == 2 * turn


def test_two_processes_never_both_play_a_bot(start: Start) -> None:
    left, right = start(), start()
    ann = left.guest()
    table = ann.set_up("me", "random", "random", "random")
    for turn in range(2, 6):
        ann.moved_to(left if turn % 2 else right)
        ann.move(table, 0)
        await_turn(ann, table, turn)
    events = ann.see(table)["number"]
    assert 16 <= events <= 19


def test_database_that_is_not_there() -> None:
    for address in ("sqlite:////no/such/folder/x.sqlite", "sqlite://", "nonsense", "mysql://x/y"):
        result = run("serve", "--port", free_port(), "--database", address)
        assert result.returncode == WRONG, result
        assert "Traceback" not in result.stderr


@ON_SQLITE
def test_stops_when_asked(start: Start) -> None:
    server = start()
    ann = server.guest()
    table = ann.set_up("me")
    with ann.socket(table) as ear:
        ear.table()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(services.DEADLINE) in (0, -signal.SIGTERM)
