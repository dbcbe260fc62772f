"""Play now: a bot is offered when nobody comes, and two who look are brought together."""

from __future__ import annotations

import json

from browser.player import PHONE, NewPage
from playwright.sync_api import Page, expect
from server.services import Server


def look_for_somebody(page: Page, patience: int) -> None:
    page.goto("/")
    wish = {"game": "ticket-to-ride", "map": "", "pace": 0, "patience": patience}
    page.evaluate("kept => localStorage.setItem('headway-play-now', kept)", json.dumps(wish))
    page.reload()
    page.get_by_test_id("find").click()
    page.get_by_test_id("seek").click()


def test_a_bot_is_offered_and_somebody_found(server: Server, new_page: NewPage) -> None:
    ann, ben = new_page(server, viewport=PHONE), new_page(server)
    look_for_somebody(ann, patience=1)
    expect(ann.get_by_test_id("play-bot")).to_be_visible()
    look_for_somebody(ben, patience=0)
    ann.wait_for_url("**/t/*")
    ben.wait_for_url(ann.url)
    table = ann.url.rpartition("/")[2]
    seats = ann.request.get(f"/api/tables/{table}").json()["seats"]
    assert [seat["kind"] for seat in seats] == ["person", "person"]
    look_for_somebody(ben, patience=1)
    ben.get_by_test_id("play-bot").click()
    ben.wait_for_url(lambda url: "/t/" in url and not url.endswith(table))
