"""Reviews of finished games, made in the background."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter

from headway.server.database.reviews import SENT
from headway.server.errors import conflict, not_found
from headway.server.fields import RECORD_LENGTH
from headway.server.http.dependencies import REPLAY, WRITE, Context, Process, TableId
from headway.server.http.limits import limited
from headway.server.http.schema.tables import NewReview
from headway.server.play.reviewing import ReviewState
from headway.server.table.replay import played_record

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
        shown = await process.reviewing.find(review) if review.startswith(SENT) else None
        if shown is None:
            raise not_found()
        return shown
