"""Watching a table and looking back at one: labelled, and never as if one played."""

from __future__ import annotations

import pytest
from browser.axe import findings
from browser.player import PHONE, NewPage
from browser.replays import GAMES, opened, press_to
from playwright.sync_api import expect
from server.services import Server

LIVE_WORDS = ("Waiting for", "is thinking", "has moved", "Your turn", "Draw to")


def test_watchers_see_whose_sheet_it_is(server: Server, new_page: NewPage) -> None:
    host, guest = server.guest("Ada"), server.guest("Ben")
    table = host.set_up("me", "open", clock={"kind": "bank", "seconds": 600, "increment": 10})
    guest.join(table)
    for player, seat in ((host, 0), (guest, 1)):
        if host.see(table)["started"] is None:
            player.ok(player.post(f"tables/{table}/ready", seat=seat))
    watcher = new_page(server, viewport=PHONE)
    watcher.goto(f"/t/{table}")
    note = watcher.get_by_test_id("note")
    expect(note).to_have_text("You are watching")
    expect(note).to_be_visible()
    expect(watcher.get_by_test_id("whose")).to_have_text("Ada’s sheet")
    expect(watcher.get_by_role("timer")).to_have_count(2)
    other = new_page(server)
    other.goto(f"/t/{table}")
    expect(note).to_have_text("You and 1 other are watching")
    named = new_page(server)
    named.request.patch("/api/me", data={"name": "Cleo"})
    named.goto(f"/t/{table}")
    expect(note).to_have_text("You, Cleo and 1 other are watching")
    expect(named.get_by_test_id("note")).to_have_text("You and 2 others are watching")
    named.request.patch("/api/me", data={"name": "Zoe"})
    expect(note).to_have_text("You, Zoe and 1 other are watching")
    while host.see(table)["views"]["0"]["round"] == 1:
        for player, seat in ((host, 0), (guest, 1)):
            if legal := player.see(table)["legal"].get(str(seat)):
                player.move(table, seat, legal[-1])
    expect(watcher.get_by_test_id("play")).to_have_attribute("data-turn", "2.1")
    expect(watcher.get_by_role("button", name="Continue")).to_have_count(0)
    assert findings(watcher) == []
    assert watcher.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_says_what_was_moved(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(server)
    opened(page, GAMES[game])
    moves = set()
    for moment in range(1, 9):
        press_to(page, "ArrowRight", moment)
        text = page.get_by_test_id("moved").inner_text()
        assert ": " in text
        moves.add(text)
        body = page.locator("body").inner_text()
        assert [word for word in LIVE_WORDS if word in body] == [], moment
    assert len(moves) > 4


def test_play_and_step_look_different(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    opened(page, GAMES["london"])
    shapes = [
        page.get_by_test_id(f"replay-{name}").locator("path").get_attribute("d") or ""
        for name in ("play", "back", "on")
    ]
    assert shapes[0].endswith("Z")  # a full triangle
    assert not any(shape.endswith("Z") for shape in shapes[1:])
    for width, height in ((740, 360), (1280, 800)):  # and they cover no part of the board
        page.set_viewport_size({"width": width, "height": height})
        board = page.locator(".board-area .board").first.bounding_box()
        bar = page.get_by_test_id("replay").bounding_box()
        assert board
        assert bar
        assert board["x"] + board["width"] <= bar["x"]
        assert board["y"] + board["height"] <= height
