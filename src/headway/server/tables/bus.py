"""Messages between the processes of a server, through Litestar's channels in Redis.

A message brings an event that its sender has committed, or says who is connected to a table. All
that wait are sent as one. A lost message does no harm: what happened is in the database, and the
watchdog compares numbers every few seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, cast

import msgspec
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.redis import RedisChannelsPubSubBackend

from headway.server.core.log import Outage
from headway.server.tables.events import TableEvent
from headway.server.tables.schema import Remark, Said

log = logging.getLogger("headway.process_bus")
CHANNEL = "headway"
MOST_QUEUED = 10_000
MOST_AT_ONCE = 200
RECONNECT_SECONDS = 1.0
FLUSH_SECONDS = 1.0
CANCEL_SECONDS = 0.5
BATCH_SECONDS = 0.03
"""How long messages wait for others after the last ones were sent: sending costs the most."""


class BusMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """`event` is a table's last one; `guests` are connected to the table at the sender."""

    table_id: str = ""
    event: TableEvent | None = None
    guests: list[str] | None = None
    hidden: list[str] = []
    """Those of the `guests` whose pages nobody sees."""
    all_guests: dict[str, list[str]] | None = None
    """Everybody connected to the sender, by table; replaces what it said before."""
    lobby: int | None = None
    """How many people look at the lobby at the sender."""
    disconnect: str = ""
    """A guest whose sockets all processes close."""
    said: Said | Remark | None = None
    """What somebody says at the table."""
    speaker: str = ""
    """The guest who says it."""
    hearers: list[str] | None = None
    """Who alone hears it; everybody at the table without such a list."""
    deaf: list[str] = []
    """Who does not hear it."""
    renamed: str = ""
    """A guest who has another name now."""
    answer: bool = False
    """Asks the others who is connected to them: to the table, or to any."""

    def is_for(self, guest: str) -> bool:
        """Tells whether somebody at the table hears what is said."""
        return guest not in self.deaf and (self.hearers is None or guest in self.hearers)


class Envelope(msgspec.Struct, frozen=True):
    """What is sent at once: the sending process and its messages."""

    process: str
    messages: msgspec.Raw


class ProcessBus:
    """Sends messages to the other processes and hears theirs; reconnects to Redis by itself."""

    def __init__(self, address: str, process: str) -> None:
        self.address = address
        self.process = process
        self.on_message: Callable[[str, BusMessage], None] = lambda process, message: None
        self._outbox: asyncio.Queue[BusMessage] = asyncio.Queue(maxsize=MOST_QUEUED)
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False
        self._outage = Outage(log, "channels")

    @property
    def is_up(self) -> bool:
        """Whether Redis answers, as far as this process knows."""
        return not self._outage.away

    def open(self) -> None:
        """Starts listening and sending; a single process has nobody to write to."""
        if self.address:
            loops = {"listen": self._listen, "send": self._send}
            self._tasks = [asyncio.create_task(self._always(*loop)) for loop in loops.items()]

    async def close(self) -> None:
        """Stops; sends what waits if that is possible within a second."""
        if self._tasks:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._outbox.join(), FLUSH_SECONDS)
        # A library may swallow the first cancellation, when an answer of Redis comes with it.
        self._closing = True
        running = set(self._tasks)
        while running:
            for task in running:
                task.cancel()
            _, running = await asyncio.wait(running, timeout=CANCEL_SECONDS)

    def send(self, table_id: str = "", **fields: Any) -> None:
        """Queues a message; `fields` are those of `BusMessage`."""
        if self.address:
            self.send_message(BusMessage(table_id, **fields))

    def send_message(self, message: BusMessage) -> None:
        """Queues a message that is already made."""
        if self.address:
            with contextlib.suppress(asyncio.QueueFull):
                self._outbox.put_nowait(message)

    async def _always(self, name: str, loop: Callable[[ChannelsBackend], Any]) -> None:
        from redis.asyncio import Redis

        while not self._closing:
            client = cast(Any, Redis).from_url(self.address)
            backend = RedisChannelsPubSubBackend(redis=client)
            try:
                await backend.on_startup()
                await loop(backend)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                self._outage.lost(error, name)
                await asyncio.sleep(RECONNECT_SECONDS)
            finally:
                with contextlib.suppress(Exception):
                    await backend.on_shutdown()
                    await client.aclose()

    async def _listen(self, backend: ChannelsBackend) -> None:
        await backend.subscribe([CHANNEL])
        self._outage.back("listen")
        self.send(answer=True)  # messages sent before, or while we were cut off, are lost
        async for _, data in backend.stream_events():
            envelope = msgspec.json.decode(data, type=Envelope)
            if envelope.process == self.process:
                continue
            for message in msgspec.json.decode(envelope.messages, type=list[BusMessage]):
                self.on_message(envelope.process, message)

    async def _send(self, backend: ChannelsBackend) -> None:
        while True:
            messages = [await self._outbox.get()]
            while not self._outbox.empty() and len(messages) < MOST_AT_ONCE:
                messages.append(self._outbox.get_nowait())
            try:
                envelope = Envelope(self.process, msgspec.Raw(msgspec.json.encode(messages)))
                await backend.publish(msgspec.json.encode(envelope), [CHANNEL])
                self._outage.back("send")
            finally:
                for _ in messages:
                    self._outbox.task_done()
            await asyncio.sleep(BATCH_SECONDS)
