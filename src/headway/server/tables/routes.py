"""Tables: setting up, joining, moving, what a guest may see of them, and their socket.

The socket brings the news of a table; moves and everything else go over HTTP.
"""

from __future__ import annotations

import time
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, MediaType, Response, websocket
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from headway.errors import HeadwayError, InputError
from headway.server.core import metrics
from headway.server.core.errors import RefusedError, conflict
from headway.server.process import ServerProcess
from headway.server.tables import decisions
from headway.server.tables.authority import Change
from headway.server.tables.connections import Connection
from headway.server.tables.schema import (
    Choose,
    HandOver,
    Hint,
    HintMove,
    HintWish,
    Join,
    Leave,
    Looking,
    Moved,
    NewMove,
    NewWord,
    Ping,
    Question,
    RefusedMessage,
    Undo,
    UndoAnswer,
    Why,
    said_at,
)
from headway.server.tables.setup import NewTable
from headway.server.tables.state import TableState
from headway.server.tables.view import (
    ENCODER,
    ListedTable,
    TableView,
    table_head,
    table_view,
    with_news_only,
)
from headway.server.web.context import RequestContext, context_of
from headway.server.web.dependencies import (
    AS_IT_IS,
    Context,
    HttpRequest,
    Process,
    Seat,
    TableId,
    process_of,
    read,
    read_game,
    write,
)
from headway.server.web.errors import failure
from headway.server.web.limits import Limits, limited
from headway.server.web.sockets import Pong, Socket, opened, refuse_crowd, sender, serve

TableAnswer = Response[TableView]
MESSAGE_BYTES = 2000
SOCKETS_PER_GUEST = 20
"""Sockets that one guest may have open at one table, in one process."""
SOCKETS_PER_ADDRESS = 40
"""Sockets that one address may have open at one table, in one process."""
_DECODER = msgspec.json.Decoder(Ping | Looking)


def answer_table(
    process: ServerProcess, state: TableState, context: RequestContext, since: int = -1
) -> TableAnswer:
    """Answers with a table; after event `since`, only with the log lines that were missed."""
    view = table_view(context.guest, process.connections.presence(state))
    if since >= 0:
        view = with_news_only(view, state, context.guest, since)
    content: Any = ENCODER.encode(view)
    return Response(content, media_type=MediaType.JSON)


async def decided(
    process: ServerProcess,
    table_id: str,
    context: RequestContext,
    change: Change,
    client_id: str | None = None,
    seat: int = -1,
) -> TableAnswer:
    """Commits a decision and answers with the table; the same `client_id` again changes nothing."""
    state = await process.authority.change(table_id, change, client_id, context.guest, seat)
    return answer_table(process, state, context)


