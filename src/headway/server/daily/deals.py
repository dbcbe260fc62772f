"""The deals of the day: for each map one that is the same for everybody, and one try at it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import time
from collections import Counter
from functools import partial
from typing import Any, Literal, NamedTuple

import msgspec

from headway.bots import find_bot
from headway.bots.registry import character, levels_of, split
from headway.games import box, boxes
from headway.games.contract import Box
from headway.i18n import languages
from headway.server import calendar as days
from headway.server.database import results as ledger
from headway.server.errors import Refused
from headway.server.people.guests import Guests
from headway.server.play.authority import Tables
from headway.server.play.bot_runner import Bots
from headway.server.table.setup import NewSeat, NewTable
from headway.server.table.state import Sitting
from headway.server.table.view import titles


class Bar(msgspec.Struct, frozen=True):
    """How many results lie between two totals, both included; whether mine is among them."""

    least: int
    most: int
    count: int
    mine: bool


class BotTry(msgspec.Struct, frozen=True):
    """What a bot made of the deal, with so many simulations for a move if it searches."""

    bot: str
    title: dict[str, str]
    total: int
    simulations: int | None


class Deal(msgspec.Struct, frozen=True):
    """A deal of the day and my try at it.

    A try that was `late` ended after its day and is not counted. What others did is told when I
    have finished, or the day is over: `better` is the percentage of the others who have less.
    """

    game: str
    map: str
    title: dict[str, str]
    opponents: list[dict[str, str]]
    state: Literal["new", "running", "done", "late"]
    table: str | None
    total: int | None
    results: int
    better: int | None
    spread: list[Bar]
    bots: list[BotTry]
    bots_missing: bool


class Today(msgspec.Struct, frozen=True):
    """The deals of a day, when it ends, and how many days in a row I have finished one."""

    day: str
    today: str
    ends: float
    now: float
    streak: int
    deals: list[Deal]


log = logging.getLogger("headway.today")
SIMULATIONS = 1000
"""What a bot that searches may simulate for each of its moves: a whole game takes seconds."""
MOST_BARS = 12
_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class DailyDeals:
    """The deals of a server; `chosen` makes them repeatable, for tests."""

    def __init__(self, tables: Tables, bots: Bots, guests: Guests, chosen: str = "") -> None:
        self.tables = tables
        self.store = tables.store
        self.days = tables.store.days
        self.bots = bots
        self.guests = guests
        self.chosen = chosen
        self._playing: dict[str, asyncio.Task[None]] = {}

    async def close(self) -> None:
        """Stops; bots that were at it begin anew when they are needed again."""
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(*self._playing.values(), return_exceptions=True)

    def seed(self, day: str, game: str, map: str) -> int:
        """The deal of a day: nobody without the server's secret can tell that of tomorrow."""
        key = self.chosen.encode() or self.guests.secret
        text = f"headway/1|deal|{day}|{game}|{map}".encode()
        return int.from_bytes(hmac.new(key, text, hashlib.sha256).digest()[:7]) >> 3

    async def begin(self, game: str, map: str, guest: str, name: str) -> Sitting:
        """The guest's table for the deal of today, the same however often they begin."""
        found = next((each for each in boxes() if each.name == game), None)
        if found is None or map not in found.maps:
            raise Refused(404, "server.not_found")
        seats = [NewSeat("me"), *(NewSeat("bot", bot) for bot in _opponents(found))]
        day = self.days.today()
        async with self.store.reading() as connection:
            begun = await ledger.tries_of(connection, guest, day)
        if (game, map) in begun:
            return await self.tables.fresh(begun[game, map])
        wanted = NewTable(game, map, seats)
        return await self.tables.begin_try(wanted, guest, name, day, self.seed(day, game, map))

    async def seen(self, table: str, guest: str | None) -> Sitting:
        """A table for whoever may see it: a deal of today is for those who have finished theirs."""
        now = await self.tables.fresh(table)
        setup = now.setup
        if not self.days.is_today(setup.day) or now.held_by(guest):
            return now
        async with self.store.reading() as connection:
            tries = await ledger.tries_of(connection, guest or "", setup.day)
            own = tries.get((setup.game, setup.map))
            if own and await ledger.results_at(connection, [own]):
                return now
        raise Refused(403, "server.today_hidden")

    # What is told of a day

    async def shown(self, day: str | None, guest: str) -> Today:
        """The deals of today, or of a day that is over."""
        today = self.days.today()
        day = days.checked(day) if day else today
        if day > today:
            raise Refused(404, "server.no_day")
        async with self.store.reading() as connection:
            tries = await ledger.tries_of(connection, guest, day)
            spread = await ledger.spread(connection, day)
            ended = await ledger.results_at(connection, list(tries.values()))
            bots = await ledger.bot_tries(connection, day)
            played = await ledger.days_of(connection, guest)
        told = Told(day, day < today, tries, {row.table_id: row for row in ended}, spread, bots)
        deals = [_deal(found, map, told) for found in boxes() for map in found.maps]
        if day in (today, days.before(today)):
            self._let_bots_play(day, deals)
        streak = days.streak(played, today)
        return Today(day, today, days.end(day), time.time(), streak, deals)

    def _let_bots_play(self, day: str, deals: list[Deal]) -> None:
        """Bots play a deal when somebody first wants to know what they make of it."""
        for deal in deals:
            key = f"{day} {deal.game} {deal.map}"
            if deal.bots_missing and deal.results and key not in self._playing:
                task = asyncio.create_task(self._bots(day, deal), name=f"bots at {key}")
                self._playing[key] = task
                task.add_done_callback(partial(self._played, key))

    def _played(self, key: str, _: asyncio.Task[None]) -> None:
        self._playing.pop(key, None)

    async def _bots(self, day: str, deal: Deal) -> None:
        found = box(deal.game)
        game = found.open(deal.map, found.seats.start)
        for word in bot_words(deal.game):
            if any(_word(each) == word for each in deal.bots):
                continue
            try:
                seed = self.seed(day, deal.game, deal.map)
                totals = await self.bots.play_out(game, [word, *_opponents(found)], seed)
                await self.store.add_bot_try(day, deal.game, deal.map, word, totals[0])
            except Exception as error:
                told = {"bot": word, "error": type(error).__name__}
                log.warning("bot left the deal of the day", extra=told)


