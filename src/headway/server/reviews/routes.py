"""Reviews of finished games, made in the background; sockets bring them after every change."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter
from msgspec import Meta

from headway import record
from headway.errors import HeadwayError
from headway.games import box
from headway.reviews.puzzles import Attempt
from headway.server.core.errors import conflict, forbidden, not_found, too_often
from headway.server.core.fields import MOST_SEATS, RECORD_LENGTH, MoveText, SeatNumber
from headway.server.process import ServerProcess
from headway.server.replays.replay import canonical_record
from headway.server.reviews import tasks as review_tasks
from headway.server.reviews.service import ReviewState
from headway.server.reviews.store import SENT
from headway.server.reviews.tasks import Exercise
from headway.server.tables.routes import TableAnswer, answer_table
from headway.server.tables.setup import NewSeat, NewTable
from headway.server.tables.view import ENCODER
from headway.server.web.context import RequestContext
from headway.server.web.dependencies import (
    REPLAY,
    Context,
    Process,
    TableId,
    computed,
    read_game,
    write,
)
from headway.server.web.limits import limited
from headway.server.web.sockets import Socket, close_code, opened, sender
from headway.table import Opening

SeatPlace = Annotated[int, QueryParameter(ge=0, lt=MOST_SEATS)]
TurnIndex = Annotated[int, QueryParameter(ge=0, lt=1000)]
Since = Annotated[str, QueryParameter(max_length=40)]
ReviewId = Annotated[str, PathParameter(min_length=1, max_length=80)]
Find = Callable[[str, str, str], Awaitable[ReviewState | None]]
"""Returns a review once it differs from a version, for a guest at an address."""
AT_ONCE_SECONDS = 0.5
"""An answer without news that comes sooner says that too many of an address wait already."""


class NewAttempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another move for a decision of a reviewed game; `turn` counts the turns of the report."""

    seat: SeatNumber
    turn: Annotated[int, Meta(ge=0, lt=1000)]
    move: MoveText


class Continuation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a reviewed game is continued: in my seat's decision of this turn of the report.

    `cards` says whether the same cards come as before, or new ones.
    """

    seat: SeatNumber
    turn: Annotated[int, Meta(ge=0, lt=1000)]
    cards: Literal["same", "new"]


class NewReview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to review, as the text of its file."""

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]


class ReviewController(Controller):
    """What luck did in a game and what its players did."""

    path = "/api"
    tags = ("tables",)

    @write("/tables/{table:str}/review", responses=REPLAY, guards=[limited("reviews")])
    async def make_review(self, table: TableId, process: Process, context: Context) -> ReviewState:
        """The review of a game that is over; it is made if nobody has asked for it before."""
        row = await process.daily.visible_row(table, context.guest)
        asked = await process.reviewing.ask_table(table, context.guest, context.address)
        return await process.daily.with_best(row, asked)

    @read_game("/tables/{table:str}/review", guards=[limited("review_progress")])
    async def review(
        self, table: TableId, process: Process, context: Context, since: Since = ""
    ) -> ReviewState | None:
        """The review of a game and how far it is; null before somebody has asked for it.

        With `since`, a version that is known, the answer waits a few seconds for another one.
        """
        row = await process.daily.visible_row(table, context.guest)
        if not row.finished:
            raise conflict("server.not_over")
        shown = await process.reviewing.follow(table, since, context.address)
        return shown and await process.daily.with_best(row, shown)

    @read_game("/tables/{table:str}/review/exercise", guards=[limited("replays")])
    async def exercise(
        self, table: TableId, seat: SeatPlace, turn: TurnIndex, process: Process, context: Context
    ) -> Response[Exercise]:
        """The position of a decision in a reviewed game, to look for a better move."""
        await process.daily.visible_row(table, context.guest)
        return await _exercise(process, context, table, seat, turn)

    @write("/tables/{table:str}/review/attempt", guards=[limited("attempts")])
    async def attempt(
        self, table: TableId, data: JSONBody[NewAttempt], process: Process, context: Context
    ) -> Attempt:
        """What another move loses in that position; an illegal one is refused with the reason."""
        await process.daily.visible_row(table, context.guest)
        return await _attempt(process, context, table, data)

    @write("/tables/{table:str}/review/table", guards=[limited("tables")], status_code=201)
    async def play_on(
        self, table: TableId, data: JSONBody[Continuation], process: Process, context: Context
    ) -> TableAnswer:
        """A training table that continues a reviewed game, against the same bots.

        Other people's seats are taken by the bot that the game offers first.
        """
        row = await process.daily.visible_row(table, context.guest)
        if process.store.calendar.is_today(row.day):
            # Anybody could watch the new table, and see cards of today's deal.
            raise forbidden("server.today_closed")
        bots = [occupant.bot for occupant in row.occupants]
        return await _continued(process, context, table, data, bots)

    @write("/reviews/{review:str}/table", guards=[limited("tables")], status_code=201)
    async def record_play_on(
        self, review: ReviewId, data: JSONBody[Continuation], process: Process, context: Context
    ) -> TableAnswer:
        """A training table that continues a record that was sent, against bots."""
        return await _continued(process, context, _sent(review), data, [])

    @read_game("/reviews/{review:str}/exercise", guards=[limited("replays")])
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

    @write("/reviews/{review:str}/attempt", guards=[limited("attempts")])
    async def record_attempt(
        self, review: ReviewId, data: JSONBody[NewAttempt], process: Process, context: Context
    ) -> Attempt:
        """What another move loses in a record that was sent."""
        return await _attempt(process, context, _sent(review), data)

    @write("/reviews", request_max_body_size=4 * RECORD_LENGTH, guards=[limited("reviews")])
    async def review_record(
        self, data: JSONBody[NewReview], process: Process, context: Context
    ) -> ReviewState:
        """The review of a record; an error names its place and line in the text."""
        work = partial(canonical_record, data.record)
        text: str = msgspec.json.decode(await process.workers.pages.json(work, context.owners))
        return await process.reviewing.ask_record(text, context.guest, context.address)

    @read_game("/reviews/{review:str}", guards=[limited("review_progress")])
    async def record_review(
        self, review: ReviewId, process: Process, context: Context, since: Since = ""
    ) -> ReviewState:
        """The review of a record that was sent, and how far it is; waits as that of a table."""
        if shown := await process.reviewing.follow(_sent(review), since, context.address):
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
    return await computed(process, context, review_tasks.exercise, decision.record, seat, turn)


