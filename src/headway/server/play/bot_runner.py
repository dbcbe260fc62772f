"""Bots at work: they think in processes of their own and never hold up the event loop.

For each table at most one bot thinks at a time, so no table takes more than one lane. Nobody
else has to be told that a bot is at work: if two processes play the same one, the number of the
event decides. A bot that fails or takes too long is replaced for that move, so no table waits for
ever.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import secrets
from collections import OrderedDict
from functools import lru_cache
from typing import NamedTuple

from headway import process_pool
from headway.bots import Appraisal, Bot, Budget, bots_of, explain, find_bot, make_bot
from headway.bots.registry import split
from headway.errors import HeadwayError
from headway.games import box, boxes
from headway.games.contract import Game, View
from headway.server.metrics import METRICS
from headway.server.play.authority import Tables
from headway.server.play.bot_workers import Lanes, Lost
from headway.server.table.state import Sitting
from headway.settings import ServerSettings
from headway.table import Table

log = logging.getLogger("headway.bots")
MOST_KNOWN = 4
"""Bots that a process remembers with what they know: the tables that moved last."""
HINT = Budget(seconds=1.0)


class Task(NamedTuple):
    """All that a bot is given: the choices of the game, its view, its legal moves.

    `place` is its seat at its table since the last time that something was taken back: there the
    same bot goes on, and what it knew from before that is forgotten.
    """

    bot: str
    game: str
    map: str
    seats: int
    options: tuple[tuple[str, bool], ...]
    view: View
    legal: list[int]
    seed: int
    place: tuple[str, int, int]


# In a worker

_known: OrderedDict[tuple[object, ...], Bot] = OrderedDict()


@lru_cache(maxsize=64)
def _opened(name: str, map: str, seats: int, options: tuple[tuple[str, bool], ...]) -> Game:
    return box(name).open(map, seats, dict(options))


def _game(task: Task) -> Game:
    return _opened(task.game, task.map, task.seats, task.options)


def think(task: Task) -> str:
    """A bot's choice, in the game's notation."""
    key = (task.bot, *task.place)
    bot = _known.pop(key, None) or make_bot(task.bot, _game(task), task.seed)
    move = bot.choose(task.view, task.legal)
    if move not in task.legal:
        raise ValueError(f"{task.bot} chose {move}, which is not legal")
    _known[key] = bot
    if len(_known) > MOST_KNOWN:
        _known.popitem(last=False)
    return _game(task).move_text(move)


def appraise(task: Task) -> list[tuple[str, Appraisal]]:
    """What the strongest bot thinks of the moves, the best first, each with its text."""
    game = _game(task)
    found = explain(game, task.view, task.legal, HINT, task.seed)
    return [(game.move_text(each.move), each) for each in found]


def warm_up() -> None:
    """Compiles and loads what first moves would wait for."""
    for found in boxes():
        for bot in bots_of(found.name).values():
            bot.warm_up()


# In the server


class Bots:
    """Plays the seats that bots hold, and gives hints."""

    def __init__(self, tables: Tables, settings: ServerSettings) -> None:
        self.tables = tables
        self.limit = settings.bot_seconds
        self.lanes = Lanes(settings.bot_workers or max(1, (os.cpu_count() or 2) - 1))
        self._wants_warm_up = settings.warm_up
        self._warming: asyncio.Task[None] | None = None
        self._at_work: dict[str, asyncio.Task[None]] = {}

    def open(self) -> None:
        """Starts a worker and compiles in the background: the first move waits for neither."""
        self.lanes.open()
        if self._wants_warm_up:
            self._warming = asyncio.create_task(self._warm_up(), name="warm up")

    async def _warm_up(self) -> None:
        """Compiles in a process of its own, so that simple bots can play meanwhile; then loads."""
        pool = process_pool.open_pool(1)
        try:
            await asyncio.get_running_loop().run_in_executor(pool, warm_up)
            await self.lanes.everywhere(warm_up)
        except Exception:
            log.exception("warm-up failed")
        finally:
            await asyncio.to_thread(process_pool.kill, pool)

    async def close(self) -> None:
        """Stops everything; bots go on when the server is there again."""
        tasks = [*self._at_work.values(), *([self._warming] if self._warming else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.lanes.close()

    def nudge(self, now: Sitting) -> None:
        """Lets the bots of a table move if it is their turn and nobody is at it yet."""
        table = now.setup.id
        if table not in self._at_work and now.bots_to_move():
            task = asyncio.create_task(self._play(table), name=f"bots of {table}")
            self._at_work[table] = task

    async def hint(self, now: Sitting, seat: int) -> list[tuple[str, Appraisal]]:
        """What the strongest bot thinks of a seat's moves, given what the seat knows."""
        await self._until_warm()
        task = _task(now, seat, "")
        return await self.lanes.run(now.setup.id, self.limit, appraise, task)

    async def play_out(self, game: Game, words: list[str], seed: int) -> tuple[int, ...]:
        """The totals of a whole game among bots, dealt from a seed; people's tables go first."""
        table = Table(game, seed=seed)
        if any(find_bot(split(word)[0], game.box.name).compiled for word in words):
            self._warming = self._warming or asyncio.create_task(self._warm_up(), name="warm up")
            await self._until_warm()
        while seats := table.actors():
            for seat in seats:
                task = Task(
                    bot=words[seat],
                    game=game.box.name,
                    map=game.map,
                    seats=game.seats,
                    options=tuple(sorted(game.options.items())),
                    view=table.view(seat),
                    legal=table.state.legal(seat),
                    seed=_luck(seed, seat, len(table.events)),
                    place=(f"{words[0]} {seed}", seat, 0),
                )
                move = await self.lanes.run(words[0], self.limit, think, task)
                table.play(seat, move)
        outcome = table.outcome()
        assert outcome
        return outcome.totals

    async def _play(self, table: str) -> None:
        try:
            while seats := (now := await self.tables.get(table)).bots_to_move():
                await self._move(now, seats[0])
        except HeadwayError as error:
            if error.key != "server.no_table":  # its owner has deleted it
                log.warning("bot refused", extra={"table": table, "key": error.key})
        except Exception:
            log.exception("bot failed", extra={"table": table})
        finally:
            del self._at_work[table]

    async def _move(self, now: Sitting, seat: int) -> None:
        bot, table = now.chairs[seat].bot, now.setup.id
        assert bot
        move = await self._choice(now, seat, bot)
        try:
            await self.tables.bot_move(table, seat, bot, move, now.undone)
            METRICS.count("headway_bot_moves_total", bot=bot)
        except HeadwayError as error:
            # The seat was given back, or the game went on elsewhere: look again.
            if (await self.tables.fresh(table)).number == now.number:
                raise error from None

    async def _choice(self, now: Sitting, seat: int, bot: str) -> str:
        """The bot's move, or an idle one in place of a bot that fails or takes too long."""
        try:
            if find_bot(bot, now.setup.game).compiled:
                await self._until_warm()
            task = _task(now, seat, bot)
            return await self.lanes.run(now.setup.id, self.limit, think, task)
        except Exception as error:
            why = str(error) if isinstance(error, Lost) else type(error).__name__
            told = {"table": now.setup.id, "bot": bot, "error": why}
            log.warning("bot replaced", extra=told)
            METRICS.count("headway_bot_failures_total", bot=bot)
            return now.game.move_text(now.game.idle_move(now.state, seat))

    async def _until_warm(self) -> None:
        """Whoever runs compiled waits for the compiler: alone it would take no less time."""
        if self._warming:
            await asyncio.shield(self._warming)


def _task(now: Sitting, seat: int, bot: str) -> Task:
    setup = now.setup
    return Task(
        bot=bot,
        game=setup.game,
        map=setup.map,
        seats=len(now.chairs),
        options=tuple(sorted(setup.options.items())),
        view=now.view(seat),
        legal=now.state.legal(seat),
        seed=_luck(setup.seed, seat, len(now.moves)) if setup.day else secrets.randbits(63),
        place=(setup.id, seat, now.undone),
    )


def _luck(deal: int, seat: int, number: int) -> int:
    """A bot's randomness at a deal of the day: the same for all who play it."""
    text = f"headway-luck/1|{deal}|{seat}|{number}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7])
