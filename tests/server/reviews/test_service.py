"""Reviews on the server: made once, by one process at a time, whatever happens to the processes."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import zlib
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from itertools import count
from typing import Any

import pytest
from server.services import Backing, Guest, Server, play_out, until
from sqlalchemy import delete, func, select, update
from support.own_loop import run

import headway
from headway.reviews import ENGINE
from headway.server.core.database import Database, open_engine
from headway.server.core.errors import RefusedError
from headway.server.core.migrations import upgrade
from headway.server.core.schema import PUZZLES, REVIEW_RESULTS, REVIEWS
from headway.server.reviews.store import (
    MOST_ATTEMPTS,
    NOBODY,
    SENT,
    WAITING_REVIEWS,
    ReviewStore,
)
from headway.server.web.limits import Quotas, Usage

Start = Callable[..., Server]
SLOW = 240.0
"""Seconds for a review on a busy machine."""


def finished_game(guest: Guest, pick: int = 0) -> str:
    """A game alone; played with the last legal moves it has four puzzles."""
    table = guest.set_up("me", training=True, seed=6)
    play_out(table, {0: guest}, pick)
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
    server = start(HEADWAY_REVIEW_BUDGET=4, HEADWAY_SEED="review")
    ann, ben = server.guest("Ann"), server.guest("Ben")
    running = ann.set_up("me", training=True)
    for answer in (
        ann.post(f"tables/{running}/review"),
        ann.http.get(f"/api/tables/{running}/review"),
    ):
        assert answer.status_code == 409
    table = finished_game(ann, pick=-1)
    path = f"tables/{table}/review"
    assert ann.ok(ann.http.get(f"/api/{path}")) is None, "nobody has asked for it"
    poster = f"/api/tables/{table}/poster.png?width=80"
    before = ann.http.get(poster).content
    asked = ann.ok(ann.post(path))
    assert asked["state"] in ("waiting", "running")

    def begun() -> Any:
        review = ann.ok(ann.http.get(f"/api/{path}"))
        seats = review["review"]["seats"] if review["review"] else review["seats"]
        return seats[0]["turns"] if review["done"] > 1 else None  # first figures are made again

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
    [shown] = reviewed(ann, path)["luck_and_skill"]
    assert abs(1000 * shown["luck"] - seat["luck"]) < 1000
    assert shown["skill"] == round(100 * (seat["result"] - seat["luck"]) / seat["start"])
    assert ann.http.get(poster).content != before, "luck and skill are on the poster"
    assert ben.ok(ben.post(path))["review"] == review
    practises(ann, path, seat)
    plays_on(ann, path, review, 0)
    with sqlite3.connect(backing.database.removeprefix("sqlite:///")) as database:
        (owner, stored), *others = database.execute("SELECT owner, record FROM reviews").fetchall()
    database.close()
    assert (owner, others) == ("", [])
    assert b"Ann" not in zlib.decompress(stored), "a name stays with its table"


def practises(guest: Guest, path: str, seat: dict[str, Any]) -> None:
    """Tries decisions again: the best move, the one played, another one, one that is not legal."""
    index, turn = max(enumerate(seat["turns"]), key=lambda pair: pair[1]["loss"])
    place = {"seat": seat["seat"], "turn": index}
    good = 500 if seat["measure"] == "points" else 1000

    def attempt(move: str) -> Any:
        return guest.ok(guest.post(f"{path}/attempt", **place, move=move))

    exercise = guest.ok(guest.http.get(f"/api/{path}/exercise", params=place))
    assert exercise["view"]["seat"] == seat["seat"]
    assert {turn["best"], turn["played"]} <= set(exercise["legal"])
    best = attempt(turn["best"])
    assert (best["loss"], best["accepted"]) == (0, True)
    played = attempt(turn["played"])
    assert (played["loss"], played["accepted"]) == (turn["loss"], turn["loss"] <= good)
    listed = {entry["move"] for entry in turn["moves"]}
    for move in [move for move in exercise["legal"] if move not in listed][:1]:
        tried = attempt(move)
        assert tried["loss"] >= 0
        assert tried["accepted"] == (tried["loss"] <= good)
    refused = guest.post(f"{path}/attempt", **place, move="a0b0")
    assert refused.status_code in (400, 422)
    missing = guest.http.get(f"/api/{path}/exercise", params=place | {"turn": 999})
    assert missing.status_code == 404


def plays_on(guest: Guest, path: str, review: dict[str, Any], seat: int) -> None:
    """Continues a game from a decision in its middle, with the same cards and with new ones."""
    turns = review["seats"][seat]["turns"]
    decisions = [i for i, turn in enumerate(turns) if "played" in turn]
    index = decisions[len(decisions) // 2]
    place = {"seat": seat, "turn": index}
    exercise = guest.ok(guest.http.get(f"/api/{path}/exercise", params=place))
    for cards in ("same", "new"):
        table = guest.ok(guest.post(f"{path}/table", **place, cards=cards))
        assert table["training"]
        assert table["seed_chosen"] == (cards == "same")
        assert table["commitment"] == "", "nothing is promised about a deal that continues another"
        assert table["views"][str(seat)] == exercise["view"]
        assert table["legal"][str(seat)] == exercise["legal"]
        bots = [head["kind"] for head in table["seats"] if head["seat"] != seat]
        assert bots == ["bot"] * (len(review["seats"]) - 1)
        if cards == "same" and len(review["seats"]) == 1:
            dealt = " ".join(turn["dealt"] for turn in turns[index:]).split()
            guest.move(table["id"], seat, turns[index]["played"])
            guest.ok(guest.post(f"tables/{table['id']}/undo", seat=seat, client_id="undo-once"))
            play_out(table["id"], {seat: guest}, pick=0)
            log = guest.see(table["id"])["log"]
            seen = [line["text"].split()[-1] for line in log if line["seat"] < 0]
            assert seen[-len(dealt) :] == dealt
            record = guest.ok(guest.http.get(f"/api/tables/{table['id']}/record"))
            assert "seed" not in record


@pytest.mark.parametrize("backing", ["sqlite"], indirect=True)
def test_a_record_from_a_file_is_reviewed(start: Start, backing: Backing) -> None:
    server = start(HEADWAY_REVIEW_BUDGET=4)
    ann = server.guest("Ann")
    game = headway.Table("ticket-to-ride", seats=2, seed=1)
    headway.play_out(game, [headway.make_bot("random", game.game, seat) for seat in range(2)])
    text = game.record().json().decode()
    table = finished_game(ann, pick=-1)
    ann.ok(ann.post(f"tables/{table}/review"))
    asked = ann.ok(ann.post("reviews", record=text))
    again = ann.ok(ann.post("reviews", record=text))
    assert asked["id"] == again["id"]
    written = json.loads(text)
    for other in (
        json.dumps(written, indent=3),
        json.dumps(dict(reversed(written.items()))),
        json.dumps(written | {"names": ["Eve", "Bob"]}),
    ):
        assert ann.ok(ann.post("reviews", record=other))["id"] == asked["id"], "it is the same game"
    answer = ann.post("reviews", record=text.replace('"london"', '"atlantis"'))
    assert answer.status_code == 400
    assert "atlantis" in answer.json()["error"]["sentence"]
    assert ann.http.get("/api/reviews/nothing").status_code == 404
    assert ann.http.get(f"/api/reviews/{table}").status_code == 404, "a table is not a sent record"
    reviewed(ann, f"tables/{table}/review")
    server.kill()
    run(killed_while_searching(backing, table))
    server.start()
    review = reviewed(ann, f"reviews/{asked['id']}")["review"]
    assert [seat["measure"] for seat in review["seats"]] == ["victory"] * 2
    practises(ann, f"reviews/{asked['id']}", review["seats"][1])
    plays_on(ann, f"reviews/{asked['id']}", review, 1)
    leads_to_puzzles(backing, table)


async def killed_while_searching(backing: Backing, table: str) -> None:
    """Claims a game to search it for puzzles and does no more, as a process that is killed."""
    engine = open_engine(backing.database)
    store = ReviewStore(Database(engine), f"{ENGINE}@4", 1.0)
    # The server may have searched it already.
    await store.database.change(delete(PUZZLES).where(PUZZLES.c.table_id != ""))
    await store.database.change(update(REVIEWS).values(searched=REVIEWS.c.key != table, lease=0))
    assert await store.claim_search() == table
    await engine.dispose()


def leads_to_puzzles(backing: Backing, table: str) -> None:
    """Waits until a reviewed game is searched."""
    with sqlite3.connect(backing.database.removeprefix("sqlite:///")) as database:
        searched = "SELECT searched FROM reviews WHERE key = ?"
        until(lambda: database.execute(searched, (table,)).fetchone()[0], SLOW)
        made = "SELECT count(*) FROM puzzles WHERE table_id = ?"
        assert database.execute(made, (table,)).fetchone()[0]
    database.close()


@pytest.mark.parametrize("backing", ["postgresql"], indirect=True)
def test_two_whole_processes_make_one_review(start: Start) -> None:
    servers = [start(HEADWAY_REVIEW_BUDGET=4) for _ in range(2)]
    ann, ben = servers[0].guest("Ann"), servers[1].guest("Ben")
    path = f"tables/{finished_game(ann)}/review"
    with ThreadPoolExecutor() as pool:
        for answer in pool.map(lambda guest: guest.post(path), (ann, ben)):
            assert answer.status_code == 200
    assert reviewed(ann, path)["review"] == reviewed(ben, path)["review"]
    logs = "".join(server.log.read_text() for server in servers)
    assert logs.count("review begun") == 1


@pytest.mark.parametrize("backing", ["sqlite"], indirect=True)
def test_a_stranger_cannot_fill_the_disk(backing: Backing, monkeypatch: pytest.MonkeyPatch) -> None:
    """One guest after the other asks for as many reviews as possible, all at the same time."""
    monkeypatch.setattr("headway.server.reviews.store.MOST_SENT", 260)
    refusals: set[tuple[HTTPStatus, str]] = set()

    numbers, quotas = count(), Quotas(1.0)

    async def attack(store: ReviewStore, guest: str, network: str, most: int) -> list[str]:
        async def ask(_: int) -> str:
            key = f"{SENT}{next(numbers)}"
            try:
                async with quotas.admit(network, partial(store.used, guest, network)):
                    await store.ask(key, guest, b"{}", network)
            except RefusedError as error:
                refusals.add((error.status, error.sentence("en")))
                return ""
            return key

        return [key for key in await asyncio.gather(*map(ask, range(most))) if key]

    async def check(store: ReviewStore) -> None:
        most = WAITING_REVIEWS.per_guest
        first = await attack(store, "eve", "1.2.3.4", most + 9)
        assert len(first) == most
        ((status, sentence),) = refusals
        assert status is HTTPStatus.TOO_MANY_REQUESTS
        assert sentence.startswith("50 of your reviews are waiting already.")
        admitted = [await attack(store, f"eve {n}", "1.2.3.4", most) for n in range(4)]
        assert sum(map(len, admitted)) == WAITING_REVIEWS.per_address - most
        anns = await attack(store, "ann", "5.6.7.8", 3)
        assert len(anns) == 3, "nobody else is hindered"
        waits = await store.read(anns[0])
        assert waits
        assert waits.ahead == 1, "the first of every address comes before any second"
        assert await store.claim_next() == first[0]
        assert await store.finish(first[0], b"whole")
        assert len(await attack(store, "eve", "1.2.3.4", 2)) == 1, "a finished one makes room"
        for n in range(3):  # from other addresses: the oldest are forgotten
            await attack(store, f"bot {n}", f"9.9.9.{n}", 40)
        assert await store.read(first[-1]) is None
        sent = select(func.count()).where(REVIEWS.c.key.startswith("sent:"))
        assert await store.database.value(sent) <= 260

    run(with_store(backing, "attacked", check))


def test_addresses_take_turns_in_the_queue(backing: Backing) -> None:
    """An address with a new guest for each review, then two people who share another address."""

    async def check(store: ReviewStore) -> None:
        for n in range(5):
            await store.ask(f"h{n}", f"hog {n}", b"{}", "1.2.3.4")
        for key, owner in (("a1", "ann"), ("a2", "ann"), ("b1", "ben")):
            await store.ask(key, owner, b"{}", "5.6.7.8")
        await store.ask("f1", NOBODY, b"{}")
        await store.ask("f2", NOBODY, b"{}")
        await store.adopt("f2", "cas", "9.9.9.9")
        assert await store.used("hog 0", "1.2.3.4") == [Usage(WAITING_REVIEWS, 1, 5)]
        queue = ["h0", "a1", "f2", "h1", "b1", "h2", "a2", "h3", "h4", "f1"]
        for place, key in enumerate(queue):
            review = await store.read(key)
            assert review
            assert review.ahead == place
        assert [await store.claim_next() for _ in queue] == queue

    run(with_store(backing, "turns", check))


async def with_store(
    backing: Backing, engine_name: str, work: Callable[[ReviewStore], Coroutine[Any, Any, None]]
) -> None:
    """Lets some work use the reviews of an engine of its own."""
    engine = open_engine(backing.database)
    await upgrade(engine)
    try:
        await work(ReviewStore(Database(engine), engine_name, 60.0))
    finally:
        await engine.dispose()


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
        claimed = [await store.claim_next() for store in (one, other)]
        assert claimed == ["a1", "b1"]
        assert not await other.claim("a1")
        assert await one.begin("a1", b"first", 2)
        assert not await other.begin("a1", b"other", 3)
        assert await one.append("a1", 0, [b"half"])
        assert not await other.append("a1", 1, [b"other"])
        await _lease_ends(one, other)
        for _ in range(MOST_ATTEMPTS):
            assert await one.claim("a2")
            await one.give_up("a2")
        assert await one.claim_search() == "a1"
        assert await other.claim_search() == "a1", "the claim of the first has ended"
        assert await one.claim_search() is None
        await other.end_search("a1")
        assert await other.claim_search() is None
        broken = await one.read("a2")
        assert broken
        assert broken.failed
        for engine in engines:
            await engine.dispose()

    run(check())


async def _lease_ends(one: ReviewStore, other: ReviewStore) -> None:
    """Another process takes over and finishes; the first one cannot write any more."""
    one.lease_seconds = -1.0
    assert await one.renew("a1")
    assert await other.claim("a1")
    taken = await other.read("a1")
    assert taken
    assert (taken.done, taken.total, taken.content) == (1, 2, b"first")
    assert taken.results == [b"half"]
    assert not await one.renew("a1")
    assert not await one.append("a1", 1, [b"late"])
    assert not await one.finish("a1", b"late")
    assert await other.finish("a1", b"whole")
    whole = await one.read("a1")
    assert whole
    assert (whole.finished, whole.content, whole.ahead) == (True, b"whole", 0)
    left = await one.database.column(select(REVIEW_RESULTS.c.task))
    assert left == [], "the report has everything"
    assert not await one.claim("a1")
