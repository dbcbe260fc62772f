"""What a player can do after a game: every button readable on the narrowest phone."""

from __future__ import annotations

from typing import Any

import pytest
from browser.player import PHONE, NewPage
from browser.steps import show_page_to
from playwright.sync_api import expect
from server.services import Guest, Server, play_out

SHARE = {
    "with sheet": "navigator.share = async () => {}",
    "without": "delete Navigator.prototype.share",
}
SAVES = {
    "en-GB": ["Save image", "Save game"],
    "fr-FR": ["Enregistrer l’image", "Enregistrer la partie"],
}
RIDE: dict[str, Any] = {"game": "ticket-to-ride"}

# Buttons that do not fit, and rows whose buttons do not stand side by side.
_WRONG = """() => {
  const wrong = []
  for (const row of document.querySelectorAll('[data-testid] > .ways')) {
    const boxes = [...row.children].map((button) => button.getBoundingClientRect())
    if (boxes.some((box) => box.top !== boxes[0].top)) wrong.push(`a column: ${row.innerText}`)
    for (const [k, button] of [...row.children].entries()) {
      if (button.scrollWidth > button.clientWidth || boxes[k].right > innerWidth)
        wrong.push(`wider than its place: ${button.innerText}`)
      if (boxes[k].height > 60) wrong.push(`more than two lines: ${button.innerText}`)
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page')
  return wrong
}"""


@pytest.fixture(scope="module")
def guest(server: Server) -> Guest:
    return server.guest()


@pytest.fixture(scope="module")
def tables(guest: Guest) -> list[str]:
    """Finished games: alone, against a bot, and one of Ticket to Ride."""
    played = [
        guest.set_up("me"),
        guest.set_up("me", "random"),
        guest.set_up("me", "random", **RIDE),
    ]
    for table in played:
        play_out(table, {0: guest})
    return played


def test_no_name_is_broken_in_the_result(
    server: Server, new_page: NewPage, guest: Guest, tables: list[str]
) -> None:
    page = new_page(server)
    show_page_to(guest, page)
    friend = server.guest()
    table = guest.set_up("me", "open", "tourist", "greedy")
    friend.join(table, name="Wolfgangamadeusmozart")
    play_out(table, {0: guest, 1: friend})
    page.goto(f"/t/{table}")
    heads = page.get_by_test_id("results").locator("thead th")
    expect(heads).to_have_count(4)
    lines = heads.evaluate_all("""all => all.map(head => {
      const range = document.createRange()
      range.selectNodeContents(head.querySelector('span'))
      return [head.innerText, range.getClientRects().length]
    })""")
    assert {name: count for name, count in lines if len(name) < 10} == {
        "Greedy": 1,
        "Tourist": 1,
        "You": 1,
    }


@pytest.mark.parametrize(
    ("locale", "share"), [("en-GB", "with sheet"), ("fr-FR", "with sheet"), ("fr-FR", "without")]
)
def test_buttons_fit_side_by_side(
    server: Server, new_page: NewPage, guest: Guest, tables: list[str], locale: str, share: str
) -> None:
    page = new_page(server, viewport=PHONE, has_touch=True, is_mobile=True, locale=locale)
    page.add_init_script(SHARE[share])
    show_page_to(guest, page)
    for table in tables:
        page.goto(f"/t/{table}")
        buttons = page.get_by_test_id("after")
        buttons.wait_for()
        assert page.evaluate(_WRONG) == []
        texts = buttons.locator(".button, button").all_inner_texts()
        assert [text for text in texts if text in SAVES[locale]] == SAVES[locale]
        assert ("Share" in texts or "Partager" in texts) == (share == "with sheet")
