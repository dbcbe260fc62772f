"""The table in detail: drafts, why not, connection, people who go and come back."""

from __future__ import annotations

import pytest
from browser.person import Hand, wish
from browser.player import PHONE, NewPage, Player
from playwright.sync_api import Page, expect
from server.passing_time import time_passes
from server.services import Server


def friends(server: Server, new_page: NewPage) -> tuple[Player, Player]:
    """Two people at a table, the second one by the link of the first."""
    host = Player(new_page(server))
    host.sit_down("london", "me", "open")
    expect(host.page.get_by_test_id("waiting-room")).to_be_visible()
    expect(host.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    guest = Player(new_page(server))
    guest.page.goto(host.page.get_by_label("Link", exact=True).input_value())
    guest.page.get_by_label("Your name").fill("Nina")
    guest.page.get_by_test_id("join").click()
    for player in (host, guest):
        player.page.get_by_test_id("play").wait_for()
    return host, guest


def test_friends_play_and_one_comes_back(server: Server, new_page: NewPage) -> None:
    host, guest = friends(server, new_page)
    for _ in range(3):
        host.play_on(1)
        expect(host.page.locator("h2", has_text="Waiting for Nina")).to_be_visible()
        guest.play_on(1)
    context, table = guest.page.context, guest.page.url
    guest.page.close()
    expect(host.page.get_by_text("not connected").first).to_be_visible()
    host.play_on(1)
    guest.page = context.new_page()
    guest.page.goto(table)
    guest.page.get_by_test_id("play").wait_for()
    expect(host.page.get_by_text("not connected")).to_have_count(0)
    host.skip_to_last_turns(guest)
    while host.situation_now() != "end" or guest.situation_now() != "end":
        for player in (host, guest):
            if player.situation_now():
                player.play_on(1)
    outcome = host.table_view()["outcome"]
    assert guest.table_view()["outcome"] == outcome
    assert [host.total(), guest.total()] == outcome["totals"]


def test_the_move_of_a_running_turn_stays_unseen(server: Server, new_page: NewPage) -> None:
    host, guest = friends(server, new_page)
    host.play_on(1)
    expect(guest.page.get_by_text("has moved").first).to_be_visible()
    sheets = guest.table_view()["views"]["1"]["sheets"]
    assert [line["sections"] for line in sheets[0]["lines"]] == [[], [], [], []]
    expect(guest.page.locator(".board.small .track")).to_have_count(0)


def test_server_killed_in_the_middle(own_server: Server, new_page: NewPage) -> None:
    """It is away for longer than the clock runs: no clock is shown, and the move still counts."""
    player = Player(new_page(own_server))
    player.sit_down("london", "me", clock={"kind": "turn", "seconds": 600})
    player.page.get_by_test_id("play").wait_for()
    player.play_on(4)
    while player.situation() != "move" or not player.page.locator(".station.target").count():
        player.play_on(1)
    moved = len(own_moves(player))
    own_server.kill()
    lost = player.page.get_by_text("No connection. Trying again; nothing is lost.")
    expect(lost).to_be_visible()
    expect(player.page.get_by_role("timer")).to_have_count(0)
    expect(player.page.get_by_test_id("offline")).to_be_visible()
    # A move confirmed while nobody answers goes through as soon as somebody does, once.
    player.draft()
    drawn = player.page.locator(".track").count()
    player.page.locator("button.confirm").click()
    time_passes(own_server, 900)
    own_server.start()
    expect(lost).to_have_count(0)
    expect(player.page.get_by_role("timer")).to_contain_text(":")
    expect(player.page.get_by_test_id("offline")).to_have_count(0)
    player.situation()
    assert len(own_moves(player)) == moved + 1
    assert player.page.locator(".track").count() >= drawn
    player.play_on(1)
    assert len(own_moves(player)) == moved + 2


def own_moves(player: Player) -> list[str]:
    return [line["text"] for line in player.table_view()["log"] if line["seat"] == 0]


def drawn_turn(player: Player) -> None:
    """A fresh game in whose first turn something can be drawn."""
    player.sit_alone("london")
    while not player.page.locator(".station.target").count():
        player.sit_alone("tokyo")


def test_a_draft_is_taken_back_and_drawn_by_dragging(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    page = player.page
    drawn_turn(player)
    page.locator(".station.target").first.click()
    expect(page.locator(".drafted")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".drafted")).to_have_count(0)
    assert own_moves(player) == []
    start = page.locator(".station.source").first.bounding_box()
    end = page.locator(".station.target").first.bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    expect(page.locator(".rubber")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".drafted")).to_have_count(1)
    expect(page.locator("button.confirm")).to_be_enabled()


