"""The waiting room: what is played, who is ready, bots and friends, and the rematch."""

from __future__ import annotations

from browser.person import set_up
from browser.player import PHONE, NewPage, Player
from browser.steps import no_overflow, pass_to_the_end, post, post_name, sit
from playwright.sync_api import Page, expect
from server.services import Server

MINUTE = {"kind": "turn", "seconds": 60}


def test_a_clock_starts_when_both_have_confirmed(server: Server, new_page: NewPage) -> None:
    host, guest = new_page(server), new_page(server, viewport=PHONE)
    post_name(host, "Ann")
    chosen = {"pencils": ["green", None], "controller": 1}
    options = {"powers": True}
    table = set_up(host, "me", "open", clock=MINUTE, chosen=chosen, options=options)
    shelves: list[str] = []
    host.on("request", lambda it: shelves.append(it.url) if it.url.endswith("/shelf") else None)
    host.goto(f"/t/{table}")
    guest.goto(f"/t/{table}")
    expect(guest.get_by_test_id("waiting-why")).to_have_text("Ann invites you to play.")
    facts = guest.get_by_test_id("facts")
    for fact in ("60 seconds per turn", "Pencil powers", "First pencil", "Ann: green"):
        expect(facts).to_contain_text(fact)
    expect(guest.get_by_role("heading", level=1)).to_have_text("Next Station: London")
    no_overflow(guest)
    # Ben picks a pencil, not mine, with his seat; then I pick another one, which he sees at once.
    mine = guest.get_by_test_id("pick-pencils-joining")
    expect(mine.get_by_role("option", name="green")).to_be_disabled()
    mine.select_option("blue")
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_test_id("join").click()
    expect(host.get_by_test_id("waiting-seats").get_by_role("listitem").nth(1)).to_contain_text(
        "blue"
    )
    host.get_by_label("You: First pencil").select_option("purple")
    expect(guest.get_by_test_id("waiting-seats").get_by_role("listitem").nth(0)).to_contain_text(
        "purple"
    )
    host.get_by_test_id("setup").locator("summary").click()
    host.get_by_test_id("pick-spare").select_option("green to the left of You")
    expect(guest.get_by_test_id("facts")).to_contain_text("green to the left of Ann")
    expect(guest.get_by_test_id("setup")).to_have_count(0)
    no_overflow(guest)
    expect(guest.get_by_test_id("waiting-seats")).to_contain_text("You")
    expect(guest.get_by_test_id("waiting-seats")).not_to_contain_text("Ben")
    expect(host).to_have_title("Your turn · Next Station: London · Headway")
    guest.get_by_test_id("ready").click()
    expect(guest.get_by_test_id("waiting-why")).to_have_text("Waiting for: Ann.")
    expect(host.get_by_test_id("waiting-seats")).to_contain_text("ready")
    expect(host.get_by_role("timer")).to_have_count(0)
    host.get_by_test_id("ready").click()
    host.get_by_test_id("play").wait_for()
    assert len(shelves) == 1
    expect(guest.get_by_role("timer").first).to_be_visible()
    guest.get_by_test_id("this-table").locator("summary").click()
    expect(guest.get_by_test_id("facts")).to_contain_text("Ann: purple")
    pencils = Player(guest).table_view()["views"]["1"]["pencils"]
    assert (pencils[0][0], pencils[1][:2]) == ("purple", ["blue", "green"])


def test_an_invitation_is_answered_in_four_ways(server: Server, new_page: NewPage) -> None:
    host, guest = new_page(server), new_page(server, viewport=PHONE)
    for page, name in ((host, "Ann"), (guest, "Ben")):
        post_name(page, name)
    table = set_up(host, "me", "open", clock=MINUTE)
    host.goto(f"/t/{table}")
    guest.goto(f"/t/{table}")
    visitor = host.get_by_test_id("visitor")
    expect(visitor).to_have_text("Ben is looking…")
    no_overflow(guest)
    guest.get_by_role("button", name="Watch").click()
    expect(guest.get_by_test_id("waiting-seats")).to_contain_text("Ann")
    guest.get_by_role("button", name="Take a seat").click()
    guest.get_by_role("button", name="Learn first").click()
    guest.get_by_test_id("coach").wait_for()
    expect(visitor).to_have_text("Ben is learning the game first.")
    guest.get_by_role("link", name="Join Ann").click()
    expect(visitor).to_have_text("Ben is looking…")
    guest.get_by_role("button", name="Not now").click()
    expect(visitor).to_have_text("Ben can’t now.")
    guest.wait_for_url(lambda url: table not in url)
    expect(visitor).to_have_count(0)  # the chair is free again
    guest.goto(f"/t/{table}")
    face = guest.get_by_test_id("join").locator("xpath=ancestor::form").locator("svg.face")
    before = face.evaluate("face => face.outerHTML")  # the colours stand on the drawing itself
    guest.get_by_test_id("die").click()
    expect(face).not_to_have_js_property("outerHTML", before)
    guest.get_by_test_id("join").click()
    expect(host.get_by_test_id("waiting-seats")).to_contain_text("Ben")


