"""Guests with their tokens, and people I have played with."""

from __future__ import annotations

import time
from typing import Annotated, Literal

import msgspec
from litestar import Controller, delete, patch, put
from litestar.params import JSONBody, PathParameter

from headway.games import boxes
from headway.server.core.errors import not_found
from headway.server.core.fields import Face, Name, RemarkText
from headway.server.people.acquaintances import MOST_AVOIDED, How, People, SeatPerson
from headway.server.people.guests import TOKEN_ID_LENGTH, TokenHead
from headway.server.people.names import clean_name
from headway.server.people.profiles import Ladder, Standing, ladder, standing
from headway.server.process import ServerProcess
from headway.server.tables.routes import TableAnswer, answer_table
from headway.server.tables.schema import Remark
from headway.server.web.context import RequestContext
from headway.server.web.dependencies import (
    ANYBODY,
    WRITE,
    Context,
    Process,
    Seat,
    TableId,
    Word,
    person_of,
    read,
    write,
)
from headway.server.web.limits import limited

SharingChoice = Literal["pseudonym", "named", "none"]
TokenId = Annotated[str, PathParameter(min_length=TOKEN_ID_LENGTH, max_length=TOKEN_ID_LENGTH)]
Number = Annotated[int, PathParameter(ge=0, lt=MOST_AVOIDED)]
RemarkNumber = Annotated[int, PathParameter(ge=1, lt=1 << 31)]


class Me(msgspec.Struct, frozen=True):
    """The guest who asks.

    With an `account`, the name is nobody else's, and `/u/NAME` is its page. `face` is the one that
    I chose; without one my name makes it.
    """

    id: str
    name: str
    face: str
    account: bool
    sharing: SharingChoice


class Sharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How I appear in open data: under a pseudonym, under my account's name, or not at all."""

    sharing: SharingChoice


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name that a guest wants."""

    name: Name


class NewFace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The face that a guest wants."""

    face: Face


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token for a program that plays in the guest's name; `name` is a note for its owner."""

    name: Name = ""


class TokenName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the owner wants to call a token."""

    name: Name


class Token(msgspec.Struct, frozen=True):
    """Shown once: send it as `Authorization: Bearer …`."""

    token: str


class Avoid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mutes or blocks somebody; without `on` no longer."""

    how: How
    on: bool = True


