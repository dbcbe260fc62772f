"""The review of a game: played, reviewed, gone through by keys; on a phone in French."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections import Counter

import pytest
from browser.axe import findings
from browser.conftest import new_server
from browser.player import PHONE, NewPage
from browser.rider import Rider
from browser.visitor import Visitor
from playwright.sync_api import Locator, Page, Response, expect
from server.services import Server
from support.own_loop import run

from headway.reviews import ENGINE
from headway.server.core.database import Database, open_engine
from headway.server.reviews.store import (
    MOST_ATTEMPTS,
    SENT,
    WAITING_REVIEWS,
    ReviewStore,
)

RATE = 4
"""Multiplies all limits, so that only the quota of waiting reviews is met."""
MOST = RATE * WAITING_REVIEWS.per_guest
HELD = """CREATE TRIGGER held AFTER INSERT ON reviews BEGIN
  UPDATE reviews SET holder = 'another process', lease = 9e9 WHERE key = NEW.key;
END"""
"""Gives every review to a process that never finishes it."""


def reviewed(page: Page, *seats: str, game: str = "next-station") -> str:
    """Plays a game badly, opens its review from the end of the game, and waits for it."""
    visitor = Visitor(page)
    table = visitor.table(game, "london", *seats, training=True)
    visitor.play_out(table, lambda legal: legal[0])
    page.goto(f"/t/{table}")
    ways = page.get_by_test_id("next").or_(page.get_by_test_id("after"))
    ways.locator(f'a[href$="/t/{table}/review"]').click()
    expect(page.get_by_test_id("review")).to_have_attribute("data-state", "done")
    return table


def values(found: Locator, name: str) -> list[str]:
    """An attribute of all elements of a kind."""
    return [one.get_attribute(name) or "" for one in found.all()]


def tenths(text: str) -> int:
    """A printed figure in tenths."""
    sign = -1 if "−" in text else 1
    whole, _, part = re.sub(r"[^\d.,]", "", text).replace(",", ".").partition(".")
    return sign * (10 * int(whole) + int(part or "0"))


def test_a_game_is_reviewed(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    refused: list[str] = []

    def note(answer: Response) -> None:
        if not answer.ok:
            refused.append(answer.url)

    page.on("response", note)
    table = reviewed(page, "me")
    assert refused == [], "a game without a review is no error"
    for shape in ("Save image", "Square image"):
        image = page.get_by_role("link", name=shape).get_attribute("href") or ""
        assert page.request.get(image).headers["content-type"] == "image/png"
    assert f"/api/tables/{table}/poster.png" in page.request.get(f"/t/{table}/review").text()
    heading = page.get_by_test_id("lead-0").get_by_role("heading")
    lead = page.get_by_test_id("sum-0")
    *parts, result = [int(part) for part in values(lead.locator("[data-whole]"), "data-whole")]
    assert sum(parts) == result, "the whole numbers add up"
    cost = -int(lead.locator("[data-part=loss]").get_attribute("data-whole") or 0)
    expect(heading).to_contain_text(f"Your moves cost {cost} point")
    lead.locator("[data-part=luck]").click()
    expect(lead.get_by_role("status")).to_contain_text("compared with average cards")
    page.get_by_test_id("details").locator("summary").click()
    *exact, total = page.locator("[data-testid=exact-0] td").all_inner_texts()
    assert sum(map(tenths, exact)) == tenths(total) == 10 * result, "the exact figures add up"

    curve, moment = page.get_by_test_id("curve"), page.get_by_test_id("moment")
    expect(moment.get_by_role("heading")).to_have_text("the end")
    curve.focus()
    page.keyboard.press("Home")
    expect(moment.get_by_role("heading")).to_have_text("round 1, turn 1")
    page.keyboard.press("ArrowRight")
    expect(curve).to_have_attribute("data-at", "1")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("round 1, turn 2"))
    box = curve.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 8, box["y"] + 40)
    turns = int(curve.get_attribute("aria-valuemax") or 0) - 1
    expect(curve).to_have_attribute("data-at", f"{turns}")
    expect(moment.get_by_role("heading")).to_have_text("the end")

    card = page.get_by_test_id("turning").first
    place = card.locator(".sentence").first.inner_text().split(" · ")[0]
    card.locator("[aria-pressed]").click()
    expect(moment.get_by_role("heading")).to_have_text(place, ignore_case=True)
    expect(moment.locator(".hinted").first).to_be_attached()
    tries_again(page)
    page.get_by_test_id("turns").locator("summary").click()
    expect(page.get_by_test_id("turns").locator("tbody tr")).to_have_count(turns)

    page.get_by_test_id("hindsight-fold").locator("summary").click()
    page.get_by_role("button", name="Show that network").click()
    totals = page.get_by_test_id("hindsight").locator("figcaption b")
    expect(totals).to_have_count(2)
    played, best = totals.all_inner_texts()
    assert tenths(total) == tenths(played) <= tenths(best)
    page.keyboard.press("Escape")
    poster_says_luck_and_skill(page, table)
    plays_on(page, "Same cards")
    round_number, turn = re.findall(r"\d+", place)
    expect(page.get_by_test_id("play")).to_have_attribute("data-turn", f"{round_number}.{turn}")


def poster_says_luck_and_skill(page: Page, table: str) -> None:
    """Looks at the end of the game, which has been reviewed, and comes back."""
    [shown] = page.request.get(f"/api/tables/{table}/review").json()["luck_and_skill"]
    page.goto(f"/t/{table}")
    figures = page.get_by_test_id("poster").get_by_test_id("luck-and-skill")
    for name in ("luck", "skill"):
        figure = figures.locator(f"[data-{name}]")
        expect(figure).to_have_attribute(f"data-{name}", str(shown[name]))
    page.goto(f"/t/{table}/review")


def plays_on(page: Page, cards: str) -> None:
    """Continues the game from the first turning point, at a training table."""
    page.get_by_test_id("turning").get_by_role("button", name="Play on from here").first.click()
    page.get_by_role("button", name=cards).click()
    page.get_by_test_id("play").wait_for()
    assert page.request.get(f"/api/tables/{table_of(page)}").json()["training"]


def tries_again(page: Page) -> None:
    """Looks for a better move by keyboard: the one that was played, then the best one."""
    buttons = page.locator("[data-try]").all()
    marks = sorted(int(button.get_attribute("data-try") or -1) for button in buttons)
    trying = page.get_by_role("button", name="Try again").first
    index = int(trying.get_attribute("data-try") or -1)
    with page.expect_response("**/exercise**") as answer:
        trying.click()
    legal = answer.value.json()["legal"]
    [seat] = page.request.get(f"/api/tables/{table_of(page)}/review").json()["review"]["seats"]
    turn = seat["turns"][index]
    assert marks == [i for i, turn in enumerate(seat["turns"]) if "mark" in turn]
    for move in (turn["played"], turn["best"]):
        assert move in legal
        if move == "pass":
            page.get_by_role("button", name="Pass").click()
        else:
            start, end = move[:2], move[2:4]
            page.locator(f"[data-station={start}][role=button]").focus()
            page.keyboard.press("Enter")
            page.locator(f"[data-station={end}][role=button]").focus()
            page.keyboard.press("Enter")
        page.get_by_role("button", name="Confirm").click()
        page.get_by_test_id("verdict").wait_for()
        if move == turn["played"]:
            expect(page.get_by_test_id("verdict")).to_contain_text("the move that was played")
    expect(page.get_by_test_id("try")).to_have_attribute("data-accepted", "true")
    expect(page.get_by_test_id("verdict")).to_contain_text("That’s it")
    expect(page.get_by_test_id("try").locator("[aria-pressed]")).not_to_have_count(0)
    page.get_by_role("button", name="Back to the review").click()
    expect(page.get_by_test_id("curve")).to_have_attribute("data-at", f"{index}")


def table_of(page: Page) -> str:
    """The table that the address names."""
    return page.url.split("/t/")[1].split("/")[0]


def test_two_players_on_a_phone_in_french(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE, locale="fr-FR", has_touch=True)
    table = reviewed(page, "me", "random")
    page.get_by_role("radio", name="Au hasard").check(force=True)
    expect(page.get_by_test_id("lead-1").get_by_role("heading")).to_contain_text("Au hasard")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert findings(page) == []
    page.get_by_role("radio", name="Vous").check(force=True)
    swipes_and_tries_again(page)
    page.goto("/")
    page.locator(f'[data-testid=my-games] a[href$="/t/{table}/review"]').click()
    page.get_by_test_id("review").wait_for()


def swipes_and_tries_again(page: Page) -> None:
    """On a phone: the second moment is swiped to, drawn, tried again, and still there after it."""
    cards, curve = page.get_by_test_id("turning"), page.get_by_test_id("curve")
    marked = cards.filter(has=page.locator("[data-try]")).nth(1)
    index = marked.get_attribute("data-index") or ""
    page.get_by_test_id("turning-points").evaluate(
        "(row, left) => row.scrollTo({ left, behavior: 'instant' })",
        marked.evaluate("card => card.parentElement.offsetLeft - 30"),
    )
    expect(curve).to_have_attribute("data-at", index)
    expect(page.get_by_test_id("moment").locator(".hinted").first).to_be_attached()
    marked.locator("[data-try]").scroll_into_view_if_needed()
    page.wait_for_function("scrollY > 0")
    board = page.get_by_test_id("moment").bounding_box()
    assert board
    assert board["y"] >= 0, "the board stays while one reads on"
    before = marked.locator("[data-try]").evaluate("one => [scrollY, one.click()][0]")
    page.get_by_test_id("find-move").wait_for()
    page.go_back()
    expect(curve).to_have_attribute("data-at", index)
    assert page.evaluate("scrollY") == before, "one comes back to where one was"


def test_ticket_to_ride_is_played_on(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    table = reviewed(page, "me", "random", game="ticket-to-ride")
    played = page.request.get(f"/api/tables/{table}").json()["log"]
    plays_on(page, "New cards")
    rider = Rider(page)
    before = rider.table_view()["log"]
    # Both seats choose their first tickets at the same time; a record has them by seat.
    lines, earlier = ([(line["seat"], line["text"]) for line in log] for log in (before, played))
    assert lines
    assert Counter(lines) <= Counter(earlier)
    rider.play_on(1)
    assert 0 in {line["seat"] for line in rider.table_view()["log"][len(before) :]}


def test_refused_then_waiting_then_failed(
    tmp_path_factory: pytest.TempPathFactory, new_page: NewPage
) -> None:
    server = new_server(tmp_path_factory, HEADWAY_RATE_LIMIT=RATE)
    page = new_page(server, viewport=PHONE)
    visitor = Visitor(page)
    table = visitor.table("next-station", "london", "me", training=True)
    visitor.play_out(table, lambda legal: legal[-1])
    change(server, HELD)
    run(ask_for_many(server, page.request.get("/api/me").json()["id"]))

    page.goto(f"/t/{table}/review")
    notice = page.get_by_test_id("no-review")
    said = notice.get_by_role("status")
    sentence = f"{MOST} of your reviews are waiting already."
    expect(said).to_contain_text(sentence)
    assert findings(page) == []
    speaks(page, "fr")
    expect(said).to_contain_text(f"{MOST} de vos analyses attendent déjà.")
    speaks(page, "en")
    expect(said).to_contain_text(sentence)
    change(server, f"DELETE FROM reviews WHERE key != '{SENT}0'")
    page.context.set_offline(True)
    notice.get_by_role("button", name="Ask again").click()
    expect(said).to_contain_text("No connection.")
    page.context.set_offline(False)
    waits = page.get_by_test_id("progress").get_by_role("status")
    expect(waits).to_contain_text("1 review comes before this one.")
    expect(page.get_by_test_id("moment").locator("svg").first).to_be_visible()
    assert findings(page) == []
    change(server, f"DELETE FROM reviews WHERE key = '{SENT}0'")
    expect(waits).to_have_text("The review begins in a moment.")
    change(server, f"UPDATE reviews SET failed = {MOST_ATTEMPTS}")
    expect(said).to_have_text("This game could not be reviewed.")
    assert findings(page) == []
    notice.get_by_role("link", name="Back").click()
    page.get_by_test_id("after").wait_for()
    page.goto("about:blank")
    server.stop()
    assert server.errors() == []


def speaks(page: Page, lang: str) -> None:
    """Switches to the other language."""
    page.get_by_test_id("language").click()
    expect(page.locator("html")).to_have_attribute("lang", lang)


async def ask_for_many(server: Server, guest: str) -> None:
    """Puts as many reviews into the queue as a guest may have waiting."""
    engine = open_engine(server.backing.database)
    store = ReviewStore(Database(engine), f"{ENGINE}@4", 1.0)
    for number in range(MOST):
        await store.ask(f"{SENT}{number}", guest, b"{}")
    await engine.dispose()


def change(server: Server, statement: str) -> None:
    """Changes the database of a running server, as another process would."""
    file = server.backing.database.removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(file, timeout=60)) as database, database:
        database.execute(statement)
