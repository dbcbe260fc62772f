"""Somebody at the page: sees what is on the screen, and plays with mouse, finger or keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.person import Hand, Person, open_table, skip, wish
from playwright.sync_api import Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

WIDE: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
LANDSCAPE: ViewportSize = {"width": 740, "height": 360}
NewPage = Callable[..., Page]

# What a player can be asked for, in the order in which the page shows it.
_SITUATION = """() => {
  const has = (name) => document.querySelector(`[data-testid=${name}]`)
  if (has('end')) return 'end'
  if (has('counting')) return 'counting'
  if (has('hand-over')) return 'hand-over'
  const play = has('play')
  if (!play || play.dataset.sending === 'true') return ''
  const pass = document.querySelector('.actions .actions button')
  return pass && !pass.disabled ? 'move' : ''
}"""
_CHANGED = """before => {
  const play = document.querySelector('[data-testid=play]')
  const has = (name) => document.querySelector(`[data-testid=${name}]`)
  if (!play || has('end') || has('counting') || has('hand-over')) return true
  return `${play.dataset.seat} ${play.dataset.turn}` !== before || document.querySelector(
    '.actions .actions button').disabled && play.dataset.sending === 'false'
}"""


class Player(Person):
    """A person at a page."""

    SITUATION = _SITUATION

    def __init__(self, page: Page, hand: Hand = "mouse") -> None:
        super().__init__(page, hand)
        self.moves = 0
        self.rounds_counted = 0
        self.used_extra = 0

    # Setting up

    def play_alone(self, city: str) -> None:
        """Begins a game for one at Home."""
        self.page.goto("/")
        wish(self.page, f"next-station-{city}")
        self.press(self.page.get_by_test_id("start"))
        self.page.get_by_test_id("play").wait_for()

    def sit_alone(self, city: str) -> None:
        """Goes to a table for one that the page did not set up."""
        self.sit_down(city, "me")
        self.page.get_by_test_id("play").wait_for()

    def sit_down(self, city: str, *seats: str, **more: Any) -> None:
        """Goes to a table that the page did not set up."""
        open_table(self.page, *seats, map=city, **more)

    def set_up(self, city: str, mode: str, *options: str) -> None:
        self.page.goto("/")
        wish(self.page, f"next-station-{city}", mode, options=True)
        for option in options:
            self.page.get_by_test_id(f"option-{option}").check()
        self.press(self.page.get_by_test_id("start"))
        self.page.wait_for_url("**/t/*")

    # Playing

    def draft(self) -> None:
        """Draws the first section that glows, or passes, without confirming."""
        if self.page.locator(".station.target").count():
            self.press(self.page.locator(".station.target").first)
            if not self.page.locator("button.confirm").is_enabled():
                self.press(self.page.locator(".station.source").first)

    def play_on(self, turns: int | None = None) -> None:
        """Plays so many moves, or to the end of the game."""
        while turns is None or turns > 0:
            asked = self.situation()
            if asked == "end":
                return
            if asked == "move":
                self.move()
                turns = None if turns is None else turns - 1
            else:
                self.go_on(asked)

    def skip_to_last_turns(self, *others: Player) -> None:
        """Plays up to the last turns without the page, for others at the table too."""

        def near_the_end(seen: Any) -> bool:
            view = next(iter(seen["views"].values()))
            return bool((view["round"], view["turn"]) >= (4, 5))  # no round is shorter

        skip(near_the_end, self, *others)

    def skip_to_end(self) -> None:
        """Plays the rest of the game without the page."""
        skip(lambda seen: False, self)

    def go_on(self, asked: str) -> None:
        """Looks at the counting, or takes the screen over."""
        self.rounds_counted += asked == "counting"
        self.press(self.page.get_by_test_id(asked).get_by_role("button").first)

    def move(self) -> None:
        """Draws the first section that glows, with a power or effect where there is one."""
        before = self.at()
        self._use_power()
        if self.page.locator(".station.target").count():
            self._draw()
        else:
            self.press(self.page.locator(".actions .actions button").first)
        unused = self.page.get_by_test_id("unused")
        if unused.count():  # the power is armed, but nothing was circled or added
            self.press(unused.get_by_role("button").last)
        self.moves += 1
        try:
            self.page.wait_for_function(_CHANGED, arg=before, polling=40)
        except PlaywrightTimeout as error:
            raise AssertionError(self._failure()) from error

    def _failure(self) -> str:
        """What stands on the page and what the server would allow, for a failed test."""
        legal = self.table_view()["legal"]
        play = self.page.get_by_test_id("play").evaluate("e => ({...e.dataset})")
        buttons = self.page.locator(".actions .actions").inner_html()
        drafted = self.page.locator(".drafted").count()
        answer = self.page.get_by_test_id("answer").all_inner_texts()
        return f"{play} drafted {drafted} answer {answer}\n{buttons}\n{legal}"

    def at(self) -> str:
        play = self.page.get_by_test_id("play")
        return f"{play.get_attribute('data-seat')} {play.get_attribute('data-turn')}"

    def _use_power(self) -> None:
        power = self.page.locator("[data-testid=power]:enabled")
        if self.moves % 3 == 2 and power.count():
            self.press(power)
            self.used_extra += 1
            if not self.page.locator(".station.target").count():
                self.press(power)  # it would help nothing now

    def _draw(self) -> None:
        if self.hand == "keys":
            self._draw_by_keys()
            return
        self.press(self.page.locator(".station.target").first)
        confirm = self.page.locator("button.confirm")
        if not confirm.is_enabled():  # several ways lead there: say from where
            self.press(self.page.locator(".station.source").first)
        self._second()
        self.press(confirm)

    def _second(self) -> None:
        """A second section, or a circle, if the draft may have one."""
        due = self.page.locator(".ways:not(.with-draft) .halo")
        if due.count():
            self.used_extra += 1
            self.press(self.page.locator(".station.target").first)
            confirm = self.page.locator("button.confirm")
            if not confirm.is_enabled():
                self.press(self.page.locator(".station.source").first)

    def _draw_by_keys(self) -> None:
        keyboard = self.page.keyboard
        for _ in range(40):  # Tab comes to the board sooner or later
            if self.page.evaluate("!!document.activeElement.closest('[data-station]')"):
                break
            keyboard.press("Tab")
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp") * 3:
            if self.page.evaluate("document.activeElement.classList.contains('target')"):
                break
            keyboard.press(key)
        keyboard.press("Enter")
        confirm = self.page.locator("button.confirm")
        if not confirm.is_enabled():
            keyboard.press("ArrowRight")
            keyboard.press("Enter")
        expect(confirm).to_be_enabled()
        drawn = self.page.locator(".drafted").count()
        assert drawn
        while not self.page.evaluate("document.activeElement.classList.contains('confirm')"):
            keyboard.press("Tab")
        keyboard.press("Enter")

    # Seeing

    def total(self) -> int:
        return int(self.page.get_by_test_id("total").inner_text().replace("−", "-"))

    def station(self, name: str) -> Any:
        return self.page.locator(f"[data-station={name}]")
