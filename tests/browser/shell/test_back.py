"""Back closes what is open before it leaves the page; the rules open where they are needed."""

from __future__ import annotations

from browser.player import PHONE, NewPage, Player
from browser.rider import Rider
from playwright.sync_api import Locator, Page, expect
from server.services import Server


def test_back_closes_first(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server, viewport=PHONE))
    page = player.page
    page.goto("/about")
    page.get_by_role("link", name="Headway").first.click()
    dialog = page.locator("dialog")  # gone when the page knows that it is closed, a moment later
    page.get_by_role("button", name="Settings").click()
    expect(dialog).to_be_visible()
    page.go_back()
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(f"{server.url}/")

    # What was closed in another way leaves nothing behind for Back.
    for _ in range(2):
        page.get_by_test_id("play-map").first.click()
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    page.go_back()
    expect(page).to_have_url(f"{server.url}/about")
    page.go_forward()
    expect(page).to_have_url(f"{server.url}/")

    # A dialog that leads to another page is no step back from there.
    page.get_by_test_id("play-map").first.click()
    page.get_by_test_id("start").click()
    page.get_by_test_id("play").wait_for()
    table = page.url
    page.get_by_test_id("open-rules").click()
    page.get_by_test_id("rules").wait_for()
    page.go_back()
    expect(page.get_by_test_id("rules")).to_have_count(0)
    expect(page).to_have_url(table)
    player.play_on(1)
    page.go_back()
    expect(page).to_have_url(f"{server.url}/")
    page.go_forward()
    expect(page.get_by_test_id("play")).to_be_visible()


def test_back_closes_one_after_another(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    page = rider.page
    rider.set_up("me", "greedy")
    rider.play_on(2)
    rider.situation()
    number = rider.turn()
    page.locator("[data-route=elephant_castle-tower_of_london]").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("open-rules").click()
    page.get_by_test_id("rules").locator("article").wait_for()
    page.get_by_role("button", name="Settings").click()
    open_parts = [page.get_by_role("dialog", name="Settings"), *parts(page, "rules", "route")]
    for part in open_parts:
        expect(part).to_be_visible()
    for closed in range(1, 4):
        page.go_back()
        for part in open_parts[:closed]:
            expect(part).to_have_count(0)
        for part in open_parts[closed:]:
            expect(part).to_be_visible()
    assert rider.situation() == "move"
    assert rider.turn() == number  # no move was taken back


def parts(page: Page, *names: str) -> list[Locator]:
    return [page.get_by_test_id(name) for name in names]


def test_a_route_looked_at_while_others_think_can_be_closed(
    server: Server, new_page: NewPage
) -> None:
    """Closing it takes no move back, whoever's turn it is."""
    rider, guest = Rider(new_page(server)), new_page(server)
    page = rider.page
    rider.set_up("me", "open", seed=None)
    guest.goto(page.url)
    guest.get_by_test_id("join").click()
    rider.play_on(1)
    route = page.get_by_test_id("route")
    for close in (
        lambda: page.keyboard.press("Escape"),
        lambda: route.get_by_role("button", name="Close").click(),
        page.go_back,
    ):
        assert not rider.situation_now()
        page.locator("[data-route=elephant_castle-tower_of_london]").focus()
        page.keyboard.press("Enter")
        expect(route).to_be_visible()
        close()
        expect(route).to_have_count(0)
    Rider(guest).play_on(1)
    while True:  # one of the two begins
        if rider.situation_now() == "move":
            break
        if Rider(guest).situation_now() == "move":
            Rider(guest).play_on(1)
        page.wait_for_timeout(20)
    rider.play_on(1)


def test_rules_beside_the_board_at_the_topic(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    page = player.page
    player.sit_alone("london")
    player.situation()
    switch = player.table_view()["views"]["0"]["switch"]
    opens_at(page, "The switch" if switch else "Where a line may go")
    board, rules = (part.bounding_box() for part in (page.locator(".board").first, drawer(page)))
    assert board
    assert rules
    assert board["x"] + board["width"] <= rules["x"]
    player.play_on(1)  # they stay open, and the game is played beside them
    expect(drawer(page)).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(drawer(page)).to_have_count(0)
    while player.situation() != "counting":
        player.play_on(1)
    opens_at(page, "Scoring a line")


def test_rules_of_ticket_to_ride_at_the_topic(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server, viewport=PHONE, locale="fr-FR"))
    page = rider.page
    rider.set_up("me", "greedy")
    rider.situation()
    opens_at(page, "Avant le premier tour")
    page.keyboard.press("Escape")  # over the page on a phone
    rider.play_on(1)
    rider.situation()
    opens_at(page, "Votre tour : une action sur trois")
    page.keyboard.press("Escape")
    page.locator("[data-route=elephant_castle-tower_of_london]").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("route").wait_for()
    opens_at(page, "Prendre une route")


def drawer(page: Page) -> Locator:
    return page.get_by_test_id("rules")


def opens_at(page: Page, title: str) -> None:
    """Opens the rules, which show this heading first."""
    page.get_by_test_id("open-rules").click()
    heading = drawer(page).get_by_role("heading", name=title)
    expect(heading).to_be_focused()
    above = "e => e.getBoundingClientRect().top - e.closest('.text').getBoundingClientRect().top"
    page.wait_for_function(f"e => (({above})(e)) < 40", arg=heading.element_handle())
