"""Nothing moves under the finger: the buttons and the board stay where they are."""

from __future__ import annotations

from itertools import cycle
from typing import Any

from browser.player import LANDSCAPE, PHONE, NewPage
from browser.rider import Rider
from playwright.sync_api import Page, ViewportSize
from server.services import Server

SIZES: tuple[ViewportSize, ...] = (
    PHONE,
    {"width": 390, "height": 844},
    LANDSCAPE,
    {"width": 1280, "height": 800},
)
MEASURE = """() => ['[data-testid=actions] > .main', '[data-part=board]', '[data-testid=supply]']
  .map((name) => {
    const box = document.querySelector(name).getBoundingClientRect()
    return [box.x, box.y + scrollY, box.width, box.height].map(Math.round).join(' ')
  })"""


def measured(page: Page, size: ViewportSize) -> Any:
    page.set_viewport_size(size)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    return page.evaluate(MEASURE)


def test_ticket_to_ride_stays_where_it_is(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server), "keys")
    rider.set_up("me", "greedy")
    page = rider.page
    first: list[Any] = []
    for size in cycle(SIZES):
        asked = rider.situation()
        if asked not in ("move", "choice"):
            break
        if not first:
            first = [measured(page, each) for each in SIZES]
        expected = first[SIZES.index(size)]
        assert measured(page, size) == expected, asked
        if asked == "move":
            # What is refused, drafted or paid for changes nothing.
            page.get_by_test_id("supply").locator("[data-card]").first.click()
            assert measured(page, size) == expected, "drafted"
            page.locator(".route:not(.taken) rect.halo").first.click(force=True)
            assert measured(page, size) == expected, "a route"
            page.keyboard.press("Escape")
        rider.move(asked)
    assert rider.claimed
