"""The lowest floor of HTTP: how many connections are open, and how long a request may take to come.

uvicorn limits neither. Without limits one client fills the memory with a request that has no end,
or keeps all file descriptors with requests that are half sent. Granian and Hypercorn limit neither
the connections of an address nor the time of a body (docs/measurements.md). What uvicorn lacks is
here; `tests/server/web/test_protocol.py` checks every name of uvicorn's that it uses.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter, deque
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

from headway.server.core import metrics
from headway.server.core.errors import RefusedError, invalid, too_often, unavailable
from headway.server.web.context import is_proxy, language_of, network_of, peer_of, proxy_networks
from headway.server.web.errors import failure, status_of
from headway.server.web.sockets import PONG
from headway.settings import ServerSettings

HEAD_BYTES = 64 * 1024
"""The longest head of a request: its first line and its headers."""
HEAD_SECONDS = 10.0
"""How long the head of a request may take to arrive, also the first one of a connection."""
BODY_SECONDS = 20.0
"""How long the body of a request may take to arrive."""
BEAT_SECONDS = 4.0
"""How often a socket beats: its page hears that the server is there, and the browser answers."""
BEAT_TICK_SECONDS = 0.25
"""Beats of this time are sent together: waking up costs more than a beat."""
SILENT_CLIENT_SECONDS = 9.0
"""How long a client may be silent, although its socket beats, before it counts as gone: the others
see within 15 seconds that its line is dead."""
BEAT = b"\x81\x0f" + PONG + b"\x89\x00"
"""A text for the page, as JavaScript does not see pings, and a ping, which the browser answers."""
RESERVED_FILES = 200
"""File descriptors that connections leave to the database, workers and files."""
_head_too_large = partial(
    RefusedError, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "server.head_large"
)


def raise_file_limit() -> int:
    """Lets the process open as many files as the system allows; returns how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard if hard != resource.RLIM_INFINITY else 1 << 30


class OpenConnections:
    """Counts the open connections, in total and for each client's network."""

    def __init__(self, settings: ServerSettings, files: int) -> None:
        self.most = max(1, min(settings.connections, files - RESERVED_FILES))
        self.most_of_network = settings.connections_per_address if settings.rate else self.most
        # All clients of a proxy share its address: it has to limit them itself.
        self._shared = proxy_networks(settings.trusted_proxy) + settings.trusted_networks
        self._open: Counter[str] = Counter()

    def open(self, address: str) -> RefusedError | None:
        """Counts a new connection; returns why it has to close again, if it has to."""
        network = network_of(address)
        self._open[network] += 1
        if self._open.total() > self.most:
            return unavailable("server.connections")
        if self._open[network] > self.most_of_network and not is_proxy(address, self._shared):
            return too_often("server.connections_address")
        return None

    def close(self, address: str) -> None:
        """Forgets a connection that is closed."""
        network = network_of(address)
        self._open[network] -= 1
        if not self._open[network]:
            del self._open[network]


