"""The deals of the day: for each map one that is the same for everybody, and one try at it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import logging
import time
from collections import Counter
from collections.abc import Collection
from functools import partial
from itertools import product
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET
from sqlalchemy import Connection

from headway.bots import find_bot
from headway.bots.registry import levels_of, split
from headway.dealer import SEED_BITS
from headway.games import box, boxes
from headway.games.box import Box
from headway.reviews.arithmetic import tenths
from headway.reviews.figures import Mean, mean_of_sums
from headway.reviews.report import Measure
from headway.server.core import calendar, metrics
from headway.server.core.database import DatabaseAwayError
from headway.server.core.errors import forbidden, not_found
from headway.server.core.workers import cancel, start_task
from headway.server.reviews.service import Reviewing, ReviewState
from headway.server.tables import results
from headway.server.tables.authority import TableAuthority
from headway.server.tables.bots import BotRunner
from headway.server.tables.setup import NewSeat, NewTable, Persona, Setup, box_with_map
from headway.server.tables.state import TableState
from headway.server.tables.store import TableRow
from headway.server.tables.view import bot_title, notes_of, title_of

log = logging.getLogger("headway.daily")
PREFETCH_SECONDS = 300.0
"""How often tries without a review are looked for, besides when one ends."""
AHEAD_SECONDS = 900.0
"""How long a process has run before its bots play deals that nobody has finished yet."""
MOST_LINES = 12
"""How many boards of a day that is over stand side by side."""
SIMULATIONS_PER_MOVE = 1000
"""The budget of a bot that searches: a whole game takes seconds."""
FIRST_PLACES = 5
"""How many places a ranking shows besides mine."""
MOST_BARS = 12
_BAR_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Bar(msgspec.Struct, frozen=True):
    """How many results lie between two totals, both included; whether mine is among them."""

    least: int
    most: int
    count: int
    mine: bool


class BotTry(msgspec.Struct, frozen=True):
    """The total of a bot at the deal, and its simulations per move if it searches."""

    bot: str
    title: dict[str, str]
    total: int
    simulations: int | None


class PlayedBoard(msgspec.Struct, frozen=True):
    """A finished try of a day that is over; its picture is that of the table."""

    table: str
    total: int
    mine: bool


class Rank(msgspec.Struct, frozen=True):
    """A row of a ranking: the place, the value, how many share it, and whether I am among them."""

    place: int
    value: int
    count: int
    mine: bool


class MyFigures(msgspec.Struct, frozen=True):
    """What the review of my try tells, in thousandths of the measure."""

    luck: int
    loss: int
    without: int


class DailyMeans(msgspec.Struct, frozen=True):
    """The means of all results at a deal that are reviewed, and the number of these."""

    games: int
    luck: Mean
    loss: Mean
    without: Mean


class DailyReview(msgspec.Struct, frozen=True):
    """Luck and skill at a deal: mine and everybody's, once they are known.

    Rankings have the first places and mine: `by_points` with totals, the most first; `by_skill`
    with losses in tenths of the measure, the least first.
    """

    measure: Measure | None
    mine: MyFigures | None
    failed: bool
    """Whether my try could not be reviewed."""
    everybody: DailyMeans | None
    by_points: list[Rank]
    by_skill: list[Rank]


class DailyDeal(msgspec.Struct, frozen=True):
    """A deal of the day and my try at it.

    A try that was `late` ended after its day and does not count. The results of others and all
    figures of reviews are there once I have finished, or the day is over: before, they would tell
    how good the cards are. `better` is the percentage of the others with less.
    """

    game: str
    map: str
    title: dict[str, str]
    note: dict[str, str]
    """What must be shown with the map, by language; mostly empty."""
    opponents: list[dict[str, str]]
    state: Literal["new", "running", "done", "late"]
    table: str | None
    total: int | None
    results: int
    better: int | None
    spread: list[Bar]
    bots: list[BotTry]
    bots_missing: bool
    review: DailyReview | None
    boards: list[PlayedBoard] = []
    """The best tries and mine, the best first, once the day is over."""


class Today(msgspec.Struct, frozen=True):
    """The deals of a day, when it ends, and on which days I have finished one.

    `week` says that of the last seven days, today as the last one; `streak` counts days in a row.
    """

    day: str
    today: str
    ends: float
    now: float
    streak: int
    week: list[bool]
    deals: list[DailyDeal]


class DayFacts(NamedTuple):
    """What the database knows of a day, and of one guest's tries."""

    day: str
    past: bool
    tries: dict[Any, str]
    ended: dict[str, Any]
    spread: dict[tuple[str, str], Counter[int]]
    bots: dict[tuple[str, str, str], int]
    figures: dict[tuple[str, str], results.DayFigures]
    played: list[str]
    """The days on which the guest has finished a deal."""
    boards: dict[tuple[str, str], list[Any]]
    """The finished tries of a day that is over, the best first."""
    failed: Collection[str] = ()
    """The tries whose reviews cannot be made."""


