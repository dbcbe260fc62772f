"""The application: `create_app` puts the process, the routes and the middleware together.

The port is bound before anything else starts, and listened on when all is ready (`listening.py`).
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path

import msgspec
import uvicorn
from litestar import Litestar, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.enums import OpenAPIMediaType
from litestar.openapi import OpenAPIConfig
from litestar.serialization import encode_json
from litestar.types import ControllerRouterHandler
from sqlalchemy.engine import make_url

from headway import __version__
from headway.errors import HeadwayError, InputError
from headway.i18n import SOURCE, say
from headway.server.backups.backups import back_up_before
from headway.server.content.routes import ContentController
from headway.server.content.site import FILES, HouseController, answer_error_with_page
from headway.server.core import log as log_format
from headway.server.core.database import open_engine, prepare, sqlite_file, used
from headway.server.core.migrations import Versions, upgrade
from headway.server.core.workers import Account
from headway.server.daily.routes import DailyController
from headway.server.listening import ListeningServer, bind
from headway.server.lobby.hub import LobbyNews
from headway.server.lobby.routes import LobbyController, lobby_live
from headway.server.notices.routes import NoticeController
from headway.server.notices.service import Notice
from headway.server.operation import Figures, OperationController, OperatorNoticeController
from headway.server.paper.routes import PaperController
from headway.server.people.account_routes import AccountController
from headway.server.people.routes import GuestController, PeopleController
from headway.server.practice.routes import PracticeController
from headway.server.process import ServerProcess
from headway.server.replays.routes import ReplayController
from headway.server.reviews.routes import ReviewController, record_review_live, review_live
from headway.server.supervisor import Child, notify, this_child
from headway.server.tables.routes import TableController, live
from headway.server.tables.schema import MESSAGES
from headway.server.web.context import proxy_networks
from headway.server.web.dependencies import (
    AS_IT_IS,
    DEPENDENCIES,
    Context,
    Process,
    operation_id,
    refuse_strangers,
)
from headway.server.web.limits import Limits, limited
from headway.server.web.middleware import ContextMiddleware
from headway.server.web.protocol import protocols
from headway.settings import ServerSettings, unknown_variables

log = logging.getLogger("headway.app")
REQUEST_BYTES = 20_000
COMPRESSION_BYTES = 2000
"""Shorter answers gain nothing from compression."""
COMPRESSION_LEVEL = 5


@get(
    ["/schema", "/schema/openapi.json"],
    include_in_schema=False,
    guards=[limited("documents")],
    media_type=OpenAPIMediaType.OPENAPI_JSON,
)
async def openapi_document(process: Process, context: Context, state: State) -> bytes:
    """The OpenAPI document. A worker makes it, once: that takes a second."""
    if "document" not in state:
        pages, account = process.workers.pages, Account(context.owners)
        # Made while the worker prepares: a slow machine may need longer than for a page.
        state.document = (await pages.page(openapi, account, prepare=openapi)).encode()
    document: bytes = state.document
    return document


ROUTES: list[ControllerRouterHandler] = [
    GuestController, ContentController, TableController, ReplayController, ReviewController,
    PracticeController,
    PaperController, AccountController, PeopleController, NoticeController, LobbyController,
    DailyController, OperationController, OperatorNoticeController,
    HouseController,
    live, lobby_live, review_live, record_review_live, *FILES,
]  # fmt: skip


def create_app(settings: ServerSettings, child: Child | None = None) -> ContextMiddleware:
    """Returns the whole server as an ASGI application; `child` if it is one of several."""
    limits = Limits(settings.rate, settings.channels)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        folder, number = (Path(child.figures), child.number) if child else (None, 0)
        async with (
            ServerProcess.running(settings) as process,
            Figures(process).running(folder, number) as figures,
        ):
            app.state.process, app.state.limits, app.state.figures = process, limits, figures
            try:
                yield
            finally:
                await limits.close()

    app = Litestar(
        [*ROUTES, openapi_document],
        dependencies=DEPENDENCIES,
        guards=[refuse_strangers],
        lifespan=[running],
        request_max_body_size=REQUEST_BYTES,
        compression_config=CompressionConfig(
            "gzip",
            minimum_size=COMPRESSION_BYTES,
            gzip_compress_level=COMPRESSION_LEVEL,
            exclude_opt_key=AS_IT_IS,
        ),
        exception_handlers={Exception: answer_error_with_page},
        openapi_config=None,
        logging_config=None,
    )
    return ContextMiddleware(app, settings)


@cache
def openapi() -> str:
    """Returns the OpenAPI document as JSON; no server runs and no database is opened."""
    described = OpenAPIConfig(
        title="Headway",
        version=__version__,
        description=say("server.api", SOURCE),
        operation_id_creator=operation_id,
    )
    app = Litestar(ROUTES, dependencies=DEPENDENCIES, openapi_config=described)
    document = json.loads(encode_json(app.openapi_schema.to_schema()))
    # What sockets and notices bring: no address names it.
    place = "#/components/schemas/{name}"
    _, messages = msgspec.json.schema_components((*MESSAGES, LobbyNews, Notice), ref_template=place)
    schemas = document["components"]["schemas"]
    document["components"]["schemas"] = messages | schemas
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


async def _check_database(address: str) -> Versions:
    """Upgrades the database, or says in a sentence what is wrong with it."""
    try:
        engine = open_engine(address, patient=True)
        if file := engine.dialect.name == "sqlite" and engine.url.database:
            sqlite3.connect(file).close()  # aiosqlite complains from another thread
        try:
            return await upgrade(
                engine, lambda versions: asyncio.to_thread(back_up_before, address, versions)
            )
        finally:
            await engine.dispose()
    except HeadwayError:
        raise
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise InputError("server.database", reason=f"{type(error).__name__}: {reason}") from None


def _tune_garbage_collector() -> None:
    """Makes full collections rare and the others short: each stops all tables.

    At 500 moves a second a collection of 50,000 new objects took 50 to 80 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 10, 10_000)


