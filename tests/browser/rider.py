"""Somebody who plays Ticket to Ride at the page, with mouse, finger or keyboard."""

from __future__ import annotations

from browser.person import Hand, Person, open_table, skip
from playwright.sync_api import Page

_SITUATION = """() => {
  const has = (name) => document.querySelector(`[data-testid=${name}]`)
  if (has('end')) return 'end'
  if (has('hand-over')) return 'hand-over'
  if (has('counting')) return 'counting'
  const play = has('play')
  if (!play || play.dataset.acting !== 'true') return ''
  return has('choice') ? 'choice' : 'move'
}"""
_CHANGED = "before => document.querySelector('[data-testid=play]').dataset.turn !== before"


class Rider(Person):
    """A person at a page with a Ticket to Ride table."""

    SITUATION = _SITUATION

    def __init__(self, page: Page, hand: Hand = "mouse") -> None:
        super().__init__(page, hand)
        self.claimed = 0
        self.counted: set[str] = set()

    # Setting up

    def set_up(self, *seats: str | dict[str, str], seed: int | None = 7) -> None:
        """Goes to a new table; a seed makes it a training table, dealt the same each time."""
        dealt = {} if seed is None else {"seed": seed, "training": True}
        open_table(self.page, *seats, game="ticket-to-ride", **dealt)

    # Playing

    def play_on(self, moves: int | None = None) -> None:
        """Plays so many moves, or to the end of the game."""
        while moves is None or moves > 0:
            asked = self.situation()
            if asked == "end":
                return
            if asked in ("move", "choice"):
                self.move(asked)
                moves = None if moves is None else moves - 1
            else:
                self.go_on(asked)

    def skip_to_last_turns(self, *others: Rider) -> None:
        """Plays until the end is triggered without the page, for others at the table too."""
        skip(
            lambda seen: (
                seen["views"]
                and any(view["turns_left"] is not None for view in seen["views"].values())
            ),
            self,
            *others,
        )

    def go_on(self, asked: str) -> None:
        """Takes the screen over, or looks on while the tickets are turned over."""
        panel = self.page.get_by_test_id(asked)
        if asked == "counting":
            while self.situation_now() == "counting":
                # It may be over by now: nothing waits for it.
                self.counted |= set(panel.evaluate_all("all => all.map(one => one.dataset.step)"))
                if {"routes", "ticket"} <= self.counted:
                    self.press(panel.get_by_role("button").first)
                    break
                self.page.wait_for_timeout(100)
            return
        self.press(panel.get_by_role("button"))

    def move(self, asked: str) -> None:
        """Keeps a ticket, takes the first route that can be paid, or cards."""
        before = self.turn()
        if asked == "choice":
            self.page.get_by_test_id("choice").locator("input").first.check()
            self.press(self.page.get_by_test_id("keep"))
        elif self.page.locator(".route.free").count():
            self.claim()
        else:
            self.take()
        self.page.wait_for_function(_CHANGED, arg=before, polling=40)

    def take(self) -> None:
        """Takes the first face-up card that is no bus, or one from the pile."""
        supply = self.page.get_by_test_id("supply")
        colours = supply.locator("[data-card]:not([data-card=bus])").first
        legal = self.table_view()["legal"][self.seat()]
        if not any(move.startswith("take") for move in legal):
            self.press(
                self.page.get_by_role("button", name="Pass")
                if "pass" in legal
                else supply.locator("[data-card=tickets]")
            )
        else:
            self.press(colours)
            card = colours.get_attribute("data-card")
            if f"take {card}" not in legal:
                self.press(supply.locator("[data-card=bus]").first)
        self.press(self.page.locator("button.confirm"))

    def claim(self) -> None:
        """Takes the first route that can be paid, in the first way."""
        self.claimed += 1
        if self.hand == "keys":
            self.page.locator(".route.free").first.focus()
            self.page.keyboard.press("Enter")
            self.page.keyboard.press("Enter")
            return
        if self.hand == "touch":
            # A finger finds it in the list, where everything is large enough.
            board = self.page.locator("[data-testid=text-board]")
            if not board.evaluate("e => e.open"):
                board.locator("summary").tap()
            self.press(board.get_by_role("button").first)
        else:
            # Halves of a double route may lie close; the nearest that can be paid is meant.
            self.page.locator(".route.free rect.halo").first.click(force=True)
        self.press(self.page.locator("button.confirm"))

    # Seeing

    def seat(self) -> str:
        return self.page.get_by_test_id("play").get_attribute("data-seat") or ""

    def turn(self) -> str:
        return self.page.get_by_test_id("play").get_attribute("data-turn") or ""
