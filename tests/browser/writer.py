"""Somebody who plays on paper and writes it down in the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

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
