"""Names of places can be read: they cover neither each other nor a place or its letters."""

from __future__ import annotations

from typing import Any

import pytest
from browser.player import LANDSCAPE, PHONE, NewPage
from browser.rider import Rider
from playwright.sync_api import Page
from server.services import Server, until

SIZES = (PHONE, {"width": 390, "height": 844}, LANDSCAPE)
COVERED = """() => {
  const board = document.querySelector('[data-part=board] .board')
  const all = (what) => [...board.querySelectorAll(what)]
  // A box of text is higher than its letters.
  const names = all('text.name').flatMap((name) => [...name.children]).map((line) => {
    const { x, y, width, height } = line.getBoundingClientRect()
    return { text: line.textContent, left: x + 1, right: x + width - 1,
      top: y + 0.25 * height, bottom: y + 0.8 * height }
  })
  const discs = all('.place .ring, .letter > circle').map((disc) => {
    const { x, y, width } = disc.getBoundingClientRect()
    return { x: x + width / 2, y: y + width / 2, radius: width / 2 - 1 }
  })
  const over = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
  const under = (name, { x, y, radius }) => Math.hypot(
    Math.max(name.left - x, 0, x - name.right), Math.max(name.top - y, 0, y - name.bottom)) < radius
  const { left, right, top, bottom } = board.getBoundingClientRect()
  return {
    names: names.length, high: bottom - top,
    size: parseFloat(getComputedStyle(all('text.name')[0]).fontSize),
    faults: names.flatMap((name, i) => [
      ...names.slice(i + 1).filter((other) => over(name, other))
        .map((one) => `${name.text} / ${one.text}`),
      ...discs.filter((disc) => under(name, disc)).map(() => `${name.text} / a disc`),
      ...(name.left < left || name.right > right || name.top < top || name.bottom > bottom
        ? [`${name.text} / the edge`] : []),
    ]),
  }
}"""


def assert_readable(page: Page) -> None:
    for size in SIZES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate("() => new Promise(requestAnimationFrame)")
        seen: Any = page.evaluate(COVERED)
        assert seen["names"] >= 17
        assert seen["size"] >= 11
        assert seen["high"] >= 260, size
        assert seen["faults"] == [], size


@pytest.mark.parametrize("bots", [1, 2, 3])
def test_names_at_a_table(server: Server, new_page: NewPage, bots: int) -> None:
    rider = Rider(new_page(server, viewport=PHONE))
    rider.set_up({"kind": "me"}, *[{"kind": "bot", "bot": "greedy"}] * bots)
    assert rider.situation() == "choice"
    assert_readable(rider.page)


def test_names_in_practice(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE)
    shown = until(lambda: page.request.get("/api/practice?game=ticket-to-ride").json())
    page.route("**/api/practice*", lambda route: route.fulfill(json=shown))
    page.goto("/practice")
    page.get_by_test_id("puzzle").wait_for()
    assert_readable(page)
