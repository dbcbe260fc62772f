"""Replays every table from its events, and compares what follows with what is stored.

Each move is checked by the rules and each deal drawn from the seed once more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from headway import dealer
from headway.errors import HeadwayError
from headway.server.core.database import Database
from headway.server.core.schema import RATINGS, RESULTS, SEATS, TABLES
from headway.server.doctor.findings import Finding, good, wrong
from headway.server.tables.rows import setup_of
from headway.server.tables.setup import Setup
from headway.server.tables.standings import beginner, standings
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore
from headway.server.tables.view import Progress, progress

MOST_SHOWN = 20
"""Tables with something wrong that are named; the others are counted."""
LAST_BITS = 1e-9
Show = Callable[[float, int], None]


async def tables_found(database: Database, store: TableStore, show: Show) -> list[Finding]:
    """Checks every table; says what is wrong with the first ones, and how many there are."""
    query = select(TABLES.c.id).order_by(TABLES.c.created, TABLES.c.id)
    table_ids = await database.column(query)
    found: list[Finding] = []
    bad = 0
    for done, table_id in enumerate(table_ids, 1):
        problems = await _table_found(database, store, table_id)
        bad += bool(problems)
        if bad <= MOST_SHOWN:
            found += problems
        show(done, len(table_ids))
    if bad:
        return [*found, wrong("tables_bad", n=bad, tables=len(table_ids))]
    return [good("tables", n=len(table_ids))]


async def _table_found(database: Database, store: TableStore, table_id: str) -> list[Finding]:
    def work(connection: Connection) -> tuple[Any, list[Any], list[Any]]:
        row = connection.execute(select(TABLES).where(TABLES.c.id == table_id)).mappings().first()
        seats = select(SEATS).where(SEATS.c.table_id == table_id).order_by(SEATS.c.seat)
        results = select(RESULTS).where(RESULTS.c.table_id == table_id).order_by(RESULTS.c.seat)
        return row, list(connection.execute(seats)), list(connection.execute(results))

    row, seats, results = await database.read(work)
    if row is None:  # deleted meanwhile
        return []
    events = await store.events_since(table_id, 0)
    events = [event for event in events if event.number <= row["number"]]
    setup = setup_of(row)
    if not _promised(setup):
        return [wrong("table_deal", table=table_id)]
    try:
        state = TableState.new(setup)
        for event in events:
            state = state.after(event)
    except (HeadwayError, AssertionError, ValueError) as error:
        key = error.sentence("en") if isinstance(error, HeadwayError) else repr(error)
        return [wrong("table_broken", table=table_id, reason=key)]
    checks = {
        "table_number": state.number == row["number"],
        "table_end": (state.finished, state.ended) == (row["finished"], row["ended"]),
        "table_progress": _same_result(state, row["progress"]),
        "table_seats": [who.name for who in state.occupants] == [seat.name for seat in seats],
        "table_results": _same_standings(state, results),
    }
    return [wrong(what, table=table_id) for what, fits in checks.items() if not fits]


def _promised(setup: Setup) -> bool:
    """Tells whether the seed is the one that the table promised; some promise nothing."""
    promised = setup.commitment
    return not promised or dealer.promise(setup.seed, setup.salt).commitment == promised


def _same_result(state: TableState, stored: Any) -> bool:
    if not state.finished:
        return True
    shown = msgspec.convert(stored, Progress | None)
    return shown is not None and shown.totals == progress(state).totals


def _same_standings(state: TableState, stored: list[Any]) -> bool:
    """Tells whether the results are those of the game; who left the server has none any more."""
    if not state.finished or state.setup.training:
        return not stored
    after = {(one.seat, one.total, one.place) for one in standings(state)}
    kept = {(row.seat, row.total, row.place) for row in stored}
    named = all(who.name for who in state.occupants)  # who has deleted an account is nameless
    return kept == after if named else kept <= after


def ratings_found(connection: Connection) -> list[Finding]:
    """Checks ratings: possible numbers, and a game behind each step that is not deleted."""
    rated = select(RESULTS.c.guest, RESULTS.c.bot, RESULTS.c.game, func.count()).where(
        RESULTS.c.mu.is_not(None)
    )
    games: Counter[tuple[str, str]] = Counter()
    grouped = rated.group_by(RESULTS.c.guest, RESULTS.c.bot, RESULTS.c.game)
    for guest, bot, game, count in connection.execute(grouped):
        if guest or bot:
            games[guest or f"bot:{bot}", game] += count
    found, start = [], beginner()
    rows = connection.execute(select(RATINGS).where(~RATINGS.c.who.startswith("puzzle:"))).all()
    for row in rows:
        possible = math.isfinite(row.mu) and 0 < row.sigma <= start.sigma + LAST_BITS
        if not possible or row.games < games[row.who, row.game]:
            found.append(wrong("rating", who=row.who, game=row.game))
    return found[:MOST_SHOWN] or [good("ratings", n=len(rows))]
