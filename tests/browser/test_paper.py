"""Games played with pencils: written down by tapping, scored, kept, and printed to be played."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from browser.axe import findings
from browser.player import PHONE, NewPage
from playwright.sync_api import Locator, Page, expect
from server.services import Server

from headway import record

RECORDS = Path(__file__).parents[1] / "records/next-station"

_ANSWERED = """() => {
  const { steps, answers } = document.querySelector('[data-testid=dealing]').dataset
  return `${steps} ${answers}`
}"""


class Writer:
    """Somebody who taps in a game that lies on the table as a record."""

    def __init__(
        self, page: Page, name: str, look: Callable[[str], None] = lambda question: None
    ) -> None:
        self.page = page
        self.look = look
        self.path = RECORDS / name
        self.game: Any = json.loads(self.path.read_text())
        self.dealing = page.get_by_test_id("dealing")
        self.steps = 0

    def begin(self) -> None:
        """Chooses city, sheets and modules."""
        self.page.goto("/paper")
        form = self.page.get_by_test_id("paper-setting")
        form.locator(f"input[value='next-station {self.game['map']}']").check()
        form.locator(f"input[value='{self.game['seats']}']").check()
        for option, on in self.game["options"].items():
            form.get_by_test_id(f"option-{option}").set_checked(on)
        form.locator("button.main").click()
        self.dealing.wait_for()

    def asked(self) -> str:
        """What the page asks for, as soon as it asks."""
        self.page.locator(".dealing[data-asks]:not([data-asks=''])").wait_for()
        return self.dealing.get_attribute("data-asks") or ""

    def answer_all(self, round_number: int = 0) -> None:
        """Answers all that is asked for besides the cards."""
        deal, given = self.game["deal"], 0
        pencils = iter([row[r] for r in range(4) for row in deal["pencils"]])
        while (asked := self.asked()) != "card":
            self.look(f"asked for {asked}")
            if asked == "pencils":
                answer = next(pencils)
            elif asked == "objectives":
                answer, given = deal["objectives"][given], given + 1
            elif asked == "powers":
                first = self.page.locator(".answers button").first.get_attribute("data-testid")
                colour = str(first).removeprefix("answer-").split(":")[0]
                answer = f"{colour}:{deal['powers'][colour]}"
            else:
                answer = deal["special"][round_number][asked == "effect"]
            before = self.page.evaluate(_ANSWERED)
            self.page.get_by_test_id(f"answer-{answer}").click()
            self.page.wait_for_function(f"before => ({_ANSWERED})() !== before", arg=before)
        self.steps = int(self.dealing.get_attribute("data-steps") or 0)

    def card(self, name: str) -> None:
        self.page.get_by_test_id(f"deal-{name}").click()
        self.written()

    def draw(self, move: str) -> None:
        """Taps one move as it stands on the sheet."""
        words = move.split()
        if words[0].startswith("!") or any(word[0] in "+*" for word in words):
            self.page.locator("[data-testid=power]:enabled").click()
        for word in words:
            if section := re.fullmatch(r"[=+]?(\w\d)(\w\d)", word):
                self.section(*section.groups())
            elif word.startswith("*"):
                self.station(word[1:]).click()
        if words == ["pass"]:
            self.page.locator(".actions .actions button").first.click()
        self.written()

    def section(self, start: str, end: str) -> None:
        self.station(end).click()
        if self.page.get_by_test_id("answer").count():  # several ways lead there
            self.station(start).click()

    def station(self, name: str) -> Locator:
        return self.page.locator(f"[role=button][data-station={name}]")

    def written(self) -> None:
        """One more step is in; the last one ends the game."""
        self.steps += 1
        there = self.page.locator(f"[data-steps='{self.steps}'], [data-testid=paper-done]")
        there.first.wait_for()

    def round(self, r: int) -> None:
        """A round: its cards, then sheet by sheet what was drawn."""
        self.answer_all(r)
        for card in self.game["deal"]["cards"][r]:
            self.card(card)
        for seat in range(self.game["seats"]):
            for turn in self.game["moves"][r]:
                self.draw(turn[seat])

    def saved(self) -> Any:
        """The record that the page gives."""
        with self.page.expect_download() as download:
            self.page.get_by_test_id("paper-done").locator("a").click()
        return json.loads(download.value.path().read_text())


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
