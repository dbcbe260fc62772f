"""A turn at the page, in both games: refusals and answers that come late."""

from __future__ import annotations

import time
from typing import Any

import pytest
from browser.person import Person, open_table
from browser.player import NewPage, Player
from browser.rider import Rider
from browser.steps import join
from playwright.sync_api import Page, Route, WebSocketRoute, expect
from server.services import Server

PEOPLE: dict[str, type[Player] | type[Rider]] = {"next-station": Player, "ticket-to-ride": Rider}
TOO_OFTEN = {"sentence": "Too often.", "rule": "", "key": "", "lang": "en", "place": "", "line": 0}
GAMES = pytest.mark.parametrize("game", sorted(PEOPLE))


class News:
    """The news that the server sends to a page; a test can hold them back."""

    def __init__(self, page: Page) -> None:
        self.held = False
        page.route_web_socket("**/live**", self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        server.on_message(lambda message: None if self.held else page.send(message))


class LateAnswers:
    """Answers of the server to "why not", which arrive when a test lets them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.waiting: list[tuple[Route, Any]] = []
        page.route("**/why", lambda route: self.waiting.append((route, route.fetch())))

    def until_asked(self) -> None:
        while not self.waiting:
            self.page.wait_for_timeout(20)

    def arrive(self) -> str:
        """Lets the answer arrive, and waits until the page has had time to show it."""
        route, answer = self.waiting.pop(0)
        with self.page.expect_response("**/why"):
            route.fulfill(response=answer)
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))"
        )
        return str(answer.json()["sentence"])


@GAMES
def test_a_refused_take_back_says_why(server: Server, new_page: NewPage, game: str) -> None:
    """The other seat has moved, and this page does not know it yet."""
    host, guest = PEOPLE[game](new_page(server)), PEOPLE[game](new_page(server))
    news = News(host.page)
    table = open_table(host.page, "me", "open", game=game)
    join(guest.page, table, "Nina")
    host.play_on(1)
    back = host.page.get_by_role("button", name="Undo")
    expect(back).to_be_enabled()
    news.held = True
    guest.play_on(1)
    back.click()
    answer = host.page.get_by_test_id("answer")
    expect(answer).to_contain_text("revealed something new")
    expect(host.page.get_by_test_id("heard")).to_contain_text(answer.inner_text().strip())


def test_a_busy_server_is_asked_when_it_says(server: Server, new_page: NewPage) -> None:
    person = at_a_move(server, new_page, "next-station")
    assert isinstance(person, Player)
    page = person.page
    asked: list[float] = []
    answers = iter(["1", "2"])

    def answer(route: Route) -> None:
        asked.append(time.monotonic())
        seconds = next(answers, "")
        if not seconds:
            route.continue_()
            return
        route.fulfill(status=429, headers={"retry-after": seconds}, json={"error": TOO_OFTEN})

    page.route("**/moves", answer)
    before = page.get_by_test_id("play").get_attribute("data-turn")
    person.draft()
    page.locator("button.confirm").click()
    expect(page.get_by_test_id("play")).not_to_have_attribute("data-turn", before or "")
    first, second, third = asked
    assert second - first >= 1
    assert third - second >= 2
    answers = iter(["0"] * 100)
    asked.clear()
    person.situation()
    person.draft()
    page.locator("button.confirm").click()
    expect(page.get_by_test_id("answer")).to_have_text(str(TOO_OFTEN["sentence"]))
    assert len(asked) < 10, "it gives up and says why"


def ask_why(person: Person) -> None:
    """Points at something that cannot be done now."""
    if isinstance(person, Player):
        pencil = person.table_view()["views"]["0"]["pencils"][0][0]
        far = {"purple": "j0", "blue": "a0", "pink": "a9", "green": "j9"}[pencil]
        person.station(far).click()
    else:
        person.page.locator("[data-route=elephant_castle-tower_of_london]").focus()
        person.page.keyboard.press("Enter")


@GAMES
def test_an_answer_that_comes_after_the_turn_is_not_shown(
    server: Server, new_page: NewPage, game: str
) -> None:
    person = at_a_move(server, new_page, game)
    late = LateAnswers(person.page)
    ask_why(person)
    late.until_asked()
    person.play_on(1)
    sentence = late.arrive()
    expect(person.page.get_by_test_id("play")).to_be_visible()
    expect(person.page.get_by_test_id("answer")).to_have_count(0)
    expect(person.page.get_by_test_id("heard")).not_to_contain_text(sentence)


@GAMES
def test_an_answer_to_something_else_than_the_draft_is_not_shown(
    server: Server, new_page: NewPage, game: str
) -> None:
    person = at_a_move(server, new_page, game)
    page = person.page
    late = LateAnswers(page)
    ask_why(person)
    late.until_asked()
    if isinstance(person, Player):
        person.draft()
    else:
        page.get_by_test_id("supply").locator("[data-card=pile]").click()
    expect(page.locator("button.confirm")).to_be_enabled()
    late.arrive()
    expect(page.get_by_test_id("answer")).to_have_count(0)
    expect(page.locator("button.confirm")).to_be_enabled()


def at_a_move(server: Server, new_page: NewPage, game: str) -> Player | Rider:
    """Somebody at a game that asks for a move, with something to draw or to take."""
    person = PEOPLE[game](new_page(server))
    seats = ["me"] if game == "next-station" else ["me", "greedy"]
    while True:
        open_table(person.page, *seats, game=game)
        if isinstance(person, Rider):
            person.play_on(1)
            person.situation()
            return person
        person.situation()
        if person.page.locator(".station.target").count():
            return person