def serve(settings: ServerSettings, on_listening: Callable[[int], None]) -> None:
    """Runs a server until it is stopped; tells the port on which it listens as soon as it does.

    As one of several processes, it tells its parent that it listens.
    """
    child = this_child()
    log_format.start(settings.log_level, settings.log_format, child.number if child else 0)
    # Uvicorn raises the signal again once it has closed everything: then this ends with 0.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    _warn_of_variables()
    proxy_networks(settings.trusted_proxy)  # says what is wrong with it before anything starts
    sockets = child.listening() if child else bind(settings)
    with _used(settings.database_url):
        versions = asyncio.run(_check_database(settings.database_url))
        _tune_garbage_collector()

        app = create_app(settings, child)

        def started() -> None:
            if child:
                child.ready()
                child.follow(asyncio.get_running_loop())
            else:
                # On stdout first: a program that reads it may look at the log next.
                on_listening(0 if settings.socket else sockets[0].getsockname()[1])
                notify("READY=1")
            _log_start(settings, versions)

        def drain() -> None:
            notify("STOPPING=1")
            app.app.state.process.draining = True

        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            ws_max_size=4096,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=5,
            proxy_headers=False,
            **protocols(settings),
        )
        try:
            ListeningServer(config, started, drain, settings.drain_seconds).run(sockets)
        except KeyboardInterrupt:
            pass
        finally:
            if settings.socket and not child:
                Path(settings.socket).unlink(missing_ok=True)
            log.info("stopped")


def _warn_of_variables() -> None:
    for name, likely in unknown_variables(os.environ).items():
        key = "server.variable_likely" if likely else "server.variable"
        log.warning(say(key, SOURCE, name=name, likely=likely))


@contextmanager
def _used(address: str) -> Iterator[None]:
    """Makes the file of an SQLite database private, and marks it as used."""
    file = sqlite_file(address)
    if file is None:
        yield
        return
    prepare(file)
    with used(file) as alone:
        if not alone:
            log.warning(say("server.database_shared", SOURCE))
        yield


def _log_start(settings: ServerSettings, versions: Versions) -> None:
    kind = make_url(settings.database_url).get_backend_name()
    migrated = versions.before if versions.before != versions.after else None
    facts = {"version": __version__, "database": kind, "schema": versions.after}
    log.info("started", extra=facts | ({} if migrated is None else {"schema_before": migrated}))
