"""The middleware around the application: request ids, identity, headers, one log line each."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import msgspec

from headway.errors import HeadwayError
from headway.i18n import SOURCE, say
from headway.server.core import metrics
from headway.server.core.errors import RefusedError, forbidden, not_found
from headway.server.process import ServerProcess
from headway.server.web.context import SAFE_METHODS, RequestContext
from headway.server.web.errors import failure, retry_headers, status_of
from headway.server.web.limits import Limits
from headway.settings import OPEN, SESSION_SECONDS, ServerSettings

log = logging.getLogger("headway.app")
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PERSONAL = b"private, no-store"
HEADERS = [
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"cache-control", PERSONAL),  # unless an answer says otherwise
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), interest-cohort=()"),
]

Scope = Any
Receive = Any
Send = Any


class ContextMiddleware:
    """Finds out who asks, refuses strangers' pages and floods, and adds headers to answers."""

    def __init__(self, app: Any, settings: ServerSettings) -> None:
        self.app = app
        self.settings = settings
        self._folder = settings.folder
        self._warned_of_forwarding = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if self._folder and scope["type"] == "http" and scope["path"] == self._folder:
            await _redirect(f"{self._folder}/", send)  # the service worker is for what is below
            return
        scope = _below(self._folder, scope) if self._folder else scope
        context = RequestContext(scope, self.settings)
        if scope.get("method") == "HEAD":  # to the routes a GET, whose content uvicorn leaves out
            scope = context.scope = scope | {"method": "GET"}
        if context.ignored_forwarding and not self._warned_of_forwarding:
            self._warned_of_forwarding = True
            log.warning(say("server.forwarded", SOURCE))
        scope.setdefault("state", {})["context"] = context
        try:
            await self._identify(context)
            if scope["type"] == "http":
                send = self._with_headers(context, send)
            else:
                context.send = send
            await self.app(scope, receive, send)
        except HeadwayError as error:
            await self._refuse(context, error, send)
        finally:
            context.log()

    async def _identify(self, context: RequestContext) -> None:
        """Finds the guest; raises for a flood, an unknown token or a stranger's page."""
        process: ServerProcess = self.app.state.process
        limits: Limits = self.app.state.limits
        if not context.trusted:
            await limits.take("files" if context.anonymous else "address", context.address)
        if "\0" in context.path or b"%00" in context.scope.get("query_string", b""):
            raise not_found()  # PostgreSQL takes no zero character, not even to compare
        if context.token is not None and not context.anonymous:
            guest = await process.guests.of_token(context.token)
            if guest is None:
                raise RefusedError(HTTPStatus.UNAUTHORIZED, "server.token")
        else:
            guest = await process.guests.of_cookie(context.cookie)
        context.guest, context.new_guest = guest or process.guests.new(), guest is None
        if context.trusted:
            context.address = f"guest {context.guest}"  # counts as an address for itself
        if guest and not context.anonymous:
            await limits.take("guest", guest)
        if self.settings.entry != OPEN and not context.anonymous:
            context.stranger = not await process.accounts.has_account(context.guest)
        if context.stranger and context.scope["type"] == "websocket":
            raise forbidden("server.stranger")
        self._refuse_cross_site(context)
        if context.scope["type"] == "http" and context.method not in SAFE_METHODS:
            process.bans.refuse(context.guest, f"{context.method} {context.path}")
        if context.has_body and context.media_type != "application/json":
            # A form of a foreign page can send other types without asking first.
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "server.json_only")

    def _refuse_cross_site(self, context: RequestContext) -> None:
        """Lets only our own pages and programs change anything or open a socket."""
        origin = self.settings.site
        if context.scope["type"] == "websocket":
            program = context.token is not None and not context.header("origin")
            if not (program or context.from_own_page(origin)):
                raise forbidden("server.origin")
        elif context.method not in SAFE_METHODS and context.token is None:
            if context.cross_site(origin):
                raise forbidden("server.csrf")

    def _with_headers(self, context: RequestContext, send: Send) -> Send:
        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                context.status = message["status"]
                present = {name.lower(): value for name, value in message["headers"]}
                shared = b"public" in present.get(b"cache-control", b"")
                cookies = [] if shared else self._cookies(context)
                if cookies:  # no cache keeps an answer with a cookie, not even the browser's
                    present.pop(b"cache-control", None)
                sent = [header for header in message["headers"] if header[0].lower() in present]
                ours = [header for header in HEADERS if header[0] not in present]
                ids = [(b"x-request-id", context.id)]
                if not shared and context.path.startswith("/api/"):
                    number = self.app.state.process.operator_notice.number
                    ids.append((b"headway-notice", str(number).encode()))
                message["headers"] = [*sent, *ours, *cookies, *ids]
            await send(message)

        return answer

    def _cookies(self, context: RequestContext) -> list[tuple[bytes, bytes]]:
        program = context.token is not None or context.anonymous
        if program or not (context.new_guest or context.session):
            return []
        value = context.session or self.app.state.process.guests.cookie(context.guest)
        secure = "; Secure" if context.secure else ""
        path, age = self._folder or "/", SESSION_SECONDS
        attributes = f"HttpOnly; Path={path}; SameSite=Lax; Max-Age={age}{secure}"
        return [(b"set-cookie", f"{context.cookie_name}={value}; {attributes}".encode())]

    async def _refuse(self, context: RequestContext, error: HeadwayError, send: Send) -> None:
        context.status = status_of(error)
        metrics.refusals(error.key).inc()
        if context.scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4000 + context.status})
            return
        body = msgspec.json.encode(failure(error, context.lang))
        retry = [(k.encode(), v.encode()) for k, v in retry_headers(error).items()]
        length = (b"content-length", str(len(body)).encode())
        headers = [(b"content-type", b"application/json"), length, *HEADERS, *retry]
        headers.append((b"x-request-id", context.id))
        start = {"type": "http.response.start", "status": context.status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body})


def _below(folder: str, scope: Scope) -> Scope:
    """Returns a request as it would come to the root of a host; proxies may take the path off."""
    path: str = scope["path"]
    if not path.startswith(f"{folder}/"):
        return scope
    shorter = {"path": path.removeprefix(folder)}
    if raw := scope.get("raw_path"):
        shorter["raw_path"] = raw.removeprefix(folder.encode())
    return scope | shorter


async def _redirect(path: str, send: Send) -> None:
    headers = [(b"location", path.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 308, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
