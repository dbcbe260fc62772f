"""Somebody who looks at pages in the pseudo-language, and notes what is wrong with each."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from browser.person import set_up
from playwright.sync_api import Locator, Page
from support import pseudo

from headway.games import boxes

NAMES = {
    "Headway", "Ada", "Bob", "English", "Français", "EN", "SVG", "PNG", "PDF", "JSON", "UTC",
    "https",
}  # fmt: skip
"""Proper names: of the site, of players, of languages, of file formats, of a protocol."""
MARK_WHAT_THE_BROWSER_WRITES = """(() => {
  const marked = (text) => `OPEN${text}CLOSE`
  const { ListFormat, DateTimeFormat } = Intl
  ListFormat.prototype.format = function (items) {
    const parts = this.formatToParts(items)
    return parts.map(({ type, value }) => (type === 'element' ? value : marked(value))).join('')
  }
  const { get } = Object.getOwnPropertyDescriptor(DateTimeFormat.prototype, 'format')
  Object.defineProperty(DateTimeFormat.prototype, 'format', {
    get() {
      const format = get.call(this)
      return (at) => marked(format(at))
    },
  })
})()""".replace("OPEN", pseudo.OPEN).replace("CLOSE", pseudo.CLOSE)
"""Puts dates, and what stands between names in a row, into brackets: they are in no catalogue."""

TEXTS = """() => {
  const RULES = '#rules-title, [data-testid=rules] article, [data-testid=rules] li, '
  const texts = []
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    // Not texts of the page: programs, files and hashes, languages by their own names, the rules.
    if (!node.parentElement.closest(RULES + 'script, style, code, option[lang]'))
      texts.push(node.textContent)
  }
  const all = [...document.querySelectorAll('*')].filter((element) => !element.closest(RULES + 'x'))
  for (const element of all)
    for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
      if (element.hasAttribute(name)) texts.push(element.getAttribute(name))
  return texts
}"""
OVERFLOW = """() => {
  const scrolls = (element) => /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX)
  // A board may be as wide as a phone: its shadow falls beside the screen.
  const hidden = (element) => element.closest('.hidden, .skip, svg svg, .ground > .shade')
  const kept = (element) => {
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement)
      if (scrolls(up)) return true
    return false
  }
  const wide = [...document.querySelectorAll('body *')].filter((element) => {
    const box = element.getBoundingClientRect()
    return box.width > 0 && box.right > innerWidth + 1 && !hidden(element) && !kept(element)
  })
  const names = wide.map((element) => element.outerHTML.slice(0, 120))
  if (document.documentElement.scrollWidth > innerWidth) names.push('the page')
  return names
}"""
WORD = re.compile(r"[^\W\d_]{2,}")
RULE = re.compile(r"\b[A-Z]{2}-\d\d\b")
"""The number of a rule, which is the same in every language."""


@cache
def words_of_maps() -> set[str]:
    """Names of places, whole and broken into lines, and what else stands in map files."""
    words: set[str] = set()

    def collect(data: object) -> None:
        if isinstance(data, str):
            name = data.replace("|", " ")
            words.update((name, *name.split()))
        for part in data.values() if isinstance(data, dict) else ():
            collect(part)
        for part in data if isinstance(data, list | tuple) else ():
            collect(part)

    for box in boxes():
        for name in box.maps:
            collect(msgspec.to_builtins(box.open(name, box.seats.start).map_data()))
    return {text for text in words if len(text) > 2}


class Visitor:
    """Somebody who looks at pages, and notes what is wrong with each."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(MARK_WHAT_THE_BROWSER_WRITES)
        self.names = sorted(NAMES | words_of_maps(), key=len, reverse=True)
        self.wrong: list[str] = []

    def unfold(self) -> None:
        """Opens every panel that can be folded."""
        self.page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")

    def dialog(self, button: Locator, where: str) -> None:
        """Looks at the dialog that a button opens, and closes it."""
        button.click()
        self.page.locator("dialog[open]").wait_for()
        self.look(where)
        self.page.keyboard.press("Escape")
        self.page.locator("dialog[open]").wait_for(state="detached")

    def look(self, where: str) -> None:
        """Notes texts outside of brackets, and what is wider than the screen."""
        for text in self.page.evaluate(TEXTS):
            outside = RULE.sub("", pseudo.bare(text))
            for name in self.names if WORD.search(outside) else ():
                outside = outside.replace(name, "")
            if WORD.search(outside):
                self.wrong.append(f"{where}: no text of the catalogue: {outside.strip()[:100]!r}")
        self.wrong += [f"{where}: too wide: {html}" for html in self.page.evaluate(OVERFLOW)]

    def go(self, path: str, wait: str) -> None:
        """Looks at the page of an address once something is there."""
        self.page.goto(path)
        self.page.locator(wait).first.wait_for()
        self.page.wait_for_load_state("networkidle")
        self.look(path)

    def table(self, game: str, map_name: str, *seats: str, **more: Any) -> str:
        """Sets a table up, at which Ada has the page's seats; its id."""
        ada = {"kind": "me", "name": "Ada"}
        chosen = [ada if seat == "me" else seat for seat in seats]
        return set_up(self.page, *chosen, game=game, map=map_name, **more)

    def play_out(self, table: str, pick: Callable[[list[str]], str]) -> None:
        """Plays a table to its end without the page."""
        while not (state := self.page.request.get(f"/api/tables/{table}").json())["finished"]:
            if not (legal := state["legal"].get("0")):
                self.page.wait_for_timeout(20)
                continue
            body = {"seat": 0, "move": pick(legal), "client_id": f"move-{state['number']:08}"}
            answer = self.page.request.post(f"/api/tables/{table}/moves", data=body)
            assert answer.ok, answer.text()
