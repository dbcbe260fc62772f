"""Clocks at the page: every kind runs down at its seat, in both games and on any screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.person import open_table
from browser.player import PHONE, WIDE, NewPage, Player
from browser.rider import Rider
from browser.steps import SMALL, post, sit
from playwright.sync_api import Page, expect
from server.services import Server, start_clock

# Notes everything that each running clock shows, so that a slow test misses nothing.
NOTE = """() => {
  window.noted = {}
  const running = '[role=timer][data-running=true]'
  const note = () => document.querySelectorAll(running).forEach((timer) => {
    const texts = (window.noted[timer.dataset.seat] ??= [])
    if (texts.at(-1) !== timer.textContent) texts.push(timer.textContent)
  })
  const all = { subtree: true, childList: true, characterData: true }
  new MutationObserver(note).observe(document, all)
}"""


def open_with_clock(page: Page, game: str, *seats: str, clock: dict[str, Any]) -> str:
    """Makes a table with a clock; the page notes what its clocks show from now on."""
    page.add_init_script(f"({NOTE})()")
    return open_table(page, *seats, game=game, clock=clock)


def until_noted(page: Page, seat: int, pattern: str, count: int = 1) -> list[str]:
    """All that a seat's clock has shown, as soon as so many of its texts have the pattern."""
    noted: list[str] = page.wait_for_function(
        """([seat, pattern, count]) => {
          const texts = window.noted[seat] ?? []
          return texts.filter((text) => new RegExp(pattern).test(text)).length >= count && texts
        }""",
        arg=[str(seat), pattern, count],
    ).json_value()
    return noted


def seconds(text: str) -> float:
    """The time that a clock shows."""
    if match := re.fullmatch(r"(\d+):(\d\d)", text):
        return 60 * int(match[1]) + int(match[2])
    assert re.fullmatch(r"\d[.,]\d", text), text
    return float(text.replace(",", "."))


def assert_visible(page: Page) -> None:
    """All clocks are on the screen, without scrolling."""
    size = page.viewport_size
    assert size
    # All at one moment: the clock of a bot goes when it has moved.
    boxes = page.get_by_role("timer").evaluate_all(
        "all => all.map((timer) => timer.getBoundingClientRect().toJSON())"
    )
    for box in boxes:
        assert box["width"] * box["height"] > 0
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size["height"]
        assert box["x"] + box["width"] <= size["width"]


@pytest.mark.parametrize("game", ["next-station", "ticket-to-ride"])
def test_a_turn_clock_runs_down_to_tenths(server: Server, new_page: NewPage, game: str) -> None:
    """In Ticket to Ride this is the choice of the first tickets."""
    page, friend = new_page(server, **SMALL), server.guest("Nina")
    table = open_with_clock(page, game, "me", "open", clock={"kind": "turn", "seconds": 11})
    friend.join(table)
    start_clock(table, friend)
    page.get_by_test_id("ready").click()  # the clock starts when the page is there
    page.get_by_test_id("play").wait_for()
    if game == "ticket-to-ride":
        expect(page.get_by_test_id("choice")).to_be_visible()
    assert_visible(page)
    page.set_viewport_size(WIDE)
    assert_visible(page)
    noted = [seconds(text) for text in until_noted(page, 0, r"^\d\.\d$", 3)]
    short = [time for time in noted if time < 10]
    assert short[:3] == sorted(short[:3], reverse=True)
    assert all(time < 11 for time in noted)


def test_the_flag_falls_and_the_next_turn_has_its_own_time(
    server: Server, new_page: NewPage
) -> None:
    player = Player(new_page(server))
    page = player.page
    open_with_clock(page, "next-station", "me", "greedy", clock={"kind": "turn", "seconds": 2})
    page.wait_for_function(
        """() => {
          const texts = window.noted[0] ?? []
          const times = texts.filter((text) => /^\\d[.]\\d$/.test(text)).map(Number)
          return times.some((time, i) => i && time > times[i - 1])
        }"""
    )
    log = [line["text"] for line in player.table_view()["log"] if line["seat"] == 0]
    assert log[0] == "pass"


