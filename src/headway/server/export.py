"""Exports the finished games of a month as a data set, without what would identify people.

People get a pseudonym: a keyed hash of their id and the month. Nobody without the server's secret
can compute it from a name or from another month. See docs/data.md for what is left out, and why.
"""

from __future__ import annotations

import datetime
import hashlib
import hmac
import secrets
import tempfile
import zlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec
from sqlalchemy import func, select

from headway import record
from headway.dataset.columns import (
    GameRow,
    Mover,
    Player,
    ReviewedSeat,
    ReviewFigures,
    TableClock,
    arrow,
    row_of,
)
from headway.dataset.folder import Partition, finish, write_games
from headway.errors import HeadwayError, InputError
from headway.games import boxes
from headway.games.contract import CHANCE
from headway.reviews.report import Review
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database
from headway.server.core.schema import (
    ACCOUNTS,
    EVENTS,
    HANDOVERS,
    RESULTS,
    REVIEWS,
    SHARING,
    TABLES,
)
from headway.server.people.store import NAMED, NOBODY, OUT
from headway.server.tables.clocks import Clock, RunningClock
from headway.server.tables.events import FLAG, MOVE
from headway.server.tables.setup import Occupant
from headway.server.tables.standings import Skill
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore
from headway.table import Table

CUT_DAYS = 7
"""Days after the end of a month in which people can still decide about their games."""
TENTH = 100
"""Milliseconds of a tenth of a second: times of moves are not more precise."""
RATING_BAND = 100
"""Points that share a band: ratings are not more precise, so that many people have the same."""
PEOPLE_PER_BAND = 5
"""Fewer people who share a band have none in the data set."""


class Exported(NamedTuple):
    """The games written, left out because of their players, and left out as unreadable."""

    games: int
    private: int
    unreadable: int


class Month(NamedTuple):
    """A month, when it begins and ends, and when its data is cut, in seconds since 1970."""

    name: str
    start: float
    end: float
    cut: float

    @classmethod
    def of(cls, name: str) -> Month:
        """Returns the month that is written as `2026-11`."""
        first = datetime.datetime.fromisoformat(f"{name}-01").replace(tzinfo=datetime.UTC)
        after = (first + datetime.timedelta(days=31)).replace(day=1)
        cut = after + datetime.timedelta(days=CUT_DAYS)
        return cls(name, first.timestamp(), after.timestamp(), cut.timestamp())


async def export(database: Database, month_name: str, data: Path, calendar: Calendar) -> Exported:
    """Writes the games that ended in a month; refuses before the month's data is cut."""
    arrow()
    month = Month.of(month_name)
    cut = datetime.datetime.fromtimestamp(month.cut, datetime.UTC).date().isoformat()
    if calendar.today() < cut:
        raise InputError("data.too_early", month=month_name, day=cut)
    people = await Pseudonyms.read(database, month)
    ended = await _ended(database, month)
    order = sorted((people.game_id(table_id), table_id) for table_id in ended)
    store, private, unreadable = TableStore(database, calendar), 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        spools = {box.name: (Path(scratch) / box.name).open("w+b") for box in boxes()}
        for game_id, table_id in order:
            try:
                state = await store.load(table_id)
            except HeadwayError:  # a map or rules that this version does not have
                unreadable += 1
                continue
            assert state
            if people.are_private(state):
                private += 1
                continue
            row = await _row(database, state, people, game_id, ended[table_id], month)
            spools[state.setup.game].write(msgspec.json.encode(row) + b"\n")
        for game, spool in spools.items():
            write_games(data, Partition(game, month.name), _spooled(spool), {})
            spool.close()
    finish(data, "server")
    return Exported(len(order) - private - unreadable, private, unreadable)


def _spooled(spool: IO[bytes]) -> Iterator[GameRow]:
    spool.seek(0)
    return map(msgspec.json.Decoder(GameRow).decode, spool)


