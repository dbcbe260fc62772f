"""Tokens on the account page, and the warning before joining a table whose seed was chosen."""

from __future__ import annotations

import httpx
import pytest
from browser.axe import findings
from browser.player import PHONE, NewPage
from browser.steps import PASSWORD, enter
from playwright.sync_api import Page, expect
from server.services import PATIENT, Server

ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def works(server: Server, token: str) -> bool:
    headers = {"authorization": f"Bearer {token}"}
    return httpx.get(f"{server.url}/api/me", headers=headers, **PATIENT).status_code == 200


def make_token(page: Page, name: str) -> str:
    """Makes a token on the account page; what it shows this once."""
    panel = page.get_by_test_id("tokens")
    panel.get_by_label("Name of the token").fill(name)
    panel.get_by_role("button", name="New token").click()
    expect(panel.get_by_role("listitem").first).to_contain_text(name)
    return page.get_by_test_id("fresh-token").inner_text()


def change_password(page: Page, old: str, new: str, *, keep: bool) -> None:
    controls = page.get_by_test_id("controls")
    controls.get_by_label("Current password").fill(old)
    controls.get_by_label("New password").fill(new)
    controls.get_by_label("Keep the tokens of my programs").set_checked(keep)
    controls.get_by_role("button", name="Change it").click()
    expect(controls.get_by_label("New password")).to_have_value("")
    expect(controls).to_contain_text("Password changed")


def test_made_named_ended_and_lost_with_the_password(server: Server, new_page: NewPage) -> None:
    page = new_page(server)
    enter(page, "claim", "Tilda of Tours")
    page.wait_for_url("**/u/**")
    page.goto("/account")
    panel = page.get_by_test_id("tokens")
    panel.get_by_text("Programs").click()
    expect(panel).to_contain_text("No tokens yet.")
    first, second = make_token(page, "First bot"), make_token(page, "Second bot")
    assert works(server, first)
    assert findings(page) == []
    panel.get_by_role("button", name="Rename First bot").click()
    panel.get_by_role("listitem").get_by_label("Name of the token").fill("Night bot")
    panel.get_by_role("button", name="Save").click()
    panel.get_by_role("button", name="Revoke Night bot").click()
    expect(panel.get_by_role("listitem")).to_have_count(1)
    assert not works(server, first)
    page.get_by_text("Change password").click()
    change_password(page, PASSWORD, "another password", keep=True)
    assert works(server, second)
    change_password(page, "another password", PASSWORD, keep=False)
    assert not works(server, second)
    expect(panel).to_contain_text("No tokens yet.")


@pytest.mark.parametrize(
    ("options", "warning"),
    [
        ({}, "the host may know every card"),
        (ON_A_PHONE | {"locale": "fr-FR"}, "l’hôte peut connaître toutes les cartes"),
    ],
)
def test_a_chosen_seed_is_told_before_joining(
    server: Server, new_page: NewPage, options: dict[str, object], warning: str
) -> None:
    host = server.guest("Host")
    table = host.set_up("me", "open", training=True, seed=7)
    page = new_page(server, **options)
    page.goto(f"/t/{table}")
    expect(page.get_by_test_id("seed-chosen")).to_contain_text(warning)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    page.goto(f"/t/{host.set_up('me', 'open', training=True)}")
    expect(page.get_by_test_id("waiting-room")).to_be_visible()
    expect(page.get_by_test_id("seed-chosen")).to_have_count(0)
