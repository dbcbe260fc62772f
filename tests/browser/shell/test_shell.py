"""What every page relies on: forbidden storage, links inside the app, and pages that fail."""

from __future__ import annotations

import re
from pathlib import Path

from browser.conftest import PATIENCE_MS
from browser.player import NewPage
from playwright.sync_api import Browser, expect
from server.services import Server

RECORD = Path(__file__).parents[2] / "records/next-station/london-2-objectives-seed.json"
FORBIDDEN = """for (const area of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, area, {
    get: () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    },
  })"""


def test_a_record_is_replayed_and_reviewed_without_storage(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(server)
    page.add_init_script(FORBIDDEN)
    page.goto("/review")
    expect(page.get_by_role("link", name="Open a record")).to_be_visible()
    page.goto("/replay")
    page.get_by_label("Choose a file").set_input_files(RECORD)
    page.get_by_test_id("replay").wait_for()
    page.get_by_role("link", name="Review").click()
    # It is the record that was opened, although the browser keeps nothing.
    expect(page.get_by_role("link", name="Open a record")).to_have_count(0)
    expect(page).to_have_title(re.compile("Next Station: London"))
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_link_inside_the_app_moves_focus_and_is_announced(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(server)
    page.goto("/about")
    arrived, main = page.get_by_test_id("arrived"), page.get_by_role("main")
    page.get_by_role("heading", level=1).wait_for()
    expect(arrived).to_have_text("")  # a browser announces a page that it loads
    account = page.get_by_test_id("account")
    account.focus()
    page.keyboard.press("Enter")
    expect(arrived).to_have_text("Account")
    expect(main).to_be_focused()
    main.get_by_role("textbox").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    page.get_by_role("link", name="Headway, Home").click()
    expect(arrived).to_have_text("Home")
    expect(main).to_be_focused()
    page.go_back()
    expect(arrived).to_have_text("Account")
    expect(main).to_be_focused()


def test_a_page_that_fails_says_what_to_do(server: Server, browser: Browser) -> None:
    """The answer of a server that this page does not understand."""
    context = browser.new_context(base_url=server.url, locale="en-GB", service_workers="block")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.route("**/api/today", lambda route: route.fulfill(json={"deals": "none"}))
    # The console tells developers more.
    with page.expect_console_message(lambda it: it.type == "error" and "TodayPage" in it.text):
        page.goto("/today")
    failed = page.get_by_test_id("failed")
    expect(failed).to_contain_text("Reload it: your games are kept.")
    page.get_by_test_id("account").click()
    expect(failed).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Account")
    page.goto("/today")
    expect(failed).to_be_visible()
    page.unroute("**/api/today")
    failed.get_by_role("button", name="Reload").click()
    page.get_by_test_id("deal-next-station-london").wait_for()
    context.close()
