"""Practice: find the best move in positions of real games."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, Response
from litestar.params import JSONBody, PathParameter, QueryParameter

from headway.server.core.fields import MoveText
from headway.server.practice import tasks as puzzle_tasks
from headway.server.practice.service import PracticeAnswer, PracticePuzzle, PracticeRating
from headway.server.tables.schema import Why
from headway.server.web.dependencies import Context, Process, computed, read, write
from headway.server.web.limits import limited

PuzzleId = Annotated[str, PathParameter(min_length=1, max_length=16)]


class PuzzleMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move in a puzzle."""

    move: MoveText


class PracticeController(Controller):
    """Positions in which one move is clearly the best."""

    path = "/api/practice"
    tags = ("practice",)

    @read(guards=[limited("practice")])
    async def puzzle(
        self,
        process: Process,
        context: Context,
        game: Annotated[str | None, QueryParameter(max_length=40)] = None,
    ) -> PracticePuzzle:
        """A puzzle that I have not answered, about as strong as I am; of any game or of one."""
        return await process.practice.next(context.guest, game, context.owners)

    @read("/rating")
    async def rating(self, process: Process, context: Context) -> PracticeRating:
        """My rating as a solver."""
        return await process.practice.rating(context.guest)

    @write("/{puzzle_id:str}", guards=[limited("practice")])
    async def solve(
        self, puzzle_id: PuzzleId, data: JSONBody[PuzzleMove], process: Process, context: Context
    ) -> PracticeAnswer:
        """My answer to a puzzle, judged; only the first one moves the ratings."""
        return await process.practice.answer(puzzle_id, context.guest, data.move, context.owners)

    @write("/{puzzle_id:str}/why", guards=[limited("practice")])
    async def puzzle_why(
        self, puzzle_id: PuzzleId, data: JSONBody[PuzzleMove], process: Process, context: Context
    ) -> Response[Why]:
        """Why a move is not possible in a puzzle; empty if it is."""
        stored = await process.practice.find(puzzle_id)
        puzzle = stored.content, data.move, context.lang
        return await computed(process, context, puzzle_tasks.why_not, *puzzle)
