"""Today’s deal in the browser: once and not twice, nothing spoilt, told to others in a line."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from browser.axe import findings
from browser.conftest import FOLDER, PLAIN_HTTP, new_server
from browser.player import PHONE, NewPage, Player
from browser.steps import guest_at
from playwright.sync_api import Browser, Page, expect
from server.services import Server, play_out

DAY, NEXT = "2026-11-16", "2026-11-17"


@pytest.fixture
def server_of_a_day(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    """A server on which it is always the same day; it ends when it has drawn all pictures."""
    running = new_server(tmp_path_factory, HEADWAY_TODAY=DAY)
    yield running
    for page in [page for context in browser.contexts for page in context.pages]:
        page.wait_for_load_state("networkidle")
    running.stop()
    assert running.errors() == []


def test_once_and_not_twice(server_of_a_day: Server, new_page: NewPage) -> None:
    server = server_of_a_day
    for pick in (0, -1, 0, -1):  # with mine there are enough results for statistics
        guest = server.guest()
        play_out(guest.ok(guest.post("today/next-station/london"))["id"], {0: guest}, pick)
    player, other = Player(new_page(server)), new_page(server)
    page = player.page
    guest = guest_at(page, server)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/today")
    begin = page.get_by_role("button", name="Play: Next Station: London")
    begin.click()
    expect(page.get_by_test_id("one-try")).to_contain_text("you have one try")
    expect(page.get_by_test_id("one-try").get_by_role("link")).to_have_text("Learn the game first")
    wide = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 740})
    answers = page.get_by_test_id("one-try").locator(".answers > *")
    assert answers.count() == 2
    for answer in answers.all():
        assert answer.evaluate("it => it.scrollWidth <= it.clientWidth")
    assert wide
    page.set_viewport_size(wide)
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Continue")).to_have_count(0)
    assert guest.ok(guest.http.get("/api/tables?which=mine")) == []  # the try is still there
    begin.click()
    page.get_by_role("button", name="Start my only try").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_test_id("note")).to_have_text("Today’s deal")
    table = player.table
    player.play_on(2)
    page.goto("/today")
    deal = page.get_by_test_id("deal-next-station-london")
    expect(deal).to_contain_text("You’ll see how others did when you have finished.")
    expect(deal.get_by_test_id("spread")).to_have_count(0)
    expect(deal.get_by_test_id("luck-skill")).to_have_count(0)
    tab = page.context.new_page()  # another tab leads back to the same table
    tab.goto("/")
    tab.get_by_test_id("hero").get_by_role("link", name="Continue").click()
    tab.wait_for_url(f"**/t/{table}")
    tab.close()
    deal.get_by_role("link", name="Continue").click()
    page.wait_for_url(f"**/t/{table}")

    other.goto(f"/t/{table}")
    expect(other.get_by_role("heading", level=1)).to_contain_text("This is one of today’s deals.")
    other.goto(f"/t/{table}/replay")
    expect(other.get_by_role("main")).to_contain_text("This is one of today’s deals.")

    while guest.see(table)["views"]["0"]["round"] < 4:  # quicker without the page
        guest.move(table, 0)
    player.play_on()
    total = player.table_view()["outcome"]["totals"][0]
    assert player.table_view()["fair"] is None
    page.get_by_test_id("day").click()
    page.wait_for_url(f"**/today/{DAY}")
    expect(deal.get_by_test_id("result")).to_contain_text(f"{total}")
    expect(deal.get_by_test_id("result")).to_contain_text("better than")
    expect(deal.locator("rect.mine")).to_have_count(1)
    expect(page.get_by_test_id("streak")).to_have_text("1 day in a row")
    skill = deal.get_by_test_id("luck-skill")
    expect(skill.locator("tbody tr").first.locator("td")).to_have_count(2, timeout=240_000)
    expect(skill.locator("li.mine")).to_have_count(2)  # by points, and by skill
    # The others come as they finish; the server's tests wait for all of them.
    expect(deal.get_by_test_id("bots").locator("li").first).to_be_visible(timeout=120_000)
    deal.get_by_test_id("copy").click()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith(f"Headway · Next Station: London · 16 Nov · {total} · better than")
    assert sum(text.count(symbol) for symbol in "▰▱") == 10
    assert table not in text
    assert findings(page) == []
    assert copied_over_plain_http(page, new_page) == text.replace("127.0.0.1", PLAIN_HTTP)

    other.goto(f"/t/{table}")
    expect(other.get_by_role("heading", level=1)).to_contain_text("This is one of today’s deals.")
    server.stop()
    server.variables["HEADWAY_TODAY"] = NEXT
    server.start()
    other.goto(f"/t/{table}/replay")
    other.get_by_test_id("play").wait_for()
    page.goto("/today")
    page.get_by_role("link", name="Yesterday").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The deals of 16 November")
    expect(deal.get_by_test_id("result")).to_contain_text(f"{total}")


def copied_over_plain_http(page: Page, new_page: NewPage) -> str:
    """What "Copy the result" copies for the same guest on a page without a clipboard."""
    (cookie,) = page.context.cookies()
    url = page.evaluate("location.origin").replace("127.0.0.1", PLAIN_HTTP)
    plain = new_page(SimpleNamespace(url=url, folder=FOLDER))
    plain.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": url}])
    plain.goto("/today")
    assert plain.evaluate("navigator.clipboard === undefined")
    copy = plain.get_by_test_id("copy")
    copy.click()
    expect(copy).to_have_text("Copied")
    expect(copy).to_be_focused()
    plain.evaluate("document.body.append(document.createElement('textarea'))")
    plain.locator("body > textarea").focus()
    plain.keyboard.press("Control+V")
    return plain.locator("body > textarea").input_value()


def test_today_in_french_on_a_phone(server_of_a_day: Server, new_page: NewPage) -> None:
    page = new_page(server_of_a_day, viewport=PHONE, has_touch=True, is_mobile=True, locale="fr-FR")
    page.goto("/")
    page.get_by_test_id("strip").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("La partie du jour · 16 novembre")
    expect(page.get_by_test_id("deal-ticket-to-ride-london")).to_contain_text("Contre Habitué")
    assert findings(page) == []
    page.get_by_test_id("deal-ticket-to-ride-london").get_by_test_id("begin").tap()
    expect(page.get_by_test_id("one-try")).to_contain_text("vous n’avez qu’un essai")
    assert findings(page) == []
    page.get_by_role("button", name="Commencer mon seul essai").tap()
    page.wait_for_url("**/t/*")
    page.get_by_test_id("play").wait_for()
    expect(page.get_by_test_id("note")).to_be_visible()
    expect(page.get_by_test_id("note")).to_have_text("La partie du jour")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.goto("/today")
    again = page.get_by_test_id("deal-ticket-to-ride-london").get_by_role("link", name="Continuer")
    expect(again).to_be_visible()
    assert "web." not in page.locator("body").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
