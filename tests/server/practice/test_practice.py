"""Practice on the server: puzzles, answers and ratings."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from server.services import ON_SQLITE, Backing, Guest, Server, until
from support.own_loop import run

from headway.reviews.puzzles import Puzzle, shipped
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.core.migrations import upgrade
from headway.server.core.workers import cancel, start_task
from headway.server.people.store import AccountStore
from headway.server.practice.service import ShownSolutions, stored_puzzle
from headway.server.practice.store import PuzzleStore, StoredPuzzle
from headway.server.tables.authority import TableAuthority
from headway.server.tables.setup import NewSeat, NewTable, Persona, SeedSource
from headway.server.tables.store import TableStore

Start = Callable[..., Server]
SOLUTIONS = {stored_puzzle(msgspec.json.encode(puzzle)).id: puzzle for puzzle in shipped()}
PASSWORD = "a long enough password"


def next_puzzle(guest: Guest, **query: str) -> tuple[Any, Puzzle]:
    """The next puzzle as a solver sees it, and its solution."""

    def look() -> Any:
        answer = guest.http.get("/api/practice", params=query)
        return answer.json() if answer.status_code == 200 else None

    shown = until(look)  # a new server adds the puzzles after it has started
    return shown, SOLUTIONS[shown["id"]]


def solve(guest: Guest, shown: Any, move: str) -> Any:
    return guest.ok(guest.post(f"practice/{shown['id']}", move=move))


@pytest.mark.parametrize("backing", ["sqlite"], indirect=True)
def test_a_guest_and_an_account_practise(start: Start, backing: Backing) -> None:
    server = start()
    ann = server.guest("Ann")
    shown, solution = next_puzzle(ann, game="next-station")
    state, _ = solution.position()
    view = msgspec.json.decode(msgspec.json.encode(state.view(solution.seat)))
    assert shown["view"] == view, "what the seat saw, and no more"
    assert not {"moves", "best", "loss", "played"} & set(shown), "nothing of the solution"
    assert (shown["mine"]["points"], shown["mine"]["games"]) == (1500, 0)
    assert ann.http.get("/api/practice/rating").json() == shown["mine"]
    refused = ann.post(f"practice/{shown['id']}", move="a0a0a0")
    assert (refused.status_code, ann.post("practice/nothing", move="pass").status_code) == (
        409,
        404,
    )
    why = ann.ok(ann.post(f"practice/{shown['id']}/why", move="a0j9"))
    assert why["sentence"]

    best = solution.moves[0].move
    wrong = next(move for move in shown["legal"] if move != best)
    answer = solve(ann, shown, wrong)
    assert (answer["solved"], answer["counted"], answer["moves"][0]["move"]) == (False, True, best)
    assert answer["change"] < 0
    assert answer["rating"]["games"] == 0, "what guests do moves no rating but their own"
    again = solve(ann, shown, best)
    assert (again["solved"], again["counted"], again["change"]) == (True, False, 0)
    other, solution = next_puzzle(ann)
    assert other["id"] != shown["id"]
    right = solve(ann, other, solution.moves[0].move)
    assert right["solved"]
    assert right["change"] > 0
    assert right["mine"]["games"] == 2

    ann.ok(ann.post("account", name="Ann of Practice", password=PASSWORD))
    assert not solve(ann, other, solution.moves[0].move)["counted"], "an account knows its answers"
    third, solution = next_puzzle(ann)
    answer = solve(ann, third, solution.moves[0].move)
    assert (answer["rating"]["games"], answer["mine"]["games"]) == (1, 1)
    assert answer["rating"]["points"] < 1500
    assert ann.http.get("/api/practice", params={"game": "chess"}).status_code == 404
    ann.ok(ann.post("account/delete", password=PASSWORD))
    with sqlite3.connect(backing.database.removeprefix("sqlite:///")) as database:
        assert database.execute("SELECT count(*) FROM answers").fetchone() == (0,)
    database.close()


@ON_SQLITE
def test_a_second_guest_makes_no_rating(start: Start) -> None:
    """The attack: see the solution as one guest, and give it as another."""
    server = start()
    scout, ben = server.guest(), server.guest()
    shown, solution = next_puzzle(scout)
    best = solution.moves[0].move
    solve(scout, shown, next(move for move in shown["legal"] if move != best))
    answer = solve(ben, shown, best)
    assert (answer["solved"], answer["counted"], answer["mine"]["games"]) == (True, False, 0)
    other, solution = next_puzzle(ben)
    assert solve(ben, other, solution.moves[0].move)["counted"]


def test_solutions_are_known_where_others_saw_them() -> None:
    shown = ShownSolutions()
    shown.show("192.0.2.1", "ann", "a puzzle")
    shown.show("192.0.2.1", "ben", "a puzzle")
    assert shown.known("192.0.2.1", "ann") == set()  # she was the first
    assert shown.known("192.0.2.1", "cleo") == {"a puzzle"}
    assert shown.known("192.0.2.2", "cleo") == set()


def test_puzzles_of_tables_wait_for_their_day_and_leave_with_them(backing: Backing) -> None:
    async def check(database: Database) -> None:
        calendar = Calendar("2026-11-17")
        tables, puzzles = TableStore(database, calendar), PuzzleStore(database)
        writer = start_task(tables.run(), "event writer")
        authority = TableAuthority(tables, SeedSource())
        setting = NewTable("next-station", "london", [NewSeat("me")])
        state = await authority.set_up(setting, "guest", Persona("Ann"), seed=7, day="2026-11-17")
        puzzle = StoredPuzzle("of-today", "next-station", "london", b"{}")
        await puzzles.ship([])
        await puzzles.add([puzzle], state.setup.id)
        assert await puzzles.find("of-today", "2026-11-17") is None
        assert await puzzles.next("ben", None, "2026-11-17") is None
        assert await puzzles.find("of-today", "2026-11-18") == puzzle
        assert await puzzles.left("ben", None, "2026-11-18") == 1
        assert (await puzzles.answer("ben", "of-today", solved=True)).counted
        assert await puzzles.left("ben", None, "2026-11-18") == 0
        await puzzles.ship([puzzle._replace(id="shipped")])
        await puzzles.ship([puzzle._replace(id="other")])
        assert await puzzles.find("shipped", "2026-11-18") is None, "another version has others"
        accounts = AccountStore(database)
        await accounts.delete("guest")
        await accounts.finish_handovers()
        assert await puzzles.find("of-today", "2026-11-18") is None
        assert await puzzles.find("other", "2026-11-18")
        await cancel([writer])

    async def opened() -> None:
        engine = open_engine(backing.database)
        await upgrade(engine)
        try:
            await check(Database(engine))
        finally:
            await engine.dispose()

    run(opened())
