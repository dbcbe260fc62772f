"""Somebody at a page, whatever is played there: presses things and sees what is asked for."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, ClassVar, Literal

import httpx
from playwright.sync_api import Locator, Page
from server.services import PATIENT, table_request

Hand = Literal["mouse", "touch", "keys"]


def wish(page: Page, card: str, mode: str | None = None, *, options: bool = False) -> Locator:
    """Opens the sheet of a map at Home, perhaps for a way to play, perhaps with all options."""
    page.get_by_test_id(f"map-{card}").get_by_test_id("play-map").click()
    sheet = page.get_by_test_id("new-table")
    if mode:
        sheet.locator(f"input[value={mode}]").check()
    if options:
        sheet.get_by_test_id("options").locator("summary").first.click()
    return sheet


def set_up(page: Page, *seats: str | dict[str, str], **more: Any) -> str:
    """A table that the page does not make; its id. See `table_request` for the seats."""
    answer = page.request.post("/api/tables", data=table_request(*seats, **more))
    assert answer.ok, answer.text()
    table: str = answer.json()["id"]
    return table


def open_table(page: Page, *seats: str | dict[str, str], **more: Any) -> str:
    """Goes to a table that the page did not set up, because Home takes long to load; its id."""
    table = set_up(page, *seats, **more)
    page.goto(f"/t/{table}")
    return table


class Person:
    """A person at a page with a table."""

    SITUATION: ClassVar[str]
    """A script that tells what the page asks for, empty while it asks for nothing."""

    def __init__(self, page: Page, hand: Hand = "mouse") -> None:
        self.page = page
        self.hand = hand

    def situation(self) -> str:
        """What the page asks for, as soon as it asks for something."""
        asked: str = self.page.wait_for_function(self.SITUATION, polling=40).json_value()
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

    def line(self) -> httpx.Client:
        """A line to the server beside the page, for the same guest."""
        server = self.page.url.split("/t/")[0]
        cookies = {c["name"]: c["value"] for c in self.page.context.cookies(f"{server}/")}
        return httpx.Client(base_url=server, cookies=cookies, **PATIENT)


def skip(done: Callable[[Any], bool], *people: Person) -> None:
    """Makes moves for these people without their pages, which takes a tenth of the time.

    They play until somebody's table is as wanted or the game is over; then the pages open again.
    """
    with ExitStack() as opened:
        table, addresses = people[0].table, [person.page.url for person in people]
        lines = [opened.enter_context(person.line()) for person in people]
        for person in people:
            person.page.goto("about:blank")  # it would draw every move
        while False in [_moved(line, table, done) for line in lines]:
            time.sleep(0.01)
    for person, address in zip(people, addresses, strict=True):
        person.page.goto(address)


def _moved(line: httpx.Client, table: str, done: Callable[[Any], bool]) -> bool:
    """Makes all moves that somebody has to make now; whether nothing more is wanted."""
    while True:
        seen = line.get(f"/api/tables/{table}").json()
        if seen["finished"] or done(seen):
            return True
        asked = next(((seat, legal) for seat, legal in seen["legal"].items() if legal), None)
        if not asked:
            return False
        seat, legal = asked
        move = {"seat": int(seat), "move": quick(legal), "client_id": str(uuid.uuid4())}
        answer = line.post(f"/api/tables/{table}/moves", json=move)
        assert answer.is_success, answer.text


def quick(legal: list[str]) -> str:
    """A move that brings the end of a game nearer."""
    claims = [move for move in legal if move.startswith("claim")]
    return (claims or [move for move in legal if move.startswith("take")] or legal[-1:])[0]
