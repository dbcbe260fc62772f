"""Accounts and profiles."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, delete, get, post
from litestar.params import JSONBody, PathParameter

from headway.server.core.errors import not_found
from headway.server.core.fields import NAME_LENGTH
from headway.server.people.account_schema import (
    Credentials,
    Farewell,
    NewPassword,
)
from headway.server.people.guest_routes import me_of
from headway.server.people.names import name_key
from headway.server.people.profiles import (
    Profile,
    ReviewQueue,
    profile,
    review_games,
    review_queue,
)
from headway.server.people.schema import Me
from headway.server.process import ServerProcess
from headway.server.web.context import RequestContext
from headway.server.web.dependencies import (
    READ,
    WRITE,
    Context,
    Process,
    RateLimits,
    person_of,
)
from headway.server.web.limits import limited

AccountName = Annotated[str, PathParameter(min_length=1, max_length=4 * NAME_LENGTH)]


async def _become(
    process: ServerProcess, context: RequestContext, guest: str, session: str = ""
) -> Me:
    """Makes the browser another guest; its open sockets close and open again."""
    before = context.guest
    context.become(guest, session)
    process.connections.close_guest(before)
    return await me_of(process, context)


class AccountController(Controller):
    """Accounts: names that are nobody else's, on several devices."""

    path = "/api"
    tags = ("accounts",)

    @post("/account", responses=WRITE, operation_id="claim")
    async def claim(
        self, data: JSONBody[Credentials], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Claims a name: an account with all that I have played as a guest."""
        guest = person_of(context)
        async with limits.new_account(context.address):
            account, session = await process.accounts.claim(guest, data.name, data.password)
        return await _become(process, context, account, session)

    @post("/account/session", responses=WRITE, operation_id="sign_in", status_code=200)
    async def sign_in(
        self, data: JSONBody[Credentials], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Signs in on this device; what I have played here as a guest comes along."""
        guest = person_of(context)
        async with limits.password_try(context.address, name_key(data.name)):
            account, session = await process.accounts.sign_in(guest, data.name, data.password)
        return await _become(process, context, account, session)

    @delete("/account/session", responses=WRITE, operation_id="sign_out", status_code=200)
    async def sign_out(self, process: Process, context: Context) -> Me:
        """Signs out on this device, which is a new guest from now on."""
        person_of(context)
        await process.guests.end_session(context.cookie)
        return await _become(process, context, process.guests.new())

    @post("/account/password", responses=WRITE, operation_id="change_password", status_code=200)
    async def change_password(
        self, data: JSONBody[NewPassword], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Another password; all other devices are signed out, and tokens end unless kept."""
        guest = person_of(context)
        async with limits.password_try(context.address, await process.accounts.key_of(guest)):
            session = await process.accounts.change_password(
                guest, data.old, data.new, keep_tokens=data.keep_tokens
            )
        return await _become(process, context, guest, session)

    @post("/account/delete", responses=WRITE, operation_id="delete_account", status_code=200)
    async def delete_account(
        self, data: JSONBody[Farewell], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Deletes my account and data; this device is a new guest from now on."""
        guest = person_of(context)
        async with limits.password_try(context.address, await process.accounts.key_of(guest)):
            await process.accounts.delete(guest, data.password)
        return await _become(process, context, process.guests.new())

    @post(
        "/account/reviews",
        responses=WRITE,
        operation_id="review_games",
        status_code=200,
        guards=[limited("reviews")],
    )
    async def review_my_games(self, process: Process, context: Context) -> ReviewQueue:
        """Has my last games reviewed that are not; those behind a quota wait for another time."""
        guest = person_of(context)
        return await review_games(process.authority, process.reviewing, guest, context.address)

    @get(
        "/account/reviews",
        responses=READ,
        operation_id="game_reviews",
        guards=[limited("review_progress")],
    )
    async def game_reviews(self, process: Process, context: Context) -> ReviewQueue:
        """How many of my reviews are still to be made."""
        return await review_queue(process.reviewing.store, context.guest)

    @get("/people/{name:str}", responses=READ, operation_id="profile")
    async def profile_of(self, name: AccountName, process: Process, context: Context) -> Profile:
        """What everybody may know of an account."""
        account = await process.account_store.by_name(name_key(name))
        if account is None:
            raise not_found("server.no_person")
        return await profile(process.store, process.reviewing.store, account, context.guest)
