"""Replays of finished games, and pictures of boards."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from litestar import Controller, Response
from litestar.params import FromQuery, JSONBody, QueryParameter

from headway.i18n import Lang
from headway.server.content.drawing_tasks import Style
from headway.server.content.pictures import NARROWEST_PIXELS, WIDEST_PIXELS
from headway.server.content.routes import PICTURE_HEADERS
from headway.server.core.fields import RECORD_LENGTH
from headway.server.replays.replay import GameReplay, played_game, replay_played, replay_text
from headway.server.tables.schema import NewReplay
from headway.server.web.dependencies import (
    Context,
    Process,
    SeatQuery,
    TableId,
    json_answer,
    read,
    read_game,
    write,
)
from headway.server.web.limits import limited
from headway.svg import Theme

Width = Annotated[
    int, QueryParameter(schema_extra={"minimum": NARROWEST_PIXELS, "maximum": WIDEST_PIXELS})
]
"""Its limits are checked where pictures are drawn, with a sentence."""


class ReplayController(Controller):
    """Games to look back at."""

    path = "/api"
    tags = ("tables",)

    @read_game("/tables/{table:str}/replay", guards=[limited("replays")])
    async def replay(
        self,
        table: TableId,
        process: Process,
        context: Context,
        seat: SeatQuery = None,
        own: FromQuery[bool] = False,
    ) -> Response[GameReplay]:
        """A game that is over, moment by moment: as a seat saw it, or without one all open.

        With `own` as I saw it myself; if I did not play, all open where hands are secret.
        """
        state = await process.daily.visible(table, context.guest)
        played = played_game(state, context.guest, seat, own)
        return json_answer(
            await process.workers.pages.json(partial(replay_played, played), context.owners)
        )

    @write("/replay", request_max_body_size=4 * RECORD_LENGTH, guards=[limited("replays")])
    async def replay_record(
        self, data: JSONBody[NewReplay], process: Process, context: Context
    ) -> Response[GameReplay]:
        """The game of a record, moment by moment; an error names its place and line in the text."""
        work = partial(replay_text, data.record, data.seat, data.own)
        return json_answer(await process.workers.pages.json(work, context.owners))

    @read(
        "/tables/{table:str}/picture.svg", media_type="image/svg+xml", guards=[limited("pictures")]
    )
    async def picture_svg(
        self,
        table: TableId,
        process: Process,
        context: Context,
        seat: SeatQuery = None,
        theme: FromQuery[Theme] = "auto",
        lang: FromQuery[Lang | None] = None,
    ) -> Response[bytes]:
        """A board as SVG."""
        state = await process.daily.visible(table, context.guest)
        place = context.guest, seat, Style(theme, lang or context.lang)
        svg = await process.drawings.board(state, *place, context.owners)
        return Response(svg, media_type="image/svg+xml", headers=PICTURE_HEADERS)

    @read("/tables/{table:str}/picture.png", media_type="image/png", guards=[limited("pictures")])
    async def picture_png(
        self,
        table: TableId,
        process: Process,
        context: Context,
        seat: SeatQuery = None,
        theme: FromQuery[Theme] = "light",
        lang: FromQuery[Lang | None] = None,
        width: Width = 1280,
    ) -> Response[bytes]:
        """A board as PNG."""
        state = await process.daily.visible(table, context.guest)
        place = context.guest, seat, Style(theme, lang or context.lang, width)
        pixels = await process.drawings.board(state, *place, context.owners)
        return Response(pixels, media_type="image/png")
