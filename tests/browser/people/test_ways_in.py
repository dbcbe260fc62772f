"""A recovery code, a passkey and a second device, in a browser with an authenticator of its own."""

from __future__ import annotations

from typing import Any, cast

from browser.axe import findings
from browser.player import PHONE, NewPage
from browser.steps import PASSWORD
from playwright.sync_api import Page, expect
from server.services import Server

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Named:
    """A server by the name of this machine: browsers have no passkeys for a bare address."""

    def __init__(self, server: Server) -> None:
        self.url = f"http://localhost:{server.port}{server.folder}"
        self.folder = server.folder


def with_authenticator(page: Page) -> Page:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return page


def test_ways_into_an_account(server: Server, new_page: NewPage) -> None:
    here = cast(Any, Named(server))
    page = with_authenticator(new_page(here, viewport=PHONE))
    page.goto("/account")
    form = page.get_by_test_id("claim")
    form.locator("input[type=text]").fill("Kim of Kiel")
    form.locator("input[type=password]").fill(PASSWORD)
    form.locator("button.main").click()
    shown = page.get_by_test_id("recovery-code")
    code = shown.locator("code").inner_text()
    assert findings(page) == []
    page.get_by_test_id("kept").click()
    page.wait_for_url("**/u/Kim%20of%20Kiel")

    page.goto("/account")
    keys = page.get_by_test_id("passkeys")
    keys.locator("summary").click()
    keys.get_by_label("Name of the passkey").fill("My phone")
    keys.get_by_role("button", name="Add a passkey").click()
    expect(keys.get_by_role("listitem")).to_contain_text("My phone")
    devices = page.get_by_test_id("devices")
    devices.locator("summary").click()
    page.get_by_test_id("link").click()
    link = page.get_by_test_id("qr").get_attribute("data-link")
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    laptop = new_page(here)
    laptop.goto(str(link))
    confirm = laptop.get_by_test_id("confirm-device")
    expect(confirm).to_contain_text("Kim of Kiel")
    assert findings(laptop) == []
    confirm.get_by_role("button").click()
    laptop.wait_for_url("**/u/Kim%20of%20Kiel")

    page.get_by_role("button", name="Sign out").click()
    page.get_by_test_id("use-passkey").click()
    page.wait_for_url("**/u/Kim%20of%20Kiel")
    page.goto("/account")
    keys.locator("summary").click()
    keys.get_by_role("button", name="Remove My phone").click()
    expect(keys.get_by_role("listitem")).to_have_count(0)

    page.get_by_role("button", name="Sign out").click()
    page.get_by_test_id("use-passkey").click()
    refused = page.get_by_test_id("sign_in").get_by_role("alert")
    expect(refused).to_have_text("This passkey opens no account here.")
    page.get_by_test_id("lost").click()
    lost = page.get_by_test_id("recover")
    lost.get_by_label("Name").fill("kim of kiel")
    lost.get_by_label("Recovery code").fill(code.lower())
    lost.get_by_label("New password").fill("another password")
    lost.locator("button.main").click()
    expect(shown.locator("code")).not_to_have_text(code)
    page.get_by_test_id("kept").click()
    page.wait_for_url("**/u/Kim%20of%20Kiel")
