"""The client's files: one page for all addresses of people, assets with hashes in their names."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, get

from headway.catalogue import say
from headway.server.refusals import Refused

STATIC = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"
PROGRAMS = ("/api/", "/assets/", "/schema")
"""Addresses that only programs ask for: their errors are JSON."""
SQUEEZED = (".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt")

Asks = Request[Any, Any, Any]


@lru_cache(maxsize=256)
def _content(path: Path, changed: float) -> tuple[bytes, bytes | None]:
    """A file, plain and squeezed; read again when it has changed."""
    plain = path.read_bytes()
    return plain, gzip.compress(plain, 9, mtime=0) if path.suffix in SQUEEZED else None


def _file(request: Asks, name: str, caching: str) -> Response[bytes]:
    path = (STATIC / name).resolve()
    if not path.is_relative_to(STATIC.resolve()) or not path.is_file():
        raise Refused(404, "server.not_found")
    plain, squeezed = _content(path, path.stat().st_mtime)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    if squeezed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        plain = squeezed
    return Response(plain, media_type=kind, headers=headers)


@get(
    [
        "/", "/about", "/learn/{lesson:path}", "/t/{table:str}", "/t/{table:str}/replay",
        "/t/{table:str}/replay/{at:path}", "/replay", "/replay/{at:path}",
    ],
    include_in_schema=False,
)  # fmt: skip
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


@get("/{name:str}", include_in_schema=False)
async def root_file(request: Asks, name: str) -> Response[bytes]:
    """The few files that must lie at the root: the icon, the manifest."""
    return _file(request, name, "public, max-age=3600")


def nowhere(request: Asks) -> Response[bytes] | None:
    """The client for an address that is none, if a person came to it and not a program."""
    reads = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if not reads or request.url.path.startswith(PROGRAMS) or not (STATIC / "index.html").is_file():
        return None
    shown = _file(request, "index.html", "no-store")
    shown.status_code = 404
    return shown


PAGES = [page, asset, root_file]