async def _ended(database: Database, month: Month) -> dict[str, float]:
    """Returns when each game of the month ended: with its last move, as none can be undone."""
    last = func.max(EVENTS.c.at)
    query = (
        select(EVENTS.c.table_id, last.label("at"))
        .join(TABLES, TABLES.c.id == EVENTS.c.table_id)
        .where(TABLES.c.finished, EVENTS.c.kind.in_((MOVE, FLAG)))
        .where(TABLES.c.changed >= month.start)
        .group_by(EVENTS.c.table_id)
        .having(last >= month.start, last < month.end)
    )
    return {row.table_id: row.at for row in await database.rows(query)}


Bands = dict[tuple[str, str], int]
"""The bands of ratings, by contestant and game."""


def rating_bands(results: Sequence[Any]) -> Bands:
    """Returns the band of each contestant's rating before the first of these rated results.

    There is one for the whole month: a reader who sees from game to game when a rating changes its
    band can work out the rating, and so find the same person in the next month. A band that only
    a few people share would give them away too, so they get none.
    """
    bands: Bands = {}
    for result in results:
        points = Skill(result.mu, result.sigma, 0).points()
        bands.setdefault(_contestant(result), points // RATING_BAND * RATING_BAND)
    people = {_contestant(result) for result in results if result.guest}
    sharing = Counter((game, bands[who, game]) for who, game in people)
    return {
        (who, game): band
        for (who, game), band in bands.items()
        if (who, game) not in people or sharing[game, band] >= PEOPLE_PER_BAND
    }


def _contestant(result: Any) -> tuple[str, str]:
    return result.guest or result.bot, result.game


@dataclass(frozen=True)
class Pseudonyms:
    """Who is named, who is left out, and the pseudonyms of all others in a month."""

    secret: bytes
    month: str
    named: dict[str, str]
    out: set[str]
    handovers: dict[str, str]
    bands: Bands

    @classmethod
    async def read(cls, database: Database, month: Month) -> Pseudonyms:
        """Reads what people have decided."""
        secret = await database.secret(secrets.token_bytes(32), "data")
        sharing = await database.rows(select(SHARING))
        accounts = select(ACCOUNTS.c.guest, ACCOUNTS.c.name)
        names = {row.guest: row.name for row in await database.rows(accounts)}
        handovers = {row.guest: row.account for row in await database.rows(select(HANDOVERS))}
        rated = (
            select(RESULTS)
            .where(RESULTS.c.mu.is_not(None))
            .where(RESULTS.c.at >= month.start, RESULTS.c.at < month.end)
            .order_by(RESULTS.c.at, RESULTS.c.table_id, RESULTS.c.seat)
        )
        bands = rating_bands(await database.rows(rated))
        named = {
            row.guest: names[row.guest]
            for row in sharing
            if row.choice == NAMED and row.guest in names
        }
        out = {row.guest for row in sharing if row.choice == OUT}
        return cls(secret, month.name, named, out, handovers, bands)

    def game_id(self, table_id: str) -> str:
        """Returns the id of a game, which does not lead to its table."""
        return self._hash("game", table_id)

    def player(self, guest: str, *, left: bool, rating_band: int | None) -> Player:
        """Returns a person as a data set shows them."""
        guest = self.handovers.get(guest, guest)
        return Player(
            kind="person",
            name=self.named.get(guest) or f"player-{self._hash('person', guest)}",
            named=guest in self.named,
            left=left,
            rating_band=rating_band,
        )

    def are_private(self, state: TableState) -> bool:
        """Whether somebody at the table wants no data, or has deleted the account.

        A deleted account leaves a seat without a name.
        """
        nameless = any(_person(state, s) and not who.name for s, who in enumerate(state.occupants))
        guests = {who for occupant in state.occupants for who in (occupant.guest, occupant.former)}
        guests |= {move.guest for move in state.moves}
        known = {self.handovers.get(guest, guest) for guest in guests if guest}
        return nameless or NOBODY in known or bool(known & self.out)

    def _hash(self, use: str, text: str) -> str:
        key = f"headway-data/1|{use}|{self.month}|{text}".encode()
        return hmac.new(self.secret, key, hashlib.sha256).hexdigest()[:16]


def _person(state: TableState, seat: int) -> str | None:
    """Returns the person whose seat it is or was last; None for a bot's."""
    occupant: Occupant = state.occupants[seat]
    movers = [move.guest for move in state.moves if move.seat == seat and move.guest]
    return occupant.guest or occupant.former or (movers[-1] if movers else None)


async def _row(
    database: Database,
    state: TableState,
    people: Pseudonyms,
    game_id: str,
    ended: float,
    month: Month,
) -> GameRow:
    """Returns a finished game as a row."""
    setup, table, clock = state.setup, state.playing(), state.setup.clock
    query = select(RESULTS).where(RESULTS.c.table_id == setup.id)
    results = {row.seat: row for row in await database.rows(query)}
    players = [_player(state, seat, people, results.get(seat)) for seat in range(table.seats)]
    movers = [step.event[0] for step in record.steps(table.record()) if step.event[0] != CHANCE]
    times, moved_by = _by_move(state, movers)
    return row_of(
        table,
        movers=movers,
        players=players,
        rules=setup.rules,
        id=game_id,
        ended=datetime.datetime.fromtimestamp(ended, datetime.UTC).date(),
        training=setup.training,
        seed_chosen=setup.seed_chosen,
        day=datetime.date.fromisoformat(setup.day) if setup.day else None,
        clock=TableClock(clock.kind, clock.seconds, clock.increment, clock.days),
        milliseconds=times,
        moved_by=moved_by,
        review=await _review(database, setup.id, month),
    )


def _player(state: TableState, seat: int, people: Pseudonyms, result: Any) -> Player:
    rated = result is not None and result.mu is not None
    band = people.bands.get(_contestant(result)) if rated else None
    occupant = state.occupants[seat]
    if person := _person(state, seat):
        return people.player(person, left=occupant.guest is None, rating_band=band)
    assert occupant.bot
    return Player.of_bot(occupant.bot, result.version if result is not None else None, band)


def _by_move(state: TableState, movers: Iterable[int]) -> tuple[list[int], list[Mover] | None]:
    """Returns the time of each move and who made it, in the order of the record's moves.

    A seat's time begins when it has to move; a move that was taken back does not end it.
    """
    table = Table(state.game, seed=state.setup.seed, salt=state.setup.salt)
    clock = RunningClock(Clock())
    assert state.started is not None
    clock.ask(table.actors(), state.started, 0)
    by_seat: list[deque[tuple[int, Mover]]] = [deque() for _ in state.occupants]
    for move in state.moves:
        tenths = round(max(move.at - clock.since[move.seat], 0.0) * 1000 / TENTH)
        mover: Mover = state.stand_ins.get(move.number, "player")
        by_seat[move.seat].append((tenths * TENTH, mover))
        table.play(move.seat, move.text)
        clock.move(move.seat, move.at)
        clock.ask(table.actors(), move.at, move.number)
    moves = [by_seat[seat].popleft() for seat in movers]
    stand_ins = [mover for _, mover in moves] if state.stand_ins else None
    return [time for time, _ in moves], stand_ins


async def _review(database: Database, table_id: str, month: Month) -> ReviewFigures | None:
    """Returns the figures of the last review that was asked for before the cut."""
    query = (
        select(REVIEWS.c.engine, REVIEWS.c.content)
        .where(REVIEWS.c.key == table_id, REVIEWS.c.finished, REVIEWS.c.asked < month.cut)
        .order_by(REVIEWS.c.asked.desc(), REVIEWS.c.engine)
    )
    row = await database.first(query)
    if row is None or not row.content:
        return None
    report = msgspec.json.decode(zlib.decompress(row.content), type=Review)
    names = ReviewedSeat.__struct_fields__
    seats = [ReviewedSeat(**{name: getattr(seat, name) for name in names}) for seat in report.seats]
    return ReviewFigures(row.engine, seats)
