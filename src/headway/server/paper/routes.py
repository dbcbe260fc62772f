"""Games played with pencils."""

from __future__ import annotations

from functools import partial

from litestar import Controller, Response
from litestar.params import JSONBody

from headway.server.paper import service as paper
from headway.server.paper.service import FullSheet, Paper, PaperGame, PaperQuestion, SheetScore
from headway.server.people.names import clean_name
from headway.server.tables.schema import Why
from headway.server.web.dependencies import Context, Process, json_answer, write
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
        work = partial(paper.paper, data, names)
        return json_answer(await process.workers.pages.json(work, context.owners))

    @write("/why", guards=[limited("paper")])
    async def paper_why(
        self, data: JSONBody[PaperQuestion], process: Process, context: Context
    ) -> Response[Why]:
        """Why a sheet cannot show a move next; empty if it can."""
        work = partial(paper.why_not, data, context.lang)
        return json_answer(await process.workers.pages.json(work, context.owners))

    @write("/sheet", guards=[limited("paper")])
    async def full_sheet(
        self, data: JSONBody[FullSheet], process: Process, context: Context
    ) -> Response[SheetScore]:
        """The score of a full sheet without its cards, and what no cards allow on it."""
        work = partial(paper.check_sheet, data, context.lang)
        return json_answer(await process.workers.pages.json(work, context.owners))
