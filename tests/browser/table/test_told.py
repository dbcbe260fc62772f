"""Whatever happens to a seat is told to the others in words: as a notice, and in the list."""

from __future__ import annotations

from browser.person import set_up
from browser.player import PHONE, NewPage
from browser.steps import note_toasts, post, post_name, toasts
from playwright.sync_api import Page, expect
from server.passing_time import time_passes
from server.services import Guest, Server
from server.steps import PASSWORD, became, claim


def watched(page: Page, *guests: Guest, seconds: int) -> str:
    """A running table of the page and these guests, whose notices are noted."""
    post_name(page, "Ann")
    clock = {"kind": "turn", "seconds": seconds}
    table = set_up(page, "me", *("open" for _ in guests), clock=clock)
    for seat, guest in enumerate(guests, 1):
        guest.join(table, seat=seat)
    page.goto(f"/t/{table}")
    note_toasts(page)
    for guest in guests:
        guest.ok(guest.post(f"tables/{table}/ready"))
    post(page, f"tables/{table}/ready")
    page.get_by_test_id("play").wait_for()
    return table


def begins(page: Page, words: str) -> None:
    """Waits for a notice that begins with these words."""
    page.wait_for_function("words => told.some((text) => text.startsWith(words))", arg=words)


def test_every_change_of_a_seat_is_told(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server, viewport=PHONE)
    ben, cleo, wim = (own_server.guest(name) for name in ("Ben", "Cleo", "Wim"))
    claim(ben, "Ben of Bow")
    table = watched(page, ben, cleo, seconds=3600)
    with wim.socket(table):
        toasts(page, "Wim is watching.")
    with ben.socket(table):
        toasts(page, "Ben of Bow is connected again.")
    toasts(page, "Ben of Bow has lost the connection.")
    cleo.ok(cleo.post(f"tables/{table}/leave", seat=2))
    toasts(page, "Cleo has left the game.")
    ben.ok(ben.post(f"tables/{table}/seats/2/bot", bot="random"))
    toasts(page, "Ben of Bow has let a bot play for Cleo.")
    ben.ok(ben.post(f"tables/{table}/seats/1/bot", bot="random"))
    toasts(page, "A bot plays for Ben of Bow now.")
    ben.join(table, seat=1)
    toasts(page, "Ben of Bow is back.")
    own_server.kill()
    time_passes(own_server, 600)
    own_server.start()
    begins(page, "The server was away. Everybody gets 10")
    became(ben, ben.post("account/delete", password=PASSWORD))
    begins(page, "A bot plays for")
    expect(page.locator("[data-testid=seat][data-seat='1']")).to_contain_text("a former player")
    page.get_by_test_id("what-happened").locator("summary").click()
    for words in ("Cleo has left", "has let a bot", "is back", "The server was away"):
        listed = page.get_by_test_id("happened").locator("li", has_text=words)
        expect(listed).to_have_count(1)


def test_a_move_that_the_clock_made_is_told(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE)
    watched(page, server.guest("Ben"), seconds=3)
    begins(page, "Time’s up for Ben. Played for them: ")
