"""What people say to each other on phones: phrases, reactions, own words; and who is muted."""

from __future__ import annotations

from browser.axe import findings
from browser.person import set_up
from browser.player import PHONE, NewPage
from browser.steps import no_overflow, post, post_name
from playwright.sync_api import Locator, Page, expect
from server.services import Server

LONG = (
    "I have never seen anybody take the long way round by the river so often, and win all the same"
)


def open_sheet(page: Page, label: str = "Say something") -> Locator:
    page.get_by_role("button", name=label).click()
    sheet = page.get_by_test_id("talk")
    sheet.wait_for()
    return sheet


def note_bubbles(page: Page) -> None:
    """Notes what stands at seats, however short it is shown."""
    page.evaluate(
        """() => {
          window.said = []
          const note = () => document.querySelectorAll('[data-testid=bubble]').forEach((it) => {
            const { left, right } = it.getBoundingClientRect()
            const seat = Number(it.closest('[data-seat]').dataset.seat)
            said.push({ seat, what: it.dataset.what, text: it.innerText, left, right })
          })
          new MutationObserver(note).observe(document, { subtree: true, childList: true })
        }"""
    )


def bubble(page: Page, seat: int, what: str) -> str:
    """What stood at a seat, all of it on the screen."""
    find = "([seat, what]) => said.find((one) => one.seat === seat && one.what === what)"
    shown = page.wait_for_function(find, arg=[seat, what]).json_value()
    assert 0 <= shown["left"] < shown["right"] <= PHONE["width"], shown
    text: str = shown["text"]
    return text


def test_four_people_talk_at_360_pixels(server: Server, new_page: NewPage) -> None:
    ann = new_page(server, viewport=PHONE)
    ben = new_page(server, viewport=PHONE, locale="fr-FR")
    for page, name in ((ann, "Ann"), (ben, "Ben")):
        post_name(page, name)
    table = set_up(ann, "me", "open", "open", "open", chat=True)
    eve, kim = server.guest("Eve"), server.guest("Kim")
    eve.join(table)
    post(ben, f"tables/{table}/join")
    kim.join(table)
    for page in (ann, ben):
        page.goto(f"/t/{table}")
        page.get_by_test_id("play").wait_for()
        note_bubbles(page)
    assert findings(ann) == []

    sheet = open_sheet(ann)
    no_overflow(ann)
    assert findings(ann) == []
    expect(sheet.locator(".tiles button")).to_have_count(10)
    expect(sheet.locator(".reactions button")).to_have_count(10)
    sheet.get_by_role("button", name="Well played!").click()
    expect(sheet).to_have_count(0)
    assert bubble(ben, 0, "well_played") == "Bien joué\xa0!"

    sheet = open_sheet(ben, "Dire quelque chose")
    sheet.get_by_label("Message", exact=True).fill(LONG)
    sheet.get_by_role("button", name="Envoyer").click()
    expect(sheet.locator("li")).to_contain_text(LONG)
    assert "the long way round" in bubble(ann, 2, "")
    sheet = open_sheet(ann, "Say something · 1 new")
    expect(sheet.locator("li")).to_contain_text(LONG)
    sheet.get_by_role("button", name="Report this message of Ben").click()
    expect(sheet.get_by_role("status")).to_have_text(
        "Reported. The operator of this server will see it."
    )
    assert findings(ann) == []
    no_overflow(ann)

    mute = sheet.get_by_label("Don’t show what Ben says")
    mute.check()
    expect(sheet.locator("li")).to_have_count(0)
    ann.keyboard.press("Escape")
    for guest, what in ((ben, "bus"), (ben, "one_minute")):
        assert guest.request.post(f"/api/tables/{table}/say", data={"what": what}).ok
    assert eve.post(f"tables/{table}/say", what="heart").is_success
    bubble(ann, 1, "heart")
    bubble(ben, 2, "one_minute")
    heard = ann.evaluate("said.filter(({ seat }) => seat === 2).map(({ what }) => what)")
    assert set(heard) == {""}
    # The server keeps it: another page of hers knows, and so would another device.
    ann.reload()
    expect(open_sheet(ann).get_by_label("Don’t show what Ben says")).to_be_checked()
