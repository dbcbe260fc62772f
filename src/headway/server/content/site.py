"""The page for all addresses of people, its assets, and what programs expect of a site.

Browsers get a manifest of Headway as an app to install: name, colours, icons and shortcuts. Other
programs show a link with a title, a description and a picture (Open Graph). Such a preview is made
for nobody in particular: it shows what a spectator may see, whoever asks. The host's own pages are
here too: imprint, contact and privacy.
"""

from __future__ import annotations

import gzip
import json
import mimetypes
import re
import struct
from datetime import UTC, datetime, timedelta
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import quote

import msgspec
from litestar import Controller, MediaType, Response, get
from litestar.params import FromPath

from headway.errors import HeadwayError
from headway.games import boxes
from headway.i18n import SOURCE, languages, number, say
from headway.server.content.pictures import MAP_PIXELS
from headway.server.core.errors import not_found
from headway.server.process import ServerProcess
from headway.server.tables.state import TableState
from headway.server.tables.view import occupant_name, title_of, titles
from headway.server.web.context import RequestContext, context_of
from headway.server.web.dependencies import (
    ANYBODY,
    AS_IT_IS,
    Context,
    HttpRequest,
    Process,
    process_of,
    read,
)
from headway.server.web.errors import answer_error
from headway.settings import OPEN
from headway.svg import DARK, LIGHT, png

ICON = "/icons/any-512.png"
_TABLE = re.compile(r"/t/(\w{1,16})(/replay.*|/review)?", re.ASCII)
REVIEW = "/review"
_TODAY = re.compile(r"/today(/.*)?")
ICONS = (("any", 192), ("any", 512), ("maskable", 192), ("maskable", 512))
"""The purpose and the size of each icon."""
TOUCH = ("maskable", 180)
"""For Apple's devices, which round the corners themselves."""
# Two lines that meet at a station. A mask may leave only a circle four fifths as wide as the icon,
# so the mark is smaller there and the background fills everything.
_MARK = (
    '<g fill="none" stroke-width="5" stroke-linecap="round">'
    f'<path d="M8 23 15 16H25" stroke="{DARK["blue"]}"/>'
    f'<path d="M8 9 15 16" stroke="{DARK["pink"]}"/></g>'
    f'<circle cx="16" cy="16" r="4.4" fill="{LIGHT["sheet"]}"'
    f' stroke="{LIGHT["ink"]}" stroke-width="2.4"/>'
)
_VIEW_BOX = {"any": "0 0 32 32", "maskable": "-4 -4 40 40"}
_BACKGROUND = {
    "any": f'<rect width="32" height="32" rx="8" fill="{LIGHT["ink"]}"/>',
    "maskable": f'<rect x="-4" y="-4" width="40" height="40" fill="{LIGHT["ink"]}"/>',
}
_FROM_ROOT = re.compile(r'( (?:href|src)=")/')
"""Addresses in the page, which begin at the root of a host."""
STATIC = Path(__file__).parents[1] / "static"
FOREVER = "public, max-age=31536000, immutable"
DAY = "public, max-age=86400"
PROGRAM_PATHS = ("/api/", "/assets/", "/icons/", "/schema", "/.well-known/")
"""Addresses that only programs ask for: their errors are JSON."""
SECURITY_FILE = "/.well-known/security.txt"
SECURITY_DAYS = 180
"""How long the contact is promised; RFC 9116 advises less than a year."""
ROBOTS = """User-agent: *
Disallow: /api/
Disallow: /schema
Disallow: /metrics
Allow: /api/*.png
"""
"""Robots may read pages, and the pictures that previews of links show."""
PageName = Literal["imprint", "contact", "privacy"]
"""The pages that a host may write, as text files in a folder."""
MOST_BYTES = 200_000
"""How much of such a file is shown."""


class LinkPreview(NamedTuple):
    """The preview of a page; `picture` is an address on this server."""

    title: str
    description: str
    picture: str

    def html(self, site: str, origin: str, path: str) -> str:
        """Returns the elements for the head of the page.

        Without an origin the addresses have no host: `Host` is whatever a client sends, and
        programs that show links keep what they read for others.
        """
        values = {
            "og:type": "website",
            "og:site_name": site,
            "og:title": self.title,
            "og:description": self.description,
            "og:url": origin + quote(path),
            "og:image": origin + self.picture,
            "og:image:alt": self.title,
            "description": self.description,
            "twitter:card": "summary" if self.picture == ICON else "summary_large_image",
        }
        kinds = {key: "property" if key.startswith("og:") else "name" for key in values}
        return "".join(
            f'<meta {kinds[key]}="{key}" content="{escape(value)}">'
            for key, value in values.items()
        )


