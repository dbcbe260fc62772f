"""The socket of a review: every message is news, and the last one is the review."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from server.services import DEADLINE, Guest, Server, play_out
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

SEATS = [{"kind": "me"}]
TABLE: dict[str, Any] = {"game": "next-station", "map": "london", "seats": SEATS, "training": True}


def test_a_socket_tells_how_far_a_review_is(start: Callable[..., Server]) -> None:
    server = start(HEADWAY_REVIEW_BUDGET=4)
    guest = server.guest()
    table = guest.ok(guest.post("tables", **TABLE))["id"]
    play_out(table, {0: guest}, 0)
    path = f"tables/{table}/review"
    refused(guest, path)  # nobody has asked
    guest.ok(guest.post(path))
    with listening(guest, path) as line:
        heard = [json.loads(message) for message in line]
    told = [one for one in heard if one.get("type") != "pong"]
    versions = [one["version"] for one in told]
    assert len(set(versions)) == len(versions)
    assert told[-1]["state"] == "done"
    assert told[-1]["review"]
    refused(guest, f"reviews/{table}")  # a table is no record that was sent


def refused(guest: Guest, path: str) -> None:
    """Nothing is told there."""
    with pytest.raises(ConnectionClosed) as closed, listening(guest, path) as line:
        line.recv(DEADLINE)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4404


def listening(guest: Guest, path: str) -> ClientConnection:
    """A page's end of the socket of a review."""
    cookies = "; ".join(f"{c.name}={c.value}" for c in guest.http.cookies.jar)
    url = f"{guest.server.url.replace('http', 'ws')}/api/{path}/live"
    settings: dict[str, Any] = {"origin": guest.server.url, "max_size": None}
    line: ClientConnection = connect(url, additional_headers={"cookie": cookies}, **settings)
    return line
