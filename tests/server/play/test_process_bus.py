"""The bus between processes closes whenever it is told to."""

from __future__ import annotations

import asyncio

from own_loop import run

from headway.server.play.process_bus import ProcessBus

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
