"""Stored games on the replay page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

RECORDS = Path(__file__).parents[1] / "records"

GAMES = {
    "london": RECORDS / "next-station/london-2-objectives-seed.json",
    "tokyo": RECORDS / "next-station/tokyo-2-objectives-powers-all-cards.json",
    "ticket to ride": RECORDS / "ticket-to-ride/2-seats-greedy.json",
}


def opened(page: Page, path: Path) -> None:
    """Opens a record from its file."""
    page.goto("/replay")
    page.get_by_label("Choose a file").set_input_files(path)
    page.get_by_test_id("replay").wait_for()


def at(page: Page) -> tuple[int, int]:
    bar = page.get_by_test_id("replay")
    numbers = [bar.get_attribute(name) for name in ("data-moment", "data-last")]
    return int(numbers[0] or -1), int(numbers[1] or -1)


def press_to(page: Page, key: str, moment: int) -> None:
    page.keyboard.press(key)
    expect(page.get_by_test_id("replay")).to_have_attribute("data-moment", str(moment))


def tab_stops(page: Page) -> list[str]:
    """What Tab comes to, each by its kind and name, until it leaves the page."""
    stops: list[str] = []
    while True:
        page.keyboard.press("Tab")
        stop: str = page.evaluate("""() => {
          const { tagName, dataset, innerText } = document.activeElement
          return `${tagName} ${dataset.testid ?? innerText ?? ''}`
        }""")
        if stop.startswith("BODY") or len(stops) > 300:
            return stops
        stops.append(stop)
