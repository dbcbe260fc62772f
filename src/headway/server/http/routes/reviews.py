"""Reviews of finished games, made in the background."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from litestar import Controller, Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from headway.reviews.exercises import Attempt
from headway.server.database.reviews import SENT
from headway.server.errors import conflict, not_found
from headway.server.fields import MOST_SEATS, RECORD_LENGTH
from headway.server.http.context import RequestContext
from headway.server.http.dependencies import (
    REPLAY,
    WRITE,
    Context,
    Process,
    TableId,
    json_answer,
)
from headway.server.http.limits import limited
from headway.server.http.schema.tables import NewAttempt, NewReview
from headway.server.play import review_tasks
from headway.server.play.review_tasks import Exercise
from headway.server.play.reviewing import ReviewState
from headway.server.process import ServerProcess
from headway.server.table.replay import played_record

SeatPlace = Annotated[int, QueryParameter(ge=0, lt=MOST_SEATS)]
TurnIndex = Annotated[int, QueryParameter(ge=0, lt=1000)]
ReviewId = Annotated[str, PathParameter(min_length=1, max_length=80)]


class ReviewController(Controller):
    """What luck did in a game and what its players did."""

    path = "/api"
    tags = ("tables",)

    @post(
        "/tables/{table:str}/review",
        responses=REPLAY,
        operation_id="make_review",
        status_code=200,
        guards=[limited("reviews")],
    )
    async def make_review(self, table: TableId, process: Process, context: Context) -> ReviewState:
        """The review of a game that is over; it is made if nobody has asked for it before."""
        state = await process.daily.visible(table, context.guest)
        return await process.reviewing.ask_table(state, context.guest, context.address)

    @get(
        "/tables/{table:str}/review",
        responses=REPLAY,
        operation_id="review",
        guards=[limited("review_progress")],
    )
    async def review(self, table: TableId, process: Process, context: Context) -> ReviewState:
        """The review of a game and how far it is; 404 before somebody has asked for it."""
        state = await process.daily.visible(table, context.guest)
        if not state.finished:
            raise conflict("server.not_over")
        if shown := await process.reviewing.find(table):
            return shown
        raise not_found()

    @get(
        "/tables/{table:str}/review/exercise",
        responses=REPLAY,
        operation_id="exercise",
        guards=[limited("replays")],
    )
    async def exercise(
        self, table: TableId, seat: SeatPlace, turn: TurnIndex, process: Process, context: Context
    ) -> Response[Exercise]:
        """The position of a decision in a reviewed game, to look for a better move."""
        await process.daily.visible(table, context.guest)
        return await _exercise(process, context, table, seat, turn)

    @post(
        "/tables/{table:str}/review/attempt",
        responses=WRITE,
        operation_id="attempt",
        status_code=200,
        guards=[limited("attempts")],
    )
    async def attempt(
        self, table: TableId, data: JSONBody[NewAttempt], process: Process, context: Context
    ) -> Attempt:
        """What another move loses in that position; an illegal one is refused with the reason."""
        await process.daily.visible(table, context.guest)
        return await _attempt(process, context, table, data)

    @get(
        "/reviews/{review:str}/exercise",
        responses=REPLAY,
        operation_id="record_exercise",
        guards=[limited("replays")],
    )
    async def record_exercise(
        self,
        review: ReviewId,
        seat: SeatPlace,
        turn: TurnIndex,
        process: Process,
        context: Context,
    ) -> Response[Exercise]:
        """The position of a decision in a record that was sent."""
        return await _exercise(process, context, _sent(review), seat, turn)

    @post(
        "/reviews/{review:str}/attempt",
        responses=WRITE,
        operation_id="record_attempt",
        status_code=200,
        guards=[limited("attempts")],
    )
    async def record_attempt(
        self, review: ReviewId, data: JSONBody[NewAttempt], process: Process, context: Context
    ) -> Attempt:
        """What another move loses in a record that was sent."""
        return await _attempt(process, context, _sent(review), data)

    @post(
        "/reviews",
        responses=WRITE,
        operation_id="review_record",
        status_code=200,
        request_max_body_size=4 * RECORD_LENGTH,
        guards=[limited("reviews")],
    )
    async def review_record(
        self, data: JSONBody[NewReview], process: Process, context: Context
    ) -> ReviewState:
        """The review of a record; an error names its place and line in the text."""
        await process.drawings.compute(partial(played_record, data.record), context.guest)
        return await process.reviewing.ask_record(data.record, context.guest, context.address)

    @get(
        "/reviews/{review:str}",
        responses=REPLAY,
        operation_id="record_review",
        guards=[limited("review_progress")],
    )
    async def record_review(self, review: ReviewId, process: Process) -> ReviewState:
        """The review of a record that was sent, and how far it is."""
        if shown := await process.reviewing.find(_sent(review)):
            return shown
        raise not_found()


def _sent(review: str) -> str:
    """Returns the key of the review of a record; tables have their own addresses."""
    if not review.startswith(SENT):
        raise not_found()
    return review


async def _exercise(
    process: ServerProcess, context: RequestContext, key: str, seat: int, turn: int
) -> Response[Any]:
    decision = await process.reviewing.decision(key, seat, turn)
    work = partial(review_tasks.exercise, decision.record, seat, turn)
    return json_answer(await process.drawings.compute(work, context.guest))


async def _attempt(
    process: ServerProcess, context: RequestContext, key: str, data: NewAttempt
) -> Attempt:
    decision = await process.reviewing.decision(key, data.seat, data.turn)
    work = partial(review_tasks.check, decision.record, data.seat, data.turn, data.move)
    await process.drawings.compute(work, context.guest)
    return await process.reviewing.attempt(decision, data.move, context.guest)
