"""Learning in the browser: first games that explain themselves, rules in a drawer, hints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from browser.conftest import new_server
from browser.person import wish
from browser.player import PHONE, NewPage, Player
from browser.rider import Rider
from playwright.sync_api import Page, expect
from server.services import Server

from headway.i18n import texts

SMALL: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
FRENCH = {**SMALL, "locale": "fr-FR"}
COMPILING = 200_000  # a hint on a machine that has never compiled the search

# Whether the coach lies over what it points at, two frames later.
_COVERED = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
  const apart = (a, b) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
  const coach = document.querySelector('[data-testid=coach]')?.getBoundingClientRect()
  return !!coach && [...document.querySelectorAll('[data-testid=pointer] span')]
    .some((ring) => !apart(coach, ring.getBoundingClientRect()))
}"""


# The coach's size, how many things it points at, how many drawings it shows; and whether the
# board and the buttons would be elsewhere without it.
_LOOK = """() => {
  const coach = document.querySelector('[data-testid=coach]')
  if (!coach) return null
  const where = () => [...document.querySelectorAll('.board-area, [data-part=board], .actions')]
    .map((part) => JSON.stringify(part.getBoundingClientRect())).join()
  const before = where()
  const { width, height } = coach.getBoundingClientRect()
  coach.style.display = 'none'
  const pushed = where() !== before
  coach.style.display = ''
  const halos = document.querySelectorAll('[data-testid=pointer] span').length
  const drawings = coach.querySelectorAll('[data-testid=drag]').length
  return { size: `${width} ${height}`, pushed, halos, drawings }
}"""


def kept(page: Page) -> Any:
    """What the browser remembers of lessons."""
    return json.loads(page.evaluate("localStorage.getItem('headway-lessons')"))


def said(page: Page) -> str:
    """The step that the coach is at; nothing while it is silent."""
    coach = page.get_by_test_id("coach")
    return (coach.get_attribute("data-step") or "") if coach.count() else ""


# A step may come and go between two looks of the test, as when a bot's move ends the game.
_WATCH = """() => {
  const seen = (window.stepsSeen = [])
  const look = () => {
    const step = document.querySelector('[data-testid=coach]')?.dataset.step
    if (step && step !== seen.at(-1)) seen.push(step)
  }
  const what = { subtree: true, childList: true, attributes: true, attributeFilter: ['data-step'] }
  new MutationObserver(look).observe(document.body, what)
  look()
}"""


def learn(player: Player | Rider) -> list[str]:
    """Goes through the lesson and plays to the end of the game; the steps in their order."""
    page, steps = player.page, [""]
    sizes: set[str] = set()
    page.evaluate(_WATCH)
    while True:
        step = said(page)
        if step and step != steps[-1]:
            steps.append(step)
            assert not page.evaluate(_COVERED), step
            look = page.evaluate(_LOOK)
            if look:
                sizes.add(look["size"])
                assert not look["pushed"], step
                assert look["halos"] <= 1, step
                assert len(sizes) == 1, step
                drawn = step == "first"
                assert look["drawings"] == drawn or said(page) != step
            assert "web." not in page.get_by_test_id("coach").inner_text()
        go_on = page.get_by_test_id("coach-next")
        if go_on.count():
            if said(page) != step:
                continue  # the game went on meanwhile
            player.press(go_on)
            page.wait_for_function(
                "step => document.querySelector('[data-testid=coach]')?.dataset.step !== step",
                arg=step,
            )
            continue
        asked = player.situation()
        if said(page) not in ("", steps[-1]):
            continue  # what just happened is remarked on
        if asked == "end" and not said(page):
            return [str(seen) for seen in page.evaluate("window.stepsSeen")]
        if asked in ("move", "choice"):
            player.play_on(1)
        elif asked != "end":
            player.go_on(asked)


STEPS = {
    "london": "welcome card first ends never deck score_river sites alone",
    "tokyo": "welcome card first ends never_loop deck score loop alone",
}


