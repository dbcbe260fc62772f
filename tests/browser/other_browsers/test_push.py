"""A whole Chromium shows what it is sent, which its headless shell refuses: `make browsers`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import msgspec
import pytest
from browser.conftest import PATIENCE_MS
from browser.person import set_up
from browser.steps import post, post_name
from playwright.sync_api import Browser, Page, expect, sync_playwright
from server.services import Server

from headway.server.notices.calls import title_of_call
from headway.server.notices.service import Notice

SHOWN = """navigator.serviceWorker.ready.then((it) => it.getNotifications())
  .then((all) => all.map(({ title, body, tag }) => [title, body, tag]))"""
# Nobody can press on a notice of a browser without a screen: the worker hears that one was pressed.
PRESS = """async () => {
  const [notification] = await self.registration.getNotifications()
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification }))
}"""


@pytest.fixture
def whole_chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        yield running
        running.close()


class Line:
    """A browser's line to its maker's push service, at whose end the test is."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page, self.origin = page, origin
        self._session = page.context.new_cdp_session(page)
        self._workers: dict[str, str] = {}
        self._session.on("ServiceWorker.workerRegistrationUpdated", self._registered)
        self._session.send("ServiceWorker.enable")

    def _registered(self, event: dict[str, list[dict[str, str]]]) -> None:
        for one in event["registrations"]:
            self._workers[one["scopeURL"]] = one["registrationId"]

    def push(self, notice: Notice) -> None:
        """Delivers what a browser has decrypted."""
        while f"{self.origin}/" not in self._workers:
            self.page.wait_for_timeout(20)  # lets events in
        worker = self._workers[f"{self.origin}/"]
        data = {"origin": self.origin, "registrationId": worker}
        text = msgspec.json.encode(notice).decode()
        self._session.send("ServiceWorker.deliverPushMessage", data | {"data": text})

    def shown(self, *wanted: list[str]) -> None:
        """Waits until these notices stand on the screen, and no others."""
        same = f"wanted => {SHOWN}.then((all) => JSON.stringify(all) === JSON.stringify(wanted))"
        self.page.wait_for_function(same, arg=list(wanted))


def test_a_notice_is_shown_and_leads_to_its_table(
    own_server: Server, whole_chromium: Browser
) -> None:
    context = whole_chromium.new_context(base_url=own_server.url, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    context.grant_permissions(["notifications"], origin=own_server.url)
    page, friend = context.new_page(), whole_chromium.new_context(base_url=own_server.url)
    ben = friend.new_page()
    post_name(page, "Ann")
    post_name(ben, "Ben")
    table = set_up(page, "me", "open")
    post(ben, f"tables/{table}/join")
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.ready.then((it) => !!it.active)")
    page.reload()  # now it is the worker's page
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    line = Line(page, own_server.url)

    def notice(text: str) -> Notice:
        return Notice("turn", title_of_call("turn", "en"), text, f"t/{table}", table, 1)

    line.push(notice("Next Station: London, with Ben"))
    line.shown(["Your turn", "Next Station: London, with Ben", table])
    line.push(notice("A newer one"))  # in place of the first
    line.shown(["Your turn", "A newer one", table])
    context.service_workers[0].evaluate(PRESS)
    page.wait_for_url(f"**/t/{table}")
    page.get_by_test_id("play").wait_for()
    line.shown()
    expect(page).to_have_title("Your turn · Next Station: London · Headway")
    line.push(notice("Who looks at the table needs none"))
    line.push(
        Notice("over", title_of_call("over", "en"), "Another table", "t/another", "another", 0)
    )
    line.shown([title_of_call("over", "en"), "Another table", "another"])
