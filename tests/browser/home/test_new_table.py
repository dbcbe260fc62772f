"""A new table: its dialog, the levels of its bots, and what the box lets a host choose."""

from __future__ import annotations

from typing import Any

import pytest
from browser.axe import findings
from browser.person import wish
from browser.player import LANDSCAPE, PHONE, WIDE, NewPage, Player
from browser.steps import no_overflow
from playwright.sync_api import Locator, Page, expect
from server.services import Server

_TOPS = "labels => new Set(labels.map((label) => label.getBoundingClientRect().top)).size"


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_start_stays_in_view(server: Server, new_page: NewPage, locale: str) -> None:
    page = new_page(server, locale=locale)
    page.goto("/")
    for card in ("next-station-london", "ticket-to-ride-london"):
        for mode in ("bots", "screen", "friends"):
            page.set_viewport_size(WIDE)
            wish(page, card, mode, options=True)
            for size in (PHONE, LANDSCAPE):
                page.set_viewport_size(size)
                assert_in_view(page)
            close(page)


def assert_in_view(page: Page) -> None:
    """Start is in view wherever the dialog is scrolled to, and nothing is too wide."""
    start = page.get_by_test_id("start")
    expect(start).to_be_in_viewport(ratio=1)
    for place in ("box.scrollHeight", "0"):
        page.locator("dialog").evaluate(f"box => void (box.scrollTop = {place})")
        expect(start).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("dialog").evaluate("box => box.scrollWidth <= box.clientWidth")
    if page.get_by_test_id("bot-what").count():
        assert page.locator("fieldset .narrow").first.locator("label").evaluate_all(_TOPS) == 1


def test_levels_are_described_for_the_map(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    for card, points in (("next-station-london", 109), ("next-station-tokyo", None)):
        wish(page, card, "bots", options=True)
        page.get_by_role("radio", name="Tourist", exact=True).check()
        shelf = page.request.get("/api/shelf").json()["games"]
        maps = {head["name"]: head for game in shelf[:1] for head in game["maps"]}
        tourist_points = maps[card.rpartition("-")[2]]["solo_points"]["tourist"]
        assert points is None or tourist_points == points
        what = page.get_by_test_id("bot-what")
        expect(what).to_contain_text(f"About {tourist_points} points alone on this map.")
        expect(what).not_to_contain_text("in London")
        close(page)
    wish(page, "ticket-to-ride-london", "bots", options=True)
    expect(page.get_by_test_id("bot-what")).not_to_contain_text("on this map")


def test_comparison_bots_are_under_more(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    wish(page, "next-station-london", "bots", options=True)
    greedy = page.get_by_role("radio", name="Greedy", exact=True)
    expect(greedy).not_to_be_visible()
    page.get_by_test_id("more-bots").click()
    greedy.check()
    expect(page.get_by_test_id("bot-what")).to_contain_text("never looks ahead")
    assert findings(page) == []


# What the host chooses


def open_dialog(page: Page, game: str) -> Locator:
    """What can be chosen for a game against bots."""
    page.goto(f"/new/{game}/london")
    dialog = page.get_by_test_id("new-table")
    dialog.locator("input[value=bots]").check()
    dialog.get_by_test_id("options").locator("summary").first.click()
    return dialog


def start(page: Page) -> Any:
    page.get_by_test_id("start").click()
    page.wait_for_url("**/t/*")
    return Player(page).table_view()


def test_the_host_chooses_pencils_spare_and_controller(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    dialog = open_dialog(page, "next-station")
    dialog.locator(".row label", has_text="2").first.click()
    dialog.get_by_test_id("setup").locator("summary").click()
    dialog.get_by_test_id("choice-pencils-0").select_option("green")
    dialog.get_by_test_id("choice-pencils-1").select_option("green")  # takes it from me
    dialog.get_by_test_id("choice-pencils-0").select_option("pink")
    dialog.get_by_test_id("choice-spare-0").select_option("between Tourist 2 and You")
    dialog.get_by_test_id("choice-controller-0").select_option("Tourist 1")
    for size in (PHONE, WIDE):
        page.set_viewport_size(size)
        no_overflow(page)
    table = start(page)
    assert table["chosen"] == {"pencils": ["pink", "green", None], "spare": 2, "controller": 1}
    view = table["views"]["0"]
    assert [row[0] for row in view["pencils"][:2]] == ["pink", "green"]
    assert view["controller"] == 1
    page.get_by_test_id("this-table").locator("summary").click()
    facts = page.get_by_test_id("facts")
    expect(facts).to_contain_text("You: pink")
    expect(facts).to_contain_text("between Tourist 2 and You")


def test_the_host_begins_with_brown_buses(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    dialog = open_dialog(page, "ticket-to-ride")
    dialog.get_by_test_id("setup").locator("summary").click()
    dialog.get_by_test_id("choice-first-0").select_option("You")
    dialog.get_by_test_id("choice-buses-0").select_option("brown")
    view = start(page)["views"]["0"]
    assert view["first"] == 0
    assert view["bus_colours"] == ["brown", "red"]
    for seat, colour in enumerate(("rgb(124, 74, 28)", "rgb(200, 40, 44)")):
        left = page.locator(f"[data-testid=seat][data-seat='{seat}'] .pips")  # a pip for each bus
        drawn: str = left.evaluate("e => getComputedStyle(e).backgroundImage")
        assert colour in drawn


def test_bots_of_different_levels_and_a_friend(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE)
    dialog = open_dialog(page, "next-station")
    dialog.locator(".row label", has_text="3").first.click()
    dialog.get_by_test_id("each-seat").locator("summary").click()
    dialog.get_by_test_id("seat-2").select_option("Greedy")
    dialog.get_by_test_id("seat-3").select_option("Friend")
    no_overflow(page)
    dialog.get_by_label("Your name").fill("Ann")
    seats = start(page)["seats"]
    assert [(seat["kind"], seat.get("bot")) for seat in seats] == [
        ("person", None),
        ("bot", "tourist"),
        ("bot", "greedy"),
        ("open", None),
    ]
    assert seats[0]["name"] == "Ann"
    page.goto("/")
    assert page.request.get("/api/me").json()["name"] == "Ann"


def test_nobody_flips_cards(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    open_dialog(page, "next-station")
    start(page)
    page.get_by_test_id("play").wait_for()
    expect(page.get_by_text("Controller: You")).to_be_visible()
    expect(page.get_by_text("flips")).to_have_count(0)