async def preview_of(process: ServerProcess, context: RequestContext) -> LinkPreview:
    """Returns the preview of the page that a request asks for."""
    lang, path, name = context.lang, context.path, process.settings.name or "Headway"
    if process.settings.entry != OPEN:
        return LinkPreview(name, say("preview.closed", lang), ICON)
    if match := _TABLE.fullmatch(path):
        try:
            return await _of_table(process, match[1], match[2] or "", lang)
        except HeadwayError:
            pass  # there is no such table: the page says so
    if _TODAY.fullmatch(path):
        box = next(iter(boxes()))
        picture = _map_picture(box.name, box.maps[0], lang)
        return LinkPreview(say("web.today.title", lang), say("web.today.what", lang), picture)
    return LinkPreview(name, say("web.hero_more", lang), ICON)


async def _of_table(process: ServerProcess, table_id: str, page: str, lang: str) -> LinkPreview:
    state = await process.authority.refresh(table_id)
    setup = state.setup
    title = titles(setup.game, setup.map, len(state.occupants))[lang]
    empty = _map_picture(setup.game, setup.map, lang)
    if setup.day and process.store.calendar.is_today(setup.day):
        # Others play the same deal: neither its cards nor its results are shown.
        today = say("preview.today", lang, title=title)
        return LinkPreview(today, say("web.today.what", lang), empty)
    picture = "poster" if state.finished else "picture"
    board = f"/api/tables/{setup.id}/{picture}.png?lang={lang}&width={MAP_PIXELS}"
    if page and state.finished:
        title = say("preview.review" if page == REVIEW else "preview.replay", lang, title=title)
    return LinkPreview(title, _description(state, lang), board if state.started else empty)


def _map_picture(game: str, map_name: str, lang: str) -> str:
    """Returns the address of the picture of a map, on which nothing is dealt."""
    return f"/api/shelf/{quote(game)}/{quote(map_name)}/picture.png?lang={lang}"


def _description(state: TableState, lang: str) -> str:
    names = [occupant_name(occupant, state.setup.game, lang) for occupant in state.occupants]
    if state.finished:
        outcome = state.playing().outcome()
        totals = outcome.totals if outcome else ()
        names = [f"{name} {number(total)}" for name, total in zip(names, totals, strict=True)]
        return say("preview.finished", lang, names=", ".join(names))
    return say(
        "preview.running" if state.started else "preview.waiting", lang, names=", ".join(names)
    )