class HttpConnection(HttpToolsProtocol):
    """A connection whose requests have to arrive in time, with heads that are not too long."""

    open_connections: ClassVar[OpenConnections]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts the connection; refuses one too many."""
        super().connection_made(transport)
        self._timer: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True
        self._refusal: RefusedError | None = None
        if refusal := self.open_connections.open(_address(self)):
            metrics.RATE_LIMITED.labels("connections").inc()
            self._refuse(refusal)
        else:
            self._expect("server.head_slow", HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._expect_nothing()
        self.open_connections.close(_address(self))
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads what has arrived; refuses a head that is too long."""
        if self.transport.is_closing():
            return
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._timer is None:
            self._expect("server.head_slow", HEAD_SECONDS)
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
            self._refuse(_head_too_large())

    def on_message_begin(self) -> None:
        """Begins to read a request."""
        super().on_message_begin()
        self._in_head = True
        if self._timer is None:
            self._expect("server.head_slow", HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """Has read a head; the body has to follow."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > HEAD_BYTES:
            self._refusal = _head_too_large()
            raise ValueError  # the parser stops, and `send_400_response` answers
        self._in_head, self._head_bytes = False, 0
        self._expect("server.body_slow", BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Has read a whole request."""
        self._in_head = True
        self._expect_nothing()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Leaves the connection to a socket, which stays counted."""
        self._expect_nothing()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Answers a request that cannot be read."""
        self._refuse(self._refusal or invalid("server.bad_request"))

    def _expect(self, key: str, seconds: float) -> None:
        """Gives the client some time, after which the connection closes."""
        self._expect_nothing()
        self._timer = self.loop.call_later(seconds, self._refuse_slow, key, seconds)

    def _refuse_slow(self, key: str, seconds: float) -> None:
        self._refuse(RefusedError(HTTPStatus.REQUEST_TIMEOUT, key, seconds=round(seconds)))

    def _expect_nothing(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, error: RefusedError) -> None:
        """Answers with a sentence and closes the connection."""
        self._expect_nothing()
        sent: dict[bytes, bytes] = dict(self.headers or [])
        lang = language_of(sent.get(b"accept-language", b"").decode("latin-1"), "")
        body = msgspec.json.encode(failure(error, lang))
        head = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
        self.transport.write(STATUS_LINE[status_of(error)] + head % len(body) + body)
        self.transport.close()


class MessageQueue:
    """Messages for one reader, as `asyncio.Queue` has them, without the 3 KB that it takes."""

    __slots__ = ("_messages", "_reader")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Tells whether no message waits."""
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        """Adds a message."""
        self._messages.append(message)
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Returns the oldest message; waits for one."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._messages.pop(0)


class Heartbeat:
    """Lets every socket beat in turn; one timer for all costs less than one for each."""

    def __init__(self) -> None:
        self._due: deque[tuple[float, SocketConnection]] = deque()
        self._running = False

    def add(self, socket: SocketConnection) -> None:
        """Takes a socket that has opened, until it closes."""
        self._due.append((socket.loop.time() + BEAT_SECONDS, socket))
        if not self._running:
            self._running = True
            self._wait(socket.loop)

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_later(BEAT_TICK_SECONDS, self._run, loop)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        while self._due and self._due[0][0] <= now:
            _, socket = self._due.popleft()
            if not socket.disconnected:
                socket.beat(now)
                self._due.append((now + BEAT_SECONDS, socket))
        if self._due:
            self._wait(loop)
        else:
            self._running = False


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket, counted since it was an HTTP connection.

    Thousands of them are idle, so nothing is kept that only the handshake needed.
    """

    open_connections: ClassVar[OpenConnections]
    heartbeat: ClassVar[Heartbeat]
    heard_at = 0.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.queue = MessageQueue()  # type: ignore[assignment]

    def start_keepalive(self) -> None:
        """Begins to beat when the handshake is over."""
        del self.request, self.response
        self.heard_at = self.loop.time()
        self.heartbeat.add(self)

    def data_received(self, data: bytes) -> None:
        """Notes that the client is there."""
        self.heard_at = self.loop.time()
        super().data_received(data)

    async def send(self, message: Any) -> None:
        """Sends a text as one frame; leaves everything else to uvicorn.

        The layers of a general WebSocket library cost more than the rest of sending news.
        """
        text = message.get("text") if self.handshake_complete else None
        if text is None:
            await super().send(message)
            return
        if not self.writable.is_set():
            await self.writable.wait()
        if self.disconnected:
            raise ClientDisconnected
        if not self.close_sent:
            self.transport.write(Frame(Opcode.TEXT, text.encode()).serialize(mask=False))

    def beat(self, now: float) -> None:
        """Tells the client that the server is there, and asks for an answer.

        A client that has not answered the beats before is gone.
        """
        if self.close_sent or self.transport.is_closing():
            return
        if now - self.heard_at > SILENT_CLIENT_SECONDS:
            self.keepalive_timeout()
        elif self.writable.is_set():
            self.transport.write(BEAT)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self.open_connections.close(_address(self))
        super().connection_lost(exc)


def _address(connection: HttpConnection | SocketConnection) -> str:
    return peer_of(connection.client, connection.server)


def protocols(settings: ServerSettings) -> dict[str, Any]:
    """Returns uvicorn's options for connections that are limited by these settings."""
    counted = {"open_connections": OpenConnections(settings, raise_file_limit())}
    beating = counted | {"heartbeat": Heartbeat()}
    return {
        "http": type("CountedHttpConnection", (HttpConnection,), counted),
        "ws": type("CountedSocketConnection", (SocketConnection,), beating),
    }
