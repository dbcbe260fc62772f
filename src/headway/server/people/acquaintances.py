"""People somebody has played with: results against each of them, challenges, and whom to avoid.

Nobody is named by an id: a person is the one who sits, or sat, at a seat of a table of mine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, and_, delete, insert, select

from headway.games import box
from headway.server.core.errors import conflict, forbidden, not_found
from headway.server.core.schema import ACCOUNTS, AVOIDED, DUELS, RESULTS, SEATS, TABLES
from headway.server.tables.authority import TableAuthority
from headway.server.tables.clocks import Clock
from headway.server.tables.setup import NewSeat, NewTable, Persona
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore
from headway.server.tables.view import game_title, titles

MOST_RESULTS = 1000
"""Results against others that are counted, the newest first."""
MINE, THEIRS = RESULTS.alias("mine"), RESULTS.alias("theirs")
"""The results that `met` joins: of somebody, and of the others at the same tables."""
MOST_PEOPLE = 100
MOST_AVOIDED = 500
CHALLENGE_SECONDS = 7 * 86_400.0
"""How long a challenge is shown; a table that nobody joins is deleted then."""

How = Literal["mute", "block"]
"""What keeps somebody away: not heard, or not played with either."""


class Against(msgspec.Struct, frozen=True):
    """How often I came before somebody in a game, behind, and level."""

    game: str
    title: dict[str, str]
    won: int
    lost: int
    level: int


class Acquaintance(msgspec.Struct, frozen=True):
    """Somebody I have played with: at `seat` of `table` for the last time.

    With an `account`, `/u/NAME` is their page. `online` says that they are at a table now.
    """

    name: str
    face: str
    account: bool
    online: bool
    table: str
    seat: int
    at: float
    muted: bool
    blocked: bool
    against: list[Against]


class Challenge(msgspec.Struct, frozen=True):
    """A table that somebody asks me to."""

    table: str
    name: str
    face: str
    account: bool
    title: dict[str, str]
    clock: Clock
    at: float


class Avoided(msgspec.Struct, frozen=True):
    """Somebody I avoid, by what they were called; `number` names the row in my list."""

    number: int
    name: str
    how: How


class People(msgspec.Struct, frozen=True):
    """People I have played with, the last first; who challenges me; whom I avoid."""

    people: list[Acquaintance]
    challenges: list[Challenge]
    avoided: list[Avoided]


class SeatPerson(msgspec.Struct, frozen=True):
    """What I know of the person at a seat, besides what the table says."""

    seat: int
    account: bool
    muted: bool
    blocked: bool


class Acquaintances:
    """The people that guests of this server know from their games."""

    def __init__(
        self,
        store: TableStore,
        authority: TableAuthority,
        everybody: Callable[[], Collection[str]],
        invite: Callable[[TableState, str], None],
    ) -> None:
        self.database = store.database
        self.store = store
        self.authority = authority
        self._everybody = everybody
        self._invite = invite

    # Reading

    async def of(self, guest: str) -> People:
        """Returns whom somebody has played with, who challenges them, and whom they avoid."""
        met, named, avoided, duels = await self.database.read(partial(_known, guest=guest))
        online = self._everybody()
        groups: dict[str, list[Any]] = {}
        for row in met:
            groups.setdefault(row.other, []).append(row)
        return People(
            [
                _acquaintance(rows, named.get(other), avoided, other in online)
                for other, rows in list(groups.items())[:MOST_PEOPLE]
            ],
            [
                Challenge(
                    row.id,
                    named.get(row.guest) or row.name,
                    row.face,
                    row.guest in named,
                    titles(row.game, row.map, 2),
                    msgspec.convert(row.clock, Clock),
                    row.at,
                )
                for row in duels
                if (row.guest, "block") not in avoided
            ],
            [Avoided(number, name, how) for number, ((_, how), name) in enumerate(avoided.items())],
        )

    async def at_table(self, table_id: str, guest: str) -> list[SeatPerson]:
        """Returns what somebody knows of the people at a table."""
        state = await self.authority.get(table_id)
        others = {
            seat: who.guest or who.former or ""
            for seat, who in enumerate(state.occupants)
            if guest not in (who.guest, who.former) and (who.guest or who.former)
        }

        def work(connection: Connection) -> tuple[dict[str, str], dict[Any, str]]:
            return _names(connection, set(others.values())), _avoided(connection, guest)

        named, avoided = await self.database.read(work)
        return [
            SeatPerson(seat, who in named, (who, "mute") in avoided, (who, "block") in avoided)
            for seat, who in others.items()
        ]

    async def apart(self, guests: Collection[str]) -> set[frozenset[str]]:
        """Returns the pairs among some guests of whom one has blocked the other."""
        both = AVOIDED.c.guest.in_(guests) & AVOIDED.c.other.in_(guests)
        rows = await self.database.rows(select(AVOIDED).where(both, AVOIDED.c.how == "block"))
        return {frozenset((row.guest, row.other)) for row in rows}

    async def deaf_to(self, guest: str) -> set[str]:
        """Returns who does not hear somebody: who mutes or blocks them, or is blocked by them."""
        return await self._apart_from(guest, AVOIDED.c.other, AVOIDED.c.guest)

    async def unheard_by(self, guest: str) -> set[str]:
        """Returns whom somebody does not hear: the same, from the hearer's side."""
        return await self._apart_from(guest, AVOIDED.c.guest, AVOIDED.c.other)

    async def _apart_from(self, guest: str, avoids: Any, blocks: Any) -> set[str]:
        blocked = (blocks == guest) & (AVOIDED.c.how == "block")
        rows = await self.database.rows(select(AVOIDED).where((avoids == guest) | blocked))
        return {row.guest if row.other == guest else row.other for row in rows}

    async def refuse_avoided(self, state: TableState, guest: str) -> None:
        """Refuses a seat beside somebody who has blocked the guest, or whom the guest has."""
        pairs = await self.apart({*state.players, guest})
        if any(guest in pair for pair in pairs):
            raise forbidden("server.apart")

    # Writing

    async def avoid(self, guest: str, table_id: str, seat: int, how: How, on: bool) -> None:
        """Mutes or blocks the person at a seat, or no longer."""
        other, name = await self._person(guest, table_id, seat)
        this = _pair(guest, other) & (AVOIDED.c.how == how)

        def work(connection: Connection) -> None:
            connection.execute(delete(AVOIDED).where(this))
            if on:
                if len(_avoided(connection, guest)) >= MOST_AVOIDED:
                    raise conflict("server.avoided", most=MOST_AVOIDED)
                row = {"guest": guest, "other": other, "how": how, "name": name}
                connection.execute(insert(AVOIDED).values(**row))

        await self.database.write(work)

    async def forgive(self, guest: str, number: int) -> None:
        """Takes an entry off the list of those whom somebody avoids."""

        def work(connection: Connection) -> None:
            entries = list(_avoided(connection, guest))
            if number >= len(entries):
                raise not_found("server.no_person")
            other, how = entries[number]
            this = _pair(guest, other) & (AVOIDED.c.how == how)
            connection.execute(delete(AVOIDED).where(this))

        await self.database.write(work)

    async def challenge(
        self, guest: str, persona: Persona, table_id: str, seat: int, network: str
    ) -> TableState:
        """Sets up a table for two like an earlier one, and asks the person of a seat to it."""
        other, _ = await self._person(guest, table_id, seat)
        if await self.apart({guest, other}):
            raise forbidden("server.apart")
        setup = (await self.authority.get(table_id)).setup
        clock = setup.clock if not setup.training else Clock()
        seats = [NewSeat("me"), NewSeat("open")]
        request = NewTable(setup.game, setup.map, seats, setup.options, clock)
        if len(seats) not in box(setup.game).seats:
            raise conflict("server.no_duel")
        state = await self.authority.set_up(request, guest, persona, network)
        row = {"table_id": state.setup.id, "guest": guest, "other": other, "at": time.time()}
        await self.database.change(insert(DUELS).values(**row))
        self._invite(state, other)
        return state

    async def decline(self, guest: str, table_id: str) -> None:
        """Takes a challenge off somebody's list."""
        this = (DUELS.c.table_id == table_id) & (DUELS.c.other == guest)
        if not await self.database.change(delete(DUELS).where(this)):
            raise not_found("server.no_table")

    async def _person(self, guest: str, table_id: str, seat: int) -> tuple[str, str]:
        """Returns the guest at a seat, and their name; only for others at the same table."""
        state = await self.authority.get(table_id)
        who = state.occupant(seat)
        other = who.guest or who.former
        if guest not in state.players or other is None or other == guest:
            raise not_found("server.no_person")
        return other, who.name


