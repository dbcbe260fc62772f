"""People at the page: seats that change hands, a cut network, what is kept and shown."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.cable import Cable
from browser.conftest import new_server
from browser.person import set_up
from browser.player import PHONE, WIDE, NewPage, Player
from browser.steps import SMALL, join, note_toasts, post, post_name, toasts
from playwright.sync_api import Page, expect
from server.services import Server

from headway import record


@pytest.fixture
def impatient_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at which a seat is left for long after one second."""
    running = new_server(tmp_path_factory, HEADWAY_AWAY_SECONDS=1)
    yield running
    running.stop()


def test_my_seat_goes_to_a_bot_and_back(server: Server, new_page: NewPage) -> None:
    """At a table with a friend, who makes one move and no more: the bot cannot finish the game."""
    player = Player(new_page(server))
    page, name = player.page, "Olga"
    post_name(page, name)
    table = set_up(page, "me", "open")
    friend = join(new_page(server), table, "Nina")
    page.goto(f"/t/{table}")
    player.play_on(1)
    friend.play_on(1)
    note_toasts(friend.page)
    page.get_by_role("button", name="Let a bot play for me").click()
    page.get_by_role("button", name="Stay in the game").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert player.table_view()["seats"][0]["mine"]
    page.get_by_role("button", name="Let a bot play for me").click()
    page.get_by_role("dialog").get_by_role("button", name="Let a bot take over").click()
    expect(page.get_by_test_id("kept")).to_contain_text("A bot is playing for")
    expect(page.locator("button.confirm")).to_have_count(0)
    moved = friend.page.locator("[data-testid=seat][data-seat='0']", has_text="has moved")
    expect(moved).to_be_visible()  # the bot, for me
    page.goto("/")
    page.locator("a", has_text="Next Station: London").first.click()
    page.get_by_role("button", name="Take the seat back").click()
    told = [f"A bot plays for {name} now.", f"{name} is back."]
    assert set(told) <= toasts(friend.page, told[-1])
    friend.page.get_by_test_id("what-happened").locator("summary").click()
    newest = friend.page.get_by_test_id("happened").locator("li").first
    expect(newest).to_contain_text(told[-1])
    friend.play_on(1)
    player.situation()
    assert player.table_view()["seats"][0]["mine"]
    before = len(moves_of(player, 0))
    player.play_on(1)
    friend.play_on(1)
    friend.situation()
    assert len(moves_of(player, 0)) == before + 1


def test_the_others_go_on_without_one_who_left(impatient_server: Server, new_page: NewPage) -> None:
    host = Player(new_page(impatient_server))
    table = set_up(host.page, "me", "open")
    guest = join(new_page(impatient_server), table, "Nina")
    host.page.goto(f"/t/{table}")
    host.play_on(1)
    guest.page.context.close()
    expect(host.page.get_by_text("Nina has been away for a long time.")).to_be_visible()
    host.page.get_by_role("button", name="Let a bot take over").click()
    host.play_on(2)
    host.situation()
    assert len(moves_of(host, 0)) == 3
    assert host.table_view()["seats"][1]["kind"] == "bot"


def test_network_cut_in_the_middle_of_a_game(server: Server, new_page: NewPage) -> None:
    """One of two browsers is cut off, draws and confirms all the same, and nothing is lost."""
    cable = Cable(server.port)
    host = Player(new_page(server))
    table = set_up(host.page, "me", "open")
    host.page.goto(f"/t/{table}")
    guest = join(new_page(cable), table, "Nina")
    for _ in range(2):
        host.play_on(1)
        guest.play_on(1)
    guest.situation()
    moves = len(moves_of(host, 1))
    note_toasts(host.page)
    cable.cut()
    lost = guest.page.get_by_text("No connection. Trying again; nothing is lost.")
    expect(lost).to_be_visible()
    expect(host.page.locator("[data-presence=offline]")).to_have_count(1)
    guest.draft()
    if guest.page.locator("button.confirm").is_enabled():
        guest.page.locator("button.confirm").click()
    else:
        guest.page.get_by_role("button", name="Pass").click()
    host.play_on(1)
    expect(host.page.locator("h2", has_text="Waiting for Nina")).to_be_visible()
    cable.mend()
    expect(lost).to_have_count(0)
    expect(host.page.locator("[data-presence=offline]")).to_have_count(0)
    back = "Nina is connected again."
    assert {"Nina has lost the connection.", back} <= toasts(host.page, back)
    host.situation()
    assert len(moves_of(host, 1)) == moves + 1
    for player in (host, guest):
        player.play_on(1)
    host.situation()
    assert len(moves_of(host, 1)) == moves + 2
    guest.page.context.close()
    cable.cut()


