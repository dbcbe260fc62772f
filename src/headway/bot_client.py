"""`headway bot connect`: a bot of one's own at a web table, through the public API with a token.

It knows no more than a person there: the view that the server sends for its seat.
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
from headway.errors import HeadwayError, InputError
from headway.games import box
from headway.games.contract import Game

GONE = 4404
TRIES = 3
"""How often a bot may be refused in the same turn before this gives up."""
PATIENCE = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds before each new attempt to connect; the last for all further ones."""
LOOK = 3.0
"""Seconds between two looks for an open table."""

Say = Callable[..., None]


class SeatOf(msgspec.Struct):
    """A seat of the table, as far as a bot cares."""

    seat: int
    kind: str
    mine: bool


class ClocksOf(msgspec.Struct):
    """When time is over."""

    turn_ends: float | None = None
    ends: dict[str, float] = {}


class TableOf(msgspec.Struct):
    """A table as the server tells it, as far as a bot cares."""

    id: str
    game: str
    map: str
    options: dict[str, bool]
    seats: list[SeatOf]
    number: int
    finished: bool
    started: float | None
    now: float = 0.0
    views: dict[str, msgspec.Raw] = {}
    legal: dict[str, list[str]] = {}
    clocks: ClocksOf | None = None
    outcome: Any = None

    def clock(self, seat: int) -> float | None:
        """The time left for a seat's move."""
        if self.clocks is None:
            return None
        end = self.clocks.ends.get(str(seat), self.clocks.turn_ends)
        return None if end is None else end - self.now


class ErrorOf(msgspec.Struct):
    """What was wrong."""

    key: str = ""
    sentence: str = ""


class Heard(msgspec.Struct):
    """A message of the socket; the others bring no table."""

    type: str
    table: TableOf | None = None


class MovedTo(msgspec.Struct):
    """The answer to a move: the number of its event."""

    number: int


class Failed(msgspec.Struct):
    """The body of an answer that is an error."""

    error: ErrorOf


class ServerSilent(InputError):
    """The server does not answer, or not now."""


class RequestRefused(InputError):
    """The server refuses a request."""


