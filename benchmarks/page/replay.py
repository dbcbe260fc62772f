"""Measures how long a replay takes to open and to step: `python -m benchmarks --page`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from benchmarks.page.browser import open_page
from headway.bots import make_bot, play_out
from headway.games import boxes
from headway.table import Table

# Measures in the page: time until a replay is shown, and the time of every step.
_TIMING_SCRIPT = """
const timings = (window.timings = { opened: 0, steps: [] })
const moment = () => has('[data-testid=replay]')?.dataset.moment
addEventListener('click', (event) => {
  if (!event.target.closest('[data-testid=open-record] button')) return
  await_(moment, (at) => (timings.opened = at - event.timeStamp))
}, true)
addEventListener('keydown', (event) => {
  const before = moment()
  await_(() => moment() !== before, (at) => timings.steps.push(at - event.timeStamp))
}, true)
"""


class ReplayTimes(NamedTuple):
    """A replay of a map and its number of moves; times in ms."""

    map: str
    moves: int
    opened: float
    steps: list[float]


def measure(browser: Any, url: str, quick: bool) -> Iterator[ReplayTimes]:
    """Opens and steps through long games, with all seats taken: of every map, or one a game."""
    for box in boxes():
        for name in [box.default_map] if quick else box.maps:
            table = Table(box.open(name, box.seats[-1]), seed=1)
            play_out(table, [make_bot("random", table.game, seat) for seat in range(table.seats)])
            title = f"{box.name} {name}"
            yield _measure(
                browser, url, title, table.record().json().decode(), 10 if quick else 100
            )


def _measure(browser: Any, url: str, title: str, record: str, steps: int) -> ReplayTimes:
    page = open_page(browser, url, _TIMING_SCRIPT)
    page.goto("/replay")
    page.locator("textarea").fill(record)
    page.locator("[data-testid=open-record] button").click()
    bar = page.get_by_test_id("replay")
    bar.wait_for()
    page.wait_for_function("() => timings.opened")
    for k in range(steps):
        page.keyboard.press("ArrowRight")
        page.wait_for_function("k => timings.steps.length > k", arg=k)
        page.wait_for_timeout(150)  # let animations end, as a person would
    timings = page.evaluate("timings")
    moves = int(bar.get_attribute("data-last"))
    page.context.close()
    return ReplayTimes(title, moves, timings["opened"], timings["steps"])
