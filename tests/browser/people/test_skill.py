"""Luck and skill across games, on a profile."""

from __future__ import annotations

from browser.axe import findings
from browser.player import PHONE, NewPage
from browser.steps import PASSWORD, guest_at
from playwright.sync_api import expect
from server.services import Server, play_out


def test_my_games_reviewed_in_french_on_a_phone(server: Server, new_page: NewPage) -> None:
    page = new_page(server, viewport=PHONE, has_touch=True, is_mobile=True, locale="fr-FR")
    page.goto("/about")
    guest = guest_at(page, server)
    for _ in range(2):
        play_out(guest.set_up("me"), {0: guest})
    assert page.request.post("/api/account", data={"name": "Marie", "password": PASSWORD}).ok
    page.goto("/u/Marie")
    skill = page.get_by_test_id("skill")
    expect(skill).to_contain_text("Aucune partie n’est encore analysée.")
    skill.get_by_role("button", name="Analyser mes dernières parties (2)").tap()
    series = page.get_by_test_id("skill-next-station-london").first
    expect(series).to_contain_text("Parties analysées : 2 sur 2", timeout=240_000)
    expect(skill.get_by_role("button", name="Analyser mes")).to_have_count(0)
    expect(series.get_by_role("img")).to_have_count(2)  # each has its figures in its name
    expect(series.get_by_role("img").first).to_have_attribute(
        "aria-label",
        f"Points perdus\u00a0: 2 parties, {series.locator('b').first.inner_text()} en moyenne.",
    )
    series.locator("summary").tap()
    expect(series.locator("details tbody tr")).to_have_count(2)
    expect(series).to_contain_text("aucune sorte de décision ne coûte nettement plus")
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert "web." not in page.locator("main").inner_text()
