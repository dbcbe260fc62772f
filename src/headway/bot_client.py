"""`headway bot connect`: plays a web table with a bot of the user's, through the public API.

The bot knows what a person at its seat knows: the view that the server sends.
"""

from __future__ import annotations

import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from headway.bots import Bot, find_bot, make_bot
from headway.bots.registry import ask
from headway.errors import InputError
from headway.games import box
from headway.games.contract import Game

NO_TABLE_CODE = 4404
"""The socket's close code for a table that does not exist any more."""
REFUSALS_PER_TURN = 3
"""How many moves of one turn the server may refuse before the client gives up."""
RECONNECT_SECONDS = (0.5, 1.0, 2.0, 5.0, 10.0)
"""The wait before each attempt to reconnect; the last one for all further attempts."""
POLL_SECONDS = 3.0
"""The wait between two looks for an open table."""
REQUEST_TIMEOUT_SECONDS = 30

Say = Callable[..., None]


class RemoteSeat(msgspec.Struct):
    """The fields of a seat that a bot needs."""

    seat: int
    mine: bool
    ready: bool | None = None


class RemoteClocks(msgspec.Struct):
    """When the time of the turn, or of each seat, is over."""

    turn_ends: float | None = None
    ends: dict[str, float] = {}


class RemoteTable(msgspec.Struct):
    """The fields of a table that a bot needs."""

    id: str
    game: str
    map: str
    options: dict[str, bool]
    seats: list[RemoteSeat]
    number: int
    finished: bool
    started: float | None
    seed_chosen: bool = False
    at: float = msgspec.field(name="now", default=0.0)
    """The server's time when it sent this."""
    views: dict[str, msgspec.Raw] = {}
    legal: dict[str, list[str]] = {}
    clocks: RemoteClocks | None = None
    outcome: Any = None

    def clock(self, seat: int) -> float | None:
        """Returns the seconds left for a seat's move; None without a clock."""
        if self.clocks is None:
            return None
        end = self.clocks.ends.get(str(seat), self.clocks.turn_ends)
        return None if end is None else end - self.at


class RemoteError(msgspec.Struct):
    """An error as the server describes it."""

    sentence: str = ""


Fields = dict[str, msgspec.Raw]
"""Fields of a table or a view, not read yet."""


class SocketMessage(msgspec.Struct):
    """A message of the socket: the fields of the table that are new, if any are."""

    table: Fields = {}


class FollowedTable:
    """A table as its socket has told it so far."""

    def __init__(self) -> None:
        self._fields: Fields = {}
        self._views: dict[str, Fields] = {}

    def update(self, message: str | bytes) -> RemoteTable | None:
        """Takes a message; returns the table, None before the first one that brings it."""
        changed = msgspec.json.decode(message, type=SocketMessage).table
        self._fields |= changed
        if "views" in changed:
            views = msgspec.json.decode(changed["views"], type=dict[str, Fields])
            self._views = {
                seat: self._views.get(seat, {}) | fields for seat, fields in views.items()
            }
        if not self._fields:
            return None
        whole = msgspec.json.encode(self._fields | {"views": self._views})
        return msgspec.json.decode(whole, type=RemoteTable)


class MoveAnswer(msgspec.Struct):
    """The answer to a move: the number of its event."""

    number: int


class RefusedBody(msgspec.Struct):
    """The body of an HTTP response that is an error."""

    error: RemoteError


class ServerSilentError(InputError):
    """The server does not answer, or only with an internal error."""


class RequestRefusedError(InputError):
    """The server refuses a request."""