class Visitor:
    """A program that plays in the name of whoever made its token."""

    def __init__(self, url: str, token: str, bot: str, say: Say) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise InputError("connect.address", url=url)
        self.server = f"{parts.scheme}://{parts.netloc}"
        way = parts.path.strip("/").split("/")
        self.linked = way[1] if len(way) == 2 and way[0] == "t" else ""
        self.headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        self.bot = bot
        self.say = say
        self._players: dict[int, Bot] = {}

    # Over HTTP

    def ask(self, method: str, path: str, body: object = None) -> bytes:
        """The server's answer; its refusals and its silence are sentences."""
        data = None if body is None else msgspec.json.encode(body)
        request = urllib.request.Request(
            f"{self.server}/api/{path}", data, self.headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                content: bytes = answer.read()
                return content
        except urllib.error.HTTPError as error:
            raise _refusal(error.code, error.read()) from None
        except OSError as error:
            reason = getattr(error, "reason", error)
            raise ServerSilent("connect.silent", url=self.server, reason=reason) from None

    def sit(self, table: str) -> TableOf:
        """The table, with a seat of one's own: the one that is there already, or a free one."""
        now = msgspec.json.decode(self.ask("GET", f"tables/{table}"), type=TableOf)
        find_bot(self.bot.partition("@")[0], now.game, files=True)
        if any(seat.mine for seat in now.seats) or now.finished:
            return now
        return msgspec.json.decode(self.ask("POST", f"tables/{table}/join", {}), type=TableOf)

    def find(self) -> str:
        """The first open table whose game the bot plays; waits until there is one."""
        self.say("connect.looking", bot=self.bot)
        while True:
            tables = msgspec.json.decode(self.ask("GET", "tables"), type=list[TableOf])
            for table in tables:
                try:
                    find_bot(self.bot.partition("@")[0], table.game, files=True)
                except InputError:
                    continue
                return table.id
            time.sleep(LOOK)

    def leave(self, table: str) -> None:
        """Gives the seats back if the game has not begun; else they stay for the next time."""
        now = msgspec.json.decode(self.ask("GET", f"tables/{table}"), type=TableOf)
        if now.finished:
            return
        if now.started is not None:
            self.say("connect.stays")
            return
        for seat in now.seats:
            if seat.mine:
                self.ask("POST", f"tables/{table}/leave", {"seat": seat.seat})
        self.say("connect.left")

    # Over the socket

    def play(self, table: str) -> TableOf:
        """Plays until the game is over; a connection that drops is made again."""
        now = self.sit(table)
        mine = ", ".join(str(seat.seat + 1) for seat in now.seats if seat.mine)
        self.say("connect.seated", bot=self.bot, table=table, seats=mine)
        attempt = 0
        while True:
            try:
                with self._socket(table) as line:
                    attempt = 0
                    return self._talk(line)
            except InvalidStatus as error:
                status = error.response.status_code
                if status < 500:
                    raise InputError("connect.socket", status=status) from None
            except ConnectionClosed as error:
                if error.rcvd and error.rcvd.code == GONE:
                    raise InputError("server.no_table") from None
            except (OSError, InvalidHandshake, ServerSilent):
                pass
            self.say("connect.again")
            time.sleep(PATIENCE[min(attempt, len(PATIENCE) - 1)])
            attempt += 1

    def _socket(self, table: str) -> ClientConnection:
        address = self.server.replace("http", "ws", 1)
        headers = {"authorization": self.headers["authorization"]}
        return connect(
            f"{address}/api/tables/{table}/live", additional_headers=headers, max_size=None
        )

    def _talk(self, line: ClientConnection) -> TableOf:
        table, refused = _next_table(line, 0), 0
        while not table.finished:
            seats = [int(seat) for seat, legal in table.legal.items() if legal]
            if not seats:
                table = _next_table(line, table.number + 1)
                continue
            try:
                number, refused = self._move(table, seats[0]), 0
            except RequestRefused:
                refused += 1
                if refused >= TRIES:
                    raise
                content = self.ask("GET", f"tables/{table.id}")
                table = msgspec.json.decode(content, type=TableOf)
                continue
            table = _next_table(line, number)
        return table

    def _move(self, table: TableOf, seat: int) -> int:
        """Makes a move; returns the number of its event."""
        move = {
            "seat": seat,
            "move": self._choice(table, seat),
            "client_id": secrets.token_hex(12),
            "number": table.number,
        }
        answer = self.ask("POST", f"tables/{table.id}/moves", move)
        return msgspec.json.decode(answer, type=MovedTo).number

    def _choice(self, now: TableOf, seat: int) -> str:
        bot = self._player(now, seat)
        game = bot.game
        view = msgspec.json.decode(now.views[str(seat)], type=game.box.view)
        legal = sorted(map(game.parse_move, now.legal[str(seat)]))
        try:
            return game.move_text(bot.choose(view, legal, now.clock(seat)))
        except HeadwayError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise InputError("arena.bot_failed", bot=self.bot, reason=reason) from error

    def _player(self, now: TableOf, seat: int) -> Bot:
        if seat not in self._players:
            game: Game = box(now.game).open(now.map, len(now.seats), now.options)
            seed = secrets.randbits(63)
            self._players[seat] = make_bot(self.bot, game, seed, files=True)
        return self._players[seat]


def _hear(line: ClientConnection) -> Heard:
    return msgspec.json.decode(line.recv(), type=Heard)


def _next_table(line: ClientConnection, number: int) -> TableOf:
    """The next state of the table from an event on."""
    while True:
        table = _hear(line).table
        if table and table.number >= number:
            return table


def _refusal(status: int, body: bytes) -> InputError:
    try:
        sentence = msgspec.json.decode(body, type=Failed).error.sentence
    except msgspec.DecodeError:
        sentence = str(status)
    kind = ServerSilent if status >= 500 else RequestRefused
    return kind("connect.refused", sentence=sentence)


def play(url: str, token: str, bot: str, table: str, say: Say) -> TableOf:
    """Sits at a table (a free seat of an open one if none is named) and plays to the end."""
    visitor = Visitor(url, token, bot, say)
    table = table or visitor.linked or visitor.find()
    try:
        return visitor.play(table)
    except KeyboardInterrupt:
        visitor.leave(table)
        raise
