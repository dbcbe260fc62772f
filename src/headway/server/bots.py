"""Bots at work: they think in processes of their own and never hold up the event loop.

For each table at most one bot thinks at a time, so no table takes more than one worker. Nobody
else has to be told that a bot is at work: if two processes play the same one, the number of the
event decides.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context, parent_process
from typing import NamedTuple

from headway.bots import make_bot
from headway.errors import HeadwayError
from headway.games import box
from headway.games.contract import Game, View
from headway.server.metrics import METRICS
from headway.server.sitting import Sitting
from headway.server.tables import Tables

log = logging.getLogger("headway.bots")


class Task(NamedTuple):
    """All that a bot is given: the choices of the game, its view, its legal moves."""

    bot: str
    game: str
    map: str
    seats: int
    options: tuple[tuple[str, bool], ...]
    view: View
    legal: list[int]
    seed: int


@lru_cache(maxsize=64)
def _opened(name: str, map: str, seats: int, options: tuple[tuple[str, bool], ...]) -> Game:
    return box(name).open(map, seats, dict(options))


def think(task: Task) -> str:
    """A bot's choice, in the game's notation. Runs in a worker."""
    game = _opened(task.game, task.map, task.seats, task.options)
    bot = make_bot(task.bot, game, task.seed)
    return game.move_text(bot.choose(task.view, task.legal))


def _prepare_worker() -> None:
    """A worker is polite to the event loop, and ends when its server does, killed or not.

    Ctrl-C at a terminal reaches it too; what to do about it is the server's business.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(5)
    server = parent_process()

    def follow() -> None:
        if server:
            server.join()
            os._exit(0)

    threading.Thread(target=follow, daemon=True).start()


class Bots:
    """Plays the seats that bots hold."""

    def __init__(self, tables: Tables, workers: int) -> None:
        self.tables = tables
        self.workers = workers or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None
        self._at_work: dict[str, asyncio.Task[None]] = {}

    def open(self) -> None:
        """Starts a worker in the background, so that the first move does not wait for it."""
        self._pool = ProcessPoolExecutor(
            self.workers, mp_context=get_context("spawn"), initializer=_prepare_worker
        )
        self._pool.submit(os.getpid)

    async def close(self) -> None:
        """Stops everything; bots go on when the server is there again."""
        for task in list(self._at_work.values()):
            task.cancel()
        await asyncio.gather(*self._at_work.values(), return_exceptions=True)
        if self._pool:
            ending = asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ending, 5)

    def nudge(self, now: Sitting) -> None:
        """Lets the bots of a table move if it is their turn and nobody is at it yet."""
        table = now.setup.id
        if table not in self._at_work and now.bots_to_move():
            task = asyncio.create_task(self._play(table), name=f"bots of {table}")
            self._at_work[table] = task

    async def _play(self, table: str) -> None:
        try:
            while seats := (now := await self.tables.get(table)).bots_to_move():
                await self._move(now, seats[0])
        except HeadwayError as error:
            log.warning("bot refused", extra={"table": table, "key": error.key})
        except Exception:
            log.exception("bot failed", extra={"table": table})
        finally:
            del self._at_work[table]

    async def _move(self, now: Sitting, seat: int) -> None:
        bot = now.chairs[seat].bot
        assert bot
        setup = now.setup
        options = tuple(sorted(setup.options.items()))
        legal, seed = now.state.legal(seat), secrets.randbits(63)
        task = Task(
            bot, setup.game, setup.map, len(now.chairs), options, now.view(seat), legal, seed
        )
        move = await self._think(task)
        try:
            await self.tables.bot_move(setup.id, seat, bot, move, now.undone)
            METRICS.count("headway_bot_moves_total", bot=bot)
        except HeadwayError as error:
            # The seat was given back, or the game went on elsewhere: look again.
            if (await self.tables.fresh(setup.id)).number == now.number:
                raise error from None

    async def _think(self, task: Task) -> str:
        for _ in range(2):
            if self._pool is None:
                self.open()
            pool = self._pool
            assert pool
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, think, task)
            except BrokenProcessPool:
                log.warning("bot worker lost")
                if self._pool is pool:
                    self._pool = None
        raise RuntimeError("bot workers do not stay alive")
