"""Spectators: many at one table, coming and going, without delaying those who play."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from server.services import DEADLINE, ON_SQLITE, Guest, Server
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import ClientConnection, connect

Start = Callable[..., Server]


def watch(server: Server, table: str, **more: Any) -> ClientConnection:
    """Opens a socket without a cookie, as somebody who was never here."""
    url = f"{server.url.replace('http', 'ws')}/api/tables/{table}/live"
    settings: dict[str, Any] = {"origin": server.url, "max_size": None, "close_timeout": 1}
    line: ClientConnection = connect(url, **settings, **more)
    return line


def message_with(line: ClientConnection, condition: Callable[[Any], bool]) -> str:
    """The next message that is as wanted."""
    while True:
        text = line.recv(timeout=DEADLINE)
        assert isinstance(text, str)
        if condition(json.loads(text)):
            return text


@ON_SQLITE
def test_spectators_get_the_same_bytes(server: Server) -> None:
    """The view of spectators is made once; those at the table get their own."""
    ann = server.guest("Ann")
    table = ann.set_up("me", "me")
    with ExitStack() as stack:
        lines = [stack.enter_context(watch(server, table)) for _ in range(5)]
        holder = stack.enter_context(ann.socket(table))
        for line in lines:
            message_with(line, lambda m: any(s["online"] for s in m.get("table", {})["seats"]))
        for seat, shown in ((0, {"actors", "moved"}), (1, {"actors", "moved", "sheets", "turn"})):
            number = ann.move(table, seat)["number"]
            news = {
                message_with(line, lambda m, n=number: m.get("table", {}).get("number") == n)  # type: ignore[misc]
                for line in lines
            }
            assert len(news) == 1
            seen = json.loads(news.pop())["table"]
            assert list(seen["views"]) == ["-1"]
            changed = seen["views"]["-1"].keys()
            assert changed >= shown
            assert ("log" in seen) == ("sheets" in changed) == (seat == 1)
            assert not any(seat["mine"] for seat in seen["seats"])
            mine = holder.table(lambda t, n=number: t["number"] == n)  # type: ignore[misc]
            assert list(mine["views"]) == ["0", "1"]


def test_sockets_of_one_address_at_a_table_are_limited(start: Start) -> None:
    server = start(HEADWAY_RATE_LIMIT=0.25)
    ann = server.guest("Ann")
    table = ann.set_up("me")
    with ExitStack() as stack:
        lines = [stack.enter_context(watch(server, table)) for _ in range(12)]
        for line in lines[:10]:
            assert json.loads(line.recv(timeout=DEADLINE))["type"] == "table"
        for line in lines[10:]:
            with pytest.raises(ConnectionClosedError) as closed:
                line.recv(timeout=DEADLINE)
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 4429
        other = stack.enter_context(watch(server, table, source_address=("127.0.0.2", 0)))
        assert json.loads(other.recv(timeout=DEADLINE))["type"] == "table"


@ON_SQLITE
def test_presence_is_told_at_most_once_a_second(server: Server) -> None:
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open")
    ben.join(table)
    with ann.socket(table) as ear:
        ear.table()
        began = time.monotonic()
        for _ in range(30):
            with ben.socket(table) as other:
                other.table()
        number = ann.move(table, 0)["number"]
        ear.table(lambda t: t["number"] == number)
        seconds = time.monotonic() - began
    messages = [m for m in ear.heard if "number" not in m.get("table", {"number": 0})]
    assert len(messages) <= seconds + 2


@ON_SQLITE
def test_a_former_player_has_a_view_of_their_own(server: Server) -> None:
    """Somebody for whom a bot keeps a seat sees that, though they hold no seat."""
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open")
    ben.join(table)
    ben.ok(ben.post(f"tables/{table}/seats/1/bot", bot="greedy"))
    assert kept(ben, table) == [False, True]
    assert kept(server.guest(), table) == [False, False]


def kept(guest: Guest, table: str) -> list[bool]:
    with guest.socket(table) as ear:
        return [seat.get("kept", False) for seat in ear.table()["seats"]]
