"""How many tables somebody may have: waiting, with bots, open; and what becomes of old ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.in_process import idle_process
from server.services import PATIENT, Backing, Guest, Server, until
from support.own_loop import run

from benchmarks.attacks import copy_table
from headway.server.tables import quotas
from headway.server.tables.quotas import (
    BOT_TABLES,
    OPEN_TABLES,
    WAITING_TABLES,
)
from headway.server.tables.setup import NewSeat, NewTable, Persona
from headway.server.tables.store import LOBBY_SECONDS, WAITING_TABLE_SECONDS

Start = Callable[..., Server]
ME, OPEN, BOT = {"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "greedy"}


@pytest.fixture
def backing(tmp_path: Path) -> Backing:
    return Backing("sqlite", f"sqlite:///{tmp_path / 'tables.sqlite'}", "")


def at(server: Server, address: str) -> Guest:
    """A guest who comes from an address."""
    guest = server.guest()
    guest.http.close()
    transport = httpx.HTTPTransport(local_address=address)
    guest.http = httpx.Client(
        base_url=server.url, cookies=guest.http.cookies, transport=transport, **PATIENT
    )
    return guest


def set_up(guest: Guest, *seats: Any, **more: Any) -> httpx.Response:
    body = {"game": "next-station", "map": "london", "seats": list(seats)}
    return guest.post("tables", **body, **more)


def sql(backing: Backing, statement: str, *values: object) -> None:
    with sqlite3.connect(backing.database.removeprefix("sqlite:///")) as database:
        database.execute(statement, values)
    database.close()


def test_waiting_tables_of_a_guest(start: Start) -> None:
    """Also those who ask for all tables at once get no more."""
    eve = at(start(HEADWAY_RATE_LIMIT=1), "127.0.0.2")
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: set_up(eve, ME, OPEN, public=True), range(10)))
    codes = [answer.status_code for answer in answers]
    assert codes.count(201) == WAITING_TABLES.per_guest
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json()["error"]["key"] == WAITING_TABLES.key
    assert set_up(eve, ME).status_code == 201


def test_waiting_tables_of_an_address(start: Start) -> None:
    """Guests of one address cannot fill the lobby; somebody from elsewhere gets in."""
    server = start(HEADWAY_RATE_LIMIT=1)
    codes = []
    for _ in range(6):
        eve = at(server, "127.0.0.2")
        codes += [set_up(eve, ME, OPEN, public=True).status_code for _ in range(5)]
    assert codes.count(201) == WAITING_TABLES.per_address
    ann = at(server, "127.0.0.3")
    assert set_up(ann, ME, OPEN, public=True).status_code == 201
    assert len(ann.ok(ann.http.get("/api/tables"))) == WAITING_TABLES.per_address + 1


@pytest.mark.parametrize(
    ("quota", "seats", "idle"),
    [(BOT_TABLES, [ME, BOT], 3601), (OPEN_TABLES, [ME, ME], 7 * 86_400 + 1)],
)
def test_open_tables_of_a_guest(
    start: Start, backing: Backing, quota: Any, seats: list[Any], idle: float
) -> None:
    """Games that nobody has touched for long no longer count, so nobody is locked out."""
    eve = at(start(HEADWAY_RATE_LIMIT=1), "127.0.0.2")
    table = eve.ok(set_up(eve, *seats))["id"]
    copy_table(Path(backing.database.removeprefix("sqlite:///")), table, quota.per_guest - 2)
    assert set_up(eve, *seats).status_code == 201
    refused = set_up(eve, *seats)
    assert (refused.status_code, refused.json()["error"]["key"]) == (429, quota.key)
    sql(backing, "UPDATE tables SET changed = changed - ?", idle)
    assert set_up(eve, *seats).status_code == 201


def test_a_process_forgets_old_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MOST_NETWORKS", 3)

    async def check() -> None:
        async with idle_process(tmp_path) as process:
            for number in range(5):
                table = NewTable("next-station", "london", [NewSeat("me")])
                await process.authority.set_up(table, "ann", Persona("Ann"), f"10.0.0.{number}")
            known = process.authority.quotas.networks.values()
            assert list(known) == ["10.0.0.2", "10.0.0.3", "10.0.0.4"]

    run(check())


def test_old_waiting_tables_leave_the_lobby(start: Start, backing: Backing) -> None:
    """After an hour without anybody there, a table is no longer offered; the link still works."""
    server = start()
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", public=True)

    def offered() -> list[str]:
        return [head["id"] for head in ben.ok(ben.http.get("/api/tables"))]

    assert offered() == [table]
    sql(backing, "UPDATE tables SET changed = changed - ?", LOBBY_SECONDS + 1)
    assert offered() == []
    with ann.socket(table) as ear:
        ear.table()
        assert offered() == [table]
    ben.join(table)


def test_a_table_that_waits_for_a_week_is_deleted(start: Start, backing: Backing) -> None:
    server = start()
    ann, ben = server.guest("Ann"), server.guest("Ben")
    waiting, begun, new = (
        ann.set_up(*seats) for seats in (("me", "open", "open"), ("me",), ("me", "open"))
    )
    ben.join(waiting)
    ben.ok(ben.post(f"tables/{waiting}/leave", seat=1))
    ann.move(begun, 0)
    server.kill()
    sql(
        backing,
        "UPDATE tables SET changed = changed - ? WHERE id != ?",
        WAITING_TABLE_SECONDS + 1,
        new,
    )
    server.start()
    until(lambda: ann.http.get(f"/api/tables/{waiting}").status_code == 404)
    assert ann.see(begun)["number"] == 1
    assert ann.see(new)["number"] == 0