@pytest.mark.parametrize(("city", "options"), [("london", {}), ("tokyo", FRENCH)])
def test_first_game_of_next_station(
    server: Server, new_page: NewPage, city: str, options: dict[str, Any]
) -> None:
    player = Player(new_page(server, **options), "touch" if options else "mouse")
    page = player.page
    page.goto("/")
    wish(page, f"next-station-{city}")
    player.press(page.get_by_role("dialog").get_by_test_id("learn"))
    page.get_by_test_id("coach").wait_for()
    assert said(page) == "welcome"
    steps = learn(player)
    begun = STEPS[city].split()
    assert steps[: len(begun)] == begun
    ended = ["end_lines", "end_loop"] if city == "tokyo" else ["end_lines_river", "end_sites"]
    assert steps[-3:] == [*ended, "bye"]
    between = steps[len(begun) : -3]
    assert {"round", "last_round", "switch"} <= set(between)
    assert len(between) == len(set(between))
    assert player.table_view()["finished"]
    assert kept(page)["done"] == [f"next-station/{city}"]
    page.goto("/")
    wish(page, f"next-station-{city}")
    again = page.get_by_role("dialog").get_by_test_id("learn")
    expect(again).to_have_text("Refaire la leçon" if options else "Repeat the lesson")


def test_first_game_of_ticket_to_ride(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server))
    page = rider.page
    page.goto("/learn/ticket-to-ride/london")
    page.get_by_test_id("coach").wait_for()
    steps = learn(rider)
    assert steps[:4] == ["tickets", "board", "hand", "take"]
    assert steps[4] in ("second", "claimed")
    assert {"route", "own_tickets", "players", "alone", "claimed"} <= set(steps)
    assert steps[-3:] == ["end_routes", "end_tickets", "bye"]
    assert rider.table_view()["finished"]
    assert kept(page) == {"seen": True, "done": ["ticket-to-ride/london"], "table": None}


def test_a_lesson_survives_a_reload_and_ends_by_escape(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    page = player.page
    page.goto("/learn/next-station/london")
    for _ in range(2):
        page.get_by_test_id("coach-next").click()
    assert said(page) == "first"
    page.reload()
    page.get_by_test_id("coach").wait_for()
    assert said(page) == "first"
    player.draft()
    expect(page.locator(".drafted")).to_have_count(1)
    page.keyboard.press("Escape")  # first it takes the draft back
    expect(page.locator(".drafted")).to_have_count(0)
    assert said(page) == "first"
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("coach")).to_have_count(0)
    expect(page.get_by_test_id("pointer")).to_have_count(0)
    player.play_on(2)
    page.reload()
    player.play_on(1)
    assert player.table_view()["number"] == 3
    expect(page.get_by_test_id("coach")).to_have_count(0)


def test_a_pass_is_a_move_too_and_a_move_taken_back_is_none(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(server)
    page.goto("/learn/next-station/tokyo")
    for _ in range(2):
        page.get_by_test_id("coach-next").click()
    page.get_by_role("button", name="Pass", exact=True).click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_test_id("coach")).to_have_attribute("data-step", "passed")
    expect(page.get_by_test_id("coach")).to_contain_text("You passed")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-turn", "1.1")
    Player(page).play_on(1)
    expect(page.get_by_test_id("coach")).to_have_attribute("data-step", "never_loop")


def test_no_lesson_where_there_is_no_map(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/learn/next-station/atlantis")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address.")


def test_rules_by_keyboard(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server), "keys")
    player.sit_alone("london")
    page = player.page
    page.get_by_test_id("open-rules").focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Next Station: the rules for players")
    page.get_by_role("button", name="Scoring a line").focus()
    page.keyboard.press("Enter")
    heading = drawer.get_by_role("heading", name="Scoring a line")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    picture = drawer.get_by_role("img", name="The green line at the end of its round")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("e => e.naturalWidth > 0", arg=picture.element_handle())
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(page.get_by_test_id("open-rules")).to_be_focused()
    player.play_on(1)


