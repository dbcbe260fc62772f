"""Compiles bots in one process beside the workers; those that a table waits for come first."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial

from headway import process_pool
from headway.bots import Bot, bots_of
from headway.bots.registry import levels_of, split
from headway.games import boxes
from headway.server.core.calendar import steady_time
from headway.server.core.workers import cancel, start_task
from headway.server.tables.bot_tasks import REVIEW, compile_bot

log = logging.getLogger("headway.bots")
BotName = tuple[str, str]
"""A game and one of its bots."""


@dataclass(frozen=True)
class CompileWait:
    """A table that waits for a bot to be compiled: since when, and for how long typically.

    `simpler` is the strongest level that needs no compiling.
    """

    bot: str
    simpler: str
    since: float
    typical: float


class BotCompiler:
    """Compiles every bot once; simple bots play meanwhile, because the workers stay free."""

    def __init__(self) -> None:
        self._ready: dict[BotName, asyncio.Event] = {}
        self._queue: list[BotName] = []
        self._task: asyncio.Task[None] | None = None
        self._current: tuple[BotName, float] | None = None

    def start(self) -> None:
        """Begins to compile all bots in the background."""
        compiled = [(box.name, name) for box in boxes() for name, bot in bots_of(box.name).items()
                    if bot.compiled]  # fmt: skip
        compiled += [(box.name, REVIEW) for box in boxes()]
        self._ready = {bot: asyncio.Event() for bot in compiled}
        self._queue = compiled[::-1]
        self._task = start_task(self._run(), "compile bots")

    async def close(self) -> None:
        """Stops compiling."""
        if self._task:
            await cancel([self._task])

    async def ready(self, game: str, bot: str) -> None:
        """Waits until a bot is compiled, and lets it be the next. Returns at once if none are."""
        if event := self._ready.get((game, bot)):
            if (game, bot) in self._queue:
                self._queue.remove((game, bot))
                self._queue.append((game, bot))
            await event.wait()

    def wait_for(self, game: str, bot_spec: str) -> CompileWait | None:
        """Returns what a table waits for that needs a bot now; None if the bot is ready.

        The bot that is being compiled has to be finished before.
        """
        bot = (game, split(bot_spec)[0])
        if bot not in self._ready or self._ready[bot].is_set():
            return None
        since = steady_time()
        typical = bots_of(game)[bot[1]].compile_seconds
        if self._current:
            busy_with, began = self._current
            if busy_with == bot:
                since = began
            else:
                other = bots_of(busy_with[0]).get(busy_with[1], Bot)
                typical += max(0.0, other.compile_seconds - (since - began))
        simple = [name for name in levels_of(game) if not bots_of(game)[name].compiled]
        return CompileWait(bot_spec, simple[-1] if simple else "", since, typical)

    async def _run(self) -> None:
        pool = process_pool.open_pool(1)
        try:
            while self._queue:
                bot = self._queue.pop()
                self._current = bot, steady_time()
                try:
                    work = partial(compile_bot, *bot)
                    await asyncio.get_running_loop().run_in_executor(pool, work)
                except Exception:
                    log.exception("bot not compiled", extra={"bot": bot[1]})
                self._current = None
                self._ready[bot].set()  # also after a failure: the worker then says what is wrong
        finally:
            await asyncio.to_thread(process_pool.kill, pool)
