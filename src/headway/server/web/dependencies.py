"""What the routes share: dependencies, path parameters, how an address can fail, and the door.

Where `HEADWAY_ENTRY` keeps strangers out, guests without an account, every route and every socket
is closed to them unless it says `opt=ANYBODY`: the page, its files, texts and rules, health, and
the ways to an account.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from litestar import MediaType, Request, Response, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from headway.server.core.errors import forbidden
from headway.server.core.fields import MOST_SEATS
from headway.server.process import ServerProcess
from headway.server.web.context import RequestContext, context_of
from headway.server.web.errors import Failure
from headway.server.web.limits import Limits

HttpRequest = Request[Any, Any, Any]
Seat = Annotated[int, PathParameter(ge=0, lt=MOST_SEATS)]
SeatQuery = Annotated[int | None, QueryParameter(ge=0, lt=MOST_SEATS, schema_extra={"minimum": 0})]
"""Litestar leaves a bound of 0 on an optional parameter out of the document."""
TableId = Annotated[str, PathParameter(min_length=1, max_length=16)]
Word = Annotated[str, PathParameter(min_length=1, max_length=40)]

Process = NamedDependency[ServerProcess]
Context = NamedDependency[RequestContext]
RateLimits = NamedDependency[Limits]

AS_IT_IS = "as_it_is"
"""Marks a route whose answers the app does not compress: too short ones, or compressed already."""
ANYBODY = {"anybody": True}
"""Marks a route, or a controller's, that strangers may use too."""
_TEXTS = {
    400: "Cannot be read",
    401: "Unknown token",
    403: "Not yours to do",
    404: "Nothing there",
    409: "Not now",
    413: "Too large",
    415: "Not JSON",
    422: "Breaks a rule of the game",
    429: "Too often",
    503: "Not able to, try again",
}


def failures(*codes: int) -> dict[int, ResponseSpec]:
    """Returns the errors that an address may answer with."""
    return {code: ResponseSpec(Failure, description=_TEXTS[code]) for code in codes}


READ = failures(400, 401, 403, 404, 429, 503)
REPLAY = failures(400, 401, 403, 404, 409, 429, 503)
WRITE = failures(400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
read = partial(get, responses=READ)
read_game = partial(get, responses=REPLAY)
write = partial(post, responses=WRITE, status_code=200)


def operation_id(handler: HTTPRouteHandler, method: object, path: object) -> str:
    """Returns what the OpenAPI document calls a route: the name of its function."""
    return handler.handler_name


def process_of(request: HttpRequest) -> ServerProcess:
    """Returns the process that serves a request."""
    process: ServerProcess = request.app.state.process
    return process


def limits_of(request: HttpRequest) -> Limits:
    """Returns the rate limits of the process."""
    limits: Limits = request.app.state.limits
    return limits


def request_context(request: HttpRequest, process: Process) -> RequestContext:
    """Returns the context of a request.

    It names the process so that Litestar calls the two in turn: for dependencies that could run at
    the same time it starts a group of tasks, which costs more than they do.
    """
    return context_of(request)


def person_of(context: RequestContext) -> str:
    """Returns the guest behind a browser; refuses a program, whose token is for playing only."""
    if context.token is not None:
        raise forbidden("server.token_account")
    return context.guest


async def computed(
    process: ServerProcess, context: RequestContext, work: Callable[..., object], *arguments: object
) -> Response[Any]:
    """Answers with what a worker process returns for these arguments, as JSON."""
    content = await process.workers.pages.json(partial(work, *arguments), context.owners)
    return Response(content, media_type=MediaType.JSON)


DEPENDENCIES = {
    "process": Provide(process_of, sync_to_thread=False),
    "context": Provide(request_context, sync_to_thread=False),
    "limits": Provide(limits_of, sync_to_thread=False),
}


async def refuse_strangers(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuses a stranger at a route that is not for everybody."""
    if context_of(connection).stranger and not handler.opt.get("anybody"):
        raise forbidden("server.stranger")
