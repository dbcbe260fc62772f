"""Nothing moves under the finger: the board and Confirm stay where they are through a game."""

from __future__ import annotations

from typing import Any

import pytest
from browser.player import NewPage, Player
from browser.steps import set_up
from server.services import Server

SIZES = {"360": (360, 740), "390": (390, 844), "landscape": (740, 360), "desktop": (1280, 800)}

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
    table = set_up(page, "me", "greedy", map_name=city, seed=7, training=True)
    page.goto(f"/t/{table}")
    player.situation()
    page.evaluate(_WATCH)
    # A refused tap, a whole round with its counting, and the beginning of the next one.
    page.locator(".station:not(.target):not(.source):not(.end)").first.click(force=True)
    page.get_by_test_id("answer").wait_for()
    while player.rounds_counted < 1:
        player.play_on(1)
        if player.situation() == "counting":
            player.go_on("counting")
    player.play_on(2)
    player.situation()
    places = page.evaluate("[...window.places]")
    assert len(places) == 2, places
