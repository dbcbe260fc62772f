"""Headway as an app: it can be installed, opens without its server, and makes way for a new one."""

from __future__ import annotations

import json
import re
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.axe import findings
from browser.conftest import CHROMIUM, new_server
from browser.person import wish
from browser.player import PHONE, NewPage, Player
from playwright.sync_api import Browser, Page, expect
from server.services import Server

SHAPES = ("any", "maskable")
MAPS = ("next-station-london", "next-station-tokyo", "ticket-to-ride-london")
ROOT = Path(__file__).parents[3]
KEEPING = {"service_workers": "allow"}
"""A browser that keeps the page."""


def kept(page: Page) -> list[str]:
    """Waits until this build is kept, and tells everything that is, by its path."""
    page.evaluate("navigator.serviceWorker.ready")
    paths: list[str] = page.evaluate(
        """async () => {
          const open = (await caches.keys()).map(async name => (await caches.open(name)).keys())
          return (await Promise.all(open)).flat().map(each => new URL(each.url).pathname)
        }"""
    )
    return paths


def visited(page: Page) -> None:
    """A visit to the home page after which everything is kept."""
    page.goto("/")
    page.get_by_test_id(f"map-{MAPS[2]}").wait_for()
    kept(page)


# Installing


def test_it_can_be_installed(server: Server, browser: Browser, tmp_path: Path) -> None:
    """As the browser sees it that would install it: in a profile of its own, not in incognito."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
    )
    page = context.new_page()
    page.goto(server.url)
    page.get_by_test_id(f"map-{MAPS[0]}").wait_for()
    page.evaluate("navigator.serviceWorker.ready")
    chromium = context.new_cdp_session(page)
    app_manifest = chromium.send("Page.getAppManifest")
    assert app_manifest["errors"] == []
    assert chromium.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = json.loads(app_manifest["data"])
    shapes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert shapes >= {("any", "any"), *((f"{n}x{n}", s) for n in (192, 512) for s in SHAPES)}
    touch = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    for icon in [*manifest["icons"], {"src": touch, "sizes": "180x180", "type": "image/png"}]:
        answer = page.request.get(f"{server.url.removesuffix(server.folder)}{icon['src']}")
        assert answer.headers["content-type"] == icon["type"]
        if icon["sizes"] != "any":
            size = "x".join(map(str, struct.unpack(">II", answer.body()[16:24])))
            assert size == icon["sizes"]
    context.close()


def test_the_manifest_speaks_french_and_leads_to_the_games(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(server, locale="fr-FR", viewport=PHONE)
    page.goto("/")
    address = "/manifest.webmanifest?lang=fr"
    link = page.locator("link[rel=manifest]")
    expect(link).to_have_attribute("href", server.folder + address)
    manifest = page.request.get(address).json()
    assert manifest["lang"] == "fr"
    sentence = page.get_by_test_id("hero").get_by_text(manifest["description"], exact=True)
    expect(sentence).to_be_visible()
    maps = ("next-station/london", "next-station/tokyo", "ticket-to-ride/london")
    addresses = [f"{server.folder}/new/{name}" for name in maps]
    assert [entry["url"] for entry in manifest["shortcuts"]] == addresses
    for shortcut in manifest["shortcuts"]:
        page.goto(shortcut["url"])
        expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text(shortcut["name"])
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Fermer").click()
    page.wait_for_url(f"{server.url}/")


def test_settings_offer_what_the_browser_offers(server: Server, new_page: NewPage) -> None:
    """The offer itself is the browser's, which makes none while it is driven by a program."""
    page = new_page(server)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    install = page.get_by_test_id("install")
    expect(install).to_have_count(0)
    page.evaluate(
        """dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }),
            { prompt: () => Promise.resolve(window.asked = true) }))"""
    )
    install.click()
    assert page.evaluate("window.asked")
    expect(install).to_have_count(0)


# Without the server

WORDS = {
    "en-GB": {
        "lost": "No connection. Trying again; nothing is lost.",
        "play": "Can’t reach the server. You need it to play.",
        "lists": "Can’t reach the server. The lists come back with it.",
    },
    "fr-FR": {
        "lost": "Pas de connexion. Nouvel essai en cours ; rien n’est perdu.",
        "play": "Serveur injoignable. Il en faut un pour jouer.",
        "lists": "Serveur injoignable. Les listes reviendront avec lui.",
        "name": "Serveur injoignable. Votre nom y est enregistré.",
        "record": "Serveur injoignable. C’est lui qui vérifie les parties.",
        "table": "Serveur injoignable. La table reviendra d’elle-même.",
        "settings": "Réglages",
    },
}


