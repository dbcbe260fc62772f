"""The page below a folder of a host, `https://example.org/headway`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser.conftest import new_server
from browser.player import NewPage, Player
from playwright.sync_api import Page, expect
from server.services import Server

FOLDER = "/headway"


class ServerBelow(Server):
    folder = FOLDER


@pytest.fixture
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = new_server(tmp_path_factory, ServerBelow)
    yield running
    running.stop()


def strays(page: Page) -> list[str]:
    """What the page links to outside of the folder."""
    found: list[str] = page.evaluate(
        """folder => [...document.querySelectorAll('[href], [src]')]
            .map(one => new URL(one.getAttribute('href') ?? one.getAttribute('src'), location.href))
            .filter(url => url.origin === location.origin && !url.pathname.startsWith(folder + '/'))
            .map(String)""",
        FOLDER,
    )
    return found


def test_everything_is_below_the_folder(below: Server, new_page: NewPage) -> None:
    """Pages, files, requests, sockets, links, the manifest and the service worker."""
    page = new_page(below, service_workers="allow")
    player = Player(page)
    player.play_alone("london")  # the fixture fails for a request to anywhere else
    assert page.url.startswith(f"{below.url}/t/")
    player.play_on(1)
    assert strays(page) == []
    table = page.url
    page.reload()
    page.get_by_test_id("play").wait_for()
    for path in ("/about", "/today", "/practice", "/account", "/print", "/replay", "/nothing/here"):
        page.goto(path)
        page.locator("main").wait_for()
        assert strays(page) == [], path
    page.locator("header a").first.click()
    expect(page).to_have_url(f"{below.url}/")
    scope = page.evaluate("navigator.serviceWorker.ready.then(one => new URL(one.scope).pathname)")
    assert scope == f"{FOLDER}/"
    (cookie,) = page.context.cookies()
    assert (cookie["name"], cookie["path"]) == ("headway", FOLDER)
    below.kill()
    page.goto(table.removeprefix(below.url))
    below.start()
    page.get_by_test_id("play").wait_for()
