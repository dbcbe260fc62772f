"""A language made of files alone: every page shows its texts only, and has room for longer ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pseudo
import pytest
from browser.conftest import new_server
from browser.player import PHONE, NewPage
from playwright.sync_api import Page, expect
from server.services import Server

from headway.games import boxes

ROUTES = Path(__file__).parents[2] / "src/headway/server/static/routes.json"
NAMES = {"Headway", "Ada", "Bob", "English", "Français", "EN", "SVG", "PNG", "PDF", "JSON", "UTC"}
"""Proper names: of the site, of players, of languages, of file formats."""

TEXTS = """() => {
  const RULES = '#rules-title, [data-testid=rules] article, [data-testid=rules] li, '
  const found = []
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    // Not texts of the page: programs, languages by their own names, the rules of the docs.
    if (!node.parentElement.closest(RULES + 'script, style, option[lang]'))
      found.push(node.textContent)
  }
  const all = [...document.querySelectorAll('*')].filter((element) => !element.closest(RULES + 'x'))
  for (const element of all)
    for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
      if (element.hasAttribute(name)) found.push(element.getAttribute(name))
  return found
}"""
OVERFLOW = """() => {
  const scrolls = (element) => /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX)
  const hidden = (element) => element.closest('.hidden, .skip, svg svg')
  const kept = (element) => {
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement)
      if (scrolls(up)) return true
    return false
  }
  const found = [...document.querySelectorAll('body *')].filter((element) => {
    const box = element.getBoundingClientRect()
    return box.width > 0 && box.right > innerWidth + 1 && !hidden(element) && !kept(element)
  })
  const names = found.map((element) => element.outerHTML.slice(0, 120))
  if (document.documentElement.scrollWidth > innerWidth) names.push('the page')
  return names
}"""


@pytest.fixture
def pseudo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("texts")
    pseudo.write(folder)
    running = new_server(tmp_path_factory, HEADWAY_TEXTS_DIR=folder)
    yield running
    running.stop()
    assert running.errors() == []


def words_of_maps() -> set[str]:
    """Names of places, and what else stands in map files: no catalogue has them."""
    found: set[str] = set()

    def collect(data: object) -> None:
        if isinstance(data, str):
            found.add(data.replace("|", " "))
        for part in data.values() if isinstance(data, dict) else ():
            collect(part)
        for part in data if isinstance(data, list | tuple) else ():
            collect(part)

    for box in boxes():
        for name in box.maps:
            collect(msgspec.to_builtins(box.open(name, box.seats.start).map_data()))
    return {text for text in found if len(text) > 2}


class Visitor:
    """Somebody who looks at pages, and notes what is wrong with each."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.names = sorted(NAMES | words_of_maps(), key=len, reverse=True)
        self.wrong: list[str] = []

    def look(self, where: str) -> None:
        """Notes texts outside of brackets, and what is wider than the screen."""
        for text in self.page.evaluate(TEXTS):
            outside = pseudo.bare(text)
            for name in self.names:
                outside = outside.replace(name, "")
            if re.search(r"[^\W\d_]{2,}", outside):
                self.wrong.append(f"{where}: no text of the catalogue: {outside.strip()[:100]!r}")
        self.wrong += [f"{where}: too wide: {html}" for html in self.page.evaluate(OVERFLOW)]

    def go(self, path: str, wait: str) -> None:
        """Looks at the page of an address once something is there."""
        self.page.goto(path)
        self.page.locator(wait).first.wait_for()
        self.page.wait_for_load_state("networkidle")
        self.look(path)

    def table(self, game: str, map_name: str, *seats: str, **more: Any) -> str:
        """Sets a table up; its id."""
        kinds = {"me": {"kind": "me", "name": "Ada"}, "open": {"kind": "open"}}
        chosen = [kinds.get(seat, {"kind": "bot", "bot": seat}) for seat in seats]
        body = {"game": game, "map": map_name, "seats": chosen} | more
        answer = self.page.request.post("/api/tables", data=body)
        assert answer.ok, answer.text()
        table: str = answer.json()["id"]
        return table

    def play_out(self, table: str, pick: Callable[[list[str]], str]) -> None:
        """Plays a table to its end without the page."""
        while not (state := self.page.request.get(f"/api/tables/{table}").json())["finished"]:
            if not (legal := state["legal"].get("0")):
                self.page.wait_for_timeout(20)
                continue
            body = {"seat": 0, "move": pick(legal), "client_id": f"move-{state['number']:08}"}
            answer = self.page.request.post(f"/api/tables/{table}/moves", data=body)
            assert answer.ok, answer.text()


