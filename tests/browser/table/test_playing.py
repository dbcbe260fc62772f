"""Playing on phones and with care: what stays in view, what asks first, what is said."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.person import Hand, open_table
from browser.player import LANDSCAPE, PHONE, WIDE, NewPage, Player
from browser.rider import Rider
from browser.steps import SMALL, join, post
from playwright.sync_api import Locator, Page, expect
from server.services import Server

FLAT = {"viewport": LANDSCAPE, "has_touch": True, "is_mobile": True}
Box = dict[str, float]


def trained(
    page: Page, game: str, *seats: str | dict[str, str], seed: int = 7, **more: Any
) -> None:
    """Goes to a table that is dealt the same each time."""
    open_table(page, *seats, game=game, seed=seed, training=True, **more)
    page.get_by_test_id("play").wait_for()


def box(part: Locator) -> Box:
    place = part.bounding_box()
    assert place
    return {
        "left": place["x"],
        "top": place["y"],
        "right": place["x"] + place["width"],
        "bottom": place["y"] + place["height"],
    }


def apart(a: Box, b: Box) -> bool:
    return (
        a["right"] <= b["left"]
        or b["right"] <= a["left"]
        or a["bottom"] <= b["top"]
        or b["bottom"] <= a["top"]
    )


def assert_in_view(page: Page, *parts: Locator) -> None:
    """All of these are on the screen as it is, without scrolling."""
    size = page.viewport_size
    assert size
    for part in parts:
        place = box(part)
        assert place["top"] >= 0, part
        assert place["bottom"] <= size["height"] + 1, part
        assert place["left"] >= 0, part
        assert place["right"] <= size["width"] + 1, part


# Cards of the same colour


def test_two_cards_of_a_colour_are_picked_one_by_one(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    page = rider.page
    trained(page, "ticket-to-ride", "me", "greedy", seed=7)
    rider.play_on(1)
    rider.situation()
    display = rider.table_view()["views"]["0"]["display"]
    colour = next(card for card in display if display.count(card) > 1 and card != "bus")
    cards = page.get_by_test_id("supply").locator(f"[data-card={colour}]")
    places = [place + 1 for place, card in enumerate(display) if card == colour]
    confirm = page.locator("button.confirm")
    for card, place in zip(cards.all(), places, strict=True):
        card.click()
        expect(page.get_by_test_id("supply").locator("[aria-pressed=true]")).to_have_count(1)
        expect(card).to_have_attribute("aria-pressed", "true")
        expect(card).to_contain_text(f"card {place} of 5")
        expect(confirm).to_have_text(f"Take a {colour} card")
    # The card that was picked is the one that goes; the other stays where it lies.
    shown = page.get_by_test_id("supply").locator("[data-card]")
    before = shown.evaluate_all("all => all.slice(0, 5).map(card => card.dataset.card)")
    with page.expect_response("**/moves"):
        confirm.click()
    page.wait_for_function(
        "n => document.querySelectorAll('[data-testid=hand] [data-card]').length >= 1"
        " && document.querySelector('[data-testid=play]').dataset.sending === 'false'",
        arg=0,
    )
    after = shown.evaluate_all("all => all.slice(0, 5).map(card => card.dataset.card)")
    last = places[-1] - 1
    assert before[:last] + before[last + 1 :] == after[:last] + after[last + 1 :]


# Confirming


@pytest.mark.parametrize("screen", [{"viewport": WIDE}, SMALL], ids=["mouse", "touch"])
def test_a_second_tap_never_commits(
    server: Server, new_page: NewPage, screen: dict[str, Any]
) -> None:
    page = new_page(server, **screen)
    hand: Hand = "touch" if screen is SMALL else "mouse"
    player = Player(page, hand)
    trained(page, "next-station", "me", seed=5)
    player.situation()
    before = player.at()
    name = page.locator(".station.target").first.get_attribute("data-station")
    assert name
    player.draft()
    expect(page.locator(".drafted")).to_have_count(1)
    page.wait_for_timeout(500)  # longer than a trembling finger
    player.press(player.station(name))
    page.wait_for_timeout(300)
    assert player.at() == before
    assert not [line for line in player.table_view()["log"] if line["seat"] == 0]
    rider = Rider(page, hand)
    trained(page, "ticket-to-ride", "me", "greedy")
    rider.play_on(1)
    rider.situation()
    made = len([line for line in rider.table_view()["log"] if line["seat"] == 0])
    card = page.get_by_test_id("supply").locator("[data-card]:not([data-card=bus])").first
    rider.press(card)
    page.wait_for_timeout(500)
    rider.press(card)
    page.wait_for_timeout(300)
    assert len([line for line in rider.table_view()["log"] if line["seat"] == 0]) == made
    expect(page.locator("button.confirm")).to_be_enabled()
    while not page.locator(".route.free").count():
        rider.play_on(1)
        rider.situation()
    made = len([line for line in rider.table_view()["log"] if line["seat"] == 0])
    page.locator(".route.free").first.focus()
    page.keyboard.press("Enter")
    way = page.get_by_test_id("route").locator(".way[aria-pressed=true]")
    rider.press(way)
    page.wait_for_timeout(500)
    rider.press(way)
    page.wait_for_timeout(300)
    assert len([line for line in rider.table_view()["log"] if line["seat"] == 0]) == made


def test_an_armed_power_that_is_not_used_asks_first(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    page = player.page
    trained(page, "next-station", "me", seed=5, options={"powers": True})
    power = page.get_by_test_id("power")
    while True:
        player.situation()
        view = player.table_view()["views"]["0"]
        held = view["powers"][view["pencils"][0][view["round"] - 1]]
        if held in ("second", "double") and page.locator(".station.target").count():
            break
        player.moves = 0  # never uses a power by itself
        asked = player.situation()
        player.move() if asked == "move" else player.go_on(asked)
    player.situation()
    power.click()
    player.draft()
    confirm = page.locator("button.confirm")
    expect(confirm).to_be_enabled()
    before = player.at()
    confirm.click()
    asks = page.get_by_test_id("unused")
    expect(asks).to_contain_text("doesn’t use it")
    asks.get_by_role("button", name="Go back").click()
    expect(asks).to_have_count(0)
    assert player.at() == before
    expect(page.locator(".drafted")).to_have_count(1)
    confirm.click()
    asks.get_by_role("button", name="Send the move").click()
    page.wait_for_function(
        "before => { const play = document.querySelector('[data-testid=play]');"
        " return `${play.dataset.seat} ${play.dataset.turn}` !== before }",
        arg=before,
    )
    assert not player.table_view()["views"]["0"]["sheets"][0]["power_spent"]


# Somebody else moves for me


def test_a_turn_lost_on_time_says_so(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server, **SMALL))
    page = player.page
    clock = {"kind": "turn", "seconds": 2}
    open_table(page, "me", "greedy", clock=clock)
    told = page.get_by_test_id("stand-in")
    expect(told).to_have_text("Time’s up: you passed.")
    assert_in_view(page, told)
    expect(page.get_by_test_id("heard")).to_contain_text("Time’s up: you passed.")


def test_a_move_of_a_stand_in_bot_says_so(server: Server, new_page: NewPage) -> None:
    host, guest = Rider(new_page(server)), Rider(new_page(server))
    table = open_table_with_guest(host.page, guest.page)
    post(host.page, f"tables/{table}/seats/0/bot", bot="greedy")
    host.page.get_by_test_id("kept").wait_for()
    while not host.table_view()["views"]["-1"]["chosen"][0]:
        host.page.wait_for_timeout(50)
    host.page.get_by_test_id("kept").get_by_role("button").click()
    told = host.page.get_by_test_id("stand-in")
    expect(told).to_contain_text("A bot played for you: keep")
    assert set(host.table_view()["stand_ins"].values()) == {"bot"}
    # The other player learns of it when the move is known to all, and not sooner.
    assert guest.table_view()["stand_ins"] == {}
    guest.play_on(1)
    expect(guest.page.get_by_test_id("by-stand-in")).to_have_text("(played by a bot)")


def open_table_with_guest(host: Page, guest: Page) -> str:
    table = open_table(host, "me", "open", game="ticket-to-ride")
    join(guest, table, "Nina")
    host.get_by_test_id("play").wait_for()
    return table


# Phones


def test_ticket_to_ride_on_a_phone(server: Server, new_page: NewPage) -> None:
    page = new_page(server, **SMALL)
    rider = Rider(page, "touch")
    trained(page, "ticket-to-ride", "me", "greedy", "greedy")
    rider.play_on(4)
    rider.situation()
    view = rider.table_view()["views"]["0"]
    for seat in range(3):
        one = page.locator(f"[data-testid=seat][data-seat='{seat}']")
        expect(one.locator(".points")).to_have_text(str(view["points"][seat]))
        buses, cards, tickets = (view[name][seat] for name in ("buses", "hands", "tickets"))
        expect(one).to_contain_text(f"buses {buses} · cards {cards} · tickets {tickets}")
    actions, board = page.get_by_test_id("actions"), page.locator("[data-part=board]")
    page.evaluate("scrollTo(0, 0)")
    assert_in_view(page, board, page.get_by_test_id("supply"), actions)
    # The board opens whole; a button looks closer at it, and two fingers do.
    drawn, zoom = page.locator(".board .drawn"), page.get_by_role("button", name="Larger")
    whole = drawn.get_attribute("viewBox")
    zoom.tap()
    expect(drawn).not_to_have_attribute("viewBox", whole or "")
    page.get_by_role("button", name="Whole board").tap()
    expect(drawn).to_have_attribute("viewBox", whole or "")
    # Names keep their size.
    sizes = page.locator(".board .name").evaluate_all(
        "all => all.map(name => parseFloat(getComputedStyle(name).fontSize))"
    )
    assert min(sizes) >= 11
    page.get_by_test_id("tab-tickets").tap()
    ticket = page.get_by_test_id("tickets").get_by_role("button").first
    ticket.tap()
    expect(page.locator(".spot")).to_have_count(2)
    ticket.tap()
    expect(page.locator(".spot")).to_have_count(0)


SCORES = """() => {
  window.seen = []
  const note = () => {
    const points = [...document.querySelectorAll('[data-testid=seat] .points')]
    const taken = document.querySelectorAll('.route.taken').length
    const sum = points.reduce((all, one) => all + Number(one.textContent), 0)
    if (points.length) window.seen.push([taken, sum])
  }
  const all = { subtree: true, childList: true, characterData: true, attributes: true }
  new MutationObserver(note).observe(document, all)
}"""


def test_the_score_never_runs_ahead_of_the_board(server: Server, new_page: NewPage) -> None:
    page = new_page(server, **SMALL, reduced_motion="no-preference")
    page.add_init_script(f"({SCORES})()")
    rider = Rider(page, "touch")
    trained(page, "ticket-to-ride", {"kind": "me", "name": "Ada"}, "greedy", "greedy")
    rider.play_on(5)
    rider.situation()
    expect(page.get_by_test_id("notice")).to_contain_text(re.compile(r"^Greedy \d \S"))
    seen = page.evaluate("window.seen")
    scores = sorted({points for _, points in seen})
    buses = [min(taken for taken, points in seen if points == score) for score in scores]
    assert len(scores) > 2
    assert buses == sorted(set(buses)), "points came before the buses"
    # After an absence the page tells what happened since, and shows it again.
    page.reload()
    since = page.get_by_test_id("since")
    expect(since.locator("li")).to_have_count(2)
    since.get_by_role("button").tap()
    expect(since).to_have_count(0)
    expect(since.locator("li")).to_have_count(2)


def same_turn(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """The second card of a turn is told with the first."""
    return bool(b["text"].startswith(a["text"]))


@pytest.mark.parametrize("seats", [("me",), ("me", "greedy", "greedy")], ids=["alone", "bots"])
def test_points_are_in_view_on_a_phone(
    server: Server, new_page: NewPage, seats: tuple[str, ...]
) -> None:
    page = new_page(server, **SMALL)
    player = Player(page, "touch")
    trained(page, "next-station", *seats, seed=5)
    player.play_on(3)
    player.situation()
    sheets = player.table_view()["views"]["0"]["sheets"]
    shown = page.get_by_test_id("seat")
    expect(shown).to_have_count(len(seats))
    points = shown.locator("b.points")
    expect(points).to_have_text([str(sheet["score"]["total"]) for sheet in sheets])
    assert_in_view(page, *points.all())
    page.evaluate("scrollTo(0, 10_000)")
    assert_in_view(page, *points.all())
    badge = page.get_by_text("Round 1 of 4").first
    style = badge.evaluate(
        "e => { const s = getComputedStyle(e); return [s.borderTopWidth, s.backgroundColor] }"
    )
    assert style == ["0px", "rgba(0, 0, 0, 0)"]


@pytest.mark.parametrize("game", ["next-station", "ticket-to-ride"])
def test_a_phone_on_its_side_has_all_beside_the_board(
    server: Server, new_page: NewPage, game: str
) -> None:
    """In French, whose texts are the longer ones."""
    page = new_page(server, **FLAT, locale="fr-FR")
    person = Player(page, "touch") if game == "next-station" else Rider(page, "touch")
    trained(page, game, "me", "greedy")
    if isinstance(person, Rider):
        person.play_on(1)
    person.situation()
    board = page.locator(".board.live")
    needed = [
        board,
        page.locator("button.confirm"),
        page.get_by_test_id("card" if game == "next-station" else "supply"),
    ]
    page.evaluate("scrollTo(0, 0)")
    assert_in_view(page, *needed)
    for part in needed[1:]:
        assert box(part)["left"] >= box(board)["right"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 740
    person.play_on(3)
    person.situation()
    page.evaluate("scrollTo(0, 0)")
    assert_in_view(page, *needed)


# Stations without coordinates


def test_a_question_points_at_stations(server: Server, new_page: NewPage) -> None:
    """Where two ways lead to a station, the page asks for one of the filled stations."""
    page = new_page(server, **SMALL)
    player = Player(page, "touch")
    trained(page, "next-station", "me", seed=5)
    answer = page.get_by_test_id("answer")
    while True:
        assert player.situation() in ("move", "counting")
        if player.situation_now() == "counting":
            player.go_on("counting")
            continue
        legal = player.table_view()["legal"]["0"]
        ends = [move[-2:] for move in legal if re.fullmatch(r"=?[a-j]\d[a-j]\d", move)]
        double = next((end for end in ends if ends.count(end) == 2), None)
        if double:
            break
        player.move()
    expect(page.locator(".ground .edge")).to_have_count(0)
    player.press(player.station(double))
    expect(answer).to_contain_text("one of the 2 filled stations")
    assert not re.search(r"\b[a-j]\d\b", answer.inner_text())
    expect(page.locator(".station.source")).to_have_count(2)
    assert apart(box(answer), box(page.locator(".board.live")))
    page.keyboard.press("Escape")
    # A refusal names stations, and the board shows where they are.
    player.press(page.locator(".station:not(.target):not(.source)").first)
    expect(answer).to_be_visible()
    named = set(re.findall(r"\b[a-j]\d\b", answer.inner_text()))
    assert set(page.locator(".tag text").all_text_contents()) == named
    assert apart(box(answer), box(page.locator(".board.live")))


def test_coordinates_can_be_switched_on(server: Server, new_page: NewPage) -> None:
    page = new_page(server, **SMALL)
    player = Player(page, "touch")
    trained(page, "next-station", "me", seed=5)
    player.situation()
    edge = page.locator(".board-area .ground .edge")
    expect(edge).to_have_count(0)
    page.get_by_role("button", name="Settings").tap()
    group = page.get_by_role("group", name="Coordinates")
    group.get_by_text("Always").tap()
    page.keyboard.press("Escape")
    expect(edge).to_have_count(1)
    page.reload()
    expect(edge).to_have_count(1)


# Smaller things


def test_motion_can_be_switched_off(server: Server, new_page: NewPage) -> None:
    page = new_page(server, reduced_motion="no-preference")
    player = Player(page)
    trained(page, "next-station", "me", seed=5)
    player.situation()
    moving = "e => getComputedStyle(e).animationName"
    assert page.locator("[data-part=card]").evaluate(moving) != "none"
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("group", name="Motion").get_by_text("Off").click()
    page.keyboard.press("Escape")
    assert page.locator("[data-part=card]").evaluate(moving) == "none"
    page.reload()
    assert page.locator("[data-part=card]").evaluate(moving) == "none"


def test_the_log_is_in_words(server: Server, new_page: NewPage) -> None:
    page = new_page(server, locale="fr-FR")
    player = Player(page)
    trained(
        page, "next-station", "me", "greedy", seed=5, options={"objectives": True, "powers": True}
    )
    player.play_on(2)
    player.situation()
    page.locator("[data-testid=text-board] summary").click()
    log = page.locator("[data-testid=text-board] ol").inner_text()
    assert "street:" not in log
    assert "card " not in log
    assert "Rue, " in log or "Souterrain, " in log
    assert "joker" in log


def test_a_closed_half_looks_closed(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    trained(rider.page, "ticket-to-ride", "me", "greedy")
    closed: list[str] = []
    while not closed:
        rider.play_on(1)
        rider.situation()
        closed = rider.table_view()["views"]["0"]["closed"]
    for name in closed:
        route = rider.page.locator(f"[data-route='{name}']")
        expect(route).to_contain_class("closed")
        expect(route).to_have_attribute("aria-label", re.compile("closed: the other half is taken"))
        expect(route).not_to_have_attribute("aria-label", re.compile("free"))
    named = rider.page.locator("[data-route]").evaluate_all(
        "all => all.map(route => route.ariaLabel)"
    )
    assert len(set(named)) == len(named), "halves of a double route have names of their own"
    listed = rider.page.get_by_test_id("text-board")
    listed.locator("summary").click()
    expect(listed.get_by_text("closed: the other half is taken")).to_have_count(len(closed))
    expect(rider.page.locator(".route.closed")).to_have_count(len(closed))
    route = rider.page.locator(f"[data-route='{closed[0]}']")
    expect(route).to_have_css("opacity", "0.3")


def test_nothing_is_too_small_or_too_wide(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE, has_touch=True, is_mobile=True, locale="fr-FR")
    rider = Rider(page, "touch")
    trained(page, "ticket-to-ride", "me", "greedy", "greedy", "greedy")
    rider.play_on(2)
    rider.situation()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.evaluate("scrollTo(0, 0)")
    assert_in_view(page, page.get_by_test_id("seat").first, page.get_by_test_id("supply"))
