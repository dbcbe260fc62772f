"""Seats of a running game: nobody sees two hands by changing seats."""

from __future__ import annotations

import httpx
import pytest
from server.services import ON_SQLITE, Guest, Server, play_out, until


def key_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["key"]


@pytest.fixture
def duel(server: Server) -> tuple[str, Guest, Guest]:
    """A running game with secret hands."""
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", "open", game="ticket-to-ride", public=True)
    ben.join(table)
    server.guest("Cleo").join(table)
    return table, ann, ben


@ON_SQLITE
def test_an_opponent_cannot_take_an_abandoned_seat(
    server: Server, duel: tuple[str, Guest, Guest]
) -> None:
    """The attack: take the seat, read its hand, leave it and play on with what was read."""
    table, ann, ben = duel
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    assert key_of(ann.post(f"tables/{table}/join", seat=1)) == (409, "server.seat_left")
    assert list(ann.see(table)["views"]) == ["0"]
    second = server.guest("Ann in another browser")
    assert key_of(second.post(f"tables/{table}/join", seat=1)) == (409, "server.seat_left")
    assert key_of(second.post(f"tables/{table}/join")) == (409, "server.full")
    assert table not in [head["id"] for head in second.http.get("/api/tables").json()]
    seat = ann.see(table)["seats"][1]
    assert (seat["name"], seat["kind"], seat["left"]) == ("Ben", "open", True)


@ON_SQLITE
def test_the_former_holder_comes_back(duel: tuple[str, Guest, Guest]) -> None:
    table, _, ben = duel
    hand = ben.see(table)["views"]["1"]["hand"]
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    assert list(ben.see(table)["views"]) == ["-1"]
    assert ben.see(table)["seats"][1]["kept"]
    assert table in [head["id"] for head in ben.http.get("/api/tables?which=mine").json()]
    assert ben.join(table)["views"]["1"]["hand"] == hand


@ON_SQLITE
def test_or_a_bot_takes_it_until_they_do(duel: tuple[str, Guest, Guest]) -> None:
    table, ann, ben = duel
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    ann.ok(ann.post(f"tables/{table}/seats/1/bot", bot="random"))
    seat = until(lambda: (now := ann.see(table)["seats"][1])["moved"] and now)
    assert (seat["name"], seat["bot"], seat["former"]) == ("Ben", "random", True)
    assert key_of(ann.post(f"tables/{table}/join", seat=1)) == (409, "server.taken")
    assert ben.join(table)["seats"][1]["mine"]


def test_a_guest_has_one_seat(server: Server) -> None:
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", "open")
    ben.join(table)
    for guest in (ann, ben):
        assert key_of(guest.post(f"tables/{table}/join")) == (409, "server.one_seat")
        assert key_of(guest.post(f"tables/{table}/join", seat=2)) == (409, "server.one_seat")
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    ben.join(table, seat=2)  # before the game begins, seats can be changed


@ON_SQLITE
def test_one_screen_has_several(server: Server) -> None:
    ann = server.guest("Ann")
    table = ann.set_up("me", "me")
    ann.ok(ann.post(f"tables/{table}/leave", seat=1))
    ann.join(table, seat=1)
    assert play_out(table, {0: ann, 1: ann})["finished"]
