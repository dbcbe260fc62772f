"""Every page: in both themes and languages, and small; `test_languages` looks at each one."""

from __future__ import annotations

from pathlib import Path

from browser.person import set_up, wish
from browser.player import NewPage
from playwright.sync_api import Page, expect
from server.services import Server

from headway.bots.registry import each_bot

ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "docs/pictures"
HOME_BYTES, TABLE_BYTES = 175_000, 200_000


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
    assert page.evaluate(ground) == "rgb(33, 26, 43)"
    page.get_by_role("button", name="Light colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate(ground) == "rgb(243, 238, 227)"
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_modules_that_exclude_each_other(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    wish(page, "next-station-london", options=True)
    why = page.get_by_text("Not together with “Special stations”: the rules allow one of the two.")
    expect(why).to_be_visible()
    powers, special = (page.get_by_test_id(f"option-{o}") for o in ("powers", "special_stations"))
    powers.check()
    special.check()
    expect(powers).not_to_be_checked()


def test_every_bot_says_how_it_plays(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    page.goto("/")
    wish(page, "next-station-london", "bots", options=True)
    page.get_by_test_id("more-bots").click()
    for name, sentence, _ in each_bot("next-station", "en"):
        page.get_by_role("radio", name=sentence.title, exact=True).check()
        assert page.get_by_test_id("bot-what").inner_text().startswith(sentence.what), name


def loaded(page: Page, address: str) -> int:
    """Returns how many bytes a page brings over the network, compressed as they come."""
    lengths: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda done: lengths.append(done["encodedDataLength"]))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return sum(lengths)


def test_pages_are_small(server: Server, new_page: NewPage) -> None:
    assert 50_000 < loaded(new_page(server), "/") <= HOME_BYTES
    for game, seats in (("next-station", ["me"]), ("ticket-to-ride", ["me", "greedy"])):
        page = new_page(server)
        table = set_up(page, *seats, game=game)
        assert 50_000 < loaded(page, f"/t/{table}") <= TABLE_BYTES, game