def _svg(shape: str) -> str:
    """Returns the icon: with round corners, or to be cut out in any shape."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_VIEW_BOX[shape]}">'
    return f"{head}{_BACKGROUND[shape]}{_MARK}</svg>"


@cache
def icons() -> dict[str, bytes]:
    """Returns all icons by file name."""
    pixels = {f"{shape}-{size}.png": png(_svg(shape), size) for shape, size in (*ICONS, TOUCH)}
    return {"any.svg": _svg("any").encode(), **pixels}


@cache
def favicon() -> bytes:
    """Returns the icon as an ICO file with one PNG in it, of 32 pixels."""
    size = 32
    picture = png(_svg("any"), size)
    head = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(picture), len(head) + 16)
    return head + entry + picture


def manifest(lang: str, folder: str, name: str = "") -> dict[str, Any]:
    """Returns the web app manifest in a language, for pages below a folder of a host."""
    icons = [
        {
            "src": f"{folder}/icons/any.svg",
            "type": "image/svg+xml",
            "sizes": "any",
            "purpose": "any",
        },
        *(
            {
                "src": f"{folder}/icons/{shape}-{size}.png",
                "type": "image/png",
                "sizes": f"{size}x{size}",
                "purpose": shape,
            }
            for shape, size in ICONS
        ),
    ]
    return {
        "id": f"{folder}/",
        "name": name or "Headway",
        "short_name": name or "Headway",
        "description": say("web.hero_more", lang),
        "lang": lang,
        "dir": "ltr",
        "start_url": f"{folder}/",
        "scope": f"{folder}/",
        "display": "standalone",
        "background_color": LIGHT["paper"],
        "theme_color": LIGHT["paper"],
        "categories": ["games"],
        "icons": icons,
        "shortcuts": _shortcuts(lang, folder),
    }


@cache
def _shortcuts(lang: str, folder: str) -> list[dict[str, str]]:
    """Returns a shortcut to a new table for each map."""
    return [
        {
            "name": title_of(game_box.open(name, game_box.seats.start))[lang],
            "url": f"{folder}/new/{game_box.name}/{name}",
        }
        for game_box in boxes()
        for name in game_box.maps
    ]


def _path(name: str) -> Path:
    """Returns the path of a file of the client."""
    try:
        path = (STATIC / name).resolve()
        there = path.is_relative_to(STATIC.resolve()) and path.is_file()
    except (OSError, ValueError):  # the name is too long for the system, or cannot be one
        there = False
    if not there:
        raise not_found()
    return path


def _file(path: Path, content: bytes, caching: str, **headers: str) -> Response[bytes]:
    """Answers with a file of the client."""
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Response(content, media_type=kind, headers={"cache-control": caching, **headers})


@cache
def _gzipped(path: Path) -> bytes:
    return gzip.compress(path.read_bytes())


def _page(request: HttpRequest, caching: str, head: str = "") -> Response[bytes]:
    """Answers with the page; it names its language and what the host has chosen.

    `head` goes into its head.
    """
    settings, lang = process_of(request).settings, context_of(request).lang
    folder = settings.folder
    chosen = {
        "folder": folder,
        "name": settings.name,
        "pages": " ".join(house_pages(settings.pages)),
    }
    if settings.entry != OPEN:
        chosen["entry"] = settings.entry
    text = (STATIC / "index.html").read_text("utf-8")
    if folder:
        text = _FROM_ROOT.sub(rf"\1{folder}/", text)
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in chosen.items() if value)
    text = text.replace("<html", f"<html{data}", 1)
    text = text.replace('lang="en"', f'lang="{lang}"', 1)
    text = text.replace("</head>", f"{head}</head>", 1)
    headers = {"cache-control": caching, "vary": "accept-language"}
    return Response(text.encode(), media_type=MediaType.HTML, headers=headers)


def _addresses() -> list[str]:
    """Returns the addresses of pages, which the client's build takes from its routes."""
    path = STATIC / "routes.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else ["/"]


@get(_addresses(), include_in_schema=False, opt=ANYBODY)
async def page(request: HttpRequest) -> Response[bytes]:
    """The client, whatever the address; it reads the rest itself.

    What others show of a link to it is in its head.
    """
    if not (STATIC / "index.html").is_file():
        text = say("server.no_client", context_of(request).lang)
        return Response(text.encode(), media_type=MediaType.TEXT, status_code=503)
    context = context_of(request)
    process = process_of(request)
    preview = await preview_of(process, context)
    settings = process.settings
    head = preview.html(settings.name or "Headway", settings.origin.rstrip("/"), context.path)
    return _page(request, "private, no-cache", head)


@get("/assets/{name:path}", include_in_schema=False, opt={AS_IT_IS: True} | ANYBODY)
async def asset(request: HttpRequest, name: FromPath[Path]) -> Response[bytes]:
    """A file whose name changes when its content does, packed as the browser can unpack it.

    The client's build packs all texts with Brotli, which browsers accept over HTTPS.
    """
    path = _path(f"assets/{str(name).lstrip('/')}")
    packed = path.with_name(f"{path.name}.br")
    if not packed.is_file():
        return _file(path, path.read_bytes(), FOREVER)
    wishes = context_of(request).header("accept-encoding").replace(" ", "").split(",")
    vary = {"vary": "accept-encoding"}
    if "br" in wishes:
        return _file(path, packed.read_bytes(), FOREVER, **vary, **{"content-encoding": "br"})
    if "gzip" in wishes:
        return _file(path, _gzipped(path), FOREVER, **vary, **{"content-encoding": "gzip"})
    return _file(path, path.read_bytes(), FOREVER, **vary)