def test_an_illegal_station_says_why(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server, locale="fr-FR"))
    player.sit_alone("london")
    view = player.table_view()
    pencil = view["views"]["0"]["pencils"][0][0]
    far = {"purple": "j0", "blue": "a0", "pink": "a9", "green": "j9"}[pencil]
    player.station(far).click()
    answer = player.page.get_by_test_id("answer")
    expect(answer).to_be_visible()
    expect(player.page.get_by_test_id("heard")).to_contain_text(answer.inner_text().strip())
    expect(answer).to_contain_text("Aucune voie ne relie")
    assert answer.inner_text() == why(player.page, view["id"], f"{departure(pencil)}{far}")


def departure(pencil: str) -> str:
    return {"purple": "c5", "blue": "f7", "pink": "h3", "green": "d2"}[pencil]


def why(page: Page, table: str, move: str) -> str:
    """The server's own sentence."""
    answer = page.request.post(
        f"/api/tables/{table}/why",
        data={"seat": 0, "move": move},
        headers={
            "accept-language": page.evaluate("document.documentElement.lang"),
        },
    )
    sentence: str = answer.json()["sentence"]
    return sentence


@pytest.mark.parametrize(
    ("hand", "at_once"),
    [("mouse", ("Never", "On touchscreens")), ("touch", ())],
)
def test_whether_a_move_is_confirmed(
    server: Server, new_page: NewPage, hand: Hand, at_once: tuple[str, ...]
) -> None:
    player = Player(new_page(server, has_touch=hand == "touch"), hand)
    page = player.page
    drawn_turn(player)
    for confirm in ("Never", "On touchscreens") if at_once else ("On touchscreens",):
        while player.situation() != "move" or not page.locator(".station.target").count():
            player.play_on(1)
        choose_confirming(page, confirm)
        before = player.at()
        player.press(page.locator(".station.target").first)
        if confirm in at_once:
            turn = page.get_by_test_id("play")
            expect(turn).not_to_have_attribute("data-turn", before.split()[1])
        else:
            expect(page.locator(".drafted")).to_have_count(1)


def choose_confirming(page: Page, confirm: str) -> None:
    """Chooses in the settings when a move has to be confirmed."""
    page.get_by_role("button", name="Settings").click()
    moves = page.get_by_role("group", name="Confirm moves")
    moves.get_by_text(confirm, exact=True).click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_screen_reader_hears_the_turn(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    player.sit_alone("london")
    page, view = player.page, player.table_view()["views"]["0"]
    heard = page.get_by_test_id("heard")
    expect(heard).to_contain_text("Round 1, turn 1. Card: ")
    expect(heard).to_contain_text(f"Pencil: {view['pencils'][0][0]}.")
    page.get_by_test_id("text-board").locator("summary").click()
    board = page.get_by_test_id("text-board")
    targets = page.locator(".station.target").count()
    legal = [move for move in player.table_view()["legal"]["0"] if move != "pass"]
    assert targets == len({move[-2:] for move in legal})
    for move in legal:
        expect(board).to_contain_text(f"from {move[-4:-2]} to {move[-2:]}")


def test_phone_shows_card_map_and_buttons_at_once(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server, viewport=PHONE, has_touch=True, is_mobile=True), "touch")
    player.sit_alone("london")
    for name in (".turn", ".board", "button.confirm"):
        box = player.page.locator(name).first.bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= PHONE["height"]
        assert box["x"] + box["width"] <= PHONE["width"]
    small = player.page.evaluate(
        """() => [...document.querySelectorAll('button, .button, a')]
            .filter(e => e.checkVisibility() && !e.closest('.skip'))
            .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
            .filter(([, box]) => box.width < 44 || box.height < 44).map(([html]) => html)"""
    )
    assert [html for html in small if 'class="skip' not in html] == []


