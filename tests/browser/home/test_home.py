"""Home: playing and learning first, nothing jumps, and what moves comes to rest."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from browser.person import wish
from browser.player import LANDSCAPE, PHONE, WIDE, NewPage
from browser.replays import tab_stops
from browser.steps import guest_at
from playwright.sync_api import Page, Request, expect
from server.services import Guest, Server, play_out, until

MOST_REQUESTS = 30
MOST_SHIFT = 0.02
SLOW_4G = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SIZES = (PHONE, LANDSCAPE, WIDE)

_SHIFTS = """
window.shift = 0
const add = (list) => { for (const entry of list.getEntries()) shift += entry.value }
new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
"""
_TIMERS = """
window.timers = new Map()
const { setInterval: set, clearInterval: clear } = window
window.setInterval = (run, ms) => { const id = set(run, ms); timers.set(id, ms); return id }
window.clearInterval = (id) => { timers.delete(id); clear(id) }
"""

_UNEVEN = """() => {
  const edges = (selector, names) => [...document.querySelectorAll(selector)].map((element) => {
    const box = element.getBoundingClientRect()
    return names.map((name) => box[name]).join()
  })
  const cards = ['article', 'article .picture', 'article h3', 'article button']
  return cards.filter((part) => new Set(edges(part, ['top', 'bottom'])).size > 1)
}"""


def loaded(page: Page) -> None:
    """Waits until Home is all there."""
    page.get_by_test_id("hero").locator(".board").first.wait_for()
    page.get_by_test_id("strip").wait_for()
    page.wait_for_load_state("networkidle")


def test_tab_comes_to_buttons_only(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    loaded(page)
    stops = tab_stops(page)
    assert [stop for stop in stops if stop.split()[0] not in ("A", "BUTTON")] == []
    assert "A learn" in stops[:8]
    assert "BUTTON play-map" in stops


def test_playing_and_learning_come_first(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    loaded(page)
    for size in SIZES:
        page.set_viewport_size(size)
        for way in page.get_by_test_id("hero").locator(".button, button").all():
            expect(way).to_be_in_viewport(ratio=0.9)
    page.set_viewport_size({"width": 1280, "height": 800})
    for play in page.get_by_test_id("play-map").all():
        expect(play).to_be_in_viewport(ratio=1)
    assert page.evaluate(_UNEVEN) == [], "three covers in a row are alike to the pixel"
    page.get_by_test_id("hero").get_by_role("button", name="Play").click()
    page.get_by_test_id("start").click()  # the second tap
    page.get_by_test_id("play").wait_for()


def test_rules_are_one_tap_away_for_every_game(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    page.get_by_test_id("open-rules").click()
    page.get_by_test_id("rules").get_by_text("Ticket to Ride", exact=True).click()
    expect(page.locator("#rules-title")).to_contain_text("Ticket to Ride")
    expect(page.locator("[data-testid=rules] article")).to_contain_text("bus")


def test_the_last_choice_is_remembered(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE)
    page.goto("/")
    wish(page, "next-station-london", "bots")
    expect(page.get_by_test_id("start")).to_have_text("Play against bots")
    page.get_by_test_id("start").click()
    page.wait_for_url("**/t/*")
    page.goto("/")
    expect(page.get_by_test_id("hero").get_by_test_id("continue")).to_be_in_viewport()
    sheet = wish(page, "next-station-london")
    expect(sheet.locator("label", has_text="last time")).to_contain_text("Bots")
    expect(page.get_by_test_id("start")).to_have_text("Play against bots")
    page.keyboard.press("Escape")
    sheet = wish(page, "next-station-tokyo")
    expect(sheet.get_by_text("last time")).to_have_count(0)
    expect(page.get_by_test_id("start")).to_have_text("Play alone")


def test_lessons_are_offered_until_they_are_learned(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    lesson = {"seen": True, "done": ["next-station/london"], "table": None}
    page.evaluate("kept => localStorage.setItem('headway-lessons', kept)", json.dumps(lesson))
    page.reload()
    for name, offer in (
        ("next-station-london", "Repeat the lesson"),
        ("next-station-tokyo", "New here? Learn it in 3 minutes"),
        ("ticket-to-ride-london", "New here? Learn it in 3 minutes"),
    ):
        wish(page, name)
        expect(page.get_by_role("dialog").get_by_test_id("learn")).to_have_text(offer)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("knows", [False, True], ids=["newcomer", "regular"])
def test_nothing_jumps_on_a_slow_line(server: Server, new_page: NewPage, knows: bool) -> None:
    for size in SIZES if knows else (PHONE,):  # a newcomer's page has less on it
        page = new_page(server, viewport=size)
        if knows:
            guest = guest_at(page, server)
            play_out(guest.set_up("me"), {0: guest})
            table = guest.set_up("me", "random")
            # Each change of a table is a reason to ask for it: the bot has moved before.
            until(partial(bot_has_moved, guest, table))
        requests = followed(page)
        page.add_init_script(_SHIFTS)
        slow(page, machine=4 if size is PHONE else 1)
        page.goto("/")
        loaded(page)
        shift: float = page.evaluate("shift")
        assert shift < MOST_SHIFT, (size, shift)
        assert len(requests) <= MOST_REQUESTS, requests


def bot_has_moved(guest: Guest, table: str) -> bool:
    return bool(guest.see(table)["views"]["0"]["moved"][1])


def followed(page: Page) -> list[str]:
    """What the page asks for, as it asks."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    return asked


def slow(page: Page, machine: int) -> None:
    """A slow line, and a machine that takes so many times as long."""
    session: Any = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_4G})
    session.send("Emulation.setCPUThrottlingRate", {"rate": machine})


def test_maps_come_to_rest(server: Server, new_page: NewPage) -> None:
    page = new_page(server, reduced_motion="no-preference")
    page.add_init_script(_TIMERS)
    page.goto("/")
    loaded(page)
    assert page.evaluate("[...timers.values()].some((ms) => ms < 5000)")
    page.wait_for_function("() => [...timers.values()].every((ms) => ms >= 5000)")
    page.wait_for_function("() => !document.getAnimations().length")