@get("/worker.js", include_in_schema=False, opt=ANYBODY)
async def service_worker() -> Response[bytes]:
    """The service worker: at the root, as it may only serve what lies below it."""
    path = _path("worker.js")
    return _file(path, path.read_bytes(), "public, no-cache")


@get("/manifest.webmanifest", include_in_schema=False, opt=ANYBODY)
async def app_manifest(request: HttpRequest) -> Response[dict[str, Any]]:
    """What a browser must know to install the page as an app, in the language asked for."""
    settings = process_of(request).settings
    content = manifest(context_of(request).lang, settings.folder, settings.name)
    headers = {"cache-control": "public, no-cache", "vary": "accept-language"}
    return Response(content, media_type="application/manifest+json", headers=headers)


@get("/icons/{name:str}", include_in_schema=False, opt=ANYBODY)
async def icon(name: FromPath[str]) -> Response[bytes]:
    """The icon in one of its sizes."""
    if name not in icons():
        raise not_found()
    kind = mimetypes.guess_type(name)[0]
    return Response(icons()[name], media_type=kind, headers={"cache-control": DAY})


def answer_error_with_page(request: HttpRequest, error: Exception) -> Response[Any]:
    """Answers an error; a person at an unknown address gets the client, which says so."""
    answer = answer_error(request, error)
    person = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    context = context_of(request)
    page = not context.path.startswith(PROGRAM_PATHS) and (STATIC / "index.html").is_file()
    if not (answer.status_code == 404 and person and page):
        return answer
    shown = _page(request, "private, no-store")
    shown.status_code = 404
    return shown


@get("/robots.txt", include_in_schema=False, opt=ANYBODY, media_type=MediaType.TEXT)
async def robots() -> Response[str]:
    """What search engines may read."""
    return Response(ROBOTS, headers={"cache-control": DAY})


@get("/favicon.ico", include_in_schema=False, opt=ANYBODY)
async def favicon_file() -> Response[bytes]:
    """The icon, for programs that do not read the page."""
    return Response(favicon(), media_type="image/x-icon", headers={"cache-control": DAY})


@get(SECURITY_FILE, include_in_schema=False, opt=ANYBODY, media_type=MediaType.TEXT)
async def security(request: HttpRequest) -> Response[str]:
    """Whom to tell about a hole in this server, as RFC 9116 has it; not found without a contact."""
    settings = process_of(request).settings
    if not settings.contact:
        raise not_found("server.no_contact")
    day = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        f"Contact: {settings.contact}",
        f"Expires: {(day + timedelta(days=SECURITY_DAYS)).strftime('%Y-%m-%dT%H:%M:%SZ')}",
        f"Preferred-Languages: {', '.join(languages())}",
    ]
    if settings.origin:
        lines.append(f"Canonical: {settings.origin}{SECURITY_FILE}")
    return Response("\n".join(lines) + "\n", headers={"cache-control": DAY})


class HousePage(msgspec.Struct, frozen=True):
    """A text of the host's: paragraphs between empty lines, headings after `# `."""

    text: str


def house_pages(folder: str) -> list[str]:
    """Returns which pages the host has written, in the order of their links."""
    return [
        name for name in get_args(PageName) if folder and any(Path(folder).glob(f"{name}*.txt"))
    ]


def page_text(folder: str, name: str, lang: str) -> str:
    """Returns a page in a language, else for all languages, else in the source's, else any."""
    files = [Path(folder, f"{name}{ending}.txt") for ending in (f".{lang}", "", f".{SOURCE}")]
    files += sorted(Path(folder).glob(f"{name}*.txt"))
    found = next((file for file in files if folder and file.is_file()), None)
    if found is None:
        raise not_found()
    return found.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")


class HouseController(Controller):
    """What the host says about the server."""

    path = "/api/house"
    tags = ("house",)
    opt = ANYBODY

    @read("/{page:str}")
    async def house_page(
        self, page: FromPath[PageName], process: Process, context: Context
    ) -> HousePage:
        """The host's imprint, contact or privacy text."""
        return HousePage(page_text(process.settings.pages, page, context.lang))


FILES = [page, asset, service_worker, app_manifest, icon, robots, favicon_file, security]