def test_banks_run_for_those_who_have_to_move(server: Server, new_page: NewPage) -> None:
    host, guest = Rider(new_page(server, **SMALL)), Rider(new_page(server))
    clock = {"kind": "bank", "seconds": 1000, "increment": 7}
    table = open_with_clock(host.page, "ticket-to-ride", "me", "open", clock=clock)
    sit(guest.page, table, "Nina")
    for rider in (host, guest):
        rider.page.get_by_test_id("ready").click()
    guest.page.get_by_test_id("play").wait_for()
    # Both choose tickets, so both clocks run.
    for seat in (0, 1):
        noted = [seconds(text) for text in until_noted(host.page, seat, "", 3)]
        assert noted == sorted(noted, reverse=True)
        assert noted[0] < 1000
    for rider in (host, guest):
        expect(rider.page.get_by_test_id("choice")).to_be_visible()
        assert_visible(rider.page)
    for rider in (host, guest):
        rider.play_on(1)
    # Now one of them has to move, and the other one's bank stands still.
    expect(host.page.locator("[role=timer][data-running=true]")).to_have_count(1)
    running = host.page.locator("[role=timer][data-running=true]")
    standing = host.page.locator("[role=timer][data-running=false]")
    for rider in (host, guest):
        assert_visible(rider.page)
    shown = standing.inner_text()
    before = running.inner_text()
    expect(running).not_to_have_text(before)
    before = running.inner_text()
    expect(running).not_to_have_text(before)
    assert standing.inner_text() == shown
    clocks = host.table_view()["clocks"]
    (moving,) = clocks["ends"]
    waiting = "1" if moving == "0" else "0"
    assert seconds(shown) == int(clocks["banks"][waiting])
    assert standing.get_attribute("data-seat") == waiting


@pytest.mark.parametrize(
    ("days", "locale", "shown"),
    [
        (3, "en-GB", r"^2\sd\s23\sh$"),
        (3, "fr-FR", r"^2\sj\s23\sh$"),
        (1, "en-GB", r"^23\sh\s5\d\smin$"),
    ],
)
def test_days_read_as_days_and_hours(
    server: Server, new_page: NewPage, days: int, locale: str, shown: str
) -> None:
    """How a time reads at every length is a test of the client's own."""
    page, guest = new_page(server, locale=locale), new_page(server)
    clock = {"kind": "days", "days": days}
    table = open_with_clock(page, "next-station", "me", "open", clock=clock)
    for player, path in ((guest, "join"), (guest, "ready"), (page, "ready")):
        post(player, f"tables/{table}/{path}")
    until_noted(page, 0, shown)
    assert_visible(page)


def test_days_are_offered_with_friends_only(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/new/next-station/london")
    dialog = page.get_by_test_id("new-table")
    dialog.locator("input[value=bots]").check()
    dialog.get_by_test_id("options").locator("summary").first.click()
    days = dialog.get_by_role("option", name="1 day per turn")
    for mode, offered in (("bots", 0), ("screen", 0), ("friends", 1)):
        dialog.locator(f"input[value={mode}]").check()
        expect(dialog.get_by_role("option", name="60 seconds per turn")).to_have_count(1)
        expect(days).to_have_count(offered)


def test_the_clock_runs_while_the_screen_is_handed_over(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server, viewport=PHONE))
    clock = {"kind": "bank", "seconds": 100, "increment": 0}
    open_with_clock(player.page, "next-station", "me", "me", clock=clock)
    assert player.situation() == "hand-over"
    noted = [seconds(text) for text in until_noted(player.page, 0, "", 3)]
    assert noted == sorted(noted, reverse=True)
    assert_visible(player.page)
