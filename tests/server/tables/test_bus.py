"""The bus between processes: it closes whenever it is told to, and says when Redis is away."""

from __future__ import annotations

import asyncio

import pytest
from server import services
from support.own_loop import run

from headway.server.tables import bus as process_bus
from headway.server.tables.bus import ProcessBus

BUSES = 100
ROUNDS = 3


def test_every_bus_closes(redis: str) -> None:
    """Redis' client sometimes swallows a cancellation: then a server ignored SIGTERM.

    It happened to one in twenty, when the signal met the end of a wait of one second. These close
    around that moment.
    """

    async def open_and_close(bus: ProcessBus, later: float) -> None:
        bus.open()
        await asyncio.sleep(0.98 + later)
        await bus.close()

    async def all_buses() -> None:
        buses = [ProcessBus(redis, str(number)) for number in range(BUSES)]
        await asyncio.gather(*(open_and_close(b, 0.2 * n / BUSES) for n, b in enumerate(buses)))

    for _ in range(ROUNDS):
        run(all_buses())


def test_the_log_says_once_that_redis_is_away_and_when_it_is_back(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_bus, "RECONNECT_SECONDS", 0.01)
    caplog.set_level("INFO")
    port = services.free_port()

    def lines() -> list[str]:
        return [record.getMessage() for record in caplog.records]

    async def check() -> None:
        tries = asyncio.Semaphore(0)

        def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            tries.release()
            writer.close()

        broken = await asyncio.start_server(refuse, "127.0.0.1", port)
        bus = ProcessBus(f"redis://127.0.0.1:{port}", "here")
        bus.open()
        try:
            for _ in range(20):
                bus.send("abc")  # both the listener and the sender fail
                await tries.acquire()
            broken.close()
            assert lines() == ["channels lost"]
            with services.redis(port):
                while "channels back" not in lines():
                    await asyncio.sleep(0.01)
                assert lines() == ["channels lost", "channels back"]
        finally:
            await bus.close()

    run(check())
