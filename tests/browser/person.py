"""Somebody at a page, whatever is played there: presses things and sees what is asked for."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from playwright.sync_api import Page

Hand = Literal["mouse", "touch", "keys"]


class Person:
    """A person at a page with a table."""

    SITUATION: ClassVar[str]
    """A script that tells what the page asks for, empty while it asks for nothing."""

    def __init__(self, page: Page, hand: Hand = "mouse") -> None:
        self.page = page
        self.hand = hand

    def situation(self) -> str:
        """What the page asks for, as soon as it asks for something."""
        asked: str = self.page.wait_for_function(self.SITUATION).json_value()
        return asked

    def situation_now(self) -> str:
        """What the page asks for just now; nothing while others think."""
        asked: str = self.page.evaluate(self.SITUATION)
        return asked

    def press(self, what: Any) -> None:
        if self.hand == "touch":
            what.tap()
        elif self.hand == "keys":
            what.focus()
            self.page.keyboard.press("Enter")
        else:
            what.click()

    @property
    def table(self) -> str:
        """The table's id."""
        return self.page.url.rsplit("/t/", 1)[1].split("/")[0]

    def table_view(self) -> Any:
        """What the server says of the table."""
        return self.page.request.get(f"/api/tables/{self.table}").json()