class BotClient:
    """Plays for the guest or account that made the token."""

    def __init__(self, url: str, token: str, bot: str, say: Say) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise InputError("connect.address", url=url)
        folder, table, linked = parts.path.rstrip("/").partition("/t/")
        self.server = f"{parts.scheme}://{parts.netloc}{folder}"
        self.linked_table_id = linked if table and "/" not in linked else ""
        self.headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        self.bot_spec = bot
        self.say = say
        self._bots: dict[int, Bot] = {}

    # Over HTTP

    def request(self, method: str, path: str, body: object = None) -> bytes:
        """Returns the server's answer; raises `InputError` for a refusal or no answer."""
        data = None if body is None else msgspec.json.encode(body)
        request = urllib.request.Request(
            f"{self.server}/api/{path}", data, self.headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=REQUEST_TIMEOUT_SECONDS) as response:
                content: bytes = response.read()
                return content
        except urllib.error.HTTPError as error:
            raise _refusal(error.code, error.read()) from None
        except OSError as error:
            reason = getattr(error, "reason", error)
            raise ServerSilentError("connect.silent", url=self.server, reason=reason) from None

    def sit(self, table_id: str) -> RemoteTable:
        """Returns the table, and takes a free seat unless the client has one there already."""
        table = self._table(table_id)
        self._check_bot_plays(table.game)
        if any(seat.mine for seat in table.seats) or table.finished:
            return table
        return self._table(f"{table_id}/join", "POST", {})

    def find(self) -> str:
        """Returns the id of the first open table that the bot could sit at; waits for one."""
        self.say("connect.looking", bot=self.bot_spec)
        while True:
            tables = msgspec.json.decode(self.request("GET", "tables"), type=list[RemoteTable])
            for table in tables:
                try:
                    return self.sit(table.id).id
                except ServerSilentError:
                    raise
                except InputError:  # the bot plays other games, or somebody was quicker
                    continue
            time.sleep(POLL_SECONDS)

    def leave(self, table_id: str) -> None:
        """Gives the seats back if the game has not begun; keeps them otherwise."""
        table = self._table(table_id)
        if table.finished:
            return
        if table.started is not None:
            self.say("connect.stays")
            return
        for seat in table.seats:
            if seat.mine:
                self.request("POST", f"tables/{table_id}/leave", {"seat": seat.seat})
        self.say("connect.left")

    def _table(self, path: str, method: str = "GET", body: object = None) -> RemoteTable:
        """Returns a table, at its own path or as a request below it answers."""
        return msgspec.json.decode(self.request(method, f"tables/{path}", body), type=RemoteTable)

    def _check_bot_plays(self, game: str) -> None:
        find_bot(self.bot_spec.partition("@")[0], game, files=True)

    # Over the socket

    def play(self, table_id: str) -> RemoteTable:
        """Plays until the game is over, and reconnects when the connection drops."""
        table = self.sit(table_id)
        mine = ", ".join(str(seat.seat + 1) for seat in table.seats if seat.mine)
        self.say("connect.seated", bot=self.bot_spec, table=table_id, seats=mine)
        if table.seed_chosen:
            self.say("web.seed_chosen")
        attempt = 0
        while True:
            try:
                with self._connect(table_id) as connection:
                    attempt = 0
                    return self._play_over(connection, table_id)
            except InvalidStatus as error:
                status = error.response.status_code
                if status < 500:
                    raise InputError("connect.socket", status=status) from None
            except ConnectionClosed as error:
                if error.rcvd and error.rcvd.code == NO_TABLE_CODE:
                    raise InputError("server.no_table") from None
            except (OSError, InvalidHandshake, ServerSilentError):
                pass
            self.say("connect.again")
            time.sleep(RECONNECT_SECONDS[min(attempt, len(RECONNECT_SECONDS) - 1)])
            attempt += 1

    def _connect(self, table_id: str) -> ClientConnection:
        address = self.server.replace("http", "ws", 1)
        headers = {"authorization": self.headers["authorization"]}
        return connect(
            f"{address}/api/tables/{table_id}/live", additional_headers=headers, max_size=None
        )

    def _play_over(self, connection: ClientConnection, table_id: str) -> RemoteTable:
        """Makes the moves of all seats of the client until the game is over."""
        followed = FollowedTable()

        def table_at(number: int) -> RemoteTable:
            """Returns the table when it has at least this event number."""
            while True:
                table = followed.update(connection.recv())
                if table and table.number >= number:
                    return table

        table, refusals = table_at(0), 0
        while not table.finished:
            if any(seat.mine and seat.ready is False for seat in table.seats):
                table = self._table(f"{table_id}/ready", "POST", {})
                continue
            seats = [int(seat) for seat, legal in table.legal.items() if legal]
            if not seats:
                table = table_at(table.number + 1)
                continue
            try:
                number, refusals = self._move(table, seats[0]), 0
            except RequestRefusedError:
                refusals += 1
                if refusals >= REFUSALS_PER_TURN:
                    raise
                table = self._table(table_id)
                continue
            table = table_at(number)
        return table

    def _move(self, table: RemoteTable, seat: int) -> int:
        """Makes a move; returns the number of its event."""
        move = {
            "seat": seat,
            "move": self._choose(table, seat),
            "client_id": secrets.token_hex(12),
            "number": table.number,
        }
        answer = self.request("POST", f"tables/{table.id}/moves", move)
        return msgspec.json.decode(answer, type=MoveAnswer).number

    def _choose(self, table: RemoteTable, seat: int) -> str:
        bot = self._bot_at(table, seat)
        game = bot.game
        view = msgspec.json.decode(table.views[str(seat)], type=game.box.view)
        legal = sorted(map(game.parse_move, table.legal[str(seat)]))
        return game.move_text(ask(bot, self.bot_spec, view, legal, table.clock(seat)))

    def _bot_at(self, table: RemoteTable, seat: int) -> Bot:
        if seat not in self._bots:
            game: Game = box(table.game).open(table.map, len(table.seats), table.options)
            seed = secrets.randbits(63)
            self._bots[seat] = make_bot(self.bot_spec, game, seed, files=True)
        return self._bots[seat]


def _refusal(status: int, body: bytes) -> InputError:
    try:
        sentence = msgspec.json.decode(body, type=RefusedBody).error.sentence
    except msgspec.DecodeError:
        sentence = str(status)
    kind = ServerSilentError if status >= 500 else RequestRefusedError
    return kind("connect.refused", sentence=sentence)


def play(url: str, token: str, bot: str, table_id: str, say: Say) -> RemoteTable:
    """Sits at a table and plays to the end; without a table id, at the first that takes it."""
    client = BotClient(url, token, bot, say)
    table_id = table_id or client.linked_table_id or client.find()
    try:
        return client.play(table_id)
    except KeyboardInterrupt:
        client.leave(table_id)
        raise
