"""Ticket to Ride in the browser: whole games, secret hands, and what the table tells."""

from __future__ import annotations

import json
import re
from itertools import takewhile
from typing import Any

from browser.player import PHONE, NewPage
from browser.rider import Rider
from playwright.sync_api import Page, expect
from server.services import Server

from headway import record


def finished(rider: Rider) -> None:
    """The game is over, the page shows the server's totals, and the record holds."""
    table = rider.table_view()
    assert table["finished"]
    answer = rider.page.request.get(f"/api/tables/{rider.table}/record")
    totals = list(record.replay(record.read(answer.text())).outcome.totals)
    assert totals == table["outcome"]["totals"]
    for seat, total in enumerate(totals):
        expect(rider.page.get_by_test_id(f"total-{seat}")).to_have_text(str(total))


def test_against_bots(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    rider.set_up("me", "planner", "greedy")
    assert rider.situation() == "choice"
    rider.play_on()
    finished(rider)
    assert rider.claimed
    end = rider.page.get_by_test_id("end")
    expect(end).to_contain_text("Longest stretch without a route")
    kept = sum(map(len, rider.table_view()["views"]["0"]["revealed"]))
    expect(end.locator("li")).to_have_count(kept)


def test_by_keyboard_alone(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server), "keys")
    rider.set_up("me", "greedy")
    begin_and_end(rider)


def begin_and_end(rider: Rider) -> None:
    """Plays until a route is claimed, and the last turns: a whole game is played by mouse."""
    while not rider.claimed:
        rider.play_on(1)
    rider.skip_to_last_turns()
    rider.play_on()
    finished(rider)