def test_an_undo_between_people_is_asked_for(server: Server, new_page: NewPage) -> None:
    """Refused, allowed, and without an answer until the game goes on."""
    host = Player(new_page(server))
    table = set_up(host.page, "me", "open")
    guest = join(new_page(server), table, "Nina")
    post_name(host.page, "Olga")
    host.page.goto(f"/t/{table}")
    note_toasts(host.page)
    request = guest.page.get_by_test_id("undo-request")

    def ask() -> None:
        host.play_on(1)
        host.page.get_by_role("button", name="Ask to undo").click()
        expect(request).to_contain_text("asks to undo the last move.")
        expect(host.page.get_by_test_id("undo-request")).to_contain_text("Waiting for Nina")

    ask()
    request.get_by_role("button", name="Refuse").click()
    host.page.wait_for_function("() => told.some((text) => text.startsWith('Nina has not let'))")
    expect(request).to_have_count(0)
    guest.play_on(1)
    ask()
    request.get_by_role("button", name="Allow").click()
    expect(request).to_have_count(0)
    ask()
    guest.play_on(1)
    expect(request).to_have_count(0)
    host.page.wait_for_function("() => told.some((text) => text.startsWith('The game went on'))")
    said = host.page.evaluate("told")
    for words in ("Nina has not let", "Nina has let", "The game went on"):
        assert any(text.startswith(words) for text in said), (words, said)
    guest.page.get_by_test_id("what-happened").locator("summary").click()
    asked = guest.page.get_by_test_id("happened").locator("li", has_text="asks to undo")
    expect(asked).to_have_count(3)


def moves_of(player: Player, seat: int) -> list[str]:
    return [line["text"] for line in player.table_view()["log"] if line["seat"] == seat]


