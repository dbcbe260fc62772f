"""The HTTP interface of people: accounts, profiles, the deals of the day."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Response, delete, get, post
from litestar.params import Parameter

from headway.server.daily.deals import Today
from headway.server.errors import Refused
from headway.server.fields import NAME_LENGTH
from headway.server.http.dependencies import READ, WRITE, guest_of, me_now
from headway.server.http.middleware import Asked
from headway.server.http.schema.accounts import Credentials, Farewell, NewPassword
from headway.server.http.schema.guests import Me
from headway.server.people.accounts import name_key
from headway.server.people.profiles import Profile, profile
from headway.server.process import House
from headway.server.table.view import ENCODER, Table, show

AccountName = Annotated[str, Parameter(min_length=1, max_length=NAME_LENGTH)]
Word = Annotated[str, Parameter(min_length=1, max_length=40)]


def _person(asked: Asked) -> str:
    """The guest who asks, with a browser: a program's token is not for accounts."""
    if asked.bearer is not None:
        raise Refused(403, "server.token_account")
    return guest_of(asked)


# Accounts


@post("/api/account", responses=WRITE, operation_id="claim", tags=["accounts"])
async def claim(data: Credentials, house: House, asked: Asked) -> Me:
    """Claims a name: an account with all that I have played as a guest."""
    guest = _person(asked)
    found = await house.accounts.claim(guest, data.name, data.password, asked.address)
    asked.becomes(*found)
    house.live.hang_up(guest)
    return await me_now(house, asked)


@post(
    "/api/account/session",
    responses=WRITE,
    operation_id="sign_in",
    tags=["accounts"],
    status_code=200,
)
async def sign_in(data: Credentials, house: House, asked: Asked) -> Me:
    """Signs in on this device; what I have played here as a guest comes along."""
    guest = _person(asked)
    found = await house.accounts.sign_in(guest, data.name, data.password, asked.address)
    asked.becomes(*found)
    house.live.hang_up(guest)
    return await me_now(house, asked)


@delete(
    "/api/account/session",
    responses=WRITE,
    operation_id="sign_out",
    tags=["accounts"],
    status_code=200,
)
async def sign_out(house: House, asked: Asked) -> Me:
    """Signs out on this device, which is a new guest from now on."""
    guest = _person(asked)
    await house.guests.end_session(asked.cookies)
    asked.becomes(house.guests.new())
    house.live.hang_up(guest)
    return await me_now(house, asked)


@post(
    "/api/account/password",
    responses=WRITE,
    operation_id="change_password",
    tags=["accounts"],
    status_code=200,
)
async def change_password(data: NewPassword, house: House, asked: Asked) -> Me:
    """Another password; all other devices are signed out."""
    guest = _person(asked)
    found = await house.accounts.change_password(guest, data.old, data.new, asked.address)
    asked.becomes(guest, found)
    house.live.hang_up(guest)
    return await me_now(house, asked)


@post(
    "/api/account/delete",
    responses=WRITE,
    operation_id="delete_account",
    tags=["accounts"],
    status_code=200,
)
async def delete_account(data: Farewell, house: House, asked: Asked) -> Me:
    """Deletes my account and data; this device is a new guest from now on."""
    guest = _person(asked)
    await house.accounts.remove(guest, data.password, asked.address)
    asked.becomes(house.guests.new())
    house.live.hang_up(guest)
    return await me_now(house, asked)


@get("/api/people/{name:str}", responses=READ, operation_id="profile", tags=["accounts"])
async def profile_of(name: AccountName, house: House, asked: Asked) -> Profile:
    """What everybody may know of an account."""
    found = await house.accounts.register.named(name_key(name))
    if found is None:
        raise Refused(404, "server.no_person")
    return await profile(house.store, found, asked.guest)


# Deals of the day


@get("/api/today", responses=READ, operation_id="today", tags=["today"])
async def today(
    house: House, asked: Asked, day: Annotated[str | None, Parameter(max_length=10)] = None
) -> Today:
    """The deals of today with my tries, or those of a day that is over."""
    return await house.today.shown(day, guest_of(asked))


@post(
    "/api/today/{game:str}/{map_name:str}",
    responses=WRITE,
    operation_id="begin_today",
    tags=["today"],
    status_code=200,
)
async def begin_today(game: Word, map_name: Word, house: House, asked: Asked) -> Response[Table]:
    """My one try at a deal of today: begins it, or leads back to it."""
    guest = guest_of(asked)
    name = await house.guests.name(guest, asked.lang)
    now = await house.today.begin(game, map_name, guest, name)
    body = ENCODER.encode(show(now, guest, house.live.presence(now)))
    answer: Response[Any] = Response(body, media_type=MediaType.JSON)
    return answer


PEOPLE = [
    claim, sign_in, sign_out, change_password, delete_account, profile_of, today, begin_today,
]  # fmt: skip