def test_the_host_mixes_bots_and_friends(server: Server, new_page: NewPage) -> None:
    host, guest = new_page(server, viewport=PHONE), new_page(server)
    table = set_up(host, "me", "open", "open", "open")
    sit(guest, table, "Ben")
    expect(guest.get_by_test_id("fill-2")).to_have_count(0)
    host.goto(f"/t/{table}")
    no_overflow(host)
    host.get_by_test_id("fill-2").select_option("tourist")
    expect(host.get_by_test_id("waiting-seats")).to_contain_text("Tourist")
    host.get_by_test_id("fill-3").select_option("greedy")
    host.get_by_test_id("play").wait_for()
    assert [seat.get("bot") for seat in Player(host).table_view()["seats"]] == [
        None,
        None,
        "tourist",
        "greedy",
    ]


def test_the_host_starts_with_fewer_players(server: Server, new_page: NewPage) -> None:
    host, guest = new_page(server), new_page(server)
    table = set_up(host, "me", "open", "open")
    host.goto(f"/t/{table}")
    expect(host.get_by_test_id("begin")).to_have_text("Start alone")
    sit(guest, table, "Ben")
    expect(guest.get_by_test_id("begin")).to_have_count(0)
    host.get_by_role("button", name="Start with 2 players").click()
    guest.get_by_test_id("play").wait_for()
    assert len(Player(host).table_view()["seats"]) == 2


def test_a_rematch_asks_the_other_and_takes_watchers_along(
    server: Server, new_page: NewPage
) -> None:
    """Asked to a rematch, one can join, learn first, watch, or say that it does not suit now."""
    host, guest, watcher = new_page(server), new_page(server, viewport=PHONE), new_page(server)
    for page, name in ((host, "Ann"), (guest, "Ben"), (watcher, "Eve")):
        post_name(page, name)
    asked = guest.get_by_test_id("rematch")
    at_seat = host.get_by_test_id("waiting-seats").locator("li").nth(1)

    def finish_game() -> str:
        table = set_up(host, "me", "open", clock=MINUTE)
        post(guest, f"tables/{table}/join")
        for page in (host, guest):
            post(page, f"tables/{table}/ready")
        pass_to_the_end(table, host, guest)
        return table

    def ask_again(table: str, *pages: Page) -> str:
        """Ann asks for a rematch; the next table."""
        for page in (host, guest, *pages):
            page.goto(f"/t/{table}")
            page.get_by_test_id("end").wait_for()
        host.get_by_role("button", name="Rematch").click()
        host.wait_for_url(lambda url: table not in url)
        expect(host.get_by_test_id("waiting-why")).to_have_text("Waiting for: Ben.")
        expect(asked).to_contain_text("Ann wants a rematch.")
        return Player(host).table

    table = finish_game()
    following = ask_again(table, watcher)
    watcher.wait_for_url(f"**/t/{following}")
    expect(at_seat.get_by_test_id("visitor")).to_have_text("Ben is looking…")
    no_overflow(guest)
    asked.get_by_role("button", name="Learn first").click()
    guest.get_by_test_id("coach").wait_for()
    expect(at_seat.get_by_test_id("visitor")).to_have_text("Ben is learning the game first.")
    host.reload()  # who comes later hears it too
    expect(at_seat.get_by_test_id("visitor")).to_have_text("Ben is learning the game first.")
    guest.get_by_role("link", name="Join Ann").click()
    guest.wait_for_url(f"**/t/{following}")
    expect(at_seat.get_by_test_id("visitor")).to_have_count(0)
    guest.goto(f"/t/{table}")
    asked.get_by_role("button", name="Join").click()
    guest.wait_for_url(f"**/t/{following}")
    for page in (host, guest, watcher):
        page.get_by_test_id("play").wait_for()
    watcher.go_back()
    expect(watcher.get_by_test_id("rematch")).to_contain_text("Watch the rematch")

    ask_again(finish_game())
    asked.get_by_role("button", name="Watch").click()
    expect(guest.get_by_test_id("waiting-seats")).to_contain_text("Ann")
    expect(at_seat.get_by_test_id("visitor")).to_have_text("Ben is looking…")
    following = ask_again(finish_game())
    asked.get_by_role("button", name="Not now").click()
    expect(at_seat.get_by_test_id("visitor")).to_have_text("Ben can’t now.")
    expect(asked).to_have_count(0)  # the seat is free now
    seats = host.request.get(f"/api/tables/{following}").json()["seats"]
    assert [seat["kind"] for seat in seats] == ["person", "open"]
