"""One address that asks for as much as it can: others are served in their turn."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from server.in_process import browser, serving
from support.own_loop import run

from headway.server.core.workers import PAGES_WAITING_PER_ADDRESS
from headway.server.web.limits import LIMITS

HOG, HONEST = "203.0.113.7", "198.51.100.1"
CONNECTIONS = 16
SHEET = {"game": "next-station", "map": "london", "names": ["Ann"], "dealt": [], "moves": [[]]}


def address(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.sqlite'}"


async def flood(app: Any, answers: list[int]) -> None:
    """Asks without a cookie, over and over."""
    for _ in range(12):
        async with browser(app, HOG) as fresh:
            status = (await fresh.post("/api/paper", json=SHEET)).status_code
            if status == 200:  # refusals by the rate limit come at once, and cost nothing
                answers.append(status)


def test_an_address_without_cookies_comes_after_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every request of the flood is a new guest; somebody who has a cookie comes next each time."""
    monkeypatch.setattr("headway.server.core.workers.PAGES_AT_ONCE", 1)

    async def attacked() -> list[int]:
        answers: list[int] = []
        async with serving(address(tmp_path)) as app, browser(app, HONEST) as ann:
            await ann.get("/api/me")
            floods = [asyncio.create_task(flood(app, answers)) for _ in range(CONNECTIONS)]
            while len(answers) < 2 * CONNECTIONS:  # it is under way
                await asyncio.sleep(0.01)
            before = []
            for _ in range(5):
                already = len(answers)
                answer = await ann.post("/api/paper", json=SHEET)
                assert answer.status_code == 200
                before.append(len(answers) - already)
            for task in floods:
                task.cancel()
            await asyncio.gather(*floods, return_exceptions=True)
        return before

    # What runs when the request arrives is finished first.
    assert max(run(attacked())) < CONNECTIONS / 2


def test_an_address_cannot_take_all_waiting_places(tmp_path: Path) -> None:
    async def attacked() -> tuple[list[int], int]:
        async with serving(address(tmp_path)) as app, browser(app, HOG) as hog:
            crowd = 2 * PAGES_WAITING_PER_ADDRESS
            asked = [asyncio.create_task(hog.post("/api/paper", json=SHEET)) for _ in range(crowd)]
            await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)  # the first refusal
            async with browser(app, HONEST) as ann:
                served = (await ann.post("/api/paper", json=SHEET)).status_code
            return [(await task).status_code for task in asked], served

    codes, served = run(attacked())
    assert served == 200
    assert set(codes) == {200, 503}
    assert codes.count(200) >= PAGES_WAITING_PER_ADDRESS


def test_paper_has_a_limit_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that cannot be read count too; they cost the workers nothing here."""
    # However slowly the requests come, nothing is given back meanwhile.
    monkeypatch.setitem(LIMITS, "paper", LIMITS["paper"]._replace(rate=1e-6))

    async def asks_often() -> list[int]:
        codes: list[int] = []
        async with serving(address(tmp_path), rate=1.0) as app, browser(app, HOG) as hog:
            while 429 not in codes and len(codes) < 2 * LIMITS["paper"].burst:
                path = ("", "/why", "/sheet")[len(codes) % 3]
                codes.append((await hog.post(f"/api/paper{path}", json={})).status_code)
                hog.cookies.clear()
        return codes

    codes = run(asks_often())
    assert codes == [400] * 60 + [429]
