"""Games played with pencils: written down by tapping, scored, kept, and printed to be played."""

from __future__ import annotations

import re
from typing import Any

from browser.axe import findings
from browser.player import PHONE, NewPage
from browser.writer import RECORDS, Writer
from playwright.sync_api import expect
from server.services import Server

from headway import record


def test_a_whole_game_is_written_down(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    writer = Writer(page, "london-1-objectives-powers-revealed-cards.json")
    writer.begin()
    for r in range(4):
        writer.round(r)
        if r == 1:  # nothing is lost
            page.reload()
            expect(page.get_by_test_id("dealing")).to_have_attribute(
                "data-steps", str(writer.steps)
            )
    result = record.replay(record.load(writer.path))
    expect(page.get_by_test_id("total")).to_have_text(str(result.outcome.totals[0]))
    saved, stored = writer.saved(), writer.game
    assert saved["moves"] == stored["moves"]
    assert sorted(saved["deal"].pop("objectives")) == sorted(stored["deal"].pop("objectives"))
    assert saved["deal"] == stored["deal"]
    assert {key: saved[key] for key in ("format", "game", "map", "options", "seats")} == {
        key: stored[key] for key in ("format", "game", "map", "options", "seats")
    }
    assert findings(page) == []
    page.get_by_test_id("paper-done").get_by_role("button").first.click()
    page.get_by_test_id("replay").wait_for()


FILLED = """for (let size = 2 ** 22; size >= 1; size /= 2)
  try {
    for (let k = 0; ; k++) localStorage.setItem(`${size} ${k}`, 'x'.repeat(size))
  } catch {}"""


def test_a_full_storage_keeps_nobody_from_writing(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.add_init_script(FILLED)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    writer = Writer(page, "london-1-objectives-powers-revealed-cards.json")
    writer.begin()
    writer.answer_all()
    expect(page.get_by_test_id("not-kept")).to_contain_text("Leave this page open")
    steps = int(page.get_by_test_id("dealing").get_attribute("data-steps") or 0)
    assert len([url for url in asked if url.endswith("/api/paper")]) == steps + 1
    page.get_by_role("link", name="Headway, Home").click()
    page.get_by_role("link", name="Enter a paper game").click()
    expect(page.get_by_test_id("dealing")).to_have_attribute("data-steps", str(steps))


def test_two_sheets_on_a_phone_in_french(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE, has_touch=True, locale="fr-FR")
    writer = Writer(page, "tokyo-2-powers-revealed-cards.json")
    writer.begin()
    writer.answer_all()
    for card in writer.game["deal"]["cards"][0][:3]:
        writer.card(card)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    # A section that cannot be answers why; the server knows the rule.
    writer.station("a0").click()
    expect(page.get_by_test_id("answer")).to_contain_text("Aucune voie ne relie")
    writer.draw(writer.game["moves"][0][0][0])
    # Turn by turn, or sheet by sheet: the second one may come first.
    page.get_by_test_id("sheet-1").click()
    expect(page.get_by_test_id("play")).to_have_attribute("data-seat", "1")
    writer.draw(writer.game["moves"][0][0][1])
    writer.draw(writer.game["moves"][0][1][1])
    page.get_by_test_id("sheet-1").click()
    page.get_by_text("Déjà saisi").click()
    second = writer.game["moves"][0][1][1]
    page.get_by_role("button", name=f"Revenir avant {second[:2]}–{second[2:]}").click()
    expect(page.get_by_test_id("dealing")).to_have_attribute("data-steps", str(writer.steps - 1))
    page.get_by_role("button", name="Annuler").click()
    expect(page.get_by_test_id("dealing")).to_have_attribute("data-steps", str(writer.steps - 2))
    assert "web." not in page.locator("body").inner_text()
    assert findings(page) == []


def test_a_sheet_is_printed(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE, locale="fr-FR")
    page.goto("/")
    page.get_by_role("link", name="Imprimer des feuilles").click()
    page.get_by_role("radio", name="Next Station : Tokyo").check()
    page.get_by_test_id("option-objectives").check()
    shown = page.get_by_test_id("sheet")
    expect(shown).to_have_attribute("src", re.compile("tokyo/sheet.svg.*lang=fr.*objectives"))
    page.wait_for_function("() => document.querySelector('[data-testid=sheet]').naturalWidth > 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert findings(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Enregistrer en PDF").click()
    assert download.value.path().read_bytes().startswith(b"%PDF-")


def test_a_sheet_without_its_cards(server: Server, new_page: NewPage) -> None:
    """The lines of a stored game, tapped one after the other, score what they scored."""
    page = new_page(server)
    stored = record.replay(record.load(RECORDS / "london-1-objectives-revealed-cards.json"))
    sheet: Any = stored.state.view(0)
    page.goto("/paper")
    page.get_by_text("Just a sheet").click()
    page.get_by_role("button", name="Begin").click()
    for line in sheet.sheets[0].lines:
        for pair in line.sections:
            page.get_by_test_id(f"pencil-{line.colour}").click()
            for station in (pair[:2], pair[2:]):
                page.locator(f"[role=button][data-station={station}]").click()
    for name in ("All 9 stations of the district: centre", "All 13 districts"):
        page.get_by_role("checkbox", name=name).check()
    expect(page.get_by_test_id("total")).to_have_text(str(stored.outcome.totals[0]))
    expect(page.get_by_test_id("problems")).to_have_text("No mistakes found on this sheet.")
    page.reload()
    page.get_by_text("Just a sheet").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_test_id("total")).to_have_text(str(stored.outcome.totals[0]))
    page.get_by_test_id("pencil-green").click()
    for station in ("a9", "b9"):
        page.locator(f"[role=button][data-station={station}]").click()
    expect(page.get_by_test_id("problems")).to_contain_text("NS-14")
    assert findings(page) == []
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("problems")).to_have_text("No mistakes found on this sheet.")


def test_a_sheet_on_a_phone_begins_with_its_map(server: Server, new_page: NewPage) -> None:
    """What is tapped, and the pencils for it, are on the first screen."""
    page = new_page(server, viewport=PHONE, has_touch=True)
    page.goto("/paper")
    page.get_by_text("Just a sheet").click()
    page.get_by_role("button", name="Begin").click()
    sheet, pencil = page.get_by_test_id("full-sheet"), page.get_by_test_id("pencil-green")
    pencil.wait_for()
    board, green = sheet.locator(".board").bounding_box(), pencil.bounding_box()
    assert board
    assert green
    assert board["y"] + board["height"] <= green["y"]
    assert green["y"] + green["height"] <= PHONE["height"]
