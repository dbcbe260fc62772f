"""The HTTP interface, the same for every game and for people and programs."""

from __future__ import annotations

import asyncio
import gzip
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Response, get, patch, post
from litestar.params import Parameter

from headway import __version__
from headway.errors import HeadwayError
from headway.i18n import Lang
from headway.server.content import catalogue as shelf
from headway.server.content import paper as writing
from headway.server.content import rulebook
from headway.server.content.catalogue import Shelf
from headway.server.content.paper import FullSheet, Paper, PaperGame, PaperQuestion, SheetScore
from headway.server.content.pictures import ThemeName, as_png, picture
from headway.server.content.rulebook import Rules
from headway.server.errors import Refused
from headway.server.fields import RECORD_LENGTH, Word
from headway.server.http.dependencies import (
    READ,
    REPLAY,
    WRITE,
    Asks,
    Seat,
    TableId,
    Wide,
    failures,
    guest_of,
    me_now,
)
from headway.server.http.middleware import Asked
from headway.server.http.schema.guests import Me, NewName, NewToken, Token
from headway.server.http.schema.server import Health
from headway.server.http.schema.tables import (
    GameMap,
    HandOver,
    Hint,
    HintMove,
    HintWish,
    Join,
    Leave,
    NewMove,
    NewReplay,
    Question,
    Undo,
    Why,
)
from headway.server.metrics import METRICS
from headway.server.people.guests import clean_name
from headway.server.play.bot_workers import Lost
from headway.server.process import House
from headway.server.table import replay as replaying
from headway.server.table.replay import Replay
from headway.server.table.setup import NewTable
from headway.server.table.state import Sitting
from headway.server.table.view import ENCODER, Table, TableHead, head, show

Options = Annotated[list[Word] | None, Parameter(max_items=16)]
SHEET = failures(400, 401, 404, 422, 429)
PICTURE = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cache-control": "no-cache",
}
"""The headers of a drawing: it may bring nothing along."""


def _shown(house: House, now: Sitting, asked: Asked, since: int = -1) -> Response[Table]:
    guest = asked.guest
    presence = house.live.presence(now)
    told = now.log_at((now.held_by(guest) or (-1,))[0], since) if since >= 0 else None
    body = ENCODER.encode(show(now, guest, presence, told))
    answer: Response[Any] = Response(body, media_type=MediaType.JSON)
    return answer


