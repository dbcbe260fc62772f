"""Reviews on the server: made once, by one process at a time, whatever happens to the processes."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from own_loop import run
from server.services import Backing, Guest, Server, play_out, until

import headway
from headway.reviews import ENGINE
from headway.server.database.engine import Database, open_engine
from headway.server.database.migrations import upgrade
from headway.server.database.reviews import MOST_ATTEMPTS, ReviewStore

Start = Callable[..., Server]
SLOW = 240.0
"""Seconds for a review on a busy machine."""


def finished_game(guest: Guest) -> str:
    table = guest.set_up("me", training=True)
    play_out(table, {0: guest}, pick=0)
    return table


def reviewed(guest: Guest, path: str) -> Any:
    """The finished review."""

    def look() -> Any:
        review = guest.ok(guest.http.get(f"/api/{path}"))
        return review if review["state"] == "done" else None

    return until(look, SLOW)


@pytest.mark.parametrize("backing", ["sqlite"], indirect=True)
def test_a_review_survives_a_kill_and_is_the_same_for_everybody(
    start: Start, backing: Backing
) -> None:
    server = start(HEADWAY_REVIEW_BUDGET=4)
    ann, ben = server.guest("Ann"), server.guest("Ben")
    running = ann.set_up("me", training=True)
    for answer in (
        ann.post(f"tables/{running}/review"),
        ann.http.get(f"/api/tables/{running}/review"),
    ):
        assert answer.status_code == 409
    table = finished_game(ann)
    path = f"tables/{table}/review"
    assert ann.http.get(f"/api/{path}").status_code == 404, "nobody has asked for it"
    asked = ann.ok(ann.post(path))
    assert asked["state"] in ("waiting", "running")

    def begun() -> Any:
        review = ann.ok(ann.http.get(f"/api/{path}"))
        seats = review["review"]["seats"] if review["review"] else review["seats"]
        return seats[0]["turns"] if seats else None

    turns = until(begun, SLOW)
    assert turns[0]["round"] == turns[0]["turn"] == 1
    server.kill()
    server.start()
    review = reviewed(ann, path)["review"]
    assert review["engine"] == ENGINE
    assert review["seats"][0]["turns"][: len(turns)] == turns, "what was stored stayed"
    seat = review["seats"][0]
    total = seat["start"] + seat["luck"] - seat["loss"] + seat["others"] + seat["recount"]
    assert total == seat["result"]
    assert "seed" not in review["best"]["record"], "no seed comes out of a review"
    assert ben.ok(ben.post(path))["review"] == review
    with sqlite3.connect(backing.database.removeprefix("sqlite:///")) as database:
        (owner, stored), *others = database.execute("SELECT owner, record FROM reviews").fetchall()
    database.close()
    assert (owner, others) == ("", [])
    assert b"Ann" not in zlib.decompress(stored), "a name stays with its table"


@pytest.mark.parametrize("backing", ["sqlite"], indirect=True)
def test_a_record_from_a_file_is_reviewed(start: Start) -> None:
    server = start(HEADWAY_REVIEW_BUDGET=4)
    ann = server.guest("Ann")
    game = headway.Table("ticket-to-ride", seats=2, seed=1)
    headway.play_out(game, [headway.make_bot("random", game.game, seat) for seat in range(2)])
    text = game.record().json().decode()
    asked = ann.ok(ann.post("reviews", record=text))
    again = ann.ok(ann.post("reviews", record=text))
    assert asked["id"] == again["id"]
    answer = ann.post("reviews", record=text.replace('"london"', '"atlantis"'))
    assert answer.status_code == 400
    assert "atlantis" in answer.json()["error"]["sentence"]
    assert ann.http.get("/api/reviews/nothing").status_code == 404
    table = finished_game(ann)
    assert ann.http.get(f"/api/reviews/{table}").status_code == 404, "a table is not a sent record"
    review = reviewed(ann, f"reviews/{asked['id']}")["review"]
    assert [seat["measure"] for seat in review["seats"]] == ["victory"] * 2


def test_two_processes_never_make_the_same_review(backing: Backing) -> None:
    async def check() -> None:
        engines = [open_engine(backing.database) for _ in range(2)]
        await upgrade(engines[0])
        one, other = (ReviewStore(Database(engine), "test", 60.0) for engine in engines)
        for key, owner in (("a1", "ann"), ("a2", "ann"), ("b1", "ben")):
            await one.ask(key, owner, b"{}")
            await other.ask(key, owner, b"{}")
        places = {}
        for key in ("a1", "b1", "a2"):
            review = await one.read(key)
            assert review
            places[key] = review.ahead
        assert places == {"a1": 0, "b1": 1, "a2": 2}, "who asks for many waits longer"
        claimed = [await store.claim_next(name) for store, name in ((one, "p"), (other, "q"))]
        assert claimed == ["a1", "b1"]
        assert not await other.claim("a1", "q")
        assert await one.save("a1", "p", 1, 2, b"half")
        assert not await other.save("a1", "q", 2, 2, b"other")
        await _lease_ends(one, other)
        for _ in range(MOST_ATTEMPTS):
            assert await one.claim("a2", "p")
            await one.give_up("a2", "p")
        broken = await one.read("a2")
        assert broken
        assert broken.failed
        for engine in engines:
            await engine.dispose()

    run(check())


async def _lease_ends(one: ReviewStore, other: ReviewStore) -> None:
    """Another process takes over and finishes; the first one cannot write any more."""
    one.lease_seconds = -1.0
    assert await one.renew("a1", "p")
    assert await other.claim("a1", "q")
    taken = await other.read("a1")
    assert taken
    assert (taken.done, taken.content) == (1, b"half")
    assert not await one.renew("a1", "p")
    assert not await one.finish("a1", "p", b"late")
    assert await other.finish("a1", "q", b"whole")
    whole = await one.read("a1")
    assert whole
    assert (whole.finished, whole.content, whole.ahead) == (True, b"whole", 0)
    assert not await one.claim("a1", "p")
