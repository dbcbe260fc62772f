"""A language made of files alone: every page shows its texts only, and has room for longer ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.conftest import new_server
from browser.person import quick
from browser.player import PHONE, NewPage, Player
from browser.replays import GAMES, at, press_to
from browser.rider import Rider
from browser.steps import PASSWORD
from browser.visitor import Visitor
from browser.writer import Writer
from playwright.sync_api import expect
from server.services import Server
from support import pseudo

ROUTES = Path(__file__).parents[3] / "src/headway/server/static/routes.json"


@pytest.fixture(scope="module")
def pseudo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("texts")
    pseudo.write(folder)
    running = new_server(tmp_path_factory, HEADWAY_TEXTS_DIR=folder)
    yield running
    running.stop()
    assert running.errors() == []


@pytest.fixture
def visitor(pseudo_server: Server, new_page: NewPage) -> Iterator[Visitor]:
    """Somebody with a phone who reads the pseudo-language; nothing may be wrong at the end."""
    settings = {"name": "headway-settings", "value": json.dumps({"lang": pseudo.LANG})}
    kept = [{"origin": pseudo_server.url, "localStorage": [settings]}]
    visitor = Visitor(new_page(pseudo_server, viewport=PHONE, storage_state={"origins": kept}))
    yield visitor
    assert not visitor.wrong, "\n".join(dict.fromkeys(visitor.wrong))


def test_every_address(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/")
    for language in ("en", pseudo.LANG):
        page.get_by_test_id("language").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
    visitor.go("/", "[data-testid=hero] .board")
    page.locator("header button").last.click()
    page.locator("dialog").wait_for()
    visitor.look("settings")
    visitor.go("/new/next-station/tokyo", "dialog")
    for path, wait in (
        ("/about", "article"), ("/replay", "h1"), ("/paper", "h1"), ("/print", "h1"),
        ("/account", "h1"), ("/device", "h1"), ("/today", "h1"), ("/today/2020-01-01", "h1"),
        ("/u/nobody", "h1"), ("/ladder/next-station", "#how"), ("/no/such/page", "h1"),
        ("/replay/3", "h1"), ("/replay/3/open", "h1"), ("/review", "h1"),
        ("/practice", "[data-testid=puzzle]"), ("/invitation", "h1"), ("/house/imprint", "h1"),
    ):  # fmt: skip
        visitor.go(path, wait)
    for game in ("next-station", "ticket-to-ride"):
        visitor.go(f"/learn/{game}/london", "[data-testid=play]")
    table = visitor.table("next-station", "london", "me", "open")
    visitor.go(f"/t/{table}", "[data-testid=waiting-room]")
    rail = visitor.table("ticket-to-ride", "london", "me", "random", seed=7, training=True)
    visitor.play_out(rail, quick)
    for path in (f"/t/{rail}/replay", f"/t/{rail}/replay/3", f"/t/{rail}/replay/3/open"):
        visitor.go(path, "[data-testid=replay]")
    visitor.go(f"/t/{rail}/review", "[data-testid=details]")
    visitor.unfold()
    visitor.look("a review of Ticket to Ride")
    city = visitor.table("next-station", "london", "me")
    visitor.play_out(city, quick)
    visitor.go(f"/t/{city}/review", "[data-testid=details]")
    visitor.unfold()
    page.get_by_test_id("ruler").wait_for()
    visitor.look("a review of Next Station")
    visited = {
        "/", "/new/{game:str}/{map:str}", "/t/{id:str}", "/t/{id:str}/replay",
        "/t/{id:str}/replay/{moment:int}", "/t/{id:str}/replay/{moment:int}/{who:str}",
        "/t/{id:str}/review", "/review",
        "/replay", "/replay/{moment:int}", "/replay/{moment:int}/{who:str}",
        "/learn/{game:str}/{map:str}", "/today", "/today/{day:date}", "/u/{name:str}",
        "/ladder/{game:str}", "/account", "/device", "/paper", "/print", "/about", "/practice",
        "/invitation", "/house/{name:str}",
    }  # fmt: skip
    assert set(json.loads(ROUTES.read_text("utf-8"))) - visited == set()


def test_account_and_profile_with_games(visitor: Visitor) -> None:
    page = visitor.page
    for game, seats in (
        ("next-station", ["me"]), ("next-station", ["me"]), ("next-station", ["me", "greedy"]),
        ("ticket-to-ride", ["me", "random"]),
    ):  # fmt: skip
        visitor.play_out(visitor.table(game, "london", *seats), quick)
    visitor.table("next-station", "tokyo", "me")
    visitor.go("/", "[data-testid=strip]")
    visitor.go("/account", "[data-testid=sign_in]")
    form = page.get_by_test_id("sign_in")
    form.locator("input[type=text]").fill("Bob")
    form.locator("input[type=password]").fill("not the password")
    form.locator("button.main").click()
    page.get_by_role("alert").wait_for()
    visitor.look("a wrong password")
    form = page.get_by_test_id("claim")
    form.locator("input[type=text]").fill("Bob")
    form.locator("input[type=password]").fill(PASSWORD)
    form.locator("button.main").click()
    page.get_by_test_id("recovery-code").wait_for()
    visitor.look("a recovery code")
    page.get_by_test_id("kept").click()
    page.wait_for_url("**/u/Bob")
    page.get_by_test_id("networks").wait_for()
    visitor.look("a profile with games")
    page.reload()
    page.get_by_test_id("controls").wait_for()
    visitor.unfold()
    visitor.look("a profile with its forms")


@pytest.mark.parametrize("game", GAMES)
def test_replay_of_a_record(visitor: Visitor, game: str) -> None:
    page = visitor.page
    page.goto("/replay")
    page.locator("textarea").fill('{"format": "headway-record/1"}')
    page.get_by_test_id("open-record").get_by_role("button").last.click()
    page.get_by_test_id("wrong").wait_for()
    visitor.look("a wrong record")
    page.locator("input[type=file]").set_input_files(GAMES[game])
    page.get_by_test_id("replay").wait_for()
    for key, moment in (("Home", 0), ("ArrowRight", 1), ("End", at(page)[1])):
        press_to(page, key, moment)
        visitor.unfold()
        visitor.look(f"moment {moment}")
    press_to(page, "ArrowLeft", at(page)[1] - 1)
    visitor.look("the last move")


def test_paper_game_and_its_end(visitor: Visitor) -> None:
    page = visitor.page
    writer = Writer(page, "london-1-objectives-powers-revealed-cards.json", visitor.look)
    writer.begin()
    for r in range(4):
        writer.round(r)
        if not page.get_by_test_id("paper-done").count():
            visitor.unfold()
            visitor.look(f"after round {r}")
    page.get_by_test_id("paper-done").wait_for()
    visitor.look("a paper game that is over")


def test_sheet_without_its_cards(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/paper")
    page.get_by_test_id("paper-setting").locator("input[value=sheet]").check(force=True)
    page.get_by_test_id("paper-setting").locator("button.main").click()
    page.get_by_test_id("pencil-green").click()
    for station in ("a9", "b9"):
        page.locator(f"[role=button][data-station={station}]").click()
    expect(page.get_by_test_id("problems")).to_contain_text("NS-")
    visitor.look("a sheet with a problem")


@pytest.mark.parametrize(
    ("city", "modules"),
    [("london", ("objectives", "powers")), ("tokyo", ("objectives", "special_stations"))],
)
def test_next_station_with_every_panel(
    visitor: Visitor, city: str, modules: tuple[str, ...]
) -> None:
    page, player = visitor.page, Player(visitor.page)
    table = visitor.table(
        "next-station", city, "me", "greedy", "random",
        options=dict.fromkeys(modules, True), training=True,
    )  # fmt: skip
    visitor.go(f"/t/{table}", "[data-testid=play]")
    visitor.unfold()
    visitor.look("every panel")
    page.get_by_test_id("hint").click()
    page.get_by_test_id("hint-text").wait_for()
    visitor.look("a hint")
    page.get_by_test_id("open-rules").click()
    page.locator("[data-testid=rules] article").wait_for()
    visitor.look("the rules beside the table")
    page.keyboard.press("Escape")
    visitor.dialog(page.locator("section li button.plain").first, "another sheet")
    visitor.dialog(page.locator("button.quiet").last, "a bot that takes over")
    page.locator("[role=button][data-station]:not(.target)").first.click()
    page.get_by_test_id("answer").first.wait_for()
    visitor.look("why not")
    player.draft()
    visitor.look("a section that is drafted")
    while (asked := player.situation()) == "move":
        player.move()
    assert asked == "counting"
    visitor.look("the end of a round")
    visitor.play_out(table, lambda legal: legal[-1])
    visitor.go(f"/t/{table}", "[data-testid=end]")
    visitor.unfold()
    visitor.look("the end")


def test_ticket_to_ride_with_every_panel(visitor: Visitor) -> None:
    page, rider = visitor.page, Rider(visitor.page)
    seats = ("me", "random")
    table = visitor.table("ticket-to-ride", "london", *seats, seed=7, training=True)
    visitor.go(f"/t/{table}", "[data-testid=choice]")
    rider.play_on(1)
    assert rider.situation() == "move"
    visitor.unfold()
    visitor.look("every panel")
    page.get_by_test_id("hint").click()
    page.get_by_test_id("hint-text").wait_for()
    visitor.look("a hint")
    page.locator("[data-route].can, [data-route]").first.click(force=True)
    page.get_by_test_id("route").wait_for()
    visitor.look("a route and its price")
    visitor.play_out(table, quick)
    visitor.go(f"/t/{table}", "[data-testid=counting], [data-testid=end]")
    visitor.look("the tickets are turned over")
    rider.play_on()
    visitor.unfold()
    visitor.look("the end")
