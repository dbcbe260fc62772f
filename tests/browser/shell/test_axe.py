"""axe-core finds nothing serious on any page or in any state of a table, in either theme."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from browser.axe import findings
from browser.player import PHONE, NewPage, Player
from browser.replays import GAMES, opened, press_to
from browser.rider import Rider
from browser.steps import PASSWORD, post
from playwright.sync_api import Page
from server.services import Server, play_out

ROUTES = Path(__file__).parents[3] / "src/headway/server/static/routes.json"
# Every address: an example of it, and what shows that its page is there. Several addresses of a
# replay show the same page, which is looked at once.
ADDRESSES = {
    "/": ("/", "[data-testid=hero] .board"),
    "/new/{game:str}/{map:str}": ("/new/next-station/london", "[data-testid=new-table]"),
    "/t/{id:str}": ("/t/{table}", "[data-testid=end]"),
    "/t/{id:str}/replay": ("/t/{table}/replay", "[data-testid=replay]"),
    "/t/{id:str}/replay/{moment:int}": ("/t/{table}/replay/3/open", "[data-testid=replay]"),
    "/t/{id:str}/replay/{moment:int}/{who:str}": (
        "/t/{table}/replay/3/open", "[data-testid=replay]",
    ),
    "/t/{id:str}/review": ("/t/{table}/review", "[data-testid=details]"),
    "/replay": ("/replay/5", "[data-testid=replay]"),
    "/replay/{moment:int}": ("/replay/5", "[data-testid=replay]"),
    "/replay/{moment:int}/{who:str}": ("/replay/5", "[data-testid=replay]"),
    "/review": ("/review", "[data-testid=details]"),
    "/learn/{game:str}/{map:str}": ("/learn/next-station/tokyo", "[data-testid=coach]"),
    "/today": ("/today", "[data-testid=deal-next-station-london]"),
    "/today/{day:date}": ("/today/2020-01-01", "h1"),
    "/practice": ("/practice", "[data-testid=puzzle]"),
    "/u/{name:str}": ("/u/Axel%20of%20Axe", "[data-testid=controls]"),
    "/ladder/{game:str}": ("/ladder/next-station", "#how"),
    "/account": ("/account", "h1"),
    "/device": ("/device#{code}", "[data-testid=confirm-device]"),
    "/invitation": ("/invitation", "h1"),
    "/paper": ("/paper", "[data-testid=paper-setting]"),
    "/print": ("/print", "h1"),
    "/about": ("/about", "article"),
    "/house/{name:str}": ("/house/imprint", "h1"),
}  # fmt: skip


def look(page: Page, *names: str) -> list[str]:
    """What is wrong with what the page shows now."""
    return [f"{' '.join(names)}: {problem}" for problem in findings(page)]


def test_every_address(server: Server, new_page: NewPage) -> None:
    """The list is the client's table of routes: a new page has to be added here."""
    assert list(ADDRESSES) == json.loads(ROUTES.read_text("utf-8"))
    host, page = server.guest("Ada"), new_page(server)
    table = host.set_up("me", "random")
    play_out(table, {0: host})
    claim = {"name": "Axel of Axe", "password": PASSWORD}
    assert page.request.post("/api/account", data=claim).ok
    code = post(page, "account/device")["link"].partition("#")[2]
    opened(page, GAMES["tokyo"])
    wrong: list[str] = []
    for path, there in dict.fromkeys(ADDRESSES.values()):
        page.goto(path.format(table=table, code=code))
        page.locator(there).first.wait_for()
        page.wait_for_load_state("networkidle")
        wrong += look(page, path)
    for path in ("/t/nothing", "/no/such/page"):
        page.goto(path)
        page.get_by_role("heading", level=1).wait_for()
        wrong += look(page, path)
    assert not wrong, "\n".join(wrong)