def _known(
    connection: Connection, guest: str
) -> tuple[list[Any], dict[str, str], dict[Any, str], list[Any]]:
    """Reads results against others, names of accounts, whom the guest avoids, challenges."""
    shared = connection.execute(met(guest)).all()
    duels = connection.execute(_challenges(guest)).all()
    others = {row.other for row in shared} | {row.guest for row in duels}
    return list(shared), _names(connection, others), _avoided(connection, guest), list(duels)


def met(guest: str) -> Any:
    """Selects the results of others at tables where the guest has one, the newest first."""
    seat = (SEATS.c.table_id == THEIRS.c.table_id) & (SEATS.c.seat == THEIRS.c.seat)
    return (
        select(
            THEIRS.c.guest.label("other"),
            THEIRS.c.table_id,
            THEIRS.c.seat,
            THEIRS.c.game,
            (MINE.c.place - THEIRS.c.place).label("behind"),
            MINE.c.at,
            SEATS.c.name,
            SEATS.c.face,
        )
        .join(THEIRS, and_(THEIRS.c.table_id == MINE.c.table_id, THEIRS.c.seat != MINE.c.seat))
        .join(SEATS, seat)
        .where(MINE.c.guest == guest, THEIRS.c.guest.is_not(None), THEIRS.c.guest != guest)
        .order_by(MINE.c.at.desc())
        .limit(MOST_RESULTS)
    )


