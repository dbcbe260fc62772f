"""The application: `create_app` puts the house, the interface and the frame together."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from litestar import Litestar, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.serialization import encode_json

from headway import __version__
from headway.errors import HeadwayError, InputError
from headway.i18n import SOURCE, say
from headway.server import log_format as logs
from headway.server.database.migrations import upgrade
from headway.server.database.tables import open_engine
from headway.server.errors import Refused, status_of
from headway.server.http.client_files import PAGES, nowhere
from headway.server.http.dependencies import DEPENDENCIES
from headway.server.http.limits import TooMany
from headway.server.http.middleware import Frame, failure
from headway.server.http.routes.api import API
from headway.server.http.routes.people import PEOPLE
from headway.server.http.socket import live
from headway.server.process import House
from headway.settings import ServerSettings

log = logging.getLogger("headway.app")
BODY_BYTES = 20_000
_KEYS = {404: "server.not_found", 405: "server.method", 413: "server.too_large"}


def create_app(settings: ServerSettings) -> Frame:
    """The whole server as an ASGI application."""
    house = House(settings)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        app.state.house = house
        await house.open()
        try:
            yield
        finally:
            await house.close()

    app = Litestar(
        [*API, *PEOPLE, live, *PAGES],
        dependencies=DEPENDENCIES,
        lifespan=[running],
        request_max_body_size=BODY_BYTES,
        exception_handlers={Exception: _sentence},
        openapi_config=_openapi(),
        logging_config=None,
    )
    return Frame(app, house.guests, house.limits, settings)


def openapi() -> str:
    """The OpenAPI document as JSON; no server runs and no database is opened."""
    app = create_app(ServerSettings("sqlite:///never-opened.sqlite")).app
    document = json.loads(encode_json(app.openapi_schema.to_schema()))
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Headway",
        version=__version__,
        description=say("server.api", SOURCE),
        path="/schema",
        render_plugins=[JsonRenderPlugin()],
    )


def _sentence(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Every error as a sentence; one of ours as itself, one of the server's without details.

    Somebody who came to an address that is none sees the client, which says so.
    """
    asked = request.scope["state"]["asked"]
    if not isinstance(error, HeadwayError):
        error = _translated(error, asked.id.decode())
    if status_of(error) == 404 and (shown := nowhere(request)):
        return shown
    headers = {"retry-after": str(error.wait)} if isinstance(error, TooMany) else None
    return Response(failure(error, asked.lang), status_code=status_of(error), headers=headers)


def _translated(error: Exception, request: str) -> HeadwayError:
    if isinstance(error, ValidationException):
        return InputError("format.field", reason=_reason(error))
    if isinstance(error, UnicodeDecodeError | RecursionError):
        return InputError("format.no_json", reason=type(error).__name__)  # Litestar lets it through
    if isinstance(error, HTTPException) and error.status_code in _KEYS:
        return Refused(error.status_code, _KEYS[error.status_code])
    if isinstance(error, HTTPException) and error.status_code < 500:
        return Refused(error.status_code, "format.field", reason=error.detail)
    log.error("request failed", exc_info=error, extra={"id": request})
    return Refused(500, "server.broken", id=request)


def _reason(error: ValidationException) -> str:
    """What is wrong in a field, without quoting what was sent."""
    extra = error.extra if isinstance(error.extra, list) else []
    found = [f"{e.get('key', '')}: {e.get('message', '')}".strip(": ") for e in extra]
    return "; ".join(found[:3]) or error.detail


async def _check_database(address: str) -> None:
    """Says in a sentence what is wrong with a database before anything else starts."""
    try:
        engine = open_engine(address)
        if file := engine.dialect.name == "sqlite" and engine.url.database:
            sqlite3.connect(file).close()  # aiosqlite complains from a thread of its own
        try:
            await upgrade(engine)
        finally:
            await engine.dispose()
    except HeadwayError:
        raise
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise InputError("server.database", reason=f"{type(error).__name__}: {reason}") from None


def _calm_collector() -> None:
    """Full collections over all tables would stop everything for long; they come seldom now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 1_000)


def serve(settings: ServerSettings, host: str, port: int) -> None:
    """Runs a server until it is stopped."""
    logs.start()
    asyncio.run(_check_database(settings.database_url))
    _calm_collector()
    uvicorn.run(
        create_app(settings),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=4096,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=30,
        timeout_graceful_shutdown=5,
        proxy_headers=False,
    )
