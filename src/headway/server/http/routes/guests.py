"""Guests and their tokens."""

from __future__ import annotations

from litestar import Controller, get, patch, post
from litestar.params import JSONBody

from headway.server.http.context import RequestContext
from headway.server.http.dependencies import READ, WRITE, Context, Process
from headway.server.http.limits import limited
from headway.server.http.schema.guests import Me, NewName, NewToken, Token
from headway.server.people.names import clean_name
from headway.server.process import ServerProcess


async def me_of(process: ServerProcess, context: RequestContext) -> Me:
    """Returns the guest who asks, as they may know themselves."""
    name = await process.guests.name(context.guest, context.lang)
    account = await process.account_store.by_guest(context.guest)
    return Me(context.guest, name, account is not None)


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
        await process.accounts.rename(context.guest, data.name)
        return await me_of(process, context)

    @post("/tokens", responses=WRITE, operation_id="new_token", guards=[limited("tokens")])
    async def new_token(
        self, data: JSONBody[NewToken], process: Process, context: Context
    ) -> Token:
        """A token for a program that plays in my name, shown this once."""
        name = clean_name(data.name) if data.name else ""
        return Token(await process.guests.new_token(context.guest, name))
