"""Tokens: they play, and nothing else; their owner sees, names and ends them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from server.services import PATIENT, Guest, Server
from server.steps import PASSWORD, became, claim, key_of, sign_in
from websockets.exceptions import ConnectionClosed


def new_token(guest: Guest, name: str = "bot") -> str:
    token: str = guest.ok(guest.post("tokens", name=name))["token"]
    return token


def tokens_of(guest: Guest) -> Any:
    return guest.ok(guest.http.get("/api/tokens"))


@contextmanager
def program(server: Server, token: str) -> Iterator[httpx.Client]:
    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=server.url, headers=headers, **PATIENT) as client:
        yield client


def works(server: Server, token: str) -> bool:
    with program(server, token) as client:
        return client.get("/api/me").status_code == 200


@pytest.mark.parametrize("known", [False, True])
def test_a_guests_token_never_becomes_an_accounts(server: Server, known: bool) -> None:
    """The attack: slip somebody a guest's cookie, keep its token, wait until they sign in."""
    name = f"Victim {server.backing.name} {known}"
    if known:
        claim(server.guest(), name)
    guest = server.guest()
    token = new_token(guest)
    assert works(server, token)
    (sign_in if known else claim)(guest, name)
    assert not works(server, token)
    assert tokens_of(guest) == []


def test_listed_named_and_revoked(server: Server) -> None:
    owner, stranger = server.guest(), server.guest()
    first, second = new_token(owner, "first"), new_token(owner, "second")
    listed = tokens_of(owner)
    assert [token["name"] for token in listed] == ["second", "first"]
    assert first not in repr(listed)
    path = f"/api/tokens/{listed[1]['id']}"
    assert key_of(stranger.http.patch(path, json={"name": "mine"})) == (404, "server.no_token")
    assert key_of(stranger.http.delete(path)) == (404, "server.no_token")
    named = owner.ok(owner.http.patch(path, json={"name": "Night bot"}))
    assert [token["name"] for token in named] == ["second", "Night bot"]
    assert [token["name"] for token in owner.ok(owner.http.delete(path))] == ["second"]
    assert not works(server, first)
    assert works(server, second)
    for wrong in ("%" * 16, "_" * 16, "0" * 16):
        assert owner.http.delete(f"/api/tokens/{wrong.replace('%', '%25')}").status_code == 404
    assert works(server, second)


def test_a_revoked_token_loses_its_socket(server: Server) -> None:
    owner = server.guest()
    table, token = owner.set_up("me", "open"), new_token(owner)
    headers = {"authorization": f"Bearer {token}"}
    with owner.socket(table, additional_headers=headers, origin=None) as ear:
        ear.table()
        owner.ok(owner.http.delete(f"/api/tokens/{tokens_of(owner)[0]['id']}"))
        with pytest.raises(ConnectionClosed):
            ear.wait(lambda _: False)


def test_a_token_plays_and_does_nothing_else(server: Server) -> None:
    """The attacks of a program that has a token: another name, more tokens, another password."""
    owner = claim(server.guest(), f"Tokenowner {server.backing.name}")
    token, table = new_token(owner), owner.set_up("me")
    listed = tokens_of(owner)[0]["id"]
    with program(server, token) as bot:
        refused = [
            bot.patch("/api/me", json={"name": "Somebody else"}),
            bot.post("/api/tokens", json={"name": "another"}),
            bot.get("/api/tokens"),
            bot.patch(f"/api/tokens/{listed}", json={"name": "renamed"}),
            bot.delete(f"/api/tokens/{listed}"),
            bot.post("/api/account/password", json={"old": PASSWORD, "new": "another password"}),
            bot.post("/api/account/delete", json={"password": PASSWORD}),
        ]
        assert {key_of(answer) for answer in refused} == {(403, "server.token_account")}
        body = {"seat": 0, "move": "pass", "client_id": "a-program"}
        assert bot.post(f"/api/tables/{table}/moves", json=body).status_code == 200


def test_a_new_password_ends_tokens_unless_kept(server: Server) -> None:
    """The attack: take a token while the password is known, and play on after it has changed."""
    owner = claim(server.guest(), f"Careful {server.backing.name}")
    token = new_token(owner)
    change = {"old": PASSWORD, "new": "another password"}
    became(owner, owner.post("account/password", **change, keep_tokens=True))
    assert works(server, token)
    became(owner, owner.post("account/password", old="another password", new=PASSWORD))
    assert not works(server, token)


def test_a_chosen_seed_is_told_to_all_who_join(server: Server) -> None:
    """The attack: invite others to a training game whose cards the host knows."""
    host, ben = server.guest("Host"), server.guest("Ben")
    table = host.set_up("me", "open", training=True, seed=7, public=True)
    assert ben.see(table)["seed_chosen"]
    listed = {head["id"]: head for head in ben.http.get("/api/tables").json()}
    assert listed[table]["seed_chosen"]
    assert ben.join(table)["seed_chosen"]
    other = host.set_up("me", "open", training=True)
    assert not ben.join(other)["seed_chosen"]