class NewRemark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What I write to the others at a table, at most 200 characters."""

    text: RemarkText


async def me_of(process: ServerProcess, context: RequestContext) -> Me:
    """Returns the guest who asks, as they may know themselves."""
    name, face = await process.guests.persona(context.guest, context.lang)
    account = await process.accounts.store.by_guest(context.guest)
    sharing = await process.accounts.store.sharing_of(context.guest)
    choice = msgspec.convert(sharing, SharingChoice)
    return Me(context.guest, name, face, account is not None, choice)


class GuestController(Controller):
    """Who asks."""

    path = "/api"
    tags = ("guests",)

    @read("/me", opt=ANYBODY)
    async def me(self, process: Process, context: Context) -> Me:
        """Who I am here; the first answer brings the cookie along."""
        return await me_of(process, context)

    @patch("/me", responses=WRITE)
    async def rename(self, data: JSONBody[NewName], process: Process, context: Context) -> Me:
        """Takes another name, for tables from now on."""
        guest = person_of(context)
        await process.accounts.rename(guest, data.name)
        process.connections.rename_guest(guest)
        return await me_of(process, context)

    @put("/me/face", responses=WRITE)
    async def take_face(self, data: JSONBody[NewFace], process: Process, context: Context) -> Me:
        """Takes another face, for tables from now on."""
        guest = person_of(context)
        await process.guests.take_face(guest, data.face)
        process.connections.rename_guest(guest)
        return await me_of(process, context)

    @put("/me/sharing", responses=WRITE)
    async def decide_sharing(
        self, data: JSONBody[Sharing], process: Process, context: Context
    ) -> Me:
        """Decides how I appear in open data; only an account has a name to show."""
        await process.accounts.decide_sharing(person_of(context), data.sharing)
        return await me_of(process, context)

    @write("/tokens", guards=[limited("tokens")], status_code=201)
    async def new_token(
        self, data: JSONBody[NewToken], process: Process, context: Context
    ) -> Token:
        """A token for a program that plays in my name, shown this once."""
        name = clean_name(data.name) if data.name else ""
        return Token(await process.guests.new_token(person_of(context), name))

    @read("/tokens")
    async def tokens(self, process: Process, context: Context) -> list[TokenHead]:
        """My tokens, the newest first; what a token is was shown when it was made."""
        return await process.guests.tokens(person_of(context))

    @patch("/tokens/{token:str}", responses=WRITE)
    async def rename_token(
        self, token: TokenId, data: JSONBody[TokenName], process: Process, context: Context
    ) -> list[TokenHead]:
        """Calls one of my tokens something else."""
        guest = person_of(context)
        await process.guests.rename_token(guest, token, clean_name(data.name))
        return await process.guests.tokens(guest)

    @delete("/tokens/{token:str}", responses=WRITE, status_code=200)
    async def revoke_token(
        self, token: TokenId, process: Process, context: Context
    ) -> list[TokenHead]:
        """Ends one of my tokens; programs that use it are disconnected."""
        guest = person_of(context)
        await process.guests.revoke_token(guest, token)
        process.connections.close_guest(guest)
        return await process.guests.tokens(guest)


class PeopleController(Controller):
    """The people I know from my games."""

    path = "/api"
    tags = ("people",)

    @read("/me/people")
    async def people(self, process: Process, context: Context) -> People:
        """People I have played with, the last first; who challenges me, and whom I avoid."""
        return await process.acquaintances.of(context.guest)

    @delete("/me/people/avoided/{number:int}", responses=WRITE, status_code=200)
    async def forgive(self, number: Number, process: Process, context: Context) -> People:
        """Takes somebody off the list of those whom I avoid."""
        guest = person_of(context)
        await process.acquaintances.forgive(guest, number)
        return await process.acquaintances.of(guest)

    @read("/tables/{table:str}/standing")
    async def standing(self, table: TableId, process: Process, context: Context) -> Standing:
        """What a finished game has brought: ratings, and my firsts and records."""
        await process.daily.visible_row(table, context.guest)
        return await process.database.read(
            lambda connection: standing(connection, table, context.guest)
        )

    @read("/ladder/{game:str}")
    async def ladder(self, game: Word, process: Process, context: Context) -> Ladder:
        """The ladder of a game: accounts whose rating counts for others, and bots."""
        if game not in {game_box.name for game_box in boxes()}:
            raise not_found()
        return await process.database.read(
            lambda connection: ladder(connection, game, context.guest, time.time())
        )

    @write("/me/challenges/{table:str}/decline")
    async def decline(self, table: TableId, process: Process, context: Context) -> People:
        """Takes a challenge off my list."""
        guest = person_of(context)
        await process.acquaintances.decline(guest, table)
        return await process.acquaintances.of(guest)

    @read("/tables/{table:str}/people")
    async def table_people(
        self, table: TableId, process: Process, context: Context
    ) -> list[SeatPerson]:
        """What I know of the people at a table: whether they have a page, and whom I avoid."""
        return await process.acquaintances.at_table(table, context.guest)

    @write("/tables/{table:str}/seats/{seat:int}/avoid")
    async def avoid(
        self,
        table: TableId,
        seat: Seat,
        data: JSONBody[Avoid],
        process: Process,
        context: Context,
    ) -> list[SeatPerson]:
        """Mutes or blocks the person at a seat of a table of mine, who does not hear of it.

        Who is blocked can neither sit at my tables nor invite me nor be paired with me.
        """
        guest = person_of(context)
        await process.acquaintances.avoid(guest, table, seat, data.how, data.on)
        return await process.acquaintances.at_table(table, guest)

    @read("/tables/{table:str}/remarks")
    async def remarks(self, table: TableId, process: Process, context: Context) -> list[Remark]:
        """What the players of a table of mine have written to each other, the oldest first."""
        return await process.chat.of(table, context.guest)

    @write("/tables/{table:str}/remarks", guards=[limited("remarks")], status_code=201)
    async def remark(
        self, table: TableId, data: JSONBody[NewRemark], process: Process, context: Context
    ) -> Remark:
        """Writes to the others who play, where the host allows it."""
        guest = person_of(context)
        persona = await process.guests.persona(guest, context.lang)
        return await process.chat.write(table, guest, persona, data.text)

    @write(
        "/tables/{table:str}/remarks/{number:int}/report",
        guards=[limited("reports")],
        status_code=204,
    )
    async def report(
        self, table: TableId, number: RemarkNumber, process: Process, context: Context
    ) -> None:
        """Shows the operator what somebody else wrote."""
        await process.chat.report(table, person_of(context), number)

    @write("/tables/{table:str}/seats/{seat:int}/challenge", guards=[limited("tables")])
    async def challenge(
        self, table: TableId, seat: Seat, process: Process, context: Context
    ) -> TableAnswer:
        """A new table for two, like this one, to which I ask the person at a seat of it."""
        guest = person_of(context)
        persona = await process.guests.persona(guest, context.lang)
        state = await process.acquaintances.challenge(guest, persona, table, seat, context.address)
        return answer_table(process, state, context)
