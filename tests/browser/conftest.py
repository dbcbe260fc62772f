"""A real browser on a real server: pages that fail when anything goes wrong in them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser.cable import Cable
from browser.player import WIDE, NewPage
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from server.services import Backing, CommandServer, Server

collect_ignore = ["other_browsers"]  # `make browsers` asks for them by name

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
PATIENCE_MS = 200_000  # a machine with other work to do is slow; a test has 900 s
USUAL = {
    "viewport": WIDE,
    "locale": "en-GB",
    "reduced_motion": "reduce",
    "service_workers": "block",
}
FOLDER = os.environ.get("BROWSER_FOLDER", "")
"""A folder below which all servers have their pages: the tests run once with `/headway`."""
PLAIN_HTTP = "headway.test"
"""A name of this machine that browsers do not take for it: pages there are not secure."""
PLAIN_HTTP_RULE = f"--host-resolver-rules=MAP {PLAIN_HTTP} 127.0.0.1"
EXPECTED = re.compile(
    "net::|status of|Service Worker registration blocked by Playwright"
    "|WebSocket is closed before the connection is established"
    "|Connection closed before receiving a handshake response"
    "|Cross-Origin-Opener-Policy header has been ignored"
)
"""What the console may say: the network failed, a page was left at once, a test has no service
worker, no page has https."""
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", PLAIN_HTTP_RULE]
        )
        yield running
        running.close()


def new_server(
    folders: pytest.TempPathFactory, kind: type[Server] = Server, **variables: object
) -> Server:
    """A server on a throw-away SQLite file, with the same deals every time."""
    folder = folders.mktemp("tables")
    backing = Backing("sqlite", f"sqlite:///{folder / 'tables.sqlite'}", "")
    if FOLDER and not kind.folder:
        kind = type(f"{kind.__name__}Below", (kind,), {"folder": FOLDER})
    fixed = {"HEADWAY_SEED": "browser", "HEADWAY_REVIEW_BUDGET": 4}  # reviews are quick
    return kind(backing, folder, **(fixed | variables))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    """A server for all tests, as the command starts it; nothing may go wrong in it."""
    running = new_server(tmp_path_factory, CommandServer)
    yield running
    for context in browser.contexts:
        context.close()
    running.stop()
    assert running.errors() == []


@pytest.fixture
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that a test may kill."""
    running = new_server(tmp_path_factory)
    yield running
    running.stop()


def below(folder: str, ask: Callable[..., Any]) -> Callable[..., Any]:
    """Asks for paths below a folder; takes links of a page, which are below it already."""
    outside = re.compile(rf"/(?!{folder[1:]}/)")
    return lambda path, **more: ask(folder * bool(outside.match(path)) + path, **more)


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Pages of people of their own: `new_page(server)`. Where they ask and fail is noted.

    No request may leave the server's origin, and no script may fail. What the network answers may
    be an error (a server that is killed), so messages about that are not counted. There is no
    service worker unless a test allows it: it loads every file, a third of the work of a visit.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(server: Server | Cable, **options: Any) -> Page:
        options = USUAL | options
        folder = server.folder
        context = browser.new_context(base_url=server.url.removesuffix(folder), **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        origin = server.url.split("//")[1]

        def asked(url: str) -> None:
            inside = f"{url.split('//')[-1]}/".startswith(f"{origin}/")
            if not inside and not url.startswith("blob:"):
                faults.append(f"a request left the origin: {url}")

        context.on("request", lambda request: asked(request.url))
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("page", lambda page: page.on("websocket", lambda socket: asked(socket.url)))

        def said(kind: str, text: str) -> None:
            if kind in ("error", "warning") and not EXPECTED.search(text):
                faults.append(f"console {kind}: {text}")

        context.on("console", lambda message: said(message.type, message.text))
        page = context.new_page()
        if folder:
            for asking, names in (
                (page, ["goto"]),
                (page.request, ["get", "post", "patch", "fetch"]),
            ):
                for name in names:
                    setattr(asking, name, below(folder, getattr(asking, name)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
