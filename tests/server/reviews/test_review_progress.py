"""Asking how far a review is: it costs no replay, and the answer waits for something new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from server.in_process import browser, serving
from support.own_loop import run

import headway
from headway.record import read
from headway.reviews import SeatReview
from headway.server.core.workers import WorkerProcess
from headway.server.tables.state import TableState

TABLE = {"game": "next-station", "map": "london", "seats": [{"kind": "me"}], "training": True}


async def play_out(ann: httpx.AsyncClient, table: dict[str, Any]) -> None:
    path, number = f"/api/tables/{table['id']}", 0
    while legal := table["legal"].get("0"):
        move = {"seat": 0, "move": legal[0], "client_id": f"move-{number:04}"}
        assert (await ann.post(f"{path}/moves", json=move)).status_code == 200
        table, number = (await ann.get(path)).json(), number + 1


def test_progress_is_told_without_a_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replays: list[str] = []
    replayed = TableState.replayed

    def counted(setup: Any, events: Any) -> TableState:
        replays.append(setup.id)
        return replayed(setup, events)

    monkeypatch.setattr(TableState, "replayed", counted)

    async def asked() -> list[int]:
        async with (
            serving(f"sqlite:///{tmp_path / 'tables.sqlite'}") as app,
            browser(app) as ann,
            browser(app) as eve,
        ):
            table = (await ann.post("/api/tables", json=TABLE)).json()
            path = f"/api/tables/{table['id']}/review"
            codes = [(await eve.get(path)).status_code]  # it is not over
            await play_out(ann, table)
            codes.append((await eve.get(path)).status_code)  # nobody has asked
            codes.append((await ann.post(path)).status_code)
            app.app.state.process.authority.evict([table["id"]])
            for look in (ann.get, eve.get, eve.post):
                codes.append((await look(path)).status_code)
            codes.append((await eve.get("/api/tables/bcdfgh/review")).status_code)
        return codes

    assert run(asked()) == [409, 200, 200, 200, 200, 200, 404]
    assert replays == []


def test_an_answer_waits_for_something_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody polls: each answer differs from the one before, until the review is there."""
    monkeypatch.setattr("headway.server.reviews.service.FOLLOW_SECONDS", 300.0)

    async def followed() -> list[dict[str, Any]]:
        async with serving(f"sqlite:///{tmp_path / 'tables.sqlite'}") as app, browser(app) as ann:
            table = (await ann.post("/api/tables", json=TABLE)).json()
            path = f"/api/tables/{table['id']}/review"
            await play_out(ann, table)
            answers = [(await ann.post(path)).json()]
            while answers[-1]["state"] != "done":
                since = {"since": answers[-1]["version"]}
                answers.append((await ann.get(path, params=since)).json())
            # Too many at once do not wait.
            monkeypatch.setattr("headway.server.reviews.service.FOLLOWERS_PER_ADDRESS", 0)
            answers.append((await ann.get(path, params={"since": "done"})).json())
        return answers

    *answers, last = run(followed())
    versions = [answer["version"] for answer in answers]
    assert len(set(versions)) == len(versions)
    first = next(answer for answer in answers if answer["seats"] or answer["review"])
    assert answers.index(first) == 1, "the first figures come with the second request"
    assert last["state"] == answers[-1]["state"] == "done"


def test_idle_workers_make_a_review_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parts are made in two processes at the same time, and are those of one alone."""
    working, most = 0, 0
    alone = WorkerProcess.run

    async def counted(self: WorkerProcess, *given: Any) -> Any:
        nonlocal working, most
        working += 1
        most = max(most, working)
        try:
            return await alone(self, *given)
        finally:
            working -= 1

    monkeypatch.setattr(WorkerProcess, "run", counted)

    async def made() -> tuple[Any, str]:
        async with serving(f"sqlite:///{tmp_path / 'tables.sqlite'}") as app, browser(app) as ann:
            assert app.app.state.process.workers.bots.count == 2
            table = (await ann.post("/api/tables", json=TABLE)).json()
            path = f"/api/tables/{table['id']}"
            await play_out(ann, table)
            found = (await ann.post(f"{path}/review")).json()
            while found["state"] != "done":
                since = {"since": found["version"]}
                found = (await ann.get(f"{path}/review", params=since)).json()
            return found["review"]["seats"], (await ann.get(f"{path}/record")).text

    seats, record = run(made())
    assert most == 2
    together = msgspec.convert(seats, tuple[SeatReview, ...])
    assert together == headway.review(read(record), budget=4).seats
