"""The deals of the day."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller
from litestar.params import QueryParameter

from headway.server.daily.deals import Today
from headway.server.tables.routes import TableAnswer, answer_table
from headway.server.web.dependencies import Context, Process, Word, read, write
from headway.server.web.limits import limited


class DailyController(Controller):
    """One deal a day for each map, and one try at it."""

    path = "/api/today"
    tags = ("today",)

    @read()
    async def today(
        self,
        process: Process,
        context: Context,
        day: Annotated[str | None, QueryParameter(max_length=10)] = None,
    ) -> Today:
        """The deals of today with my tries, or those of a day that is over."""
        return await process.daily.shown(day, context.guest)

    @write("/{game:str}/{map_name:str}", guards=[limited("tables")])
    async def begin_today(
        self, game: Word, map_name: Word, process: Process, context: Context
    ) -> TableAnswer:
        """My one try at a deal of today: begins it, or leads back to it."""
        guest, persona = context.guest, await process.guests.persona(context.guest, context.lang)
        state = await process.daily.begin(game, map_name, guest, persona, context.address)
        return answer_table(process, state, context)
