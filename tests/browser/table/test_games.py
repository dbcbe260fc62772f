"""Games through the page, by mouse, finger and keyboard; what lies between is played without it."""

from __future__ import annotations

import pytest
from browser.player import PHONE, NewPage, Player
from playwright.sync_api import expect
from server.services import Server

from headway import record


def finished(player: Player, rounds: int = 4) -> None:
    """The game is over, the page shows the server's score, and the record holds."""
    table = player.table_view()
    assert table["finished"]
    assert player.rounds_counted >= rounds
    answer = player.page.request.get(f"/api/tables/{player.table}/record")
    replayed = record.replay(record.read(answer.text()))
    totals = list(replayed.outcome.totals)
    assert totals == table["outcome"]["totals"]
    assert player.total() == totals[0]


@pytest.mark.parametrize("city", ["london", "tokyo"])
def test_alone(server: Server, new_page: NewPage, city: str) -> None:
    player = Player(new_page(server))
    player.play_alone(city)
    if city == "tokyo":  # the lesson plays a whole game there
        player.skip_to_last_turns()
    player.play_on()
    end = player.page.get_by_test_id("end")
    expect(end).to_contain_text(str(player.total()))
    expect(end.get_by_text("limits")).to_have_count(1 if city == "tokyo" else 0)
    finished(player, 1 if city == "tokyo" else 4)
    link = player.page.get_by_role("link", name="Save image").get_attribute("href")
    answer = player.page.request.get(link or "")
    assert answer.ok
    assert answer.headers["content-type"].startswith("image/png")


@pytest.mark.parametrize(
    ("city", "modules"),
    [("london", ("objectives", "powers")), ("tokyo", ("objectives", "special_stations"))],
)
def test_alone_with_modules(
    server: Server, new_page: NewPage, city: str, modules: tuple[str, ...]
) -> None:
    player = Player(new_page(server))
    player.set_up(city, "alone", *modules)
    while not used_module(player):
        player.play_on(1)
    player.skip_to_last_turns()
    player.play_on()
    finished(player, 1)
    assert all(player.table_view()["options"][module] for module in modules)


def used_module(player: Player) -> bool:
    """Whether a move so far has a mark: of a power, or of a special station."""
    moves = [line["text"] for line in player.table_view()["log"] if line["seat"] >= 0]
    return any(mark in text for text in moves for mark in "!~+*")


def test_against_a_bot(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    player.set_up("london", "bots")
    player.play_on(1)
    player.skip_to_last_turns()
    player.play_on()
    finished(player, 1)
    results = player.page.get_by_test_id("results")
    expect(results.locator("thead th")).to_have_count(2)
    totals = player.table_view()["outcome"]["totals"]
    for seat, total in enumerate(totals):
        expect(results.get_by_test_id(f"total-{seat}")).to_have_text(str(total))
    # The categories of each player add up to the total.
    columns = zip(
        *(
            row.locator("td").all_inner_texts()
            for row in results.locator("tbody tr:not(.sum):not(.tie)").all()
        ),
        strict=True,
    )
    assert sorted(sum(map(int, column)) for column in columns) == sorted(totals)


def test_two_people_at_one_screen(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    player.set_up("tokyo", "screen")
    assert player.situation() == "hand-over"
    expect(player.page.locator(".board")).to_have_count(0)
    player.play_on(4)
    player.skip_to_last_turns()
    player.play_on()
    assert {seat["mine"] for seat in player.table_view()["seats"]} == {True}
    assert player.rounds_counted == 2  # both lines of the last round
    assert player.table_view()["finished"]


def test_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server), "keys")
    player.play_alone("london")
    begin_and_end(player)


def begin_and_end(player: Player) -> None:
    """Plays the first round and the last turns."""
    while not player.rounds_counted:
        player.go_on(asked) if (asked := player.situation()) == "counting" else player.move()
    player.skip_to_last_turns()
    player.play_on()
    finished(player, 2)


def test_on_a_phone_in_french(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE, has_touch=True, is_mobile=True, locale="fr-FR")
    player = Player(page, "touch")
    player.play_alone("tokyo")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("button.confirm")).to_have_text("Confirmer")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    begin_and_end(player)
    expect(page.get_by_test_id("end")).to_contain_text("points")
    expect(page.get_by_test_id("end")).to_contain_text("Les limites des verdicts sont les nôtres")


def test_two_people_with_open_sheets(server: Server, new_page: NewPage) -> None:
    """Who plays with open sheets needs no curtain; the choice is kept, and can be taken back."""
    player = Player(new_page(server))
    player.set_up("london", "screen")
    assert player.situation() == "hand-over"
    player.page.get_by_test_id("no-curtain").click()
    for seat in ("0", "1", "0"):
        assert player.situation() == "move"
        expect(player.page.get_by_test_id("play")).to_have_attribute("data-seat", seat)
        player.move()
    player.page.get_by_role("button", name="Settings").click()
    player.page.get_by_text("Hide sheets when passing the device").click()
    player.page.keyboard.press("Escape")
    assert player.situation() == "hand-over"
