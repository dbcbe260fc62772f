"""What reviews tell across games: on profiles, and at today's deal once it is played."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from statistics import fmean
from typing import Any

import pytest
from server.services import Backing, Guest, Server, play_out, until
from server.steps import DAY, PASSWORD, became, begin, claim, deal_of, whole_database

Start = Callable[..., Server]
SLOW = 240.0
"""Seconds for a review on a busy machine."""


def figures(guest: Guest, table: str) -> dict[str, int]:
    """The figures of the first seat in the review of a table."""
    review = guest.ok(guest.http.get(f"/api/tables/{table}/review"))["review"]
    seat = review["seats"][0]
    return {"luck": seat["luck"], "loss": seat["loss"], "without": seat["result"] - seat["luck"]}


def page_of(guest: Guest, name: str) -> Any:
    return guest.ok(guest.http.get(f"/api/people/{name}"))


@pytest.mark.parametrize("backing", ["sqlite"], indirect=True)
def test_figures_across_games(start: Start, backing: Backing) -> None:
    server = start(HEADWAY_TODAY=DAY, HEADWAY_REVIEW_BUDGET=2)
    ann, ben, eve = claim(server.guest(), "Ann"), server.guest("Ben"), server.guest("Eve")
    today, other = begin(ann), begin(ben)
    play_out(today, {0: ann}, pick=-1)
    assert deal_of(ben)["review"] is None, "who is still playing learns nothing"
    play_out(other, {0: ben}, pick=0)
    ordinary = ann.set_up("me")
    play_out(ordinary, {0: ann}, pick=-1)

    def everybody() -> Any:
        review = deal_of(ann)["review"]
        return review if review["everybody"] and review["everybody"]["games"] == 2 else None

    review = until(everybody, SLOW)  # nobody asked for these reviews
    mine, bens = figures(ann, today), figures(ben, other)
    assert review["mine"] == mine
    assert deal_of(ben)["review"]["mine"] == bens
    for name, value in mine.items():
        mean = review["everybody"][name]
        assert mean["mean"] == pytest.approx(fmean([value, bens[name]]), abs=1)
        assert mean["error"] == pytest.approx(abs(value - bens[name]) / 2, abs=1)
    assert [row["mine"] for row in review["by_skill"]] == [
        mine["loss"] <= bens["loss"], mine["loss"] > bens["loss"],
    ]  # fmt: skip
    assert [row["place"] for row in review["by_points"]] == [1, 2]
    assert deal_of(eve)["review"] is None
    shows_nothing_of_today(ann, eve)
    has_games_reviewed(ann, eve, ordinary)

    account = ann.id
    became(ann, ann.post("account/delete", password=PASSWORD))
    assert deal_of(ben)["review"]["everybody"]["games"] == 1
    assert account not in whole_database(backing)
    assert rows_of(backing, "SELECT count(*) FROM results") == [(1,)]


def shows_nothing_of_today(owner: Guest, stranger: Guest) -> None:
    """A profile tells others nothing of today's deal: no figure, no mean, no number."""
    seen, own = page_of(stranger, "Ann"), page_of(owner, "Ann")
    assert (seen["games"], own["games"]) == (1, 2)
    assert [series["reviewed"] for series in seen["courses"]] == [None]
    assert [len(series["reviewed"]["games"]) for series in own["courses"]] == [1]
    assert seen["reviews"] == {"waiting": 0, "missing": 0}
    assert own["reviews"] == {"waiting": 0, "missing": 1}


def has_games_reviewed(owner: Guest, stranger: Guest, table: str) -> None:
    queue = owner.ok(owner.post("account/reviews"))
    assert queue["missing"] == 0
    until(lambda: owner.ok(owner.http.get("/api/account/reviews"))["waiting"] == 0, SLOW)
    (series,) = page_of(stranger, "Ann")["courses"]
    (game,) = series["reviewed"]["games"]
    expected = figures(stranger, table)
    assert (game["table"], game["luck"], game["loss"]) == (
        table, expected["luck"], expected["loss"],
    )  # fmt: skip
    assert series["reviewed"]["loss"] == {"mean": expected["loss"], "error": None}
    assert series["reviewed"]["without"] == {"mean": expected["without"], "error": None}
    assert series["reviewed"]["kinds"] == [], "one game distinguishes no kinds"
    assert len(page_of(owner, "Ann")["courses"][0]["reviewed"]["games"]) == 2


def rows_of(backing: Backing, statement: str) -> list[Any]:
    with sqlite3.connect(backing.database.removeprefix("sqlite:///")) as database:
        rows = database.execute(statement).fetchall()
    database.close()
    return rows