def test_pictures_are_saved(server: Server, new_page: NewPage, tmp_path: Path) -> None:
    player = Player(new_page(server))
    player.sit_alone("tokyo")
    player.skip_to_end()
    with player.page.expect_download() as download:
        player.page.get_by_role("link", name="Save image").click()
    assert download.value.suggested_filename == "headway-tokyo.png"
    download.value.save_as(tmp_path / "picture.png")
    png = (tmp_path / "picture.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert png.endswith(b"IEND\xaeB`\x82")
    assert struct.unpack(">I", png[16:20])[0] == 1400
    with player.page.expect_download() as download:
        player.page.get_by_role("link", name="Save game").click()
    download.value.save_as(tmp_path / "record.json")
    kept = record.verify(record.load(tmp_path / "record.json"))
    assert list(kept.outcome.totals) == [player.total()]


def test_sound_waits_for_a_touch_and_can_be_turned_off(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    page = player.page
    page.add_init_script(
        """window.tones = 0
        const start = AudioScheduledSourceNode.prototype.start
        AudioScheduledSourceNode.prototype.start = function (...at) {
          window.tones++
          return start.apply(this, at)
        }"""
    )

    def choose(volume: str) -> None:
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("group", name="Sounds").get_by_text(volume, exact=True).click()
        page.keyboard.press("Escape")

    player.sit_alone("london")
    pass_once = {"seat": 0, "move": "pass", "client_id": "a-pass-unheard"}
    post(page, f"tables/{player.table}/moves", **pass_once)
    expect(page.get_by_test_id("play")).not_to_have_attribute("data-turn", "1.1")
    assert page.evaluate("tones") == 0  # a card was turned over, but nobody has touched the page
    player.play_on(1)
    page.wait_for_function("tones > 0")
    page.reload()
    player.situation()
    choose("Off")
    player.play_on(1)
    assert page.evaluate("tones") == 0
    page.reload()
    player.situation()
    player.play_on(1)
    assert page.evaluate("tones") == 0
    choose("Loud")
    page.wait_for_function("tones > 0")


def test_a_tie_is_broken_by_the_best_line(server: Server, new_page: NewPage) -> None:
    """A game of two that ends with equal totals, played again move by move."""
    played = record.replay(record.load(Path(__file__).parent / "tie-break.json"))
    assert played.outcome.reason == "outcome.best_line"
    page = new_page(server)
    seats = [{"kind": "me", "name": name} for name in ("Ann", "Ben")]
    table = set_up(page, *seats, training=True, seed=played.record.seed)
    for number, (seat, move) in enumerate(moves_in(played)):
        post(page, f"tables/{table}/moves", seat=seat, move=move, client_id=f"tie-move-{number}")
    seen = page.request.get(f"/api/tables/{table}").json()
    assert seen["finished"]
    page.goto(f"/t/{table}")
    end = page.get_by_test_id("end")
    expect(end.get_by_role("heading")).to_have_text(
        "Ben wins with 65 points: equal scores, and the better single line."
    )
    results = page.get_by_test_id("results")
    assert results.locator("thead th").all_inner_texts() == ["Ben", "Ann"]
    best = results.get_by_role("row", name="Best line").locator("td").all_inner_texts()
    assert int(best[0]) > int(best[1])


def moves_in(played: record.Replay) -> list[tuple[int, str]]:
    """The moves of the seats, in their order."""
    game = played.game
    return [(seat, game.move_text(move)) for seat, move in played.events if seat >= 0]


def test_lists_of_tables(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    for _ in range(7):
        set_up(page, "me")
    waits = set_up(page, "me", "open", map="tokyo")
    stranger = new_page(server)
    open_table = set_up(stranger, "me", "open", map="tokyo", public=True)
    page.goto("/")
    mine = page.locator("section", has=page.get_by_role("heading", name="My games"))
    public = page.locator("section", has=page.get_by_role("heading", name="Open tables"))
    expect(mine.locator("li")).to_have_count(6)
    page.get_by_role("button", name="Show all").click()
    expect(mine.locator("li")).to_have_count(8)
    expect(mine.locator("li", has_text="Your turn")).to_have_count(7)
    expect(mine.locator("li").last).to_contain_text("waiting", ignore_case=True)
    expect(mine.locator(f"a[href$='/t/{waits}']")).to_contain_text("free seat", ignore_case=True)
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        assert not page.locator("html").evaluate("e => e.scrollWidth > e.clientWidth")
    public.locator(f"a[href$='/t/{open_table}']").click()
    expect(page.get_by_test_id("join")).to_be_visible()


def test_no_such_page(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    answer = page.goto("/no/such/page")
    assert answer
    assert answer.status == 404
    expect(page.get_by_role("heading", name="There is no such page.")).to_be_visible()
    page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_test_id("map-next-station-london").wait_for()


def test_a_finger_beside_a_station_means_the_one_that_can_be_used(
    server: Server, new_page: NewPage
) -> None:
    """22 px off in any direction: every target is as good as 44 px wide."""
    player = Player(new_page(server, **SMALL), "touch")
    player.sit_alone("london")
    page = player.page
    while player.situation() != "move" or not page.locator(".station.target").count():
        player.play_on(1)
    names = page.locator(".station.target").evaluate_all("all => all.map(e => e.dataset.station)")
    tapped = 0
    for name in names:
        middle = page.locator(f"[data-station={name}] .disc").bounding_box()
        assert middle
        x, y = middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2
        for dx, dy in ((15, 15), (-15, 15), (15, -15), (-15, -15), (20, 0), (0, 20)):
            if nearer(page, names, name, x + dx, y + dy):
                continue  # beside another target: that one is meant
            page.touchscreen.tap(x + dx, y + dy)
            shown = page.locator(".drafted, [data-testid=answer]").first
            expect(shown).to_be_visible()
            if page.get_by_test_id("answer").count():
                expect(page.get_by_test_id("answer")).to_contain_text(name)
            page.get_by_role("button", name="Undo").tap()
            expect(page.locator(".drafted")).to_have_count(0)
            tapped += 1
    assert tapped >= 4


def nearer(page: Page, names: list[str], name: str, x: float, y: float) -> bool:
    """Whether the finger is as near to another target, or off the sheet."""
    board = page.locator(".board").first.bounding_box()
    assert board
    if not board["x"] < x < board["x"] + board["width"]:
        return True
    for other in set(names) - {name}:
        box = page.locator(f"[data-station={other}] .disc").bounding_box()
        assert box
        far = abs(box["x"] + box["width"] / 2 - x) + abs(box["y"] + box["height"] / 2 - y)
        if far < 44:
            return True
    return False


def test_a_larger_sheet_on_a_phone(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server, **SMALL), "touch")
    player.sit_alone("london")
    page = player.page
    page.get_by_role("button", name="Larger sheet").tap()
    steps = page.evaluate(
        """() => ['b0', 'c0'].map(s => document.querySelector(`[data-station=${s}] .disc`))
            .map(e => e.getBoundingClientRect().x).reduce((a, b) => b - a)"""
    )
    assert steps >= 44
    assert not page.locator("html").evaluate("e => e.scrollWidth > e.clientWidth")
    expect(page.locator("button.confirm")).to_be_in_viewport()
    player.play_on(3)
    assert player.table_view()["number"] == 3
