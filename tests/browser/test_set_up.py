"""The dialog of a new table: Start in view, levels in a row, described for their map."""

from __future__ import annotations

import pytest
from browser.axe import findings
from browser.player import PHONE, NewPage
from playwright.sync_api import Page, expect
from server.services import Server

LANDSCAPE = {"width": 740, "height": 360}
_TOPS = "labels => new Set(labels.map((label) => label.getBoundingClientRect().top)).size"


def set_up(page: Page, card: str, mode: int = 0) -> None:
    """Opens the dialog for a map, by default against bots."""
    page.goto("/")
    page.get_by_test_id(f"map-{card}").locator(".more button").nth(mode).click()
    page.get_by_test_id("new-table").wait_for()


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("size", [PHONE, LANDSCAPE], ids=["portrait", "landscape"])
def test_start_stays_in_view(
    server: Server, new_page: NewPage, size: dict[str, int], locale: str
) -> None:
    page = new_page(server, viewport=size, locale=locale)
    for card in ("next-station-london", "ticket-to-ride-london"):
        for mode in range(3):
            set_up(page, card, mode)
            start = page.get_by_test_id("start")
            expect(start).to_be_in_viewport(ratio=1)
            for place in ("box.scrollHeight", "0"):
                page.locator("dialog").evaluate(f"box => void (box.scrollTop = {place})")
                expect(start).to_be_in_viewport(ratio=1)
        set_up(page, card)
        assert page.locator("fieldset .row").first.locator("label").evaluate_all(_TOPS) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.locator("dialog").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_levels_are_described_for_the_map(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    for card, points in (("next-station-london", 109), ("next-station-tokyo", None)):
        set_up(page, card)
        page.get_by_role("radio", name="Tourist", exact=True).check()
        shelf = page.request.get("/api/shelf").json()["games"]
        maps = {head["name"]: head for game in shelf[:1] for head in game["maps"]}
        tourist_points = maps[card.rpartition("-")[2]]["solo_points"]["tourist"]
        assert points is None or tourist_points == points
        what = page.get_by_test_id("bot-what")
        expect(what).to_contain_text(f"About {tourist_points} points alone on this map.")
        expect(what).not_to_contain_text("in London")
    set_up(page, "ticket-to-ride-london")
    expect(page.get_by_test_id("bot-what")).not_to_contain_text("on this map")


def test_comparison_bots_are_under_more(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    set_up(page, "next-station-london")
    greedy = page.get_by_role("radio", name="Greedy", exact=True)
    expect(greedy).not_to_be_visible()
    page.get_by_test_id("more-bots").click()
    greedy.check()
    expect(page.get_by_test_id("bot-what")).to_contain_text("never looks ahead")
    assert findings(page) == []
