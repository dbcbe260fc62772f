"""Measures how smoothly a table tells what happens, and how soon it asks for a first move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from benchmarks.page.browser import new_table, open_page
from headway.games import boxes

SLOW_CPU = 4
VISITS = 3
SCENE_SECONDS = 2.5
"""The longest scene; the next move is made after it."""

# Notes how long each frame took while something moved in two frames in a row.
_FRAMES_SCRIPT = """
window.frames_ms = []
let before = 0
const moves = () => document.getAnimations().some((one) => one.playState === 'running')
const frame = (now) => {
  const moving = moves()
  if (moving && before) frames_ms.push(now - before)
  before = moving ? now : 0
  requestAnimationFrame(frame)
}
requestAnimationFrame(frame)
"""
_FIRST_MOVE_SCRIPT = """
window.first_move = 0
await_(() => has('.station.target, [data-acting=true]'), (at) => (first_move = at))
"""


class Scenes(NamedTuple):
    """A game's scenes; times in ms."""

    game: str
    frames: list[float]
    first_moves: list[float]


def measure(browser: Any, url: str, quick: bool) -> Iterator[Scenes]:
    """Plays the beginning of each game against two bots, and looks at every frame."""
    for box in boxes():
        offered = [_first_move(browser, url, box.name) for _ in range(1 if quick else VISITS)]
        yield Scenes(box.name, _frames(browser, url, box.name, 4 if quick else 20), offered)


def _first_move(browser: Any, url: str, game: str) -> float:
    page = open_page(browser, url, _FIRST_MOVE_SCRIPT)
    page.goto(f"/t/{new_table(page, game)}")
    page.wait_for_function("() => first_move")
    offered: float = page.evaluate("first_move")
    page.context.close()
    return offered


def _frames(browser: Any, url: str, game: str, moves: int) -> list[float]:
    """Returns the time of each frame in which something moved, on a slow processor."""
    page = open_page(browser, url, _FRAMES_SCRIPT)
    table = new_table(page, game, bots=2)
    page.goto(f"/t/{table}")
    page.get_by_test_id("play").wait_for()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
    page.evaluate("frames_ms.length = 0")
    for _ in range(moves):
        _move(page, table)
        page.wait_for_timeout(1000 * SCENE_SECONDS)
    frames: list[float] = page.evaluate("frames_ms")
    page.context.close()
    return frames


def _move(page: Any, table: str) -> None:
    """Makes a move without the page, which tells it as soon as it hears of it."""
    while True:
        seen = page.request.get(f"/api/tables/{table}").json()
        if legal := seen["legal"].get("0"):
            break
        page.wait_for_timeout(50)
    claims = [move for move in legal if move.startswith("claim")]
    wish = {"seat": 0, "move": (claims or legal)[0], "client_id": f"scene-{seen['number']:06}"}
    answer = page.request.post(f"/api/tables/{table}/moves", data=wish)
    assert answer.ok, answer.text()
