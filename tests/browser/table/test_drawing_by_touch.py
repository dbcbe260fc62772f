"""Fingers on the board of Next Station: a drag, two taps, a pinch, the larger sheet."""

from __future__ import annotations

from typing import Any

from browser.person import set_up
from browser.player import LANDSCAPE, NewPage, Player
from playwright.sync_api import Locator, Page, expect
from server.services import Server

Place = tuple[float, float]
STEPS = 10
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}


class Fingers:
    """Fingers as the browser gets them from its screen: it may still take them for its own."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.line = page.context.new_cdp_session(page)

    def place(self, what: Locator) -> Place:
        """The middle of something, as the browser's screen counts it where the page is zoomed."""
        x, y = what.first.evaluate(
            """element => {
                const { x, y, width, height } = element.getBoundingClientRect()
                const { offsetLeft, offsetTop } = visualViewport
                return [x + width / 2 - offsetLeft, y + height / 2 - offsetTop]
            }"""
        )
        return x, y

    def go(self, *ways: tuple[Place, Place]) -> None:
        """Puts fingers down, moves each along its way, and lifts them."""
        for step in range(STEPS + 1):
            points = [
                {"x": a[0] + (b[0] - a[0]) * step / STEPS, "y": a[1] + (b[1] - a[1]) * step / STEPS}
                for a, b in ways
            ]
            self._touch("touchMove" if step else "touchStart", points)
        self._touch("touchEnd", [])

    def tap(self, at: Place) -> None:
        self._touch("touchStart", [{"x": at[0], "y": at[1]}])
        self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        named = [point | {"id": k} for k, point in enumerate(points)]
        self.line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": named})


def test_fingers_draw_and_look_closer(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport={"width": 390, "height": 844}, **TOUCH)
    table = set_up(page, "me", seed=7, training=True)
    page.goto(f"/t/{table}")
    player, fingers = Player(page, "touch"), Fingers(page)
    player.situation()
    source, target = page.locator(".station.source"), page.locator(".station.target")
    drafted, back = page.locator(".drafted"), page.locator(".actions .actions button").nth(1)
    before = player.at()

    fingers.go((fingers.place(source), fingers.place(target)))
    expect(drafted).to_have_count(1)
    assert page.evaluate("scrollY") == 0
    back.tap()

    at = fingers.place(target)
    fingers.tap(at)
    fingers.tap(at)  # a trembling finger does not confirm
    expect(drafted).to_have_count(1)
    assert player.at() == before
    back.tap()
    expect(drafted).to_have_count(0)

    x, y = fingers.place(page.locator(".board-area"))
    fingers.go(((x - 20, y), (x - 70, y)), ((x + 20, y), (x + 70, y)))
    assert page.evaluate("visualViewport.scale") > 1
    expect(drafted).to_have_count(0)  # two fingers draw nothing
    fingers.go((fingers.place(source), fingers.place(target)))
    expect(drafted).to_have_count(1)


def test_a_phone_on_its_side_has_a_larger_sheet(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=LANDSCAPE, **TOUCH)
    table = set_up(page, "me", seed=7, training=True)
    page.goto(f"/t/{table}")
    Player(page).situation()
    board = page.locator(".board").first
    small, area = board.bounding_box(), page.locator(".board-area").bounding_box()
    assert small
    page.get_by_role("button", name="Larger sheet").tap()
    large = board.bounding_box()
    assert large
    assert large["width"] == 2 * small["width"]
    assert page.locator(".board-area").bounding_box() == area
