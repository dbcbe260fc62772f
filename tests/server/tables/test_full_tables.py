"""Tables with many events: what fills them is limited, and a full table can still be finished."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import pytest
from server.services import PATIENT, Backing, Guest, Server, play_out, until
from server.steps import ask_undo, undo
from support import own_loop

from headway.errors import HeadwayError
from headway.server.process import ServerProcess
from headway.server.tables import decisions, events
from headway.server.tables.clocks import Clock
from headway.server.tables.events import (
    MOST_EVENTS,
    MOST_PER_GUEST,
    MOVE,
    READY,
    SIT,
    UNDOS_PER_TURN,
)
from headway.server.tables.setup import NewSeat, NewTable, Persona
from headway.settings import ServerSettings

Start = Callable[..., Server]


@pytest.fixture
def backing(tmp_path: Path) -> Backing:
    return Backing("sqlite", f"sqlite:///{tmp_path / 'tables.sqlite'}", "")


def key_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["key"]


def test_a_loser_cannot_move_and_undo_for_ever(start: Start) -> None:
    """Each turn a seat takes back ten moves; then the game goes on, and the next turn has ten."""
    server = start()
    ann, eve = server.guest("Ann"), server.guest("Eve")
    table = ann.set_up("me", "open")
    eve.join(table)
    for turn in range(2):
        for _ in range(UNDOS_PER_TURN):
            eve.move(table, 1)
            undo(eve, table, 1, ann)
        assert eve.move(table, 1)["can_undo"] == {"1": False}
        for lang in ("en", "fr"):
            eve.http.headers["accept-language"] = lang
            assert key_of(ask_undo(eve, table, 1)) == (409, "server.undo_often")
        server.kill()
        server.start()  # what a process reads from the database counts as well
        assert key_of(ask_undo(eve, table, 1)) == (409, "server.undo_often")
        ann.move(table, 0)
        until(lambda turn=turn: ann.see(table)["views"]["0"]["turn"] == turn + 2)  # type: ignore[misc]


def test_a_learner_alone_takes_back_as_much_as_they_like(start: Start) -> None:
    ann = start().guest("Ann")
    table = ann.set_up("me", training=True)
    for _ in range(UNDOS_PER_TURN + 2):
        ann.move(table, 0)
        undo(ann, table, 0)


def test_a_stranger_cannot_kill_a_waiting_table(start: Start) -> None:
    server = start()
    ann, ben, eve = server.guest("Ann"), server.guest("Ben"), server.guest("Eve")
    table = ann.set_up("me", "open", "greedy", "open")
    for _ in range(MOST_PER_GUEST[SIT][0]):
        eve.join(table)
        eve.ok(eve.post(f"tables/{table}/leave", seat=1))
    assert key_of(eve.post(f"tables/{table}/join")) == (409, "server.joined_often")
    ben.join(table)
    server.guest("Cleo").join(table)
    assert ann.see(table)["started"]


def test_strangers_who_come_and_go_let_nobody_confirm_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MOST_PER_GUEST, READY, (2, "server.ready_often"))
    settings = ServerSettings(f"sqlite:///{tmp_path / 'ready.sqlite'}", rate=0, warm_up=False)

    async def play() -> str:
        async with ServerProcess.running(settings) as process:
            seats, clock = [NewSeat("me"), NewSeat("open")], Clock("turn", seconds=60)
            request = NewTable("next-station", "london", seats, clock=clock)
            tables = process.authority
            table = (await tables.set_up(request, "ann", Persona("Ann"))).setup.id
            for stranger in ("ben", "cleo", "eve"):
                sitting = partial(decisions.join, guest=stranger, seat=1, persona=Persona(stranger))
                await tables.change(table, sitting)
                try:
                    await tables.ready(table, "ann")
                except HeadwayError as error:
                    return error.key
                await tables.change(table, partial(decisions.leave, guest=stranger, seat=1))
        return ""

    assert own_loop.run(play()) == "server.ready_often"


def fill(backing: Backing, table: str) -> None:
    """Writes as many events of strangers who come and go as a table takes."""
    with sqlite3.connect(backing.database.removeprefix("sqlite:///")) as database:
        rows = [
            (table, n, 1.0, ("leave", "sit")[n % 2], 1, f"guest {(n + 1) // 2}", None, "Eve", "[]")
            for n in range(1, MOST_EVENTS + 1)
        ]
        names = "table_id, number, at, kind, seat, guest, client_id, text, drops"
        database.executemany(f"INSERT INTO events ({names}) VALUES (?,?,?,?,?,?,?,?,?)", rows)
        database.execute("UPDATE tables SET number = ? WHERE id = ?", (MOST_EVENTS, table))
    database.close()


@pytest.mark.parametrize("opponent", ["person", "bot"])
def test_a_full_table_can_be_finished(start: Start, backing: Backing, opponent: str) -> None:
    """A waiting table that strangers have filled still takes players, moves and bots."""
    server = start()
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", "open")
    server.stop()
    fill(backing, table)
    server.start()
    ann.http, ben.http = _again(ann), _again(ben)
    assert ann.see(table)["number"] == MOST_EVENTS
    ann.ok(ann.post(f"tables/{table}/seats/2/bot", bot="greedy"))
    players = {0: ann}
    if opponent == "bot":
        ann.ok(ann.post(f"tables/{table}/seats/1/bot", bot="greedy"))
    else:
        ben.join(table)
        players[1] = ben
    ann.move(table, 0)
    assert key_of(ask_undo(ann, table, 0))[0] == 409
    assert play_out(table, players, pick=0)["finished"]
    assert server.errors() == []


def test_a_bot_that_is_refused_sleeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Trying the same move again and again would keep a worker busy for ever."""
    monkeypatch.setattr(events, "MOST_EVENTS", 1)
    monkeypatch.setattr(events, "DISPENSABLE", (MOVE,))
    settings = ServerSettings(f"sqlite:///{tmp_path / 'full.sqlite'}", rate=0, warm_up=False)

    async def play() -> tuple[int, list[str]]:
        async with ServerProcess.running(settings) as process:
            request = NewTable("next-station", "london", [NewSeat("me"), NewSeat("bot", "random")])
            table = await process.authority.set_up(request, "ann", Persona("Ann"))
            await process.authority.move(table.setup.id, "ann", 0, "pass", "the last one", 0)
            while "bot refused" not in caplog.messages:
                await asyncio.sleep(0.01)
            while (due := await process.store.due(2e9)) and table.setup.id in due:
                await asyncio.sleep(0.01)
            return await process.store.number(table.setup.id), due

    assert own_loop.run(play()) == (1, [])
    assert caplog.messages.count("bot refused") == 1


def _again(guest: Guest) -> httpx.Client:
    return httpx.Client(base_url=guest.server.url, cookies=guest.http.cookies, **PATIENT)
