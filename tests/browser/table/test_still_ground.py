"""Nothing moves under the finger: the board and Confirm stay where they are through a game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.person import set_up
from browser.player import NewPage, Player
from browser.steps import post, unique
from playwright.sync_api import Page, expect
from server.services import Server

SIZES = {"360": (360, 740), "390": (390, 844), "landscape": (740, 360), "desktop": (1280, 800)}

_COUNTS = "!!document.querySelector('[data-testid=counting]')"

# Notes where the board and Confirm are, at every change of the page, as far as they are shown.
_WATCH = """() => {
  window.places = new Set()
  const look = () => {
    for (const part of ['.board-area', 'button.confirm']) {
      const element = document.querySelector(part)
      if (!element || document.querySelector('[data-testid=poster], [data-testid=tally]')) continue
      const { x, y, width, height } = element.getBoundingClientRect()
      const top = Math.round(10 * (y + scrollY * (part === '.board-area'))) / 10
      window.places.add([part, x, top, width, part === '.board-area' ? height : 0].join(' '))
    }
  }
  new MutationObserver(() => requestAnimationFrame(look)).observe(
    document.querySelector('[data-testid=play]'),
    { subtree: true, childList: true, attributes: true, characterData: true })
  look()
}"""


def _pass_until(page: Page, player: Player, asked: str) -> None:
    """Passes without the page's buttons, but sees every turn on the page."""
    shown = "turn => document.querySelector('[data-testid=play]').dataset.turn !== turn"
    while player.situation() != asked:
        turn = page.get_by_test_id("play").get_attribute("data-turn")
        seen = player.table_view()
        move = {"seat": 0, "move": "pass", "client_id": unique(seen)}
        post(page, f"tables/{player.table}/moves", **move)
        page.wait_for_function(f"turn => {_COUNTS} || ({shown})(turn)", arg=turn, polling=40)


@pytest.mark.parametrize("size", SIZES)
def test_board_and_confirm_stay_where_they_are(
    server: Server, new_page: NewPage, size: str
) -> None:
    width, height = SIZES[size]
    touch: dict[str, Any] = {"has_touch": True, "is_mobile": True} if width < 900 else {}
    page = new_page(server, viewport={"width": width, "height": height}, **touch)
    player = Player(page, "touch" if touch else "mouse")
    # One with a loop, a note, a switch and double tracks; the other one with sites and a river.
    city = "tokyo" if width < 380 else "london"
    table = set_up(page, "me", map=city, seed=7, training=True)
    page.goto(f"/t/{table}")
    player.situation()
    page.evaluate(_WATCH)
    page.locator(".station:not(.target):not(.source):not(.end)").first.click(force=True)
    page.get_by_test_id("answer").wait_for()
    for _ in range(4):
        player.draft()
        confirm = page.locator("button.confirm")
        expect(confirm).to_be_enabled()
        buttons = page.locator(".desk > .actions").bounding_box()
        expect(page.get_by_test_id("gain")).to_have_text(re.compile(r"\+\d+"))
        player.press(confirm)
        _pass_until(page, player, "counting")
        # Nothing lies over the board, and the button to go on is where Confirm was.
        assert page.get_by_test_id("counting").bounding_box() == buttons
        player.go_on("counting")
    page.get_by_test_id("end").wait_for()
    places = page.evaluate("[...window.places]")
    assert len(places) == 2, places