def _facts(day: str, past: bool, guest: str, connection: Connection) -> DayFacts:
    tries = results.tries_of(connection, guest, day)
    ended = results.results_at(connection, list(tries.values()))
    return DayFacts(
        day=day,
        past=past,
        tries=tries,
        ended={row.table_id: row for row in ended},
        spread=results.spread(connection, day),
        bots=results.bot_tries(connection, day),
        figures=results.day_figures(connection, day),
        played=results.days_of(connection, guest),
        boards=results.tries_at(connection, day) if past else {},
    )


class DailyDeals:
    """The deals of a server; they follow from its `secret`."""

    def __init__(
        self, authority: TableAuthority, reviewing: Reviewing, bot_runner: BotRunner, secret: bytes
    ) -> None:
        self.authority = authority
        self.store = authority.store
        self.reviewing = reviewing
        self.bot_runner = bot_runner
        self._secret = secret
        self._try_ended = asyncio.Event()
        self._playing: dict[str, asyncio.Task[None]] = {}
        """The bots that play a deal."""
        self._begun = time.monotonic()

    async def run(self) -> None:
        """Has tries reviewed for ever, also those whose process ended before it asked for it.

        Bots that were playing at the end start again when they are needed.
        """
        try:
            while True:
                self._try_ended.clear()
                with contextlib.suppress(DatabaseAwayError):
                    await self._prefetch_reviews()
                    if time.monotonic() - self._begun > AHEAD_SECONDS:
                        await self.play_ahead()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._try_ended.wait(), PREFETCH_SECONDS)
        finally:
            await cancel(self._playing.values())

    def table_changed(self, state: TableState) -> None:
        """Has a try reviewed when it ends on its day."""
        if state.finished and self.store.calendar.is_today(state.setup.day):
            self._try_ended.set()

    async def _prefetch_reviews(self) -> None:
        if not self.store.calendar.idle_now():
            return
        today = self.store.calendar.today()
        days, engine = (today, calendar.day_before(today)), self.reviewing.store.engine
        query = results.not_prefetched(days, engine)
        for table_id in await self.store.database.column(query):
            try:
                await self.reviewing.prefetch(table_id)
                metrics.PREFETCHED_REVIEWS.inc()
            except Exception as error:  # the database is away, or the table belongs to other rules
                details = {"table": table_id, "error": type(error).__name__}
                log.warning("no review of a try", extra=details)

    def seed(self, day: str, game: str, map_name: str) -> int:
        """Returns the seed of a day; nobody without the secret can tell that of tomorrow."""
        text = f"headway/1|deal|{day}|{game}|{map_name}".encode()
        digest = hmac.new(self._secret, text, hashlib.sha256).digest()
        return int.from_bytes(digest[: SEED_BITS // 8])

    async def begin(
        self, game: str, map_name: str, guest: str, persona: Persona, network: str = ""
    ) -> TableState:
        """Returns the guest's table for the deal of today, the same one every time."""
        game_box = box_with_map(game, map_name)
        day = self.store.calendar.today()
        begun = await self.store.database.read(partial(results.tries_of, guest=guest, day=day))
        if (game, map_name) in begun:
            return await self.authority.refresh(begun[game, map_name])
        seats = [NewSeat("me"), *(NewSeat("bot", bot) for bot in _opponents(game_box))]
        request, seed = NewTable(game, map_name, seats), self.seed(day, game, map_name)
        return await self.authority.set_up(request, guest, persona, network, seed, day=day)

    async def visible(self, table_id: str, guest: str | None) -> TableState:
        """Returns a table if the guest may see it: today's deal only after finishing one's own."""
        state = await self.authority.refresh(table_id)
        if not state.held_by(guest):
            await self._refuse_hidden(state.setup, guest)
        return state

    async def visible_row(self, table_id: str, guest: str | None) -> TableRow:
        """Returns what is known of a table without its events, if the guest may see it.

        Nothing is replayed: clients ask several times a second how far a review is.
        """
        row = await self.store.row(table_id)
        if row is None:
            raise not_found("server.no_table")
        if not row.is_held_by(guest):
            await self._refuse_hidden(row, guest)
        return row

    async def _refuse_hidden(self, table: Setup | TableRow, guest: str | None) -> None:
        if not self.store.calendar.is_today(table.day):
            return

        def has_finished(connection: Connection) -> bool:
            tries = results.tries_of(connection, guest or "", table.day)
            mine = tries.get((table.game, table.map))
            return mine is not None and bool(results.results_at(connection, [mine]))

        if not await self.store.database.read(has_finished):
            raise forbidden("server.today_hidden")

    async def with_best(self, table: TableRow, reviewed: ReviewState) -> ReviewState:
        """Returns the review of a try with at least the best that anybody made of the deal (RV-08).

        The search of each review keeps its own player's line only.
        """
        review = reviewed.review
        if not table.day or review is None or review.best is UNSET:
            return reviewed
        query = results.best_reviewed(table.day, table.game, table.map)
        top = await self.store.database.first(query)
        if top is None or top.total <= review.best.totals[0]:
            return reviewed
        other = await self.reviewing.find(top.table_id)
        if other is None or other.review is None or other.review.best is UNSET:
            return reviewed
        better = msgspec.structs.replace(review, best=other.review.best)
        return msgspec.structs.replace(reviewed, review=better)

    async def shown(self, day: str | None, guest: str) -> Today:
        """Returns the deals of today, or of a day that is over."""
        today = self.store.calendar.today()
        day = calendar.parse_day(day) if day else today
        if day > today:
            raise not_found("server.no_day")
        facts = await self.store.database.read(partial(_facts, day, day < today, guest))
        open_ones = {table_id for table_id, row in facts.ended.items() if row.reviewed is None}
        facts = facts._replace(failed=await self.reviewing.store.failed_among(open_ones))
        deals = [
            _daily_deal(game_box, name, facts) for game_box in boxes() for name in game_box.maps
        ]
        if day in (today, calendar.day_before(today)):
            self._let_bots_play(day, deals)
        days = calendar.streak(facts.played, today), calendar.week(facts.played, today)
        ends = self.store.calendar.end_of(day)
        return Today(day, today, ends, time.time(), *days, deals)

    async def play_ahead(self) -> None:
        """Lets bots play today's and tomorrow's deals, in the hours for idle work.

        So their results are there when a day begins; nobody sees them before.
        """
        today = self.store.calendar.today()
        places = [(game_box.name, name) for game_box in boxes() for name in game_box.maps]
        for day, place in product((today, calendar.day_after(today)), places):
            if self.store.calendar.idle_now():
                await asyncio.wait([self._bots_at(day, *place, idle=True)])

    def _let_bots_play(self, day: str, deals: list[DailyDeal]) -> None:
        """Lets bots play a deal once somebody may see their results."""
        for deal in deals:
            if deal.bots_missing and deal.results:
                self._bots_at(day, deal.game, deal.map)

    def _bots_at(
        self, day: str, game: str, map_name: str, *, idle: bool = False
    ) -> asyncio.Task[None]:
        """Returns the work of the bots at a deal, which begins if it is not under way."""
        key = f"{day} {game} {map_name}"
        if key not in self._playing:
            task = start_task(self._play_bots((day, game, map_name), idle), key)
            self._playing[key] = task
            task.add_done_callback(partial(self._played, key))
        return self._playing[key]

    def _played(self, key: str, _: asyncio.Task[None]) -> None:
        del self._playing[key]

    async def _play_bots(self, place: tuple[str, str, str], idle: bool) -> None:
        """Plays the bots that are missing at a deal; idle ones after everything else."""
        day, name, map_name = place
        game_box, seed = box(name), self.seed(*place)
        game = game_box.open(map_name, game_box.seats.start)
        database = self.store.database
        for bot in daily_bots(name):
            # Another process may have played it meanwhile.
            played = await database.read(partial(results.bot_tries, day=day))
            if (name, map_name, bot) in played:
                continue
            bots = [bot, *_opponents(game_box)]
            try:
                totals = await self.bot_runner.play_out(game, bots, seed, idle=idle)
                adding = results.adding_bot_try(database.dialect, (*place, bot), totals[0])
                await database.change(adding)
            except Exception as error:
                details = {"bot": bot, "error": type(error).__name__}
                log.warning("bot left the deal of the day", extra=details)


def daily_bots(game: str) -> list[str]:
    """Returns the levels of a game as they play the deals of the day, the weakest first."""
    levels = [(name, find_bot(name, game).budget) for name in levels_of(game)]
    return [f"{name}@{SIMULATIONS_PER_MOVE}" if budget else name for name, budget in levels]


def _opponents(game_box: Box) -> list[str]:
    """Returns the bots at a deal of the day: as few as the game allows."""
    return [game_box.opponent] * (game_box.seats.start - 1)


def _daily_deal(game_box: Box, map_name: str, facts: DayFacts) -> DailyDeal:
    game = game_box.name
    table_id = facts.tries.get((game, map_name))
    ended = facts.ended.get(table_id or "")
    mine = ended if ended and ended.day == facts.day else None
    done = mine is not None
    totals = facts.spread.get((game, map_name), Counter())
    bots = {bot: facts.bots.get((game, map_name, bot)) for bot in daily_bots(game)}
    tries = [_bot_try(game, bot, total) for bot, total in bots.items() if total is not None]
    visible = done or facts.past
    opened = game_box.open(map_name, game_box.seats.start)
    return DailyDeal(
        game=game,
        map=map_name,
        title=title_of(opened),
        note=notes_of(opened),
        opponents=[bot_title(bot, game) for bot in _opponents(game_box)],
        state=_try_state(table_id, done, ended is not None),
        table=table_id,
        total=ended.total if ended else None,
        results=totals.total(),
        better=better(totals, mine.total) if mine else None,
        spread=bars(totals, mine and mine.total) if visible else [],
        bots=tries if visible else [],
        bots_missing=visible and len(tries) < len(bots),
        review=_daily_review((game, map_name), mine, facts) if visible else None,
        boards=[
            PlayedBoard(row.table_id, row.total, row.table_id == table_id)
            for k, row in enumerate(facts.boards.get((game, map_name), ()))
            if k < MOST_LINES or row.table_id == table_id
        ],
    )


def _daily_review(place: tuple[str, str], mine: Any, facts: DayFacts) -> DailyReview:
    """Returns what reviews tell; `mine` is my result if I have finished on that day."""
    figures, totals = facts.figures.get(place), facts.spread.get(place, Counter())
    reviewed = mine if mine and mine.reviewed else None
    parts = (mine.luck, mine.loss, mine.worth - mine.luck) if reviewed else None
    return DailyReview(
        measure=figures.measure if figures else None,
        mine=MyFigures(*parts) if parts else None,
        failed=mine is not None and mine.table_id in facts.failed,
        everybody=_means(figures) if figures else None,
        by_points=ranking(totals, mine and mine.total, largest_first=True),
        by_skill=ranking(
            figures.losses if figures else Counter(),
            tenths(reviewed.loss) if reviewed else None,
            largest_first=False,
        ),
    )


def _means(figures: results.DayFigures) -> DailyMeans:
    sums = figures.luck, figures.loss, figures.without
    return DailyMeans(figures.loss.number, *(mean_of_sums(*each) for each in sums))


def ranking(values: Counter[int], mine: int | None, *, largest_first: bool) -> list[Rank]:
    """Returns the first places of a ranking, and mine; equal values share a place."""
    rows, before = [], 0
    for value in sorted(values, reverse=largest_first):
        rows.append(Rank(before + 1, value, values[value], value == mine))
        before += values[value]
    return [row for i, row in enumerate(rows) if i < FIRST_PLACES or row.mine]


def _try_state(
    table_id: str | None, done: bool, ended: bool
) -> Literal["new", "running", "done", "late"]:
    if done or table_id is None:
        return "done" if done else "new"
    return "late" if ended else "running"


def _bot_try(game: str, bot: str, total: int) -> BotTry:
    name, budget = split(bot)
    return BotTry(name, bot_title(name, game), total, budget.simulations if budget else None)


def better(totals: Counter[int], mine: int) -> int | None:
    """Returns the percentage of the others who have less; None if there is nobody else."""
    if totals.total() < 2:
        return None
    less = sum(times for total, times in totals.items() if total < mine)
    return round(100 * less / (totals.total() - 1))


def bars(totals: Counter[int], mine: int | None) -> list[Bar]:
    """Returns all results in a few bars of the same round width, without a gap."""
    if not totals:
        return []
    least, most = min(totals), max(totals)
    width = next(w for w in _BAR_WIDTHS if most // w - least // w < MOST_BARS)
    result = []
    for start in range(least // width * width, most + 1, width):
        inside = range(start, start + width)
        result.append(Bar(start, inside[-1], sum(totals[n] for n in inside), mine in inside))
    return result