def _challenges(guest: str) -> Any:
    asking = (SEATS.c.table_id == DUELS.c.table_id) & (SEATS.c.guest == DUELS.c.guest)
    columns = TABLES.c.id, TABLES.c.game, TABLES.c.map, TABLES.c.clock, DUELS.c.guest, DUELS.c.at
    return (
        select(*columns, SEATS.c.name, SEATS.c.face)
        .join(DUELS, DUELS.c.table_id == TABLES.c.id)
        .join(SEATS, asking)
        .where(DUELS.c.other == guest, TABLES.c.free, TABLES.c.started.is_(None))
        .where(DUELS.c.at > time.time() - CHALLENGE_SECONDS)
        .order_by(DUELS.c.at.desc())
    )


def _names(connection: Connection, guests: Collection[str]) -> dict[str, str]:
    """Returns the names of those who have an account."""
    query = select(ACCOUNTS.c.guest, ACCOUNTS.c.name).where(ACCOUNTS.c.guest.in_(guests))
    return {row.guest: row.name for row in connection.execute(query)}


def _avoided(connection: Connection, guest: str) -> dict[Any, str]:
    """Returns whom a guest avoids and how, with a name, in an order that stays."""
    query = select(AVOIDED).where(AVOIDED.c.guest == guest)
    ordered = query.order_by(AVOIDED.c.name, AVOIDED.c.other, AVOIDED.c.how)
    return {(row.other, row.how): row.name for row in connection.execute(ordered)}


def _pair(guest: str, other: str) -> Any:
    return (AVOIDED.c.guest == guest) & (AVOIDED.c.other == other)


def won_lost_level(behind: Sequence[int]) -> tuple[int, int, int]:
    """Counts results by how many places somebody was behind the other one."""
    return sum(by < 0 for by in behind), sum(by > 0 for by in behind), behind.count(0)


def _acquaintance(
    rows: list[Any], account: str | None, avoided: dict[Any, str], online: bool
) -> Acquaintance:
    last = rows[0]
    games: dict[str, list[int]] = {}
    for row in rows:
        games.setdefault(row.game, []).append(row.behind)
    return Acquaintance(
        name=account or last.name,
        face=last.face,
        account=account is not None,
        online=online,
        table=last.table_id,
        seat=last.seat,
        at=last.at,
        muted=(last.other, "mute") in avoided,
        blocked=(last.other, "block") in avoided,
        against=[
            Against(game, game_title(box(game)), *won_lost_level(behind))
            for game, behind in games.items()
        ],
    )
