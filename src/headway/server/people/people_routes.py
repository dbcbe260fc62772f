"""People I have played with: my list, challenges, and whom I avoid."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec
from litestar import Controller, delete
from litestar.params import JSONBody, PathParameter

from headway.games import boxes
from headway.server.core.errors import not_found
from headway.server.core.fields import RemarkText
from headway.server.people.acquaintances import MOST_AVOIDED, How, People, SeatPerson
from headway.server.people.ladder import Ladder, Standing, ladder, standing
from headway.server.tables.routes import TableAnswer, answer_table
from headway.server.tables.schema import Remark
from headway.server.web.dependencies import (
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

Number = Annotated[int, PathParameter(ge=0, lt=MOST_AVOIDED)]
RemarkNumber = Annotated[int, PathParameter(ge=1, lt=1 << 31)]


class Avoid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mutes or blocks somebody; without `on` no longer."""

    how: How
    on: bool = True


class NewRemark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What I write to the others at a table, at most 200 characters."""

    text: RemarkText


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
        await process.daily.visible(table, context.guest)
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