def test_on_a_phone_in_french(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE, has_touch=True, is_mobile=True, locale="fr-FR")
    rider = Rider(page, "touch")
    rider.set_up("me", "greedy")
    rider.play_on(3)
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert "web." not in page.locator("body").inner_text()
    log = page.get_by_test_id("log")
    expect(log).to_contain_text("Vous gardez 1 destination")
    expect(log.get_by_text(re.compile("Vous (garde|prend|pioche|passe) "))).to_have_count(0)
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, .button, a, summary')]
            .filter(e => e.checkVisibility() && !e.closest('.skip'))
            .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
            .filter(([, box]) => box.width < 44 || box.height < 44).map(([html]) => html)"""
    )
    assert [html for html in small if 'class="skip' not in html] == []
    begin_and_end(rider)
    assert "web." not in page.locator("body").inner_text()


def test_tickets_and_hand_fit_a_phone_with_three_opponents(
    server: Server, new_page: NewPage
) -> None:
    rider = Rider(new_page(server, viewport=PHONE))
    rider.set_up("me", *(["random"] * 3), seed=14)
    rider.situation()
    offered = rider.page.get_by_test_id("choice").locator("label")
    expect(offered.filter(has_text="Charterhouse")).to_have_count(1)  # the widest word of a name
    assert not offered.evaluate_all("all => all.some(card => card.scrollWidth > card.clientWidth)")
    rider.play_on(1)
    rider.situation()
    page = rider.page
    page.evaluate("scrollTo(0, 0)")
    hand = page.get_by_test_id("hand").bounding_box()
    buttons = page.get_by_test_id("actions").bounding_box()
    assert hand
    assert buttons
    assert hand["y"] + hand["height"] <= buttons["y"]


# Secrets


class Traffic:
    """Everything that the server sends to a page about its table, whole or only what is new."""

    def __init__(self, page: Page) -> None:
        self.tables: list[Any] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        page.on("response", self._answer)

    def _frame(self, said: str | bytes) -> None:
        self.tables.append(json.loads(said).get("table", {}))

    def _answer(self, response: Any) -> None:
        if "/api/tables" in response.url and response.request.method == "POST" and response.ok:
            self.tables.append(response.json())

    def when_others_moved(self) -> set[str]:
        """The fields of views that were different when others had moved and nothing was shown."""
        hidden = [table.get("views", {}) for table in self.tables if "log" not in table]
        return {field for views in hidden for view in views.values() for field in view}


def test_two_browsers_and_secret_hands(server: Server, new_page: NewPage) -> None:
    pages = [new_page(server), new_page(server)]
    traffic = [Traffic(page) for page in pages]
    host, guest = Rider(pages[0]), Rider(pages[1])
    host.set_up("me", "open", seed=None)
    expect(host.page.get_by_test_id("waiting-room")).to_be_visible()
    guest.page.goto(host.page.url)
    guest.page.get_by_label("Your name").fill("Nina")
    guest.page.get_by_test_id("join").click()
    for rider in (host, guest):
        rider.page.get_by_test_id("play").wait_for()
    # What one is about to keep stays chosen while the other decides.
    box = guest.page.get_by_test_id("choice").locator("input").last
    box.check()
    host.play_on(1)
    expect(guest.page.get_by_test_id("seat").first).to_contain_text("has moved")
    expect(box).to_be_checked()
    while host.situation_now() != "end" or guest.situation_now() != "end":
        for rider in (host, guest):
            if rider.situation_now():
                rider.play_on(1) if rider.situation_now() != "end" else None
        host.page.wait_for_timeout(20)
    finished(host)
    finished(guest)
    for seat, heard in enumerate(traffic):
        assert_nothing_secret(seat, heard.tables)
        assert heard.when_others_moved() <= {"actors", "chosen"}  # who has chosen, not what


def assert_nothing_secret(seat: int, tables: list[Any]) -> None:
    """One's own view alone; of the other's draws and tickets nothing but their number."""
    other = 1 - seat
    running = list(takewhile(lambda table: not table.get("finished"), tables))
    assert len(running) > 20
    for table in running:
        views = table.get("views", {})
        assert set(views) <= {str(seat), "-1"}  # a spectator before sitting down
        assert set(table.get("legal", {})) <= {str(seat)}
        for view in views.values():
            assert view.get("revealed", []) == []
            assert view.get("scores", []) == []
            if "hand" in view and "hands" in view and view["hand"]:
                assert sum(view["hand"].values()) == view["hands"][seat]
        assert table.get("fair") is None
        for line in table.get("log", []):
            word, *rest = line["text"].split()
            if line["seat"] < 0 and word in ("card", "ticket") and rest[0] == str(other):
                assert rest[1] == "?", line
            if line["seat"] == other and word == "keep":
                assert set(rest) == {"?"}, line


def test_at_one_screen_hands_are_covered(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server, reduced_motion="no-preference"))
    page = rider.page
    rider.set_up({"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Ben"})
    covers = 0
    for _ in range(14):
        asked = rider.situation()
        if asked == "hand-over":
            covers += 1
            for name in ("hand", "tickets", "choice", "supply"):
                expect(page.get_by_test_id(name)).to_have_count(0)
            expect(page.locator("[data-part=board] .way, button.way")).to_have_count(0)
            rider.go_on(asked)
            continue
        seat = rider.seat()
        view = rider.table_view()["views"][seat]
        shown = page.get_by_test_id("hand").locator("[data-card]")
        hand = {c.get_attribute("data-card"): c.get_attribute("data-count") for c in shown.all()}
        assert hand == {card: str(count) for card, count in view["hand"].items()}
        expect(page.get_by_test_id("log")).not_to_contain_text("from the pile:")
        rider.move(asked)
    assert covers >= 5
    assert {sees_the_blind_card(rider), sees_the_blind_card(rider)} == {"0", "1"}
    rider.skip_to_last_turns()
    rider.play_on()
    finished(rider)
    # The tickets were turned over one by one, and the bus of each winner has come.
    assert {"routes", "ticket"} <= rider.counted
    winners = rider.table_view()["outcome"]["winners"]
    expect(page.get_by_test_id("big-bus")).to_have_count(len(winners))
    assert page.locator(".route.lit").count()


def sees_the_blind_card(rider: Rider) -> str:
    """Takes two cards from the pile: their owner sees both, and then covers the screen.

    Returns the owner's seat.
    """
    page = rider.page
    if rider.situation() == "hand-over":
        rider.go_on("hand-over")
    owner = rider.seat()
    for _ in range(2):
        turn, before = rider.turn(), rider.table_view()["views"][owner]["hand"]
        page.get_by_test_id("supply").locator("[data-card=pile]").click()
        page.locator("button.confirm").click()
        expect(page.get_by_test_id("play")).not_to_have_attribute("data-turn", turn)
    view = rider.table_view()["views"][owner]
    (card,) = (kind for kind, count in view["hand"].items() if count > before.get(kind, 0))
    words = page.get_by_role("heading", name=re.compile(rf"^From the pile: .*\b{card}\b"))
    expect(words).to_be_visible()
    expect(page.get_by_test_id("heard")).to_contain_text("From the pile")
    for kind, count in view["hand"].items():
        held = page.get_by_test_id("hand").locator(f"[data-card={kind}]")
        expect(held).to_have_attribute("data-count", str(count))
    expect(page.get_by_test_id("hand-over")).to_have_count(0)
    expect(page.get_by_test_id("log")).not_to_contain_text("from the pile:")
    other = "Ben" if owner == "0" else "Ada"
    page.get_by_role("button", name=f"Hand over to {other}").click()
    expect(page.get_by_test_id("hand-over")).to_contain_text(other)
    for name in ("hand", "tickets", "supply"):
        expect(page.get_by_test_id(name)).to_have_count(0)
    expect(page.get_by_role("main")).not_to_contain_text("From the pile:")
    return owner


# What the table tells


def test_a_route_says_its_price_or_why_not(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    page = rider.page
    rider.set_up("me", "greedy")
    rider.play_on(3)
    rider.situation()
    legal = rider.table_view()["legal"]["0"]
    far = "elephant_castle-tower_of_london"
    assert not any(move.startswith(f"claim {far} ") for move in legal)
    page.locator(f"[data-route={far}]").focus()
    page.keyboard.press("Enter")
    answer = page.get_by_test_id("answer")
    expect(answer).to_contain_text("You need 4 black")
    expect(page.get_by_test_id("heard")).to_contain_text(answer.inner_text().strip())
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("route")).to_have_count(0)
    while not page.locator(".route.free").count():
        rider.play_on(1)
        rider.situation()
    legal = rider.table_view()["legal"]["0"]
    route = page.locator(".route.free").first
    name = route.get_attribute("data-route")
    route.focus()
    page.keyboard.press("Enter")
    ways = [move for move in legal if move.split()[1:2] == [name]]
    expect(page.get_by_test_id("route").locator(".way")).to_have_count(len(ways))


def test_tickets_show_their_state_and_way(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    page = rider.page
    rider.set_up("me", "greedy")
    rider.play_on(1)
    rider.situation()
    (prospect,) = rider.table_view()["views"]["0"]["prospects"]
    ticket = page.get_by_test_id("tickets").locator("li")
    expect(ticket).to_have_attribute("data-state", "possible")
    expect(ticket).to_contain_text(f"{prospect['spaces']} space")
    ticket.get_by_role("button").click()
    expect(page.locator(".drawn .way[d]")).to_have_count(len(prospect["way"]))
    expect(page.locator(".spot")).to_have_count(2)


def test_last_round_is_announced(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    rider.set_up("me", "greedy")
    notice = rider.page.get_by_test_id("last-round")
    rider.play_on(1)
    rider.skip_to_last_turns()
    seen = False
    while rider.situation() != "end":
        asked = rider.situation()
        left = rider.table_view()["views"]["0"]["turns_left"]
        if asked == "move" and left is not None:
            expect(notice).to_contain_text(f"{left} turns left" if left > 1 else "your last turn")
            seen = True
        rider.go_on(asked) if asked == "counting" else rider.move(asked)
    assert seen


def test_a_training_move_is_taken_back(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    rider.set_up("me", "greedy")
    rider.play_on(1)
    rider.situation()
    before = sum(rider.table_view()["views"]["0"]["hand"].values())
    rider.take()
    hand = rider.page.get_by_test_id("hand").locator("[data-card]")
    rider.page.wait_for_function(
        "n => [...document.querySelectorAll('[data-testid=hand] [data-count]')]"
        ".reduce((sum, e) => sum + Number(e.dataset.count), 0) === n",
        arg=before + 1,
    )
    assert hand.count()
    rider.page.get_by_role("button", name="Undo").click()
    rider.page.wait_for_function(
        "n => [...document.querySelectorAll('[data-testid=hand] [data-count]')]"
        ".reduce((sum, e) => sum + Number(e.dataset.count), 0) === n",
        arg=before,
    )