class TableController(Controller):
    """Tables and what people do there."""

    path = "/api/tables"
    tags = ("tables",)

    @write(guards=[limited("tables")], status_code=201)
    async def set_up(
        self, data: JSONBody[NewTable], process: Process, context: Context
    ) -> TableAnswer:
        """Sets up a table; the game begins when no seat is free.

        With a clock and several people it begins when all of them are also ready.
        """
        seats = list(data.seats)
        for number, seat in enumerate(seats):
            if seat.name:
                free = await process.accounts.free_name(context.guest, seat.name)
                seats[number] = msgspec.structs.replace(seat, name=free)
        request = msgspec.structs.replace(data, seats=seats)
        persona = await process.guests.persona(context.guest, context.lang)
        state = await process.authority.set_up(request, context.guest, persona, context.address)
        return answer_table(process, state, context)

    @read()
    async def tables(
        self, process: Process, context: Context, which: FromQuery[Literal["open", "mine"]] = "open"
    ) -> list[ListedTable]:
        """Public tables with a free seat, or mine, the last changed first."""
        guest = context.guest
        if which == "mine":
            rows = await process.store.heads(guest=guest, hidden=False)
        else:
            rows = await process.store.heads(watched=process.connections.watched())
        online = process.connections.online
        return [table_head(row, occupants, guest, online(row["id"])) for row, occupants in rows]

    @read("/{table:str}")
    async def table(
        self,
        table: TableId,
        process: Process,
        context: Context,
        since: Annotated[int, QueryParameter(ge=-1)] = -1,
    ) -> TableAnswer:
        """A table with the views of my seats, else the spectator's.

        With `since`, the number of the last event I know, only the log lines that I missed.
        """
        state = await process.daily.visible(table, context.guest)
        return answer_table(process, state, context, since)

    @write("/{table:str}/join", guards=[limited("joins")])
    async def join(
        self, table: TableId, data: JSONBody[Join], process: Process, context: Context
    ) -> TableAnswer:
        """Takes a free seat, or one that a bot keeps for me."""
        guest = context.guest
        persona = await process.guests.persona(guest, context.lang)
        if data.name:
            persona = persona._replace(name=await process.accounts.free_name(guest, data.name))
        await process.acquaintances.refuse_avoided(await process.authority.get(table), guest)
        pick = data.pick.text() if data.pick else ""
        return await decided(
            process,
            table,
            context,
            lambda state: decisions.join(state, guest, data.seat, persona, pick),
        )

    @write("/{table:str}/pick")
    async def pick(
        self, table: TableId, data: JSONBody[Choose], process: Process, context: Context
    ) -> TableAnswer:
        """Picks my pencil or colour while the table waits; the host also what is for all."""
        seat = -1 if data.seat is None else data.seat
        return await decided(
            process,
            table,
            context,
            lambda state: decisions.pick(state, context.guest, seat, data.text()),
        )

    @write("/{table:str}/leave")
    async def leave(
        self, table: TableId, data: JSONBody[Leave], process: Process, context: Context
    ) -> TableAnswer:
        """Gives my seat back."""
        return await decided(
            process, table, context, lambda state: decisions.leave(state, context.guest, data.seat)
        )

    @write("/{table:str}/ready")
    async def ready(self, table: TableId, process: Process, context: Context) -> TableAnswer:
        """Says that I am there, so that the clock may start when all others are."""
        state = await process.authority.ready(table, context.guest)
        return answer_table(process, state, context)

    @write("/{table:str}/hold")
    async def hold(self, table: TableId, process: Process, context: Context) -> TableAnswer:
        """Stops the time before the game: it begins when everybody is ready."""
        return await decided(
            process, table, context, lambda state: decisions.hold(state, context.guest)
        )

    @write("/{table:str}/begin")
    async def begin(self, table: TableId, process: Process, context: Context) -> TableAnswer:
        """Begins with fewer players: takes the free seats away, and moves the others up."""
        return await decided(
            process, table, context, lambda state: decisions.begin(state, context.guest)
        )

    @write("/{table:str}/remove", status_code=204)
    async def remove(self, table: TableId, process: Process, context: Context) -> None:
        """Removes a table from my list of games; refused while others play with me there."""
        await process.authority.remove(table, context.guest)

    @write("/{table:str}/moves", opt={AS_IT_IS: True})
    async def move(self, table: TableId, data: JSONBody[NewMove], request: HttpRequest) -> Moved:
        """Moves; the same `client_id` again changes nothing and gets the same answer."""
        began = time.perf_counter()
        guest = context_of(request).guest  # as a dependency it would cost more than it saves
        state = await process_of(request).authority.move(
            table, guest, data.seat, data.move, data.client_id, data.number
        )
        metrics.MOVE_SECONDS.observe(time.perf_counter() - began)
        return Moved(state.by_client_id[data.client_id].number)

    @write("/{table:str}/why")
    async def why(
        self, table: TableId, data: JSONBody[Question], process: Process, context: Context
    ) -> Why:
        """Why my seat cannot make a move; empty if it can."""
        state = await process.authority.get(table)
        state.require_holder(context.guest, data.seat)
        game = state.playing().game
        try:
            move = game.notation.asked_move(state.position, data.seat, data.move)
            state.position.check(data.seat, move)
        except HeadwayError as error:
            return Why(error.rule, error.sentence(context.lang))
        return Why()

    @write("/{table:str}/hint", guards=[limited("hints")])
    async def hint(
        self, table: TableId, data: JSONBody[HintWish], process: Process, context: Context
    ) -> Hint:
        """What the strongest bot thinks of my moves; in training games against bots only."""
        state = await process.authority.refresh(table)
        decisions.require_hint(state, context.guest, data.seat)
        appraisals = await process.bot_runner.hint(state, data.seat)
        moves = [HintMove(move, a.value, a.error, a.simulations) for move, a in appraisals]
        return Hint(appraisals[0][1].measure, moves)

    @write("/{table:str}/undo")
    async def undo(
        self, table: TableId, data: JSONBody[Undo], process: Process, context: Context
    ) -> TableAnswer:
        """Takes my last move back, if it has told me nothing yet or in training against bots.

        Between people it asks the others, who all have to allow it.
        """
        guest, seat, once = context.guest, data.seat, data.client_id
        return await decided(
            process,
            table,
            context,
            lambda state: decisions.take_back(state, guest, seat, once),
            once,
            seat,
        )

    @write("/{table:str}/undo/answer")
    async def answer_undo(
        self, table: TableId, data: JSONBody[UndoAnswer], process: Process, context: Context
    ) -> TableAnswer:
        """Lets another seat take its last move back, or not."""
        request, guest, once = (data.seat, data.number), context.guest, data.client_id
        return await decided(
            process,
            table,
            context,
            lambda state: decisions.answer_undo(state, guest, request, data.grant, once),
            once,
            data.seat,
        )

    @write("/{table:str}/say", guards=[limited("phrases")], status_code=204)
    async def say(
        self, table: TableId, data: JSONBody[NewWord], process: Process, context: Context
    ) -> None:
        """Says something to everybody who is at the table now; it is not stored."""
        state = await process.daily.visible(table, context.guest)
        persona = await process.guests.persona(context.guest, context.lang)
        said = said_at(state, context.guest, persona, data)
        deaf = await process.acquaintances.deaf_to(context.guest)
        process.connections.say(table, said, context.guest, deaf)

    @write("/{table:str}/rematch", guards=[limited("tables")])
    async def rematch(self, table: TableId, process: Process, context: Context) -> TableAnswer:
        """The next table for the same people; the same one for all who ask."""
        guest = context.guest
        await process.acquaintances.refuse_avoided(await process.authority.get(table), guest)
        state = await process.authority.rematch(table, guest, context.address)
        return answer_table(process, state, context)

    @write("/{table:str}/seats/{seat:int}/bot")
    async def give_to_bot(
        self,
        table: TableId,
        seat: Seat,
        data: JSONBody[HandOver],
        process: Process,
        context: Context,
    ) -> TableAnswer:
        """Gives a seat to a bot: mine, a free one, or one that has been left for long."""
        away = process.connections.is_away
        return await decided(
            process,
            table,
            context,
            lambda state: decisions.give_to_bot(state, context.guest, seat, data.bot, away),
        )

    @read_game("/{table:str}/record")
    async def record(
        self, table: TableId, process: Process, context: Context
    ) -> Response[dict[str, Any]]:
        """The record of the game so far; seed and salt stay here until it is over, and its day too.

        A record tells what everybody holds, so a game with secret hands gives none before its end.
        """
        state = await process.daily.visible(table, context.guest)
        played = state.playing().copy()
        if played.game.secret_hands and not played.finished():
            raise conflict("server.record_later")
        played.names = [occupant.name for occupant in state.occupants]
        sealed = process.calendar.is_today(state.setup.day)
        name = f'attachment; filename="headway-{state.setup.id}.json"'
        answer: Response[Any] = Response(
            played.record(sealed=sealed).json(),
            media_type=MediaType.JSON,
            headers={"content-disposition": name},
        )
        return answer


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: FromPath[str], since: FromQuery[int] = -1) -> None:
    """Sends the table when it opens and after every change."""
    process: ServerProcess = socket.app.state.process
    limits: Limits = socket.app.state.limits
    hub = process.connections

    async def admit(context: RequestContext) -> None:
        await process.daily.visible(table, context.guest)
        others = hub.by_table.get(table, ())
        refuse_crowd(socket, others, SOCKETS_PER_GUEST, SOCKETS_PER_ADDRESS)

    context = await opened(socket, admit)
    if context is None:
        return
    connection = Connection(table, context.guest, sender(context), since, context.address)

    async def listen() -> None:
        try:
            while True:
                data = await socket.receive_data(mode="text")
                said = await _understood(data, limits, context)
                if isinstance(said, Looking):
                    hub.look(connection, said.looking)
                else:
                    connection.tell(ENCODER.encode(said))
        finally:
            hub.disconnect(connection)

    hub.connect(connection)
    await serve(socket, lambda: connection.serve(partial(connection.update, hub)), listen)


async def _understood(
    data: str | bytes, limits: Limits, context: RequestContext
) -> Looking | Pong | RefusedMessage:
    """Returns what a message says about the page, else what to answer."""
    try:
        await limits.take("messages", context.guest)
        if len(data) > MESSAGE_BYTES:
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "server.too_large")
        said = _DECODER.decode(data)
        return said if isinstance(said, Looking) else Pong()
    except HeadwayError as error:
        return RefusedMessage(failure(error, context.lang).error)
    except (msgspec.DecodeError, UnicodeError) as error:
        unreadable = InputError("format.field", reason=error)
        return RefusedMessage(failure(unreadable, context.lang).error)
