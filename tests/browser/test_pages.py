"""Every page: in both themes and languages, for every width, and small."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from browser.player import PHONE, NewPage, Player
from playwright.sync_api import expect
from server.services import Server

from headway.bots.registry import each_bot

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs/pictures"
MOST_BYTES = 235_000


def test_language_switches_at_once_and_is_kept(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Draw the city’s lines.")
    page.get_by_role("button", name="FR: Français").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tracez les lignes de la ville.")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tracez les lignes de la ville.")
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_theme_follows_the_system_until_it_is_chosen(server: Server, new_page: NewPage) -> None:
    page = new_page(server, color_scheme="dark")
    page.goto("/")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(15, 19, 27)"
    page.get_by_role("button", name="Light colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate(ground) == "rgb(241, 238, 231)"
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_modules_that_exclude_each_other(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    page.get_by_role("button", name="Options").first.click()
    powers, special = (page.get_by_test_id(f"option-{o}") for o in ("powers", "special_stations"))
    powers.check()
    special.check()
    expect(powers).not_to_be_checked()
    expect(page.get_by_text("Cannot be combined with: Special stations")).to_be_visible()


def test_no_text_is_missing(server: Server, new_page: NewPage) -> None:
    """A key that the catalogue lacks shows as itself."""
    for locale in ("en-GB", "fr-FR"):
        player = Player(new_page(server, locale=locale))
        player.set_up("london", "bots", "objectives", "powers")
        player.situation()
        player.page.get_by_test_id("text-board").locator("summary").click()
        assert "web." not in player.page.locator("body").inner_text()


def test_every_bot_says_how_it_plays(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    page.get_by_role("button", name="Against bots").first.click()
    page.get_by_test_id("more-bots").click()
    for name, sentence, _ in each_bot("next-station", "en"):
        page.get_by_role("radio", name=sentence.title, exact=True).check()
        assert page.get_by_test_id("bot-what").inner_text().startswith(sentence.what), name


def test_client_is_small() -> None:
    static = ROOT / "src/headway/server/static"
    sizes = {
        path.name: len(gzip.compress(path.read_bytes(), 9))
        for path in static.rglob("*")
        if path.is_file()
    }
    assert sizes
    assert sum(sizes.values()) <= MOST_BYTES, sizes


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_no_page_is_wider_than_a_phone(server: Server, new_page: NewPage, locale: str) -> None:
    page = new_page(server, viewport=PHONE, locale=locale)
    for path, wait in (
        ("/", '[data-testid="map-next-station-tokyo"] .board'),
        ("/about", "article"),
        ("/replay", "h1"),
        ("/paper", "h1"),
        ("/print", "h1"),
        ("/account", "h1"),
        ("/today", "h1"),
        ("/practice", "[data-testid=puzzle]"),
        ("/no/such/page", "h1"),
    ):
        page.goto(path)
        page.locator(wait).first.wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