def looks_around(page: Page, words: dict[str, str]) -> None:
    """Home is all there, and whatever needs the server says so."""
    expect(page.get_by_text(words["lost"])).to_be_visible()
    for name in MAPS:
        card = page.get_by_test_id(f"map-{name}")
        assert card.locator("img").evaluate("image => image.complete && image.naturalWidth")
        expect(card.get_by_text(words["play"])).to_be_visible()
        for button in card.get_by_role("button").all():
            expect(button).to_be_disabled()
            expect(button).to_have_accessible_description(words["play"])
    expect(page.get_by_test_id("open-tables")).to_contain_text(words["lists"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "web." not in page.locator("body").inner_text()


def test_cut_off_and_back(server: Server, new_page: NewPage) -> None:
    page, words = new_page(server, **KEEPING), WORDS["en-GB"]
    visited(page)
    page.context.set_offline(True)
    looks_around(page, words)
    page.reload()
    looks_around(page, words)
    page.get_by_role("button", name="FR: Français").click()
    looks_around(page, WORDS["fr-FR"])
    page.get_by_role("button", name="EN: English").click()
    page.context.set_offline(False)
    expect(page.get_by_text(words["lost"])).to_have_count(0)
    wish(page, MAPS[0])
    page.get_by_test_id("start").click()
    page.get_by_test_id("play").wait_for()


def test_the_server_stops(own_server: Server, new_page: NewPage) -> None:
    small = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
    player = Player(new_page(own_server, locale="fr-FR", **KEEPING, **small))
    page, words = player.page, WORDS["fr-FR"]
    visited(page)
    player.play_alone("london")
    player.play_on(1)
    table, turn = page.url, player.at()
    sheet = f"{own_server.folder}/api/shelf/next-station/london/sheet.svg"
    assert page.evaluate("sheet => fetch(sheet).then(a => a.ok)", sheet)
    own_server.stop()
    lasting = re.compile("/api/(shelf(/[a-z-]+/[a-z-]+)?|texts/(en|fr)|rules/.*)")
    assert [p for p in kept(page) if p.startswith("/api/") and not lasting.fullmatch(p)] == []
    page.goto("/")
    looks_around(page, words)
    assert findings(page) == []
    page.get_by_role("button", name=words["settings"]).click()
    expect(page.get_by_text(words["name"])).to_be_visible()
    page.keyboard.press("Escape")
    page.goto("/replay")
    expect(page.get_by_text(words["record"])).to_be_visible()
    expect(page.locator("input[type=file]")).to_be_disabled()
    page.goto(table)
    expect(page.get_by_text(words["table"])).to_be_visible()
    own_server.start()
    page.get_by_test_id("play").wait_for()  # by itself
    assert player.at() == turn
    expect(page.get_by_text(words["lost"])).to_have_count(0)


# A new version


@pytest.fixture
def copied_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """A server that runs from a copy of the package, whose client can be replaced."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "src/headway", folder / "headway")
    running = new_server(tmp_path_factory, PYTHONPATH=folder)
    yield running, folder / "headway/server/static"
    running.stop()


def build_anew(static: Path) -> None:
    """Another build of the same client: its files have other names, and the old ones are gone."""
    texts = [path for path in static.rglob("*") if path.suffix in (".html", ".js", ".css")]
    assets = [path for path in texts if path.parent.name == "assets"]
    for path in texts:
        text = path.read_text()
        for asset in assets:
            text = text.replace(asset.name, f"new-{asset.name}")
        path.write_text(re.sub('"name":"[0-9a-f]{12}"', '"name":"new"', text))
    for asset in assets:
        asset.rename(asset.with_name(f"new-{asset.name}"))


FOLLOW_WORKERS = """navigator.serviceWorker?.getRegistration().then(kept => {
  window.workers = []
  kept?.addEventListener('updatefound', () => workers.push(kept.installing))
  navigator.serviceWorker.addEventListener('controllerchange', () => { window.taken = true })
})"""
"""Notes the workers that come, and that another one has the page."""
TAKEN = "() => window.taken && navigator.serviceWorker.controller.state === 'activated'"
KEPT_PAGES = """async () => {
  const root = new URL('.', navigator.serviceWorker.controller.scriptURL)
  const pages = {}
  for (const name of await caches.keys()) {
    const page = await (await caches.open(name)).match(root)
    pages[name] = page && (await page.text()).match(/src="([^"]*index)/)[1]
  }
  return pages
}"""
"""The script of the page that each cache keeps, without its hash."""


def test_a_new_version_takes_over(copied_server: tuple[Server, Path], new_page: NewPage) -> None:
    """Offered, not forced: the game goes on, with parts of the old version, until it is wanted."""
    server, static = copied_server
    player = Player(new_page(server, **KEEPING))
    page = player.page
    visited(page)
    player.play_alone("london")
    player.play_on(1)
    table = page.url
    page.add_init_script(FOLLOW_WORKERS)
    page.evaluate(FOLLOW_WORKERS)
    server.stop()
    old_page = (static / "index.html").read_bytes()
    build_anew(static)
    fresh_page = (static / "index.html").read_bytes()
    (static / "index.html").write_bytes(old_page)
    server.start()
    # Where servers are replaced one by one, a worker may get the page of another build.
    page.wait_for_function("() => workers.length && workers.at(-1).state === 'redundant'")
    assert page.evaluate("caches.keys().then(names => names.includes('headway-new'))") is False
    (static / "index.html").write_bytes(fresh_page)
    page.evaluate("navigator.serviceWorker.getRegistration().then(kept => void kept.update())")
    page.wait_for_function("() => workers.at(-1).state === 'installed'")
    newer = page.get_by_test_id("newer")
    expect(newer).to_contain_text("A new version is available.")
    assert findings(page) == []
    player.play_on(1)
    page.locator(".mark").click()
    page.get_by_role("link", name="Open a record").click()  # a part that was not loaded so far
    page.get_by_test_id("open-record").wait_for()
    assert [source for source in loaded(page) if "/new-" in source] == []
    page.goto(table)
    player.situation()
    assert [source for source in loaded(page) if "/new-" not in source] == []
    expect(newer).to_have_count(0)
    page.wait_for_function(TAKEN)
    assert page.evaluate(KEPT_PAGES) == {"headway-new": f"{server.folder}/assets/new-index"}
    server.stop()
    window = page.context.new_page()
    window.goto(f"{server.folder}/")
    looks_around(window, WORDS["en-GB"])
    assert [source for source in loaded(window) if "/new-" not in source] == []


def loaded(page: Page) -> list[str]:
    """The scripts that this page has loaded since it was opened."""
    urls: list[str] = page.evaluate(
        """performance.getEntriesByType('resource').map(each => each.name)
            .filter(name => name.endsWith('.js') && !name.endsWith('worker.js'))"""
    )
    return urls
