"""People one has played with, on the home page: muted, blocked, and taken back."""

from __future__ import annotations

from browser.axe import findings
from browser.player import PHONE, NewPage
from browser.steps import guest_at, no_overflow, post_name
from playwright.sync_api import Locator, Page, expect
from server.services import Server, play_out

APART = "You cannot play at this table together with somebody who is there."


def person(page: Page, name: str) -> Locator:
    """Somebody in the list, with what can be done about them laid open."""
    page.goto("/")
    found = page.get_by_test_id("person").filter(has_text=name)
    found.get_by_label(f"More about {name}").click()
    return found


def join(page: Page, table: str) -> None:
    page.goto(f"/t/{table}")
    page.get_by_test_id("join").click()


def test_mute_and_block(server: Server, new_page: NewPage) -> None:
    ann_page, ben_page = new_page(server, viewport=PHONE), new_page(server)
    ann, ben = guest_at(ann_page, server), guest_at(ben_page, server)
    post_name(ann_page, "Ann")
    post_name(ben_page, "Ben")
    table = ann.set_up("me", "open")
    ben.join(table)
    play_out(table, {0: ann, 1: ben})

    listed = person(ann_page, "Ben")
    listed.get_by_role("button", name="Mute").click()
    expect(listed.get_by_text("muted", exact=True)).to_be_visible()
    listed.get_by_role("button", name="Block").click()
    expect(listed.get_by_text("blocked", exact=True)).to_be_visible()
    expect(listed.get_by_role("button", name="Challenge Ben")).to_have_count(0)
    assert findings(ann_page) == []
    no_overflow(ann_page)

    invited = ann.set_up("me", "open")
    join(ben_page, invited)
    expect(ben_page.get_by_role("alert").filter(has_text=APART)).to_be_visible()
    host = person(ben_page, "Ann")  # nobody tells him: he sees it when he meets her
    expect(host.get_by_text("blocked", exact=True)).to_have_count(0)
    host.get_by_role("button", name="Challenge Ann").click()
    played = ben_page.get_by_test_id("played")
    expect(played.get_by_role("alert")).to_have_text(APART)

    listed = person(ann_page, "Ben")
    listed.get_by_role("button", name="No longer block").click()
    expect(listed.get_by_role("button", name="Challenge Ben")).to_be_visible()
    expect(listed.get_by_text("muted", exact=True)).to_be_visible()
    join(ben_page, invited)
    ben_page.get_by_test_id("play").wait_for()
    # Ben may sit with her again, but what he says stays unseen.
    ann_page.goto(f"/t/{invited}")
    ann_page.get_by_role("button", name="Say something").click()
    sheet = ann_page.get_by_test_id("talk")
    expect(sheet.get_by_label("Don’t show what Ben says")).to_be_checked()
