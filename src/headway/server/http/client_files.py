"""The client's files: one page for all addresses of people, assets with hashes in their names."""

from __future__ import annotations

import gzip
import json
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, get

from headway.i18n import say
from headway.server.errors import Refused
from headway.server.http.manifest import icons, manifest

STATIC = Path(__file__).parents[1] / "static"
FOREVER = "public, max-age=31536000, immutable"
DAY = "public, max-age=86400"
PROGRAMS = ("/api/", "/assets/", "/icons/", "/schema")
"""Addresses that only programs ask for: their errors are JSON."""
SQUEEZED = (".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt")

Asks = Request[Any, Any, Any]


@lru_cache(maxsize=256)
def _content(path: Path, changed: float, lang: str) -> tuple[bytes, bytes | None]:
    """A file, plain and squeezed; read again when it has changed. The page names its language."""
    plain = path.read_bytes()
    if path.name == "index.html":
        plain = plain.replace(b'<html lang="en"', f'<html lang="{lang}"'.encode(), 1)
    return plain, gzip.compress(plain, 9, mtime=0) if path.suffix in SQUEEZED else None


def _file(request: Asks, name: str, caching: str) -> Response[bytes]:
    path = (STATIC / name).resolve()
    if not path.is_relative_to(STATIC.resolve()) or not path.is_file():
        raise Refused(404, "server.not_found")
    plain, squeezed = _content(path, path.stat().st_mtime, request.scope["state"]["asked"].lang)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers = {"cache-control": caching, "vary": "accept-encoding, accept-language"}
    if squeezed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        plain = squeezed
    return Response(plain, media_type=kind, headers=headers)


def _addresses() -> list[str]:
    """The addresses of pages, which `client/src/routes.ts` lists and the client's build writes."""
    path = STATIC / "routes.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else ["/"]


@get(_addresses(), include_in_schema=False)
async def page(request: Asks) -> Response[bytes]:
    """The client, whatever the address; it reads the rest itself."""
    if not (STATIC / "index.html").is_file():
        text = say("server.no_client", request.scope["state"]["asked"].lang)
        return Response(text.encode(), media_type=MediaType.TEXT, status_code=503)
    return _file(request, "index.html", "no-cache")


@get("/assets/{name:path}", include_in_schema=False)
async def asset(request: Asks, name: Path) -> Response[bytes]:
    """A file whose name changes when its content does."""
    return _file(request, f"assets/{str(name).lstrip('/')}", FOREVER)


@get("/worker.js", include_in_schema=False)
async def worker(request: Asks) -> Response[bytes]:
    """The service worker: at the root, as it may only serve what lies below it."""
    return _file(request, "worker.js", "no-cache")


@get("/manifest.webmanifest", include_in_schema=False)
async def app_manifest(request: Asks) -> Response[dict[str, Any]]:
    """What a browser must know to install the page as an app, in the language asked for."""
    found = manifest(request.scope["state"]["asked"].lang)
    headers = {"cache-control": "no-cache", "vary": "accept-language"}
    return Response(found, media_type="application/manifest+json", headers=headers)


@get("/icons/{name:str}", include_in_schema=False)
async def icon(name: str) -> Response[bytes]:
    """The icon in one of its sizes."""
    if name not in icons():
        raise Refused(404, "server.not_found")
    kind = mimetypes.guess_type(name)[0]
    return Response(icons()[name], media_type=kind, headers={"cache-control": DAY})


def nowhere(request: Asks) -> Response[bytes] | None:
    """The client for an address that is none, if a person came to it and not a program."""
    reads = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if not reads or request.url.path.startswith(PROGRAMS) or not (STATIC / "index.html").is_file():
        return None
    shown = _file(request, "index.html", "no-store")
    shown.status_code = 404
    return shown


PAGES = [page, asset, worker, app_manifest, icon]
