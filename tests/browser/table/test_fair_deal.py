"""The fair deal on the page: promised before the first card, checked after the last."""

from __future__ import annotations

import pytest
from browser.player import NewPage
from browser.steps import guest_at
from playwright.sync_api import expect
from server.services import Server, play_out


@pytest.mark.parametrize("game", ["next-station", "ticket-to-ride"])
def test_commitment_is_shown_and_checked(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(server)
    guest = guest_at(page, server)
    table = guest.set_up("me", "random", game=game)
    page.goto(f"/t/{table}")
    page.get_by_test_id("fair").locator("summary").click()
    promised = guest.see(table)["commitment"]
    expect(page.get_by_test_id("commitment")).to_have_text(promised)
    expect(page.get_by_test_id("seed")).to_have_count(0)
    page.evaluate("scrollTo(0, 1e6)")
    assert page.evaluate("scrollY") > 0
    play_out(table, {0: guest})
    page.wait_for_function("scrollY === 0")  # the result is on top
    page.reload()
    page.get_by_test_id("fair").locator("summary").click()
    expect(page.get_by_test_id("seed")).to_have_text(str(guest.see(table)["fair"]["seed"]))
    page.get_by_test_id("check-deal").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("It matches")
    # A server that promises something else at the end is found out.
    page.evaluate("table => localStorage.setItem(`headway-fair ${table}`, 'another')", table)
    page.reload()
    page.get_by_test_id("fair").locator("summary").click()
    page.get_by_test_id("check-deal").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("It does not match")
