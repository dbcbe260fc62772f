"""Long names on a phone: each stays in one line, and the page stays as wide as the screen."""

from __future__ import annotations

import pytest
from browser.person import open_table, set_up
from browser.player import PHONE, NewPage
from browser.steps import no_overflow, pass_to_the_end, post
from playwright.sync_api import Page, expect
from server.services import Server

LONG = ("Ann-Katrin Müller-Lüdenscheidt", "Bartholomew Featherstonehaugh-Cholmondeley")
LINES = """e => {
  const range = document.createRange()
  range.selectNodeContents(e)
  return new Set([...range.getClientRects()].map((r) => Math.round(r.top / 4))).size
}"""


def one_line_each(page: Page) -> None:
    names = page.locator(".player-name").filter(has_text="-").all()
    assert names
    assert [name.evaluate(LINES) for name in names] == [1] * len(names)
    no_overflow(page)


@pytest.mark.parametrize("game", ["next-station", "ticket-to-ride"])
def test_names_at_a_table(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(server, viewport=PHONE)
    seats = [{"kind": "me", "name": name[:40]} for name in LONG]
    clock = {"kind": "bank", "seconds": 600, "increment": 5}
    open_table(page, *seats, game=game, clock=clock)
    expect(page.get_by_test_id("hand-over")).to_contain_text(LONG[0])
    no_overflow(page)
    page.get_by_test_id("take-over").click()
    page.get_by_test_id("seat").first.wait_for()
    one_line_each(page)


def test_names_in_the_result(server: Server, new_page: NewPage) -> None:
    page, friend = new_page(server, viewport=PHONE), new_page(server)
    for each, name in zip((page, friend), LONG, strict=True):
        assert each.request.patch("/api/me", data={"name": name[:40]}).ok
    table = set_up(page, "me", "open")
    post(friend, f"tables/{table}/join")
    pass_to_the_end(table, page, friend)
    page.goto(f"/t/{table}")
    page.get_by_test_id("end").wait_for()
    one_line_each(page)
