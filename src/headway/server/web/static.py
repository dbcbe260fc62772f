"""Files: the page for all addresses of people, its assets, and what programs expect of a site."""

from __future__ import annotations

import json
import mimetypes
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.params import FromPath

from headway.i18n import languages, say
from headway.server.core.errors import not_found
from headway.server.web.context import context_of
from headway.server.web.dependencies import process_of
from headway.server.web.manifest import favicon, icons, manifest
from headway.server.web.preview import preview_of

STATIC = Path(__file__).parents[1] / "static"
FOREVER = "public, max-age=31536000, immutable"
DAY = "public, max-age=86400"
PROGRAM_PATHS = ("/api/", "/assets/", "/icons/", "/schema", "/.well-known/")
"""Addresses that only programs ask for: their errors are JSON."""

HttpRequest = Request[Any, Any, Any]
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


def _file(name: str, caching: str, lang: str = "", head: str = "") -> Response[bytes]:
    """Answers with a file; with `lang`, the page names its language; `head` goes into its head."""
    try:
        path = (STATIC / name).resolve()
        there = path.is_relative_to(STATIC.resolve()) and path.is_file()
    except (OSError, ValueError):  # the name is too long for the system, or cannot be one
        there = False
    if not there:
        raise not_found()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    content, headers = path.read_bytes(), {"cache-control": caching}
    if lang:
        content = content.replace(b'<html lang="en"', f'<html lang="{lang}"'.encode(), 1)
        headers["vary"] = "accept-language"
    if head:
        content = content.replace(b"</head>", f"{head}</head>".encode(), 1)
    return Response(content, media_type=kind, headers=headers)


def _addresses() -> list[str]:
    """Returns the addresses of pages, which the client's build takes from its routes."""
    path = STATIC / "routes.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else ["/"]


@get(_addresses(), include_in_schema=False)
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
    head = preview.html(process.settings.origin.rstrip("/"), context.path)
    return _file("index.html", "private, no-cache", context.lang, head)


@get("/assets/{name:path}", include_in_schema=False)
async def asset(name: FromPath[Path]) -> Response[bytes]:
    """A file whose name changes when its content does."""
    return _file(f"assets/{str(name).lstrip('/')}", FOREVER)


@get("/worker.js", include_in_schema=False)
async def service_worker() -> Response[bytes]:
    """The service worker: at the root, as it may only serve what lies below it."""
    return _file("worker.js", "public, no-cache")


@get("/manifest.webmanifest", include_in_schema=False)
async def app_manifest(request: HttpRequest) -> Response[dict[str, Any]]:
    """What a browser must know to install the page as an app, in the language asked for."""
    content = manifest(context_of(request).lang)
    headers = {"cache-control": "public, no-cache", "vary": "accept-language"}
    return Response(content, media_type="application/manifest+json", headers=headers)


@get("/icons/{name:str}", include_in_schema=False)
async def icon(name: FromPath[str]) -> Response[bytes]:
    """The icon in one of its sizes."""
    if name not in icons():
        raise not_found()
    kind = mimetypes.guess_type(name)[0]
    return Response(icons()[name], media_type=kind, headers={"cache-control": DAY})


def not_found_page(request: HttpRequest) -> Response[bytes] | None:
    """Returns the client for an unknown address, if a person asks and not a program."""
    person = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    context = context_of(request)
    page = not context.path.startswith(PROGRAM_PATHS) and (STATIC / "index.html").is_file()
    if not (person and page):
        return None
    shown = _file("index.html", "private, no-store", context.lang)
    shown.status_code = 404
    return shown


@get("/robots.txt", include_in_schema=False, media_type=MediaType.TEXT)
async def robots() -> Response[str]:
    """What search engines may read."""
    return Response(ROBOTS, headers={"cache-control": DAY})


@get("/favicon.ico", include_in_schema=False)
async def favicon_file() -> Response[bytes]:
    """The icon, for programs that do not read the page."""
    return Response(favicon(), media_type="image/x-icon", headers={"cache-control": DAY})


@get(SECURITY_FILE, include_in_schema=False, media_type=MediaType.TEXT)
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


FILES = [page, asset, service_worker, app_manifest, icon, robots, favicon_file, security]
