"""Near-valid requests, by mutation, on both databases: the server answers every one."""

from __future__ import annotations

import json
import random
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.services import Guest, Server
from support.mutations import ODD, misspelt, mutated

NAMES = 150
BODIES = 300
ODD_NAMES = [
    "\0", "a\0b", "\u0000", "ﷺ" * 20, "ﷺ", "ß" * 40, "ŉ" * 40, "ΐ" * 40, "İ" * 24, "ﬃ" * 12,
    "\u0344" * 24, "e" + "\u0301" * 30, "\u200b", "\u202eann", "Ａｎｎ", "½" * 24, "\ud7ff", "",
    " ", "a" * 10_000, "\U0001f468\u200d\U0001f469" * 8, "\u1e9b\u0323" * 24, "\x1b[2J", "..", "/",
]  # fmt: skip
RECORD = Path(__file__).parents[2] / "records/next-station/london-1-base-all-cards.json"


def bodies() -> list[tuple[str, dict[str, Any]]]:
    """Good requests with a body, by address."""
    seat = {"kind": "bot", "bot": "random"}
    sheet = {"game": "next-station", "map": "london", "names": ["Ann"], "dealt": [], "moves": [[]]}
    return [
        ("tables", {"game": "next-station", "map": "london", "seats": [{"kind": "me"}, seat]}),
        ("tables", {"game": "ticket-to-ride", "map": "london", "seats": [{"kind": "me"}, seat]}),
        ("replay", {"record": RECORD.read_text("utf-8"), "own": True}),
        ("paper", sheet),
        ("paper/why", {**sheet, "seat": 0, "move": "h3g2"}),
        ("account", {"name": "Ann", "password": "correct horse battery"}),
        ("account/session", {"name": "Ann", "password": "correct horse battery"}),
    ]


def is_answered(answer: httpx.Response, sent: object) -> None:
    """Fails unless the server did what was asked, or said in a sentence why not."""
    assert answer.status_code < 500, (answer.status_code, answer.text, sent)
    if answer.status_code >= 400:
        assert answer.json()["error"]["sentence"], sent


def named(chance: random.Random) -> str:
    """A name as somebody may try it."""
    name = chance.choice([*ODD_NAMES, "Ann", "Zoë", "Ольга", "李雷"])
    return misspelt(name, chance) if chance.random() < 0.5 else name


def try_name(guest: Guest, name: str, table: str) -> None:
    body = {"name": name}
    is_answered(guest.http.patch("/api/me", json=body), body)
    is_answered(guest.http.get("/api/me"), body)
    is_answered(guest.post("account", name=name, password="x" * 12), body)
    is_answered(guest.post(f"tables/{table}/join", **body), body)


def test_every_name_is_answered(server: Server) -> None:
    chance = random.Random(1)
    host = server.guest()
    for number in range(NAMES):
        if number % 50 == 0:
            guest, table = server.guest(), host.set_up("me", "open")
        try_name(guest, named(chance), table)


def test_every_request_is_answered(server: Server) -> None:
    chance = random.Random(2)
    guest = server.guest()
    for _ in range(BODIES):
        path, body = chance.choice(bodies())
        sent = mutated(body, chance, chance.randint(1, 2))
        text = json.dumps(sent)
        answer = guest.http.post(
            f"/api/{path}", content=text, headers={"content-type": "application/json"}
        )
        is_answered(answer, (path, text))


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_every_move_is_answered(server: Server, odd: object) -> None:
    guest = server.guest()
    table = guest.set_up("me")
    for body in (
        {"seat": 0, "move": odd, "client_id": str(uuid.uuid4())},
        {"seat": odd, "move": "pass", "client_id": str(uuid.uuid4())},
        {"seat": 0, "move": "pass", "client_id": odd},
    ):
        is_answered(guest.http.post(f"/api/tables/{table}/moves", json=body), body)