async def _attempt(
    process: ServerProcess, context: RequestContext, key: str, data: NewAttempt
) -> Attempt:
    decision = await process.reviewing.decision(key, data.seat, data.turn)
    work = partial(review_tasks.check, decision.record, data.seat, data.turn, data.move)
    await process.workers.pages.json(work, context.owners)
    return await process.reviewing.attempt(decision, data.move, context.owners)


async def _continued(
    process: ServerProcess,
    context: RequestContext,
    key: str,
    data: Continuation,
    bots: Sequence[str | None],
) -> TableAnswer:
    """Sets up the table; `bots` sat at the seats before, None where a person did."""
    decision = await process.reviewing.decision(key, data.seat, data.turn)
    read = record.read(decision.record)
    place = data.seat, data.turn, data.cards == "same"
    work = partial(review_tasks.opening, decision.record, *place)
    opening = await process.workers.pages.json(work, context.owners)
    offered = box(read.game).opponent
    seated = [*bots, *([None] * (read.seats - len(bots)))]
    seats = [
        NewSeat("me") if seat == data.seat else NewSeat("bot", bot or offered)
        for seat, bot in enumerate(seated)
    ]
    request = NewTable(
        read.game, read.map, seats, read.options, training=True, chosen=read.chosen or {}
    )
    persona = await process.guests.persona(context.guest, context.lang)
    continued = msgspec.json.decode(opening, type=Opening)
    state = await process.authority.set_up(
        request,
        context.guest,
        persona,
        context.address,
        opening=continued,
        commitment="",  # nothing is promised about the deal
        seed_chosen=bool(continued.deals),
    )
    return answer_table(process, state, context)


@websocket("/api/tables/{table:str}/review/live")
async def review_live(socket: Socket, table: FromPath[str]) -> None:
    """Sends the review of a table that somebody has asked for, and how far it is."""
    process: ServerProcess = socket.app.state.process

    async def find(since: str, guest: str, address: str) -> ReviewState | None:
        row = await process.daily.visible_row(table, guest)
        found = await process.reviewing.follow(table, since, address)
        return await process.daily.with_best(row, found) if found else None

    await _live(socket, find)


@websocket("/api/reviews/{review:str}/live")
async def record_review_live(socket: Socket, review: FromPath[str]) -> None:
    """Sends the review of a record that was sent, and how far it is."""
    process: ServerProcess = socket.app.state.process

    async def find(since: str, _: str, address: str) -> ReviewState | None:
        known = review.startswith(SENT)
        return await process.reviewing.follow(review, since, address) if known else None

    await _live(socket, find)


async def _live(socket: Socket, find: Find) -> None:
    """Sends the review after every change; the socket closes when there will be no other."""
    context = await opened(socket)
    if context is None:
        return
    send = sender(context)
    leaving = asyncio.create_task(_left(socket))
    code, version = 1000, ""
    try:
        while not leaving.done():
            asked = time.monotonic()
            found = await find(version, context.guest, context.address)
            if found is None:
                raise not_found()
            if found.version != version:
                await send(ENCODER.encode(found))
            elif time.monotonic() - asked < AT_ONCE_SECONDS:
                raise too_often("server.too_often", seconds=1)
            version = found.version
            if found.state in ("done", "failed"):
                break
    except HeadwayError as error:
        code = close_code(error)
    finally:
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
    with contextlib.suppress(Exception):  # the page may be gone
        await socket.close(code=code)


async def _left(socket: Socket) -> None:
    """Ends when the page is gone."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await socket.receive_data(mode="text")
