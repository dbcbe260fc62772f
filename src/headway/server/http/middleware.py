"""The frame around the application: request ids, identity, limits, headers, one log line each."""

from __future__ import annotations

import logging
import re
import secrets
import time
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from headway.errors import HeadwayError
from headway.i18n import SOURCE, match
from headway.server.errors import Refused, status_of
from headway.server.http.limits import Limits, TooMany
from headway.server.http.schema.errors import ErrorBody, Failure
from headway.server.metrics import METRICS
from headway.server.people.guests import COOKIE, CSRF_COOKIE, CSRF_HEADER, Guests
from headway.settings import ServerSettings

log = logging.getLogger("headway.access")
SAFE = {"GET", "HEAD", "OPTIONS"}
YEAR = 365 * 86_400
QUIET = ("/health", "/metrics", "/assets/", "/icons/", "/manifest", "/worker.js", "/schema")
"""Addresses at which nobody becomes a guest; how often a guest asks for them is not counted."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), interest-cohort=()"),
]

Scope = Any
Receive = Any
Send = Any


_KINDS = [
    ("POST", re.compile(r"/api/tables(/[^/]+/rematch)?/?"), "tables"),
    ("POST", re.compile(r"/api/today/.*"), "tables"),
    ("POST", re.compile(r"/api/tokens/?"), "tokens"),
    ("POST", re.compile(r"/api/tables/[^/]+/hint/?"), "hints"),
    ("GET", re.compile(r"/api/tables/[^/]+/picture\.(svg|png)"), "pictures"),
    ("GET", re.compile(r"/api/shelf/[^/]+/[^/]+/sheet\.(svg|pdf)"), "pictures"),
    ("GET", re.compile(r"/api/tables/[^/]+/replay"), "replays"),
    ("POST", re.compile(r"/api/replay/?"), "replays"),
]


def language_of(accept: str, query: str) -> str:
    """The language of an answer: `?lang=`, else the first known one of `Accept-Language`."""
    if chosen := match(parse_qs(query).get("lang", [""])[0]):
        return chosen
    wanted = []
    for part in accept[:200].split(","):
        name, _, quality = part.strip().partition(";q=")
        try:
            wanted.append((-float(quality or 1), name))
        except ValueError:
            continue
    ordered = [match(name) for _, name in sorted(wanted, key=lambda w: w[0])]
    return next((known for known in ordered if known), SOURCE)


def failure(error: HeadwayError, lang: str) -> Failure:
    """An error as it goes over the wire."""
    words = error.sentence(lang), lang, error.where(lang)
    return Failure(ErrorBody(error.rule, error.key, *words, error.line))


class Frame:
    """Around every request and socket: who asks, how often, from where, and how long it took.

    Nothing hidden gets into a log line: no query, no body, no cookie, no name.
    """

    def __init__(self, app: Any, guests: Guests, limits: Limits, settings: ServerSettings) -> None:
        self.app = app
        self.guests = guests
        self.limits = limits
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asked = Asked(scope, self.settings)
        try:
            await self._identify(asked)
            if scope["type"] == "http":
                await self._http(asked, receive, send)
            else:
                await self._socket(asked, receive, send)
        except HeadwayError as error:
            await self._refuse(asked, error, send)

    async def _identify(self, asked: Asked) -> None:
        """Finds out who asks; raises if they ask too often or pretend."""
        await self.limits.take("address", asked.address)
        if asked.bearer is not None:
            asked.guest = await self.guests.of_token(asked.bearer)
            if asked.guest is None:
                raise Refused(401, "server.token")
        else:
            asked.guest = await self.guests.known(asked.cookies.get(COOKIE, ""))
            if asked.guest is None:
                asked.guest, asked.fresh = self.guests.new(), True
        # A browser fetches all files of the client at once, to keep them.
        if not asked.fresh and not asked.quiet:
            await self.limits.take("guest", asked.guest)
        for method, path, kind in _KINDS:
            if method == asked.method and path.fullmatch(asked.path):
                await self.limits.take(kind, asked.address if asked.fresh else asked.guest)
        if asked.method not in SAFE and asked.bearer is None:
            self._check_csrf(asked)
        asked.scope.setdefault("state", {})["asked"] = asked

    def _check_csrf(self, asked: Asked) -> None:
        sent, cookie = asked.header(CSRF_HEADER), asked.cookies.get(CSRF_COOKIE, "")
        foreign = asked.header("origin") and not asked.same_origin(self.settings.origin)
        if asked.fresh or foreign or not self.guests.csrf_matches(asked.guest or "", sent, cookie):
            raise Refused(403, "server.csrf")

    async def _http(self, asked: Asked, receive: Receive, send: Send) -> None:
        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                asked.status = message["status"]
                given = {name.lower() for name, _ in message["headers"]}
                headers = [(n, v) for n, v in HEADERS if n not in given]
                message["headers"] = [*message["headers"], *headers, *self._cookies(asked)]
            await send(message)

        try:
            await self.app(asked.scope, receive, answer)
        finally:
            asked.log()

    async def _socket(self, asked: Asked, receive: Receive, send: Send) -> None:
        """A browser's socket must come from our own pages; a program brings a token."""
        same = asked.same_origin(self.settings.origin) if asked.header("origin") else asked.bearer
        if not same:
            raise Refused(403, "server.origin")
        await self.limits.take("sockets", asked.guest or "")
        try:
            await self.app(asked.scope, receive, send)
        finally:
            asked.log()

    async def _refuse(self, asked: Asked, error: HeadwayError, send: Send) -> None:
        asked.status = status_of(error)
        if asked.scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4000 + asked.status})
        else:
            body = msgspec.json.encode(failure(error, asked.lang))
            headers = [
                (b"content-type", b"application/json"),
                *HEADERS,
                (b"x-request-id", asked.id),
            ]
            if isinstance(error, TooMany):
                headers.append((b"retry-after", str(error.wait).encode()))
            await send({"type": "http.response.start", "status": asked.status, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        asked.log()

    def _cookies(self, asked: Asked) -> list[tuple[bytes, bytes]]:
        headers = [(b"x-request-id", asked.id)]
        if asked.bearer is not None or asked.quiet or asked.guest is None:
            return headers
        csrf = self.guests.csrf(asked.guest)
        secure = "; Secure" if self.settings.origin.startswith("https") else ""
        end = f"; Path=/; SameSite=Lax; Max-Age={YEAR}{secure}"
        if asked.fresh or asked.session:
            own = asked.session or self.guests.cookie(asked.guest)
            cookie = f"{COOKIE}={own}; HttpOnly{end}"
            headers.append((b"set-cookie", cookie.encode()))
        if asked.cookies.get(CSRF_COOKIE) != csrf:
            headers.append((b"set-cookie", f"{CSRF_COOKIE}={csrf}{end}".encode()))
        return headers


class Asked:
    """A request or a socket that opens, with what the frame found out about it."""

    def __init__(self, scope: Scope, settings: ServerSettings) -> None:
        self.scope = scope
        self.id = secrets.token_hex(8).encode()
        self.began = time.perf_counter()
        self.status = 0
        self.guest: str | None = None
        self.fresh = False
        self.session = ""
        """The cookie of a session that began with this request."""
        self.method: str = scope.get("method", "GET")
        self.path: str = scope["path"]
        self.quiet = self.path.startswith(QUIET)
        self.headers: dict[str, str] = {
            n.decode("latin-1").lower(): v.decode("latin-1") for n, v in scope["headers"]
        }
        self.lang = language_of(
            self.header("accept-language"), scope.get("query_string", b"").decode("latin-1")
        )
        self.address = self._address(settings.trusted_proxy)
        self.cookies = _cookies(self.header("cookie"))
        kind, _, token = self.header("authorization").partition(" ")
        self.bearer = token.strip() if kind.lower() == "bearer" else None

    def becomes(self, guest: str, session: str = "") -> None:
        """Whoever asks is somebody else from now on: an account, or a guest who is new here."""
        self.guest, self.session, self.fresh = guest, session, not session

    def header(self, name: str) -> str:
        """A header of the request, empty if it has none of that name."""
        return self.headers.get(name, "")

    def _address(self, trusted: bool) -> str:
        client = self.scope.get("client")
        forwarded = self.header("x-forwarded-for").split(",")[-1].strip()
        return (forwarded if trusted else "") or str(client[0] if client else "")

    def same_origin(self, chosen: str) -> bool:
        """Whether the page that asks is one of ours."""
        origin = self.header("origin")
        if chosen:
            return origin == chosen.rstrip("/")
        return bool(urlsplit(origin).netloc) and urlsplit(origin).netloc == self.header("host")

    def log(self) -> None:
        """One line, and the counts."""
        span = time.perf_counter() - self.began
        template = self.scope.get("path_template") or "other"
        kind = self.scope["type"]
        METRICS.count("headway_requests_total", kind=kind, status=self.status or 101)
        if kind == "http":
            METRICS.span("headway_request_seconds", span)
        log.info(
            "request",
            extra={
                "id": self.id.decode(),
                "kind": kind,
                "method": self.method,
                "route": template,
                "status": self.status or 101,
                "ms": round(span * 1000, 1),
            },
        )


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header[:4096]).items()}
    except CookieError:
        return {}