def test_rules_on_a_phone_in_french(server: Server, new_page: NewPage) -> None:
    page = new_page(server, **FRENCH)
    page.goto("/")
    wish(page, "ticket-to-ride-london")
    page.get_by_role("dialog").get_by_role("button", name="Règles").tap()
    drawer = page.get_by_test_id("rules")
    expect(drawer.get_by_role("heading", name="L\u2019idée en trois phrases")).to_be_visible()
    drawer.get_by_text("Sommaire").tap()
    drawer.get_by_role("button", name="Prendre une route").tap()
    expect(drawer.get_by_role("heading", name="Prendre une route")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    drawer.get_by_role("button", name="Fermer").tap()
    expect(drawer).to_have_count(0)


@pytest.fixture(scope="module")
def thinking_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots have the time to compile."""
    running = new_server(tmp_path_factory, HEADWAY_WARM_UP=1, HEADWAY_BOT_SECONDS=120)
    yield running
    running.stop()
    assert running.errors() == []


def hinted(page: Page) -> str:
    """Presses the button for a hint; its sentence."""
    page.get_by_test_id("hint").click()
    text = page.get_by_test_id("hint-text")
    thinking = texts("en")["web.hint.thinking"]
    expect(text).not_to_have_text(thinking, timeout=COMPILING)
    expect(text).not_to_be_empty(timeout=COMPILING)
    return text.inner_text()


def test_a_hint_is_followed(thinking_server: Server, new_page: NewPage) -> None:
    player = Player(new_page(thinking_server))
    page = player.page
    page.goto("/")
    wish(page, "next-station-london", options=True)
    page.get_by_test_id("training").check()
    page.get_by_test_id("start").click()
    player.situation()
    assert re.search(r"points? more than", hinted(page))
    expect(page.get_by_test_id("compiling")).to_have_count(0)  # what it waited for is ready
    way = page.get_by_test_id("hinted").get_attribute("data-way") or ""
    assert way in player.table_view()["legal"]["0"]
    player.station(way[2:]).click()
    expect(page.get_by_test_id("hint-text")).to_contain_text("Your choice is")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-turn", "1.2")
    assert player.table_view()["views"]["0"]["sheets"][0]["lines"][0]["sections"] == [way]
    expect(page.get_by_test_id("hint-text")).to_have_count(0)
    assert hinted(page)


def test_hints_at_ticket_to_ride(thinking_server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(thinking_server))
    page = rider.page
    rider.set_up("me", "tourist", seed=47)
    rider.situation()
    assert "keep" in hinted(page)
    best = page.locator("label.hinted")
    assert best.count()
    for ticket in best.all():
        ticket.locator("input").check()
    expect(page.get_by_test_id("hint-text")).to_contain_text("Your choice is")
    page.get_by_test_id("keep").click()
    rider.situation()
    page.wait_for_function("() => !document.querySelector('[data-testid=choice]')")
    assert hinted(page)
    expect(page.locator(".supply .hinted, .route.hinted").first).to_be_visible()


def test_hints_are_for_training_alone(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    player.sit_alone("london")
    player.situation()
    expect(player.page.get_by_test_id("hint")).to_have_count(0)


def test_a_picked_route_is_not_under_its_panel(server: Server, new_page: NewPage) -> None:
    rider = Rider(new_page(server, **SMALL), "touch")
    rider.set_up("me", "greedy")
    rider.play_on(1)
    rider.situation()
    page = rider.page
    lowest = """() => [...document.querySelectorAll('.route')]
      .map((route) => [route, route.getBoundingClientRect().bottom])
      .sort(([, a], [, b]) => b - a)[0][0].dataset.route"""
    name = page.evaluate(lowest)
    route = page.locator(f'[data-route="{name}"]')
    route.focus()
    page.keyboard.press("Enter")
    way = page.locator(".way[aria-pressed=true]")
    expect(page.get_by_test_id("answer").or_(way)).to_be_visible()
    page.wait_for_function(
        """route => route.getBoundingClientRect().bottom
          < document.querySelector('[data-testid=route]').getBoundingClientRect().top""",
        arg=route.element_handle(),
    )
    expect(route).to_be_in_viewport(ratio=1)
