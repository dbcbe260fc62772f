"""Measures what a player waits for in a real browser: `python -m benchmarks --page`.

A browser plays whole games by mouse on a separate server. Times are measured in the page: from the
browser's event to the end of the first frame that shows its result.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.server_load import server
from headway.games import boxes

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FIRST_VISITS = 5
SHORT_CLICKS = 16
GAMES = (("london", 1), ("tokyo", 2))
"""The maps that are played, each with the seed of its deal."""

# A message posted in a frame callback arrives after that frame is painted.
WATCH = """
const painted = (then) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => then(performance.now())
  port2.postMessage(0)
})
const await_ = (shown, then) => {
  if (shown()) return painted(then)
  const look = new MutationObserver(() => { if (shown()) { look.disconnect(); painted(then) } })
  look.observe(document, { subtree: true, childList: true, attributes: true })
}
const has = (name) => document.querySelector(name)
"""
# Measures in the page: time until usable, until a draft is shown, until a move is confirmed.
_TIMING_SCRIPT = """
const timings = (window.timings = { usable: 0, drawn: [], confirmed: [] })
await_(() => has('[data-testid=play-map]'), (at) => (timings.usable = at))
let released = null // several ways lead to some stations: the tap that says which one counts
addEventListener('pointerup', (event) => {
  if (!event.target.closest('.board') || has('.drafted')) return
  const waiting = released !== null
  released = event.timeStamp
  if (!waiting)
    await_(() => has('.drafted'), (at) => { timings.drawn.push(at - released); released = null })
}, true)
addEventListener('click', (event) => {
  if (!event.target.closest('.confirm')) return
  const { turn } = has('[data-testid=play]').dataset
  const gone = () =>
    has('[data-testid=play]').dataset.turn !== turn || has('[data-testid=counting]')
  await_(gone, (at) => timings.confirmed.push(at - event.timeStamp))
}, true)
"""
# Returns the centre of the next thing to click.
_NEXT = """() => {
  const has = (name) => document.querySelector(name)
  if (has('[data-testid=end]')) return 'end'
  const play = has('[data-testid=play]')
  if (!play || play.dataset.sending === 'true') return null
  const confirm = has('button.confirm:enabled')
  const asks = has('[data-testid=counting] button') ?? confirm
    ?? has(has('[data-testid=answer]') ? '.station.source .body' : '.station.target .body')
    ?? has('.actions .actions button:enabled')
  if (!asks) return null
  const box = asks.getBoundingClientRect()
  return [box.x + box.width / 2, box.y + box.height / 2]
}"""


class PageTimes(NamedTuple):
    """All times in ms."""

    usable: list[float]
    drawn: list[float]
    confirmed: list[float]


@contextlib.contextmanager
def _browser() -> Iterator[Any]:
    """Yields a browser, or None if there is none."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        yield None
        return
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        try:
            running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error:
            yield None
            return
        yield running
        running.close()


@contextlib.contextmanager
def stage() -> Iterator[tuple[Any, str] | None]:
    """Yields a browser and the address of a separate server; None without a browser."""
    with _browser() as browser, tempfile.TemporaryDirectory() as folder:
        if browser is None:
            yield None
            return
        with server(f"sqlite:///{Path(folder) / 'tables.sqlite'}") as (address, _):
            yield browser, f"http://{address}"


def open_page(browser: Any, url: str, script: str = "", **options: Any) -> Any:
    """Opens the page for a new visitor; `script` measures in it."""
    options |= {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB"}
    page = browser.new_context(base_url=url, **options).new_page()
    page.add_init_script(f"{{ {WATCH} {script} }}")
    return page


def new_table(page: Any, game: str, bots: int = 1) -> str:
    """Sets up a table against bots, on the game's usual map; returns its id."""
    box = next(box for box in boxes() if box.name == game)
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": box.opponent} for _ in range(bots))]
    wish = {"game": game, "map": box.default_map, "seats": seats}
    table: str = page.request.post("/api/tables", data=wish).json()["id"]
    return table


def measure(browser: Any, url: str, quick: bool) -> PageTimes:
    """Opens the page and plays games."""
    seen = PageTimes([_visit(browser, url) for _ in range(1 if quick else FIRST_VISITS)], [], [])
    for city, seed in GAMES[:1] if quick else GAMES:
        timings = _play(browser, url, city, seed, SHORT_CLICKS if quick else sys.maxsize)
        seen.drawn.extend(timings["drawn"])
        seen.confirmed.extend(timings["confirmed"])
    return seen


def _visit(browser: Any, url: str) -> float:
    """Returns the time until the first page is usable for a new visitor."""
    page = open_page(browser, url, _TIMING_SCRIPT)
    page.goto("/")
    page.wait_for_function("() => timings.usable")
    usable: float = page.evaluate("timings.usable")
    page.context.close()
    return usable


def _play(browser: Any, url: str, city: str, seed: int, clicks: int) -> Any:
    """Plays a game alone for a number of clicks, always with the first highlighted section."""
    page = open_page(browser, url, _TIMING_SCRIPT)
    seats = [{"kind": "me"}]
    wish = {"game": "next-station", "map": city, "seats": seats, "training": True, "seed": seed}
    made = page.request.post("/api/tables", data=wish)
    page.goto(f"/t/{made.json()['id']}")
    while (asked := page.wait_for_function(_NEXT).json_value()) != "end" and clicks:
        page.mouse.click(*asked)
        clicks -= 1
        page.wait_for_timeout(250)  # let animations end, as a person would
    timings = page.evaluate("timings")
    page.context.close()
    return timings
