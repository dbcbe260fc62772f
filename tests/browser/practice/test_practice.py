"""Practice in the browser: from home to a puzzle, a wrong answer, a right one, and the next."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from browser.axe import findings
from browser.person import set_up
from browser.player import PHONE, WIDE, NewPage
from playwright.sync_api import Page, expect
from server.services import Server, until

from headway.reviews.puzzles import Puzzle, shipped
from headway.server.practice.service import stored_puzzle

SOLUTIONS = {stored_puzzle(msgspec.json.encode(puzzle)).id: puzzle for puzzle in shipped()}
SECTION = re.compile(r"([a-j]\d)([a-j]\d)")


def offer(page: Page, before: str = "") -> tuple[Any, Puzzle]:
    """Lets the page get a puzzle that two taps can answer, another one than the one before."""

    def look() -> Any:
        shown = page.request.get("/api/practice?game=next-station").json()
        solution = SOLUTIONS.get(shown.get("id", ""))
        moves = [judged.move for judged in solution.moves[:2]] if solution else []
        simple = moves and all(is_drawn_by_a_tap(move, shown["legal"]) for move in moves)
        return shown if simple and shown["id"] != before else None

    shown = until(look)
    page.unroute_all()
    page.route("**/api/practice?*", lambda route: route.fulfill(json=shown))
    return shown, SOLUTIONS[shown["id"]]


def is_drawn_by_a_tap(move: str, legal: list[str]) -> bool:
    """Whether a tap on its end draws a section: no other way leads there, none begins there."""
    others = [way for way in legal if way != move]
    sections = all(SECTION.fullmatch(way) or way == "pass" for way in legal)
    return move != "pass" and sections and not any(move[2:] in way for way in others)


def draw(page: Page, move: str) -> None:
    """Draws a section with the mouse."""
    page.locator(f'[data-station="{move[2:]}"]').click()
    page.locator("button.confirm:enabled").click()


@pytest.mark.parametrize(
    ("locale", "viewport", "words"),
    [
        ("en-GB", WIDE, ("Right", "second best")),
        ("fr-FR", PHONE, ("Bien vu", "deuxième coup")),
    ],
)
def test_a_puzzle_is_solved(
    server: Server, new_page: NewPage, locale: str, viewport: dict[str, int], words: tuple[str, str]
) -> None:
    page = new_page(server, locale=locale, viewport=viewport, color_scheme="dark")
    page.goto("/")
    set_up(page, "me")
    shown, puzzle = offer(page)
    page.locator("a[href$='/practice']").click()
    panel = page.get_by_test_id("puzzle")
    expect(panel).to_have_attribute("data-puzzle", shown["id"])
    draw(page, puzzle.moves[1].move)
    expect(panel).to_have_attribute("data-state", "wrong")
    expect(page.get_by_test_id("drawn").locator(".hinted").first).to_be_attached()
    second = panel.get_by_role("button").filter(has_text=words[1])
    expect(second).to_have_attribute("aria-pressed", "true")
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]

    shown, puzzle = offer(page, shown["id"])
    page.get_by_test_id("next-puzzle").press("Enter")
    expect(panel).to_have_attribute("data-puzzle", shown["id"])
    draw(page, puzzle.moves[0].move)
    expect(panel).to_have_attribute("data-state", "right")
    expect(page.get_by_test_id("verdict")).to_contain_text(words[0])
    expect(page.get_by_test_id("next-puzzle")).to_be_focused()
    assert "web." not in panel.inner_text()
    assert "review." not in panel.inner_text()

    game = page.get_by_test_id("practice-game")
    expect(game).to_have_value("")  # as I play: the game last played
    page.unroute_all()
    game.select_option("ticket-to-ride")
    expect(
        page.get_by_role("heading", name=re.compile("Ticket to Ride|Aventuriers du Rail"))
    ).to_be_visible()
    page.reload()
    expect(
        page.get_by_role("heading", name=re.compile("Ticket to Ride|Aventuriers du Rail"))
    ).to_be_visible()
    expect(game).to_have_value("ticket-to-ride")  # the choice is remembered