def _packed(request: Asks, packed: shelf.Packed) -> Response[Any]:
    """Something that changes with the server's version only: kept by browsers, asked for again."""
    headers = {"etag": packed.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
    known = request.headers.get("if-none-match", "").replace("W/", "").split(",")
    if packed.etag.removeprefix("W/") in map(str.strip, known):
        return Response(b"", status_code=304, headers=headers)
    body = packed.body
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        body = packed.squeezed
    return Response(body, media_type=MediaType.JSON, headers=headers)


def _squeezed(request: Asks, found: Replay | Paper) -> Response[Any]:
    """A whole game is large and much alike in itself."""
    body, headers = ENCODER.encode(found), {"vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = gzip.compress(body, 5, mtime=0), "gzip"
    return Response(body, media_type=MediaType.JSON, headers=headers)


# Guests


@get("/api/me", responses=READ, operation_id="me", tags=["guests"])
async def me(house: House, asked: Asked) -> Me:
    """Who I am here; the first answer brings the cookies along."""
    return await me_now(house, asked)


@patch("/api/me", responses=WRITE, operation_id="rename", tags=["guests"])
async def rename(data: NewName, house: House, asked: Asked) -> Me:
    """Takes another name, for tables from now on."""
    await house.accounts.rename(guest_of(asked), data.name)
    return await me_now(house, asked)


@post("/api/tokens", responses=WRITE, operation_id="new_token", tags=["guests"])
async def new_token(data: NewToken, house: House, asked: Asked) -> Token:
    """A token for a program that plays in my name, shown this once."""
    name = clean_name(data.name) if data.name else ""
    return Token(await house.guests.new_token(guest_of(asked), name))


# The shelf


@get("/api/shelf", responses=READ, operation_id="shelf", tags=["shelf"])
async def games(request: Asks) -> Response[Shelf]:
    """All games with what can be chosen."""
    return _packed(request, shelf.shelf())


@get("/api/shelf/{game:str}/{map_name:str}", responses=READ, operation_id="map", tags=["shelf"])
async def map_data(request: Asks, game: str, map_name: str) -> Response[GameMap]:
    """A map as data for drawing."""
    return _packed(request, shelf.map_data(game, map_name))


@get(
    "/api/shelf/{game:str}/{map_name:str}/sheet.svg",
    responses=SHEET,
    operation_id="sheet_svg",
    tags=["shelf"],
    media_type="image/svg+xml",
)
async def sheet_svg(
    game: str, map_name: str, asked: Asked, option: Options = None, lang: Lang | None = None
) -> Response[str]:
    """The empty sheet of a map on a page of A4, with these modules, as SVG."""
    chosen = game, map_name, tuple(option or ()), lang or asked.lang
    found = await asyncio.to_thread(shelf.blank_sheet, *chosen)
    return Response(found, media_type="image/svg+xml", headers=PICTURE)


@get(
    "/api/shelf/{game:str}/{map_name:str}/sheet.pdf",
    responses=SHEET,
    operation_id="sheet_pdf",
    tags=["shelf"],
    media_type="application/pdf",
)
async def sheet_pdf(
    game: str, map_name: str, asked: Asked, option: Options = None, lang: Lang | None = None
) -> Response[bytes]:
    """The empty sheet of a map on a page of A4, with these modules, as PDF."""
    chosen = game, map_name, tuple(option or ()), lang or asked.lang
    found = await asyncio.to_thread(shelf.blank_sheet_pdf, *chosen)
    return Response(found, media_type="application/pdf", headers={"cache-control": "no-cache"})


@get("/api/texts/{lang_name:str}", responses=READ, operation_id="texts", tags=["shelf"])
async def texts(request: Asks, lang_name: str) -> Response[dict[str, str]]:
    """All texts that a client shows, by key."""
    return _packed(request, shelf.client_texts(lang_name))


@get("/api/rules/{game:str}/{lang_name:str}", responses=READ, operation_id="rules", tags=["shelf"])
async def rules(request: Asks, game: str, lang_name: str) -> Response[Rules]:
    """The rules of a game, to be read by players."""
    return _packed(request, shelf.rules(game, lang_name))


@get(
    "/api/rules/pictures/{name:str}",
    responses=READ,
    operation_id="rules_picture",
    tags=["shelf"],
    media_type="image/svg+xml",
)
async def rules_picture(name: str) -> Response[str]:
    """A picture that the rules show, as SVG."""
    headers = {**PICTURE, "cache-control": "public, max-age=3600"}
    return Response(rulebook.picture(name), media_type="image/svg+xml", headers=headers)


# Tables


@post("/api/tables", responses=WRITE, operation_id="set_up", tags=["tables"])
async def set_up(data: NewTable, house: House, asked: Asked) -> Response[Table]:
    """Sets up a table; the game begins when no seat is free."""
    guest = guest_of(asked)
    seats = [
        msgspec.structs.replace(seat, name=clean_name(seat.name)) if seat.name else seat
        for seat in data.seats
    ]
    wanted = msgspec.structs.replace(data, seats=seats)
    name = await house.guests.name(guest, asked.lang)
    now = await house.tables.set_up(wanted, guest, name)
    answer = _shown(house, now, asked)
    answer.status_code = 201
    return answer


@get("/api/tables", responses=READ, operation_id="tables", tags=["tables"])
async def tables(
    house: House, asked: Asked, which: Literal["open", "mine"] = "open"
) -> list[TableHead]:
    """Public tables with a free seat, or mine, the last changed first."""
    guest = guest_of(asked)
    rows = await house.store.heads(guest=guest if which == "mine" else None)
    return [head(row, chairs, guest, house.live.online(row["id"])) for row, chairs in rows]


@get("/api/tables/{table:str}", responses=READ, operation_id="table", tags=["tables"])
async def table_now(
    table: TableId, house: House, asked: Asked, since: Annotated[int, Parameter(ge=-1)] = -1
) -> Response[Table]:
    """A table with the views of my seats, else the spectator's.

    With `since`, the number of the last event I know, only the log lines that I missed.
    """
    return _shown(house, await house.today.seen(table, asked.guest), asked, since)


@post(
    "/api/tables/{table:str}/join",
    responses=WRITE,
    operation_id="join",
    tags=["tables"],
    status_code=200,
)
async def join(table: TableId, data: Join, house: House, asked: Asked) -> Response[Table]:
    """Takes a free seat, or one that a bot keeps for me."""
    guest = guest_of(asked)
    if data.name:
        name = await house.accounts.free_name(guest, data.name)
    else:
        name = await house.guests.name(guest, asked.lang)
    return _shown(house, await house.tables.join(table, guest, data.seat, name), asked)


@post(
    "/api/tables/{table:str}/leave",
    responses=WRITE,
    operation_id="leave",
    tags=["tables"],
    status_code=200,
)
async def leave(table: TableId, data: Leave, house: House, asked: Asked) -> Response[Table]:
    """Gives my seat back."""
    return _shown(house, await house.tables.leave(table, guest_of(asked), data.seat), asked)


@post(
    "/api/tables/{table:str}/moves",
    responses=WRITE,
    operation_id="move",
    tags=["tables"],
    status_code=200,
)
async def move(table: TableId, data: NewMove, house: House, asked: Asked) -> Response[Table]:
    """Moves; the same `client_id` again changes nothing and gets the same answer."""
    return _shown(house, await house.tables.move(table, guest_of(asked), data), asked)


@post(
    "/api/tables/{table:str}/why",
    responses=WRITE,
    operation_id="why",
    tags=["tables"],
    status_code=200,
)
async def why(table: TableId, data: Question, house: House, asked: Asked) -> Why:
    """Why my seat cannot make a move; empty if it can."""
    now = await house.tables.get(table)
    if now.chair(data.seat).guest != asked.guest:
        raise Refused(403, "server.not_yours")
    game = now.playing()
    try:
        now.state.check(data.seat, game.game.parse_move(data.move))
    except HeadwayError as error:
        return Why(error.rule, error.sentence(asked.lang))
    return Why()


@post(
    "/api/tables/{table:str}/hint",
    responses=WRITE,
    operation_id="hint",
    tags=["tables"],
    status_code=200,
)
async def hint(table: TableId, data: HintWish, house: House, asked: Asked) -> Hint:
    """What the strongest bot thinks of my moves; in training games against bots only."""
    now = await house.tables.fresh(table)
    now.may_have_hint(data.seat, asked.guest)
    try:
        found = await house.bots.hint(now, data.seat)
    except Lost:
        raise Refused(503, "server.busy") from None
    moves = [HintMove(move, each.value, each.error, each.simulations) for move, each in found]
    return Hint(found[0][1].measure, moves)


@post(
    "/api/tables/{table:str}/undo",
    responses=WRITE,
    operation_id="undo",
    tags=["tables"],
    status_code=200,
)
async def undo(table: TableId, data: Undo, house: House, asked: Asked) -> Response[Table]:
    """Takes my last move back, if it has told me nothing yet or in training against bots."""
    return _shown(house, await house.tables.undo(table, guest_of(asked), data), asked)


@post(
    "/api/tables/{table:str}/rematch",
    responses=WRITE,
    operation_id="rematch",
    tags=["tables"],
    status_code=200,
)
async def rematch(table: TableId, house: House, asked: Asked) -> Response[Table]:
    """The next table for the same people; the same one for all who ask."""
    return _shown(house, await house.tables.rematch(table, guest_of(asked)), asked)


@post(
    "/api/tables/{table:str}/seats/{seat:int}/bot",
    responses=WRITE,
    operation_id="give_to_bot",
    tags=["tables"],
    status_code=200,
)
async def give_to_bot(
    table: TableId, seat: Seat, data: HandOver, house: House, asked: Asked
) -> Response[Table]:
    """Gives a seat to a bot: mine, a free one, or one that has been left for long."""
    guest, away = guest_of(asked), house.live.is_away
    now = await house.tables.give_to_bot(table, guest, seat, data.bot, away)
    return _shown(house, now, asked)


@get("/api/tables/{table:str}/record", responses=READ, operation_id="record", tags=["tables"])
async def record(table: TableId, house: House, asked: Asked) -> Response[dict[str, Any]]:
    """The record of the game so far; seed and salt stay here until it is over, and its day too.

    A record tells what everybody holds, so a game with secret hands gives none before its end.
    """
    now = await house.today.seen(table, asked.guest)
    game = now.playing().copy()
    if game.game.secret_hands and not game.finished():
        raise Refused(409, "server.record_later")
    game.names = [chair.name for chair in now.chairs]
    headers = {"content-disposition": f'attachment; filename="headway-{now.setup.id}.json"'}
    answer: Response[Any] = Response(
        game.record(sealed=house.days.is_today(now.setup.day)).json(),
        media_type=MediaType.JSON,
        headers=headers,
    )
    return answer


@get("/api/tables/{table:str}/replay", responses=REPLAY, operation_id="replay", tags=["tables"])
async def replay(
    request: Asks,
    table: TableId,
    house: House,
    asked: Asked,
    seat: Seat | None = None,
    own: bool = False,
) -> Response[Replay]:
    """A game that is over, moment by moment: as a seat saw it, or without one all open.

    With `own` as I saw it myself; if I did not play, all open where hands are secret.
    """
    now = await house.today.seen(table, asked.guest)
    found = await asyncio.to_thread(replaying.replay_table, now, asked.guest, seat, own)
    return _squeezed(request, found)


@post(
    "/api/replay",
    responses=WRITE,
    operation_id="replay_record",
    tags=["tables"],
    status_code=200,
    request_max_body_size=4 * RECORD_LENGTH,
)
async def replay_record(request: Asks, data: NewReplay) -> Response[Replay]:
    """The game of a record, moment by moment; an error names its place and line in the text."""
    found = await asyncio.to_thread(replaying.replay_text, data.record, data.seat, data.own)
    return _squeezed(request, found)


@get(
    "/api/tables/{table:str}/picture.svg",
    responses=READ,
    operation_id="picture_svg",
    tags=["tables"],
    media_type="image/svg+xml",
)
async def picture_svg(
    table: TableId,
    house: House,
    asked: Asked,
    seat: Seat | None = None,
    theme: ThemeName = "auto",
    lang: Lang | None = None,
) -> Response[str]:
    """A board as SVG."""
    now = await house.today.seen(table, asked.guest)
    svg = picture(now, asked.guest, seat, theme, lang or asked.lang)
    return Response(svg, media_type="image/svg+xml", headers=PICTURE)


@get(
    "/api/tables/{table:str}/picture.png",
    responses=READ,
    operation_id="picture_png",
    tags=["tables"],
    media_type="image/png",
)
async def picture_png(
    table: TableId,
    house: House,
    asked: Asked,
    seat: Seat | None = None,
    theme: ThemeName = "light",
    lang: Lang | None = None,
    width: Wide = 1280,
) -> Response[bytes]:
    """A board as PNG."""
    now = await house.today.seen(table, asked.guest)
    svg = picture(now, asked.guest, seat, theme, lang or asked.lang)
    pixels = await asyncio.to_thread(as_png, svg, width)
    return Response(pixels, media_type="image/png", headers={"cache-control": "no-cache"})


# Games played with pencils


@post("/api/paper", responses=WRITE, operation_id="paper", tags=["paper"], status_code=200)
async def paper(request: Asks, data: PaperGame) -> Response[Paper]:
    """What is written down of a game: every sheet, what can come next, and its record at the end.

    Nothing is kept here: whoever writes sends all of it each time.
    """
    return _squeezed(request, await asyncio.to_thread(writing.paper, data))


@post("/api/paper/why", responses=WRITE, operation_id="paper_why", tags=["paper"], status_code=200)
async def paper_why(data: PaperQuestion, asked: Asked) -> Why:
    """Why a sheet cannot show a move next; empty if it can."""
    error = await asyncio.to_thread(writing.why_not, data)
    return Why(error.rule, error.sentence(asked.lang)) if error else Why()


@post(
    "/api/paper/sheet", responses=WRITE, operation_id="full_sheet", tags=["paper"], status_code=200
)
async def full_sheet(data: FullSheet, asked: Asked) -> SheetScore:
    """The score of a full sheet without its cards, and what no cards allow on it."""
    return await asyncio.to_thread(writing.judge, data, asked.lang)


# The house itself


@get("/health", responses=failures(503), operation_id="health", tags=["house"])
async def health(house: House) -> Health:
    """Whether the database answers."""
    try:
        async with asyncio.timeout(5):
            await house.store.ping()
    except Exception as error:
        raise Refused(503, "server.no_database") from error
    return Health("ok", __version__)


@get("/metrics", operation_id="metrics", tags=["house"], media_type=MediaType.TEXT)
async def metrics() -> str:
    """Counts in Prometheus' format."""
    return METRICS.text()


API = [
    me, rename, new_token, games, map_data, sheet_svg, sheet_pdf, texts, rules, rules_picture,
    set_up, tables, table_now, join, leave, move, why, hint, undo, rematch, give_to_bot, record,
    replay, replay_record, picture_svg, picture_png, paper, paper_why, full_sheet, health, metrics,
]  # fmt: skip
