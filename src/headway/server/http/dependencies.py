"""What all addresses of the HTTP interface share: who asks, what is asked for, how it can fail."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.di import Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from headway.server.fields import MOST_SEATS
from headway.server.http.middleware import Asked
from headway.server.http.schema.errors import Failure
from headway.server.http.schema.guests import Me
from headway.server.process import House

Asks = Request[Any, Any, Any]
Seat = Annotated[int, Parameter(ge=0, lt=MOST_SEATS)]
Wide = Annotated[int, Parameter(ge=16, le=4096)]
TableId = Annotated[str, Parameter(min_length=1, max_length=16)]


def failures(*codes: int) -> dict[int, ResponseSpec]:
    """The errors that an address may answer with."""
    texts = {
        400: "Cannot be read",
        401: "Unknown token",
        403: "Not yours to do",
        404: "Nothing there",
        409: "Not now",
        413: "Too large",
        422: "Breaks a rule of the game",
        429: "Too often",
        503: "Not able to, try again",
    }
    return {code: ResponseSpec(Failure, description=texts[code]) for code in codes}


READ = failures(400, 401, 403, 404, 429)
REPLAY = failures(400, 401, 403, 404, 409, 429)
WRITE = failures(400, 401, 403, 404, 409, 413, 422, 429, 503)


def house_of(request: Asks) -> House:
    """The house that a request came to."""
    found: House = request.app.state.house
    return found


def asked_of(request: Asks) -> Asked:
    """What the frame found out about a request."""
    found: Asked = request.scope["state"]["asked"]
    return found


DEPENDENCIES = {
    "house": Provide(house_of, sync_to_thread=False),
    "asked": Provide(asked_of, sync_to_thread=False),
}


def guest_of(asked: Asked) -> str:
    """The guest who asks."""
    assert asked.guest is not None
    return asked.guest


async def me_now(house: House, asked: Asked) -> Me:
    """Who asks, as they are told."""
    guest = guest_of(asked)
    name = await house.guests.name(guest, asked.lang)
    account = await house.accounts.register.of_guest(guest)
    return Me(guest, name, house.guests.csrf(guest), account is not None)
