"""What operators do, as people see it: a notice on every page, a table that ended."""

from __future__ import annotations

from browser.axe import findings
from browser.player import PHONE, NewPage, Player
from playwright.sync_api import expect
from server.commands import done, headway
from server.services import Server


def test_a_notice_and_an_ended_table(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server, viewport=PHONE)
    player = Player(page)
    player.sit_alone("london")
    line = page.get_by_test_id("operator-notice")
    text = "Maintenance tonight at 22:00 UTC: games go on afterwards."
    backing = own_server.backing
    done(headway(backing, "admin", "notice", "set", text, "--for", "2h"))
    expect(line).to_contain_text(text)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    table = page.url.rpartition("/")[2]
    line.get_by_role("button", name="Close the notice").click()
    expect(line).not_to_contain_text(text)
    done(headway(backing, "admin", "tables", "end", table, "--yes"))
    expect(page.get_by_test_id("ended")).to_contain_text("has ended this table")
    elsewhere = new_page(own_server)
    elsewhere.goto("/nowhere")
    expect(elsewhere.get_by_test_id("operator-notice")).to_contain_text(text)
    done(headway(backing, "admin", "notice", "clear"))
    done(headway(backing, "admin", "tables", "delete", table, "--yes"))
    expect(page.locator("main")).to_contain_text("There is no such table")
    page.goto("/")
    expect(line).to_have_text("")