def test_nothing_is_wider_than_a_phone(server: Server, new_page: NewPage) -> None:
    """In French, whose texts are the longer ones."""
    player = Player(
        new_page(server, viewport=PHONE, has_touch=True, is_mobile=True, locale="fr-FR"), "touch"
    )
    page = player.page
    page.goto("/")
    wide = "e => e.scrollWidth > e.clientWidth"
    sheet = wish(page, "next-station-tokyo", options=True)
    for mode in ("alone", "bots", "screen", "friends"):
        sheet.locator(f"input[value={mode}]").check()
        assert not page.locator("dialog").evaluate(wide)
    page.keyboard.press("Escape")
    page.locator(".top button").last.tap()
    assert not page.locator("dialog").evaluate(wide)
    player.sit_down("london", "me", "open")
    page.get_by_test_id("waiting-room").wait_for()
    assert not page.locator("html").evaluate(wide)
    options = {"objectives": True, "special_stations": True}
    player.sit_down("tokyo", "me", "tourist", options=options)
    player.situation()
    assert not page.locator("html").evaluate(wide)


def test_a_training_move_is_taken_back(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    page = player.page
    player.sit_down("london", "me", training=True)
    player.play_on(1)
    expect(page.get_by_test_id("play")).to_have_attribute("data-turn", "1.2")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-turn", "1.1")


def test_a_spectator_sees_and_cannot_move(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    player.sit_down("london", "me", "tourist")
    player.situation()
    stranger = new_page(server)
    stranger.goto(player.page.url)
    stranger.get_by_test_id("play").wait_for()
    expect(stranger.locator("button.confirm")).to_have_count(0)
    expect(stranger.locator(".station.target")).to_have_count(0)
    before = player.at().split()[1]
    player.play_on(1)
    expect(stranger.get_by_test_id("play")).not_to_have_attribute("data-turn", before)


def test_rematch(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    player.sit_alone("london")
    player.skip_to_end()
    first = player.table
    player.page.get_by_role("button", name="Play again").click()
    player.page.wait_for_url(lambda url: not url.endswith(first))
    player.situation()
    assert player.at() == "0 1.1"
    assert not player.table_view()["finished"]


def test_a_question_left_open_does_not_reach_into_the_next_turn(
    server: Server, new_page: NewPage
) -> None:
    """Asked from where to draw, one may confirm the earlier draft instead."""
    player = Player(new_page(server))
    page = player.page
    player.sit_alone("london")
    sure, unsure = turn_with_a_choice(player)
    player.station(sure).click()
    expect(page.locator("button.confirm")).to_be_enabled()
    player.station(unsure).click()
    expect(page.get_by_test_id("answer")).to_contain_text(unsure)
    before = player.at()
    page.locator("button.confirm").click()
    expect(page.get_by_test_id("play")).not_to_have_attribute("data-turn", before.split()[1])
    while player.situation() == "counting":
        player.go_on("counting")
    expect(page.get_by_test_id("answer")).to_have_count(0)
    legal = [move for move in player.table_view()["legal"]["0"] if move != "pass"]
    expect(page.locator(".station.target")).to_have_count(len({move[-2:] for move in legal}))


def turn_with_a_choice(player: Player) -> tuple[str, str]:
    """Plays to a turn with a target that one way leads to, and another one with several ways."""
    while True:
        if player.situation() == "end":
            player.sit_alone("london")
        if player.situation() == "move":
            ends = [move[-2:] for move in player.table_view()["legal"]["0"] if move != "pass"]
            one = [end for end in ends if ends.count(end) == 1]
            several = [end for end in ends if ends.count(end) > 1]
            if one and several:
                return one[0], several[0]
        player.play_on(1)
