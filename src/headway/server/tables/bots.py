"""Plays the seats that bots hold, in worker processes that never hold up the event loop.

At each table and for each host at most one bot thinks at a time. Tables with a connected person
come first, then those of hosts who have used the workers least; a table at which no person plays
continues only while somebody is connected.

Processes do not coordinate: if two play the same bot, the number of the event decides. A bot that
fails or takes too long is replaced for that move, so no table waits for ever.

Bots are compiled in one process beside the workers; those that a table waits for come first.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable
from functools import partial

from headway import process_pool
from headway.bots import Appraisal, Bot, bots_of, find_bot
from headway.bots.registry import levels_of, searcher_of, split
from headway.errors import HeadwayError
from headway.games import boxes
from headway.games.contract import Game
from headway.server.core import metrics
from headway.server.core.calendar import steady_time
from headway.server.core.database import DatabaseAwayError
from headway.server.core.errors import unavailable
from headway.server.core.workers import (
    Account,
    Owners,
    WorkerLostError,
    WorkerPool,
    cancel,
    start_task,
)
from headway.server.tables import decisions
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bot_tasks import (
    REVIEW,
    BotSeat,
    BotTask,
    appraise,
    compile_bot,
    prepare,
    think,
)
from headway.server.tables.setup import GameChoice
from headway.server.tables.state import TableState
from headway.server.tables.view import CompileWait
from headway.table import Table

log = logging.getLogger("headway.bots")
BotName = tuple[str, str]
"""A game and one of its bots."""


class BotRunner:
    """Lets bots move, and gives hints."""

    def __init__(
        self, authority: TableAuthority, pool: WorkerPool, compiler: BotCompiler, limit: float
    ) -> None:
        self.authority, self.compiler = authority, compiler
        self._pool, self._limit = pool, limit
        self.online: Callable[[str], frozenset[str]] = lambda _: frozenset()
        """Returns the guests who are connected to a table; `process.py` sets it."""
        self.compile_waits: dict[str, CompileWait] = {}
        """The tables that wait for a bot to be compiled, here."""
        self.on_compile_wait: Callable[[str], None] = lambda _: None
        """Hears of a table that waits, or waits no more; `process.py` sets it."""
        self._playing: dict[str, asyncio.Task[None]] = {}

    async def close(self) -> None:
        """Stops everything; bots continue when the server is back."""
        await cancel(self._playing.values())

    def table_changed(self, state: TableState) -> None:
        """Lets the bots of a table move if it is their turn and none is thinking yet."""
        table_id = state.setup.id
        if table_id not in self._playing and self._bots_to_move(state):
            self._playing[table_id] = start_task(self._play(table_id), f"bots of {table_id}")

    def guests_changed(self, table_id: str) -> None:
        """Lets the bots of a table continue when somebody has connected to it."""
        if state := self.authority.cached(table_id):
            self.table_changed(state)

    def _bots_to_move(self, state: TableState) -> list[int]:
        """Returns the seats to play.

        None of a game that everybody has left, unless one of them looks on; at a table of bots
        alone, none while nobody watches it.
        """
        online = self.online(state.setup.id)
        goes_on = state.has_people or (online & state.players if state.players else online)
        return state.bots_to_move() if goes_on else []

    def _account(self, state: TableState, bot: str) -> Account:
        awaited = partial(self._awaited, state)
        return Account(self._owners(state), awaited, _is_slow(bot, state.setup.game))

    def _owners(self, state: TableState) -> Owners:
        """Returns the network of a table's host, as far as this process knows it, and the host."""
        network, host = self.authority.quotas.networks.get(state.setup.id), state.setup.host
        return (network, host) if network else (host,)

    def _awaited(self, state: TableState) -> bool:
        """Tells whether somebody who plays is connected; without people, anybody."""
        online = self.online(state.setup.id)
        people = {occupant.guest for occupant in state.occupants if occupant.guest}
        return bool(online & people if people else online)

    async def hint(self, state: TableState, seat: int) -> list[tuple[str, Appraisal]]:
        """Returns the strongest bot's appraisals of a seat's moves, given what the seat knows."""
        game = state.setup.game
        searcher = searcher_of(game).name
        await self._compiled(state, searcher)
        load, work = partial(compile_bot, game, searcher), partial(appraise, _task(state, seat, ""))
        try:
            account = Account(self._owners(state), lambda: True, slow=True)
            key = state.setup.id
            return await self._pool.run(work, self._limit, load, key=key, account=account)
        except WorkerLostError:
            raise unavailable() from None

    async def _compiled(self, state: TableState, bot: str) -> None:
        """Waits until a bot is compiled, and lets the people at the table know."""
        table_id, game = state.setup.id, state.setup.game
        if wait := self.compiler.wait_for(game, bot):
            self.compile_waits[table_id] = wait
            self.on_compile_wait(table_id)
        try:
            await self.compiler.ready(game, split(bot)[0])
        finally:
            if wait and self.compile_waits.get(table_id) is wait:
                del self.compile_waits[table_id]
                self.on_compile_wait(table_id)

    async def play_out(
        self, game: Game, bots: list[str], seed: int, *, idle: bool = False
    ) -> tuple[int, ...]:
        """Returns the totals of a whole game among bots, dealt from a seed.

        An `idle` one comes after all other work.
        """
        table = Table(game, seed=seed)
        for bot in bots:
            await self.compiler.ready(game.box.name, split(bot)[0])
        while seats := table.actors():
            for seat in seats:
                key = (f"{bots[0]} {seed}", seat, 0)
                place = BotSeat(bots[seat], GameChoice.of(game), key)
                luck = _repeatable_seed(seed, seat, len(table.events))
                task = BotTask(place, table.view(seat), table.state.legal(seat), luck)
                slow = idle or _is_slow(split(bots[seat])[0], game.box.name)
                account = Account(slow=slow, background=idle)
                table.play(seat, await self._think(bots[0], task, account))
        outcome = table.outcome()
        assert outcome
        return outcome.totals

    async def _think(self, key: str, task: BotTask, account: Account) -> str:
        prepared, work = partial(prepare, task.seat, task.seed), partial(think, task)
        return await self._pool.run(work, self._limit, prepared, key=key, account=account)

    async def _play(self, table_id: str) -> None:
        try:
            while seats := self._bots_to_move(state := await self.authority.get(table_id)):
                await self._move(state, seats[0])
        except DatabaseAwayError:
            raise  # the watchdog wakes the table when the database is back
        except HeadwayError as error:
            if error.key != "server.no_table":  # its owner has deleted it
                log.warning("bot refused", extra={"table": table_id, "key": error.key})
                # Trying again would fail again; the next event wakes the table.
                await self.authority.store.put_to_sleep(table_id)
        finally:
            del self._playing[table_id]

    async def _move(self, state: TableState, seat: int) -> None:
        bot, table_id = state.occupants[seat].bot, state.setup.id
        assert bot
        move = await self._choice(state, seat, bot)
        try:
            await self.authority.change(
                table_id,
                lambda now: decisions.bot_move(now, seat, bot, move, state.last_undo),
            )
            metrics.BOT_MOVES.labels(bot).inc()
        except HeadwayError as error:
            # The seat was given back, or the game continued elsewhere: look again.
            if (await self.authority.refresh(table_id)).number == state.number:
                raise error from None

    async def _choice(self, state: TableState, seat: int, bot: str) -> str:
        """Returns the bot's move, or an idle one for a bot that fails or takes too long."""
        try:
            await self._compiled(state, bot)
            task, account = _task(state, seat, bot), self._account(state, bot)
            return await self._think(state.setup.id, task, account)
        except Exception as error:
            why = str(error) if isinstance(error, WorkerLostError) else type(error).__name__
            details = {"table": state.setup.id, "bot": bot, "error": why}
            log.warning("bot replaced", extra=details)
            metrics.BOT_FAILURES.labels(bot).inc()
            return state.game.move_text(state.game.idle_move(state.position, seat))


def _task(state: TableState, seat: int, bot: str) -> BotTask:
    setup = state.setup
    place = BotSeat(bot, GameChoice.of(state.game), (setup.id, seat, state.last_undo))
    repeatable = _repeatable_seed(setup.seed, seat, len(state.moves))
    seed = repeatable if setup.day else secrets.randbits(63)
    return BotTask(place, state.view(seat), state.position.legal(seat), seed)


def _is_slow(bot: str, game: str) -> bool:
    """Tells whether a bot takes all the time it is given."""
    return find_bot(bot, game).budget is not None


def _repeatable_seed(deal: int, seat: int, number: int) -> int:
    """Returns a bot's seed at a deal of the day: the same for all who play it."""
    text = f"headway-luck/1|{deal}|{seat}|{number}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7])


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
