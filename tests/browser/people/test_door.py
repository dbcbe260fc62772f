"""A server that strangers may not enter: the door, an invitation, and the page behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.axe import findings
from browser.conftest import new_server
from browser.player import PHONE, NewPage
from browser.steps import PASSWORD
from playwright.sync_api import Page, expect
from server.commands import done, headway
from server.services import Server


@pytest.fixture
def closed(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "imprint.txt").write_text("# Who\n\nWrite to club@example.org.")
    house: dict[str, Any] = {"HEADWAY_NAME": "Monday club", "HEADWAY_PAGES_DIR": tmp_path}
    running = new_server(tmp_path_factory, HEADWAY_ENTRY="invite", **house)
    yield running
    running.stop()
    assert running.errors() == []


def fill(page: Page, form: str, name: str) -> None:
    page.get_by_test_id(form).locator("input[type=text]").fill(name)
    page.get_by_test_id(form).locator("input[type=password]").fill(PASSWORD)
    page.get_by_test_id(form).locator("button.main").click()


def test_an_invitation_opens_the_door(closed: Server, new_page: NewPage) -> None:
    answer = headway(closed.backing, "admin", "invitations", "make", "--json")
    code = json.loads(done(answer).stdout)["code"]
    page = new_page(closed, viewport=PHONE)
    # Whatever a stranger opens, the door is there, with the rules and the host's texts.
    for path in ("/", "/t/abcdefghij", "/today", "/account"):
        page.goto(path)
        expect(page.get_by_test_id("door").get_by_role("heading", level=1)).to_have_text(
            "Monday club"
        )
        expect(page.get_by_test_id("claim")).to_have_count(0)
    assert findings(page) == []
    page.get_by_role("button", name="Next Station").click()
    expect(page.get_by_role("dialog")).to_contain_text("London")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Imprint").click()
    link = page.get_by_role("link", name="club@example.org")
    expect(link).to_have_attribute("href", "mailto:club@example.org")
    assert findings(page) == []

    page.goto(f"/invitation#{code}")
    expect(page.get_by_role("heading", level=1)).to_have_text("You are invited to Monday club")
    fill(page, "claim", "Ida of Ixelles")
    page.get_by_role("button", name="Settings").click()  # what asks again who I am
    page.keyboard.press("Escape")
    page.get_by_test_id("kept").click()
    expect(page.get_by_test_id("play-map").first).to_be_visible()
    page.goto(f"/invitation#{code}")
    expect(page.get_by_test_id("inside")).to_contain_text("Ida of Ixelles")

    # The invitation is used up; who has an account signs in where they wanted to go.
    other = new_page(closed)
    other.goto(f"/invitation#{code}")
    expect(other.get_by_test_id("door")).to_contain_text("has expired or is used up")
    other.goto("/today")
    fill(other, "sign_in", "Ida of Ixelles")
    expect(other.get_by_test_id("door")).to_have_count(0)
    assert other.url.endswith("/today")
    expect(other.get_by_role("heading", level=1)).to_be_visible()
