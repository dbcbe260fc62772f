"""Setting up a table: my name, who sits where, and what the box lets a host choose."""

from __future__ import annotations

from typing import Any

import pytest
from browser.player import PHONE, WIDE, NewPage, Player
from browser.test_waiting import no_overflow
from playwright.sync_api import Locator, Page, expect
from server.services import Server


def open_dialog(page: Page, game: str, mode: str) -> Locator:
    page.goto(f"/new/{game}/london")
    dialog = page.get_by_test_id("new-table")
    dialog.get_by_text(mode, exact=True).click()
    return dialog


def start(page: Page) -> Any:
    page.get_by_test_id("start").click()
    page.wait_for_url("**/t/*")
    return Player(page).table_view()


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_host_chooses_pencils_spare_and_controller(
    server: Server, new_page: NewPage, screen: dict[str, int]
) -> None:
    page = new_page(server, viewport=screen)
    dialog = open_dialog(page, "next-station", "Against bots")
    dialog.locator("label", has_text="2").first.click()
    dialog.get_by_test_id("setup").locator("summary").click()
    dialog.get_by_test_id("choice-pencils-0").select_option("green")
    dialog.get_by_test_id("choice-pencils-1").select_option("green")  # takes it from me
    dialog.get_by_test_id("choice-pencils-0").select_option("pink")
    dialog.get_by_test_id("choice-spare-0").select_option("between Tourist 2 and You")
    dialog.get_by_test_id("choice-controller-0").select_option("Tourist 1")
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
    dialog = open_dialog(page, "ticket-to-ride", "Against bots")
    dialog.get_by_test_id("setup").locator("summary").click()
    dialog.get_by_test_id("choice-first-0").select_option("You")
    dialog.get_by_test_id("choice-buses-0").select_option("brown")
    view = start(page)["views"]["0"]
    assert view["first"] == 0
    assert view["bus_colours"] == ["brown", "red"]
    colours = [
        page.locator(f"tr[data-seat='{seat}'] .bus .body").evaluate("e => getComputedStyle(e).fill")
        for seat in (0, 1)
    ]
    assert colours == ["rgb(122, 74, 30)", "rgb(207, 46, 46)"]


def test_bots_of_different_levels_and_a_friend(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE)
    dialog = open_dialog(page, "next-station", "Against bots")
    dialog.locator("label", has_text="3").first.click()
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
    open_dialog(page, "next-station", "Against bots")
    start(page)
    page.get_by_test_id("play").wait_for()
    expect(page.get_by_text("Controller: You")).to_be_visible()
    expect(page.get_by_text("flips")).to_have_count(0)
