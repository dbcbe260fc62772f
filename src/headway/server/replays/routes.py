"""Replays of finished games, and pictures of boards."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, Response
from litestar.params import FromQuery, JSONBody
from msgspec import Meta

from headway.games.presentation import Shape
from headway.server.content.pictures import MAP_PIXELS, poster_of
from headway.server.content.routes import PNG, STYLES, SVG, PngStyle, SvgStyle, answer_svg
from headway.server.core.fields import RECORD_LENGTH, SeatNumber
from headway.server.replays.replay import GameReplay, played_game, replay_played, replay_text
from headway.server.web.dependencies import (
    Context,
    Process,
    SeatQuery,
    TableId,
    computed,
    read,
    read_game,
    write,
)
from headway.server.web.limits import limited


class NewReplay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to replay, as the text of its file: as a seat saw it, or all open.

    `own` leaves the choice to the server: all open where hands are secret, else the first seat.
    """

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]
    seat: SeatNumber | None = None
    own: bool = False


class ReplayController(Controller):
    """Games to look back at."""

    path = "/api"
    tags = ("tables",)
    dependencies = STYLES

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
        return await computed(process, context, replay_played, played)

    @write("/replay", request_max_body_size=4 * RECORD_LENGTH, guards=[limited("replays")])
    async def replay_record(
        self, data: JSONBody[NewReplay], process: Process, context: Context
    ) -> Response[GameReplay]:
        """The game of a record, moment by moment; an error names its place and line in the text."""
        return await computed(process, context, replay_text, data.record, data.seat, data.own)

    @read("/tables/{table:str}/picture.svg", media_type=SVG, guards=[limited("pictures")])
    async def picture_svg(
        self,
        table: TableId,
        process: Process,
        context: Context,
        *,
        seat: SeatQuery = None,
        svg_style: SvgStyle,
    ) -> Response[bytes]:
        """A board as SVG."""
        state = await process.daily.visible(table, context.guest)
        place = context.guest, seat, svg_style
        return answer_svg(await process.drawings.board(state, *place, context.owners))

    @read("/tables/{table:str}/picture.png", media_type=PNG, guards=[limited("pictures")])
    async def picture_png(
        self,
        table: TableId,
        process: Process,
        context: Context,
        *,
        seat: SeatQuery = None,
        png_style: PngStyle,
    ) -> Response[bytes]:
        """A board as PNG."""
        state = await process.daily.visible(table, context.guest)
        place = context.guest, seat, png_style
        return Response(await process.drawings.board(state, *place, context.owners))

    @read_game("/tables/{table:str}/poster.png", media_type=PNG, guards=[limited("pictures")])
    async def poster_png(
        self,
        table: TableId,
        process: Process,
        context: Context,
        *,
        seat: SeatQuery = None,
        shape: FromQuery[Shape] = "portrait",
        png_style: PngStyle,
    ) -> Response[bytes]:
        """The poster of a finished game, for the seat that is mine by default.

        It has luck and skill as bars once the game has been reviewed.
        """
        state = await process.daily.visible(table, context.guest)
        settings = process.settings
        site = settings.name or settings.origin.partition("://")[2].rstrip("/")
        shown = poster_of(state, context.guest, seat, shape, png_style.lang, site)
        if state.finished and (reviewed := await process.reviewing.find(table)):
            figures = dict(enumerate(reviewed.luck_and_skill))
            shown = shown._replace(review=figures.get(shown.seat))
        width = png_style.width or MAP_PIXELS
        return Response(await process.drawings.poster(state, shown, width, context.owners))
