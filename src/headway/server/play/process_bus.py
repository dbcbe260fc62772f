"""Notes between the processes of a server, through Litestar's channels: memory or Redis.

A note only says that a table has changed, or who is connected to it; what happened is read from
the database. A lost note is no harm: the keeper compares numbers every few seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, cast

import msgspec
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.channels.backends.redis import RedisChannelsPubSubBackend

log = logging.getLogger("headway.notes")
CHANNEL = "headway"


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """`number` says that a table has that many events; `guests` who is connected to it here."""

    process: str
    table: str = ""
    number: int | None = None
    guests: list[str] | None = None
    there: dict[str, list[str]] | None = None
    """Everybody who is connected here, by table: what this process said before no longer counts."""
    gone: str = ""
    """A guest whose sockets shall close."""
    answer: bool = False
    """Whether the others shall say who is connected there: to the table, or at all."""


class Notes:
    """Sends notes to the other processes and hears theirs; goes on when Redis comes back."""

    def __init__(self, address: str, process: str) -> None:
        self.address = address
        self.process = process
        self.heard: list[Callable[[Note], None]] = []
        self._out: asyncio.Queue[Note] = asyncio.Queue(maxsize=10_000)
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Starts listening and sending. A single process has nobody to write to."""
        if self.address:
            self._tasks = [asyncio.create_task(self._always(w)) for w in (self._listen, self._send)]

    async def close(self) -> None:
        """Stops; what is on its way still goes out, if it can."""
        if self._tasks:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._out.join(), 1)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def send(
        self,
        table: str = "",
        *,
        number: int | None = None,
        guests: list[str] | None = None,
        there: dict[str, list[str]] | None = None,
        gone: str = "",
        answer: bool = False,
    ) -> None:
        """Puts a note on its way."""
        if self.address:
            with contextlib.suppress(asyncio.QueueFull):
                note = Note(self.process, table, number, guests, there, gone, answer)
                self._out.put_nowait(note)

    def _backend(self) -> tuple[ChannelsBackend, Any]:
        if self.address.startswith("memory"):
            return MemoryChannelsBackend(), None
        from redis.asyncio import Redis

        client = cast(Any, Redis).from_url(self.address)
        return RedisChannelsPubSubBackend(redis=client), client

    async def _always(self, work: Callable[[ChannelsBackend], Any]) -> None:
        while True:
            backend, client = self._backend()
            try:
                await backend.on_startup()
                await work(backend)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log.warning("channels lost", extra={"error": type(error).__name__})
                await asyncio.sleep(1)
            finally:
                with contextlib.suppress(Exception):
                    await backend.on_shutdown()
                    if client is not None:
                        await client.aclose()

    async def _listen(self, backend: ChannelsBackend) -> None:
        await backend.subscribe([CHANNEL])
        self.send(answer=True)  # what was said before, or while the line was down, was not heard
        async for _, data in backend.stream_events():
            note = msgspec.json.decode(data, type=Note)
            if note.process != self.process:
                for hear in self.heard:
                    hear(note)

    async def _send(self, backend: ChannelsBackend) -> None:
        while True:
            note = await self._out.get()
            try:
                await backend.publish(msgspec.json.encode(note), [CHANNEL])
            finally:
                self._out.task_done()
