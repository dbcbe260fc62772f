"""Replays: every game by keyboard, addresses of moments, whose eyes, records from files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browser.person import set_up
from browser.player import PHONE, NewPage
from browser.replays import GAMES, at, opened, press_to, tab_stops
from playwright.sync_api import Page, Route, expect
from server.services import Server


@pytest.mark.parametrize("game", GAMES)
def test_by_keyboard(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(server)
    opened(page, GAMES[game])
    assert [stop for stop in tab_stops(page) if stop.startswith("g ")] == [], "the board is none"
    _, last = at(page)
    moves = json.dumps(json.loads(GAMES[game].read_text())["moves"]).count('"') // 2
    assert last == moves
    press_to(page, "ArrowRight", 1)
    press_to(page, "ArrowRight", 2)
    press_to(page, "ArrowLeft", 1)
    press_to(page, "End", last)
    expect(page.get_by_test_id("end")).to_be_visible()
    press_to(page, "ArrowLeft", last - 1)
    expect(page.get_by_test_id("end")).to_have_count(0)
    press_to(page, "Home", 0)
    expect(page.get_by_test_id("heard")).to_contain_text(f"Step 0 of {last}")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("replay")).to_have_attribute("data-moment", "2")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("replay-play")).to_have_attribute("aria-label", "Play")
    for moment in range(at(page)[0] + 1, last + 1):  # every position can be shown
        press_to(page, "ArrowRight", moment)
    page.reload()
    expect(page.get_by_test_id("replay")).to_have_attribute("data-moment", str(last))


PRESS_AT_ONCE = """() => new MutationObserver((_, observer) => {
  if (!document.querySelector('[data-testid=replay]')) return
  observer.disconnect()
  for (let press = 0; press < 3; press++)
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
}).observe(document, { childList: true, subtree: true })"""
"""Three presses as soon as the replay is there, one after the other."""


def test_no_key_is_lost(server: Server, new_page: NewPage) -> None:
    """However fast they come: before the address says whose eyes, and before it follows."""
    page = new_page(server)
    page.goto("/replay")
    page.evaluate(PRESS_AT_ONCE)
    page.get_by_label("Choose a file").set_input_files(GAMES["tokyo"])
    expect(page.get_by_test_id("replay")).to_have_attribute("data-moment", "3")
    page.wait_for_url("**/replay/3/0")
    press_to(page, "ArrowRight", 4)
    page.wait_for_url("**/replay/4/0")


def test_who_leaves_while_it_loads_is_not_taken_back(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    table = finished_table(page)
    page.goto("/")
    asked: list[Route] = []
    page.route("**/replay?*", lambda route: asked.append(route))
    with page.expect_request("**/replay?*"):
        page.goto(f"/t/{table}/replay")
    page.get_by_role("link", name="Headway").first.click()
    page.get_by_role("heading", level=1).wait_for()
    with page.expect_response("**/replay?*"):
        asked[0].continue_()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page).to_have_url(f"{server.url}/")
    expect(page.get_by_test_id("replay")).to_have_count(0)


# A table that is over


def finished_table(page: Page) -> str:
    """The id of a Ticket to Ride table whose game is played to its end over the interface."""
    people = [{"kind": "me", "name": name} for name in ("Ada", "Ben")]
    made = set_up(page, *people, game="ticket-to-ride", training=True, seed=5)
    table = page.request.get(f"/api/tables/{made}").json()
    for number in range(400):
        seats = [seat for seat, moves in table["legal"].items() if moves]
        if not seats:
            break
        moves = table["legal"][seats[0]]
        claims = [move for move in moves if move.startswith("claim")]
        move = {
            "seat": int(seats[0]), "move": (claims or moves)[0], "client_id": f"move-{number:04}",
        }  # fmt: skip
        page.request.post(f"/api/tables/{table['id']}/moves", data=move)
        table = page.request.get(f"/api/tables/{table['id']}").json()
    assert table["finished"]
    name: str = table["id"]
    return name


def test_a_table_has_an_address_for_every_moment(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    table = finished_table(page)
    page.goto(f"/t/{table}")
    page.get_by_role("link", name="Replay").click()
    page.get_by_test_id("replay").wait_for()
    press_to(page, "ArrowRight", 1)
    press_to(page, "ArrowRight", 2)
    page.wait_for_url(f"**/t/{table}/replay/2/0")
    # Somebody else opens the same moment through the same eyes: one hand, and then all.
    other = new_page(server)
    other.goto(page.url)
    expect(other.get_by_test_id("replay")).to_have_attribute("data-moment", "2")
    expect(other.get_by_test_id("hand")).to_have_count(1)
    other.get_by_test_id("replay-eyes").select_option("open")
    other.wait_for_url(f"**/t/{table}/replay/2/open")
    expect(other.get_by_test_id("hand")).to_have_count(2)
    expect(other.get_by_test_id("replay")).to_have_attribute("data-moment", "2")
    held = [view["hand"] for view in views_at(other, table, 2)]
    for shown, hand in zip(other.get_by_test_id("hand").all(), held, strict=True):
        cards = shown.locator("[data-card]")
        counts = {c.get_attribute("data-card"): c.get_attribute("data-count") for c in cards.all()}
        assert counts == {card: str(count) for card, count in hand.items()}
    with other.expect_download() as saved:
        other.get_by_role("link", name="Save game").click()
    assert json.loads(saved.value.path().read_text())["format"] == "headway-record/1"


def views_at(page: Page, table: str, moment: int) -> list[Any]:
    """All views at a moment, put together from what the server says of the moments before."""
    said = page.request.get(f"/api/tables/{table}/replay").json()
    views: dict[str, Any] = {}
    for step in said["moments"][: moment + 1]:
        views = {seat: views.get(seat, {}) | changed for seat, changed in step["views"].items()}
    return list(views.values())


def test_a_running_game_is_not_replayed(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    table = set_up(page, "me", "me", game="ticket-to-ride")
    page.goto(f"/t/{table}/replay")
    expect(page.get_by_role("heading", level=1)).to_have_text("The game isn’t over yet.")


# Records with errors


ERRORS = (
    ("claim british_museum-piccadilly_circus yellow 1", "take gold", 12, "gold"),
    ('"seats": 2', '"seats": "two"', 5, "seats"),
    ('"seed": 21', '"seed" 21', 8, "JSON"),
    ('"map": "london"', '"map": "../london"', 4, "../london"),
)


def test_an_error_is_shown_in_its_line(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    text = GAMES["ticket to ride"].read_text()
    page.goto("/replay")
    for old, new, line, says in ERRORS:
        assert old in text
        page.get_by_label("Or paste its text").fill(text.replace(old, new))
        page.get_by_role("button", name="Check and replay").click()
        wrong = page.get_by_test_id("wrong")
        expect(wrong.locator(".here")).to_contain_text(new)
        expect(wrong).to_contain_text(f"line {line}")
        expect(wrong).to_contain_text(says)
    page.get_by_label("Or paste its text").fill(text)
    page.get_by_role("button", name="Check and replay").click()
    page.get_by_test_id("replay").wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_in_french(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(server, viewport=PHONE, has_touch=True, is_mobile=True, locale="fr-FR")
    page.goto("/replay")
    page.get_by_label("Choisir un fichier").set_input_files(GAMES[game])
    page.get_by_test_id("replay").wait_for()
    page.get_by_test_id("replay-on").tap()
    expect(page.get_by_test_id("replay")).to_have_attribute("data-moment", "1")
    page.get_by_test_id("replay-last").tap()
    expect(page.get_by_test_id("end")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert "web." not in page.locator("body").inner_text()
