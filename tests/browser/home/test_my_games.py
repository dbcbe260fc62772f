"""My games on the home page: whose turn it is, how long, against whom, and how it ended."""

from __future__ import annotations

import re
import time

from browser.person import set_up
from browser.player import PHONE, NewPage
from browser.steps import no_overflow, pass_to_the_end, post, post_name
from playwright.sync_api import Locator, Page, Route, expect
from server.services import Server

DAYS = {"kind": "days", "days": 2}


def day_game(host: Page, guest: Page) -> str:
    """A running game of days between two people."""
    table = set_up(host, "me", "open", clock=DAYS)
    post(guest, f"tables/{table}/join")
    for page in (host, guest):
        post(page, f"tables/{table}/ready")
    return table


def row(page: Page, table: str) -> Locator:
    return page.get_by_test_id("my-games").locator(f"[data-id='{table}']")


def test_my_turn_comes_first_on_a_phone(server: Server, new_page: NewPage) -> None:
    page, friend = new_page(server, viewport=PHONE), new_page(server)
    for each, name in ((page, "Ann"), (friend, "Ben")):
        post_name(each, name)
    mine, theirs = day_game(page, friend), day_game(page, friend)
    post(page, f"tables/{theirs}/moves", seat=0, move="pass", client_id="my-move-1")
    page.goto("/")
    games = page.get_by_test_id("my-games").get_by_test_id("game")
    expect(games).to_have_count(2)
    expect(games.nth(0)).to_have_attribute("data-id", mine)
    first = games.nth(0)
    for text in ("Next Station: London", "Ben", "Your turn", "round 1 of 4"):
        expect(first).to_contain_text(text)
    expect(first).to_contain_text(re.compile(r"1\sd\s23\sh left"))
    expect(first).to_contain_text(re.compile(r"\d+ [A-Z][a-z]+"))  # the date
    expect(first).not_to_contain_text("Ann")
    expect(games.nth(1)).to_contain_text("in progress")
    expect(page).to_have_title("(1) · Headway")
    hero = page.get_by_test_id("hero")
    expect(hero).to_contain_text("Your turn, Ann!")
    expect(hero.get_by_test_id("continue")).to_be_in_viewport()
    expect(hero.get_by_test_id("continue")).to_have_attribute("href", f"{server.folder}/t/{mine}")
    no_overflow(page)
    first.get_by_role("link").click()
    page.get_by_test_id("play").wait_for()
    expect(page).to_have_title("Your turn · Next Station: London · Headway")
    page.goto("/about")
    expect(page).not_to_have_title(re.compile("Your turn"))
    # The last seconds have a unit, and points below nothing a minus sign.
    page.route("**/api/tables?which=mine", lambda route: nearly_over(route, mine))
    page.goto("/")
    expect(first).to_contain_text(re.compile(r"· \d s left"))
    expect(first).to_contain_text("· −3 : 5 ·")


def nearly_over(route: Route, table: str) -> None:
    """Lets the server's list say that somebody has little time and few points left."""
    games = route.fetch().json()
    progress = next(game["progress"] for game in games if game["id"] == table)
    progress |= {"ends": {"0": time.time() + 9}, "totals": [-3, 5]}
    route.fulfill(json=games)


def test_finished_and_abandoned_games_have_their_own_lists(
    server: Server, new_page: NewPage
) -> None:
    page, friend = new_page(server), new_page(server)
    over, left, alone = day_game(page, friend), day_game(page, friend), set_up(page, "me")
    pass_to_the_end(over, page, friend)
    page.goto("/")
    expect(row(page, over)).to_have_count(0)
    for table in (left, alone):
        row(page, table).get_by_role("button", name="Leave or remove").click()
        page.get_by_test_id("leave-game").click()
        expect(row(page, table)).to_have_count(0)
    page.get_by_test_id("games-finished").click()
    expect(row(page, over)).to_contain_text("Shared")
    expect(row(page, over)).to_contain_text("0 : 0")
    page.get_by_test_id("games-abandoned").click()
    expect(row(page, left)).to_be_visible()
    expect(row(page, alone)).to_have_count(0)
    row(page, left).get_by_role("link").click()
    page.get_by_role("button", name="Take the seat back").click()
    expect(page.get_by_test_id("kept")).to_have_count(0)
    page.goto("/")
    expect(row(page, left)).to_be_visible()
    page.get_by_test_id("games-finished").click()
    row(page, over).get_by_role("button", name="Leave or remove").click()
    expect(row(page, over)).to_have_count(0)


def test_open_tables_say_what_is_played(server: Server, new_page: NewPage) -> None:
    host, page = new_page(server), new_page(server, viewport=PHONE)
    post_name(host, "Hanna")
    clock = {"kind": "turn", "seconds": 60}
    table = set_up(host, "me", "open", clock=clock, public=True, options={"objectives": True})
    page.goto("/")
    listed = page.get_by_test_id("open-tables").locator(f"[data-id='{table}']")
    for text in ("Next Station: London", "Hanna", "60 seconds per turn", "Shared objectives"):
        expect(listed).to_contain_text(text)


NOTES_BADGE = """
window.badges = []
for (const name of ['setAppBadge', 'clearAppBadge']) {
  const call = navigator[name].bind(navigator)
  navigator[name] = (n = 0) => (badges.push(n), call(n))
}
Object.defineProperty(document, 'hidden', { get: () => !!window.away })
"""


def test_title_and_badge_count_the_tables_that_wait(server: Server, new_page: NewPage) -> None:
    """Also while the page lies behind others, where its title is all that one sees."""
    page, friend = new_page(server), new_page(server)
    page.add_init_script(NOTES_BADGE)
    tables = [day_game(page, friend) for _ in range(2)]
    page.goto("/")
    expect(page).to_have_title("(2) · Headway")
    page.wait_for_function("badges.at(-1) === 2")
    page.evaluate("away = true")
    for done, table in enumerate(tables, 1):
        pass_once(page, table, 0)
        page.wait_for_function("n => (badges.at(-1) ?? 0) === n", arg=2 - done)
    expect(page).to_have_title("Headway")
    pass_once(friend, tables[0], 1)
    expect(page).to_have_title("(1) · Headway")
    page.wait_for_function("badges.at(-1) === 1")


def pass_once(page: Page, table: str, seat: int) -> None:
    post(page, f"tables/{table}/moves", seat=seat, move="pass", client_id=f"pass-{table}-{seat}")
