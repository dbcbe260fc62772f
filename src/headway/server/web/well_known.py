"""Files that programs look for at every site: robots.txt, favicon.ico and security.txt."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from litestar import MediaType, Request, Response, get

from headway.i18n import languages
from headway.server.core.errors import not_found
from headway.server.web.dependencies import process_of
from headway.server.web.manifest import favicon
from headway.server.web.static import DAY

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


@get("/robots.txt", include_in_schema=False, media_type=MediaType.TEXT)
async def robots() -> Response[str]:
    """What search engines may read."""
    return Response(ROBOTS, headers={"cache-control": DAY})


@get("/favicon.ico", include_in_schema=False)
async def favicon_file() -> Response[bytes]:
    """The icon, for programs that do not read the page."""
    return Response(favicon(), media_type="image/x-icon", headers={"cache-control": DAY})


@get(SECURITY_FILE, include_in_schema=False, media_type=MediaType.TEXT)
async def security(request: Request[Any, Any, Any]) -> Response[str]:
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


WELL_KNOWN_FILES = [robots, favicon_file, security]
