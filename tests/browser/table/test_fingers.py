"""Fingers on the board of Ticket to Ride: two look closer, a second tap moves."""

from __future__ import annotations

from typing import Any

import pytest
from browser.player import PHONE, NewPage
from browser.rider import Rider
from playwright.sync_api import expect
from server.services import Server

Points = list[tuple[float, float]]


class Fingers:
    """Fingers on the board of a page, whose points are parts of the board."""

    def __init__(self, rider: Rider) -> None:
        self.board = rider.page.locator("[data-part=board] .drawn")
        self.box: Any = self.board.bounding_box()
        self.page = rider.page
        self.touched = rider.page.context.new_cdp_session(rider.page)

    def _touch(self, kind: str, points: Points) -> None:
        spots = [
            {
                "x": self.box["x"] + x * self.box["width"],
                "y": self.box["y"] + y * self.box["height"],
            }
            for x, y in points
        ]
        self.touched.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    def move(self, *ways: tuple[tuple[float, float], tuple[float, float]]) -> None:
        """Puts a finger down for each way, moves all of them along and lifts them."""
        self._touch("touchStart", [start for start, _ in ways])
        for k in range(1, 7):
            at = [(x + (to_x - x) * k / 6, y + (to_y - y) * k / 6) for (x, y), (to_x, to_y) in ways]
            self._touch("touchMove", at)
        self._touch("touchEnd", [])

    def tap_twice(self, x: float, y: float) -> None:
        for _ in range(2):
            self._touch("touchStart", [(x, y)])
            self._touch("touchEnd", [])

    def seen(self) -> list[float]:
        """What is seen of the board: left, top, width and height as parts of it."""
        x, y, wide, high = map(float, str(self.board.get_attribute("viewBox")).split())
        width, height = self.box["width"], self.box["height"]
        return [x / width, y / height, wide / width, high / height]


@pytest.fixture
def rider(server: Server, new_page: NewPage) -> Rider:
    page = new_page(server, viewport=PHONE, has_touch=True, is_mobile=True)
    rider = Rider(page, "touch")
    rider.set_up("me", "greedy")
    rider.play_on(1)
    rider.situation()
    return rider


def test_two_fingers_look_closer_where_they_are(rider: Rider) -> None:
    fingers = Fingers(rider)
    whole = [0, 0, 1, 1]
    assert fingers.seen() == whole
    # What was between the fingers stays between them.
    fingers.move(((0.7, 0.3), (0.6, 0.3)), ((0.8, 0.3), (0.9, 0.3)))
    left, top, wide, high = fingers.seen()
    assert wide == pytest.approx(1 / 3) == high
    assert left + 0.75 * wide == pytest.approx(0.75, abs=0.01)
    assert top + 0.3 * high == pytest.approx(0.3, abs=0.01)
    # One finger moves the board, and means no route by that.
    fingers.move(((0.5, 0.5), (0.8, 0.5)))
    assert fingers.seen()[0] == pytest.approx(left - 0.1, abs=0.03)
    expect(rider.page.get_by_test_id("route")).to_have_count(0)
    fingers.move(((0.5, 0.2), (0.5, 0.48)), ((0.5, 0.8), (0.5, 0.52)))
    assert fingers.seen() == whole
    fingers.tap_twice(0.97, 0.03)
    rider.page.wait_for_function(
        "() => document.querySelector('[data-part=board] .closer') !== null"
    )
    expect(rider.page.get_by_test_id("route")).to_have_count(0)


def test_a_second_tap_moves_unless_every_move_is_confirmed(rider: Rider) -> None:
    page = rider.page
    card = page.get_by_test_id("supply").locator("[data-card]:not([data-card=bus])").first
    confirm = page.locator("button.confirm")

    def tap_twice() -> None:
        card.tap()
        expect(card).to_have_attribute("aria-pressed", "true")
        page.wait_for_function("since => Date.now() > since + 500", arg=page.evaluate("Date.now()"))
        card.tap()

    before = rider.turn()
    tap_twice()
    expect(confirm).to_be_enabled()
    assert rider.turn() == before
    page.get_by_role("button", name="Undo").tap()
    expect(confirm).to_be_disabled()
    page.evaluate("localStorage.setItem('headway-settings', JSON.stringify({confirm: 'touch'}))")
    page.reload()
    rider.situation()
    tap_twice()
    page.wait_for_function(
        "turn => document.querySelector('[data-testid=play]').dataset.turn !== turn", arg=before
    )
    # Where nothing can be taken back, the button says so.
    rider.set_up("me", "greedy")
    rider.situation()
    page.get_by_role("button", name="Undo").tap(force=True)
    expect(page.get_by_test_id("answer")).to_contain_text("Nothing to undo")
