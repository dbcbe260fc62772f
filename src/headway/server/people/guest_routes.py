"""Guests and their tokens."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, delete, get, patch, post, put
from litestar.params import JSONBody, PathParameter

from headway.server.people.guests import TOKEN_ID_LENGTH, TokenHead
from headway.server.people.names import clean_name
from headway.server.people.schema import (
    Me,
    NewName,
    NewToken,
    Sharing,
    SharingChoice,
    Token,
    TokenName,
)
from headway.server.process import ServerProcess
from headway.server.web.context import RequestContext
from headway.server.web.dependencies import (
    READ,
    WRITE,
    Context,
    Process,
    person_of,
)
from headway.server.web.limits import limited

TokenId = Annotated[str, PathParameter(min_length=TOKEN_ID_LENGTH, max_length=TOKEN_ID_LENGTH)]


async def me_of(process: ServerProcess, context: RequestContext) -> Me:
    """Returns the guest who asks, as they may know themselves."""
    name = await process.guests.name(context.guest, context.lang)
    account = await process.account_store.by_guest(context.guest)
    sharing = await process.account_store.sharing_of(context.guest)
    return Me(context.guest, name, account is not None, msgspec.convert(sharing, SharingChoice))


class GuestController(Controller):
    """Who asks."""

    path = "/api"
    tags = ("guests",)

    @get("/me", responses=READ, operation_id="me")
    async def me(self, process: Process, context: Context) -> Me:
        """Who I am here; the first answer brings the cookie along."""
        return await me_of(process, context)

    @patch("/me", responses=WRITE, operation_id="rename")
    async def rename(self, data: JSONBody[NewName], process: Process, context: Context) -> Me:
        """Takes another name, for tables from now on."""
        guest = person_of(context)
        await process.accounts.rename(guest, data.name)
        process.connections.rename_guest(guest)
        return await me_of(process, context)

    @put("/me/sharing", responses=WRITE, operation_id="decide_sharing")
    async def decide_sharing(
        self, data: JSONBody[Sharing], process: Process, context: Context
    ) -> Me:
        """Decides how I appear in open data; only an account has a name to show."""
        await process.accounts.decide_sharing(person_of(context), data.sharing)
        return await me_of(process, context)

    @post("/tokens", responses=WRITE, operation_id="new_token", guards=[limited("tokens")])
    async def new_token(
        self, data: JSONBody[NewToken], process: Process, context: Context
    ) -> Token:
        """A token for a program that plays in my name, shown this once."""
        name = clean_name(data.name) if data.name else ""
        return Token(await process.guests.new_token(person_of(context), name))

    @get("/tokens", responses=READ, operation_id="tokens")
    async def tokens(self, process: Process, context: Context) -> list[TokenHead]:
        """My tokens, the newest first; what a token is was shown when it was made."""
        return await process.guests.tokens(person_of(context))

    @patch("/tokens/{token:str}", responses=WRITE, operation_id="rename_token")
    async def rename_token(
        self, token: TokenId, data: JSONBody[TokenName], process: Process, context: Context
    ) -> list[TokenHead]:
        """Calls one of my tokens something else."""
        guest = person_of(context)
        await process.guests.rename_token(guest, token, clean_name(data.name))
        return await process.guests.tokens(guest)

    @delete("/tokens/{token:str}", responses=WRITE, operation_id="revoke_token", status_code=200)
    async def revoke_token(
        self, token: TokenId, process: Process, context: Context
    ) -> list[TokenHead]:
        """Ends one of my tokens; programs that use it are disconnected."""
        guest = person_of(context)
        await process.guests.revoke_token(guest, token)
        process.connections.close_guest(guest)
        return await process.guests.tokens(guest)