def quick(legal: list[str]) -> str:
    """A move that brings the end of a game of Ticket to Ride nearer."""
    claims = [move for move in legal if move.startswith("claim")]
    return (claims or [move for move in legal if move.startswith("take")] or legal)[0]


def test_every_page_speaks_a_language_of_files_alone(
    pseudo_server: Server, new_page: NewPage
) -> None:
    page = new_page(pseudo_server, viewport=PHONE)
    visitor = Visitor(page)
    page.goto("/")
    page.get_by_test_id("language").select_option(pseudo.LANG)
    expect(page.locator("html")).to_have_attribute("lang", pseudo.LANG)
    visited = visit(visitor)
    assert set(json.loads(ROUTES.read_text("utf-8"))) - visited == set()
    assert not visitor.wrong, "\n".join(dict.fromkeys(visitor.wrong))


def visit(visitor: Visitor) -> set[str]:
    """Looks at every page; the addresses of all routes that were visited."""
    page = visitor.page
    visitor.go("/", '[data-testid="map-next-station-tokyo"] .board')
    page.locator("header button").last.click()
    page.locator("dialog").wait_for()
    visitor.look("settings")
    visitor.go("/new/next-station/tokyo", "dialog")
    for path, wait in (
        ("/about", "article"), ("/replay", "h1"), ("/paper", "h1"), ("/print", "h1"),
        ("/account", "h1"), ("/today", "h1"), ("/today/2020-01-01", "h1"),
        ("/u/nobody", "h1"), ("/no/such/page", "h1"),
    ):  # fmt: skip
        visitor.go(path, wait)
    visitor.go("/learn/next-station/london", "[data-testid=play]")
    visitor.go("/learn/ticket-to-ride/london", "[data-testid=play]")
    open_table = visitor.table("next-station", "london", "me", "open")
    visitor.go(f"/t/{open_table}", "[data-testid=waiting-room]")
    table = visitor.table("next-station", "tokyo", "me", options={"objectives": True})
    visitor.go(f"/t/{table}", "[data-testid=play]")
    page.get_by_test_id("open-rules").click()
    page.locator("[data-testid=rules] article").wait_for()
    visitor.look("rules")
    visitor.play_out(table, lambda legal: legal[-1])
    visitor.go(f"/t/{table}", "[data-testid=end]")
    rail = visitor.table("ticket-to-ride", "london", "me", "random", seed=7, training=True)
    visitor.go(f"/t/{rail}", "[data-testid=choice]")
    visitor.play_out(rail, quick)
    visitor.go(f"/t/{rail}", "[data-testid=end], [data-testid=counting]")
    for path in (f"/t/{table}/replay", f"/t/{table}/replay/3", f"/t/{rail}/replay/3/open"):
        visitor.go(path, "[data-testid=play], .board, svg")
    visitor.go("/replay/3", "h1")
    visitor.go("/replay/3/open", "h1")
    return {
        "/", "/new/{game:str}/{map:str}", "/t/{id:str}", "/t/{id:str}/replay",
        "/t/{id:str}/replay/{moment:int}", "/t/{id:str}/replay/{moment:int}/{who:str}",
        "/replay", "/replay/{moment:int}", "/replay/{moment:int}/{who:str}",
        "/learn/{game:str}/{map:str}", "/today", "/today/{day:date}", "/u/{name:str}",
        "/account", "/paper", "/print", "/about",
    }  # fmt: skip
