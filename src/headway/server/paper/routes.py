"""Games played with pencils."""

from __future__ import annotations

from litestar import Controller, Response
from litestar.params import JSONBody

from headway.server.paper import service as paper
from headway.server.paper.service import FullSheet, Paper, PaperGame, PaperQuestion, SheetScore
from headway.server.people.names import clean_name
from headway.server.tables.schema import Why
from headway.server.web.dependencies import Context, Process, computed, write
from headway.server.web.limits import limited


class PaperController(Controller):
    """Games written down from their sheets; the server keeps nothing of them."""

    path = "/api/paper"
    tags = ("paper",)

    @write(guards=[limited("paper")])
    async def paper(
        self, data: JSONBody[PaperGame], process: Process, context: Context
    ) -> Response[Paper]:
        """What is written down of a game: its sheets, what can come next, its record at the end.

        Nothing is kept here: send all of it each time.
        """
        names = [clean_name(name) if name.strip() else "" for name in data.names]
        return await computed(process, context, paper.paper, data, names)

    @write("/why", guards=[limited("paper")])
    async def paper_why(
        self, data: JSONBody[PaperQuestion], process: Process, context: Context
    ) -> Response[Why]:
        """Why a sheet cannot show a move next; empty if it can."""
        return await computed(process, context, paper.why_not, data, context.lang)

    @write("/sheet", guards=[limited("paper")])
    async def full_sheet(
        self, data: JSONBody[FullSheet], process: Process, context: Context
    ) -> Response[SheetScore]:
        """The score of a full sheet without its cards, and what no cards allow on it."""
        return await computed(process, context, paper.check_sheet, data, context.lang)