def test_dialogs_and_drawers(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    wrong: list[str] = []
    dialog = page.locator("dialog")
    for name, path, opening in (
        ("settings", "/", [page.get_by_role("button", name="Settings")]),
        ("new table", "/new/ticket-to-ride/london", [dialog.locator("summary").first]),
        ("rules", "/new/ticket-to-ride/london", [dialog.get_by_role("button", name="Rules")]),
        ("one try", "/today", [page.get_by_test_id("begin").first]),
    ):
        page.goto(path)
        for button in opening:
            button.click()
        page.locator("dialog[open] h2").last.wait_for()
        page.wait_for_load_state("networkidle")
        wrong += look(page, name)
    page.goto("/replay")
    page.get_by_label("Or paste its text").fill('{\n"format": 1\n}')
    page.get_by_role("button", name="Check and replay").click()
    page.get_by_test_id("wrong").wait_for()
    wrong += look(page, "wrong record")
    for name in ("london", "ticket to ride"):
        opened(page, GAMES[name])
        press_to(page, "ArrowRight", 1)
        wrong += look(page, "replay", name)
        page.get_by_role("button", name="Open another record").click()
    assert not wrong, "\n".join(wrong)


def next_station(page: Page, see: Callable[[str], None]) -> None:
    player = Player(page)
    player.sit_down("tokyo", "me", "open", options={"objectives": True})
    page.get_by_test_id("waiting-room").wait_for()
    see("waiting room")
    player.sit_down("london", "me", "me")
    player.situation()
    see("hand-over")
    options = {"objectives": True, "special_stations": True}
    player.sit_down("tokyo", "me", "tourist", options=options)
    player.situation()
    page.get_by_test_id("text-board").locator("summary").click()
    page.get_by_test_id("open-rules").click()
    page.get_by_test_id("rules").get_by_role("heading").nth(2).wait_for()
    see("table with the rules beside it")
    page.get_by_role("button", name="Close").click()
    player.draft()
    see("draft")
    page.get_by_role("button", name="Undo").click()
    while player.situation() != "counting":
        player.play_on(1)
    see("counting")
    player.skip_to_end()
    player.situation()
    see("end")


HOLD_AT_A_TICKET = """(() => {
  const later = window.setTimeout
  window.setTimeout = (work, ms, ...more) =>
    ms >= 500 && document.querySelector('[data-step=ticket]') ? 0 : later(work, ms, ...more)
})()"""
"""Holds the counting while axe-core, which waits for less, looks at it."""


def ticket_to_ride(page: Page, see: Callable[[str], None]) -> None:
    rider = Rider(page)

    def both(name: str) -> None:
        """Looks at a state on a wide screen and on a phone, where much is laid out otherwise."""
        wide = page.viewport_size
        assert wide
        for size in (PHONE, wide):
            page.set_viewport_size(size)
            see(f"{name}, {size['width']} px")

    rider.set_up("me", "me")
    rider.situation()
    see("hand-over")
    rider.set_up("me", "greedy")
    rider.situation()
    page.get_by_test_id("choice").locator("input").first.check()
    both("choice")
    rider.play_on(4)
    rider.situation()
    page.get_by_test_id("text-board").locator("summary").click()
    page.get_by_test_id("tickets").get_by_role("button").first.click()
    page.locator("[data-route=elephant_castle-tower_of_london]").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("answer").wait_for()
    both("table")
    # Only those who want motion see the tickets turned over one by one.
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(HOLD_AT_A_TICKET)
    rider.skip_to_last_turns()
    while (asked := rider.situation()) != "counting":
        rider.move(asked)
    page.locator("[data-step=ticket]").wait_for()
    page.emulate_media(reduced_motion="reduce")
    see("counting")
    page.get_by_test_id("counting").get_by_role("button").first.click()
    page.get_by_test_id("end").wait_for()
    both("end")


@pytest.mark.parametrize("play", [next_station, ticket_to_ride])
def test_every_state_of_a_table(
    server: Server, new_page: NewPage, play: Callable[[Page, Callable[[str], None]], None]
) -> None:
    page = new_page(server)
    wrong: list[str] = []
    play(page, lambda name: wrong.extend(look(page, name)))
    assert not wrong, "\n".join(wrong)