def bot_words(game: str) -> list[str]:
    """The levels of a game as they play the deals of the day, the weakest first."""
    levels = [(name, find_bot(name, game).budget) for name in levels_of(game)]
    return [f"{name}@{SIMULATIONS}" if budget else name for name, budget in levels]


def _opponents(found: Box) -> list[str]:
    """The bots at a deal of the day: as few as the game allows."""
    return [found.opponent] * (found.seats.start - 1)


def _title(bot: str, game: str) -> dict[str, str]:
    return {lang: character(find_bot(bot, game), game, lang).title for lang in languages()}


def _word(found: BotTry) -> str:
    return f"{found.bot}@{found.simulations}" if found.simulations else found.bot


class Told(NamedTuple):
    """What the database knows of a day, and of one guest's tries."""

    day: str
    past: bool
    tries: dict[Any, str]
    ended: dict[str, Any]
    spread: dict[tuple[str, str], Counter[int]]
    bots: dict[tuple[str, str, str], int]


def _deal(found: Box, map: str, told: Told) -> Deal:
    table = told.tries.get((found.name, map))
    ended = told.ended.get(table or "")
    mine = ended.total if ended and ended.day == told.day else None
    done = mine is not None
    totals = told.spread.get((found.name, map), Counter())
    words = bot_words(found.name)
    played = [_bot_try(found.name, word, told.bots.get((found.name, map, word))) for word in words]
    known = [each for each in played if each]
    shown = done or told.past
    return Deal(
        game=found.name,
        map=map,
        title=titles(found.name, map, found.seats.start),
        opponents=[_title(bot, found.name) for bot in _opponents(found)],
        state=_state(table, done, ended is not None),
        table=table,
        total=ended.total if ended else None,
        results=totals.total(),
        better=better(totals, mine) if mine is not None else None,
        spread=bars(totals, mine) if shown else [],
        bots=known if shown else [],
        bots_missing=shown and len(known) < len(words),
    )


def _state(table: str | None, done: bool, ended: bool) -> Literal["new", "running", "done", "late"]:
    if done or table is None:
        return "done" if done else "new"
    return "late" if ended else "running"


def _bot_try(game: str, word: str, total: int | None) -> BotTry | None:
    if total is None:
        return None
    name, budget = split(word)
    return BotTry(name, _title(name, game), total, budget.simulations if budget else None)


def better(totals: Counter[int], mine: int) -> int | None:
    """The percentage of the others who have less; None if there is nobody else."""
    if totals.total() < 2:
        return None
    less = sum(times for total, times in totals.items() if total < mine)
    return round(100 * less / (totals.total() - 1))


def bars(totals: Counter[int], mine: int | None) -> list[Bar]:
    """All results in a few steps of the same round width, with none left out between them."""
    if not totals:
        return []
    least, most = min(totals), max(totals)
    width = next(w for w in _WIDTHS if most // w - least // w < MOST_BARS)
    found = []
    for start in range(least // width * width, most + 1, width):
        inside = range(start, start + width)
        found.append(Bar(start, inside[-1], sum(totals[n] for n in inside), mine in inside))
    return found
