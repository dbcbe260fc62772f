"""Open data: every finished game once, in the month it ended, and nobody who does not want it."""

from __future__ import annotations

import datetime
import os
import random
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
import pytest
from dataset.data_sets import content
from server.services import Backing
from sqlalchemy import insert, select, update
from support import preloaded
from support.own_loop import run

import headway
from headway.dataset import folder
from headway.dataset.folder import verify
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.core.migrations import upgrade
from headway.server.core.schema import (
    ACCOUNTS,
    EVENTS,
    RATINGS,
    REVIEWS,
    TABLES,
)
from headway.server.core.workers import cancel, start_task
from headway.server.export import Exported, export
from headway.server.people.store import AccountStore, Keys
from headway.server.reviews.store import ReviewStore
from headway.server.tables.decisions import new_event
from headway.server.tables.events import MOVE
from headway.server.tables.results import SETTLED_GAMES
from headway.server.tables.setup import (
    NewSeat,
    NewTable,
    Occupant,
    Persona,
    new_setup,
)
from headway.server.tables.standings import beginner
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore

MONTHS = ("2026-09", "2026-10", "2026-11")
AFTER = Calendar("2027-01-01")


def time_of(text: str) -> float:
    return datetime.datetime.fromisoformat(f"{text}T12:00:00+00:00").timestamp()


class House:
    """A database with tables that are played at once."""

    def __init__(self, backing: Backing) -> None:
        self.database = Database(open_engine(backing.database))
        self.store = TableStore(self.database, Calendar())
        self.accounts = AccountStore(self.database)

    async def play(self, end: str, *people: str, bots: int = 0, **more: Any) -> str:
        """Plays a table of Ticket to Ride, or of Next Station alone; it ends at that time."""
        seats = [NewSeat("me")] * len(people) + [NewSeat("bot", "random")] * bots
        game = "next-station" if len(seats) == 1 else "ticket-to-ride"
        setup = new_setup(
            NewTable(game, "london", seats, **more), people[0], Persona("x"), 5 + len(end)
        )
        occupants = [Occupant(f"Secret {who}", who) for who in people]
        occupants += [Occupant("random", None, "random")] * bots
        at = time_of(end) - 1000
        state = TableState.new(
            msgspec.structs.replace(setup, occupants=tuple(occupants), created=at)
        )
        await self.store.set_up(state)
        generator = random.Random(end)
        while not state.finished:
            seat = state.actors()[0]
            guest = state.occupants[seat].guest
            text = generator.choice(state.playing().legal(seat))
            event = new_event(state, MOVE, seat, guest, text=text)
            at += 1.5
            event = msgspec.structs.replace(event, at=min(at, time_of(end)))
            state = state.after(event)
            assert await self.store.append(event, state)
        return state.setup.id

    async def claim(self, guest: str, name: str) -> None:
        await self.accounts.claim(f"guest of {name}", guest, name, Keys("", ""), f"session {name}")
        await self.database.change(update(ACCOUNTS).values(created=1.0))

    async def settle(self, *guests: str) -> None:
        """Gives accounts the games after which others are rated against them."""
        skill = beginner()._replace(games=SETTLED_GAMES)
        rows = [{"who": who, "game": "ticket-to-ride", **skill._asdict()} for who in guests]
        await self.database.change(insert(RATINGS).values(rows))


def at_home(backing: Backing, story: Callable[[House], Awaitable[None]]) -> None:
    async def tell() -> None:
        house = House(backing)
        await upgrade(house.database.engine)
        writer = start_task(house.store.run(), "event writer")
        try:
            await story(house)
        finally:
            await cancel([writer])
            await house.database.close()

    run(tell())


def rows(data: Path) -> list[dict[str, Any]]:
    paths = [data / part.parquet for part in folder.partitions(data)]
    return [row for path in paths for row in pyarrow.parquet.ParquetFile(path).read().to_pylist()]


def test_open_data(backing: Backing, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        await house.claim("ann", "Ann")
        await house.claim("bea", "Bea")
        await house.claim("cid", "Cid")
        for other in ("dan", "eve", "fay"):
            await house.claim(other, other.title())
        await house.settle("ann", "bea", "dan", "eve", "fay")
        await house.accounts.decide_sharing("bea", "named")
        await house.accounts.decide_sharing("cid", "none")
        finished = {
            await house.play("2026-09-30", "ann"),
            await house.play("2026-10-01", "ann", "bea", "dan", "eve"),
            await house.play("2026-10-20", "ann", "fay"),
            await house.play("2026-10-31", "ann", bots=1),
            await house.play("2026-11-01", "guest", training=True),
        }
        private = await house.play("2026-10-15", "bea", "cid")
        data = tmp_path / "all"
        seen = []
        for month in MONTHS:
            seen.append(await export(house.database, month, data, AFTER))
        assert seen == [Exported(1, 0, 0), Exported(3, 1, 0), Exported(1, 0, 0)]
        assert verify(data) == (5, [])
        await check_seeds(house, data, finished, private)
        check_people(data)

        again = tmp_path / "again"
        for month in reversed(MONTHS):
            await export(house.database, month, again, AFTER)
        assert content(again) == content(data)

        with pytest.raises(headway.InputError, match="2026-12-08"):
            await export(house.database, "2026-11", again, Calendar("2026-12-07"))
        await export(house.database, "2026-11", again, Calendar("2026-12-08"))

        await house.accounts.delete("bea")  # her seat stays at Ann's table, without a name
        assert await export(house.database, "2026-10", again, AFTER) == Exported(2, 2, 0)
        assert "Bea" not in str(rows(again))

    at_home(backing, story)


async def check_seeds(house: House, data: Path, finished: set[str], private: str) -> None:
    """The union of all months is all finished games, each once, but for the private one."""
    every = set(await house.database.column(select(TABLES.c.id).where(TABLES.c.finished)))
    counted = await house.database.column(
        select(EVENTS.c.text)
        .where(EVENTS.c.kind == MOVE, EVENTS.c.table_id != private)
        .order_by(EVENTS.c.text)
    )
    assert every == finished | {private}
    moves = [move for row in rows(data) for move in flat(msgspec.json.decode(row["moves"]))]
    assert sorted(moves) == sorted(counted)
    whole = b"".join(content(data).values()).decode("latin-1")
    assert not any(table_id in whole for table_id in every)
    assert "Secret" not in str(rows(data))


def flat(moves: Any) -> list[str]:
    return [moves] if isinstance(moves, str) else [one for part in moves for one in flat(part)]


def check_people(data: Path) -> None:
    """Pseudonyms hold for a month; times, ratings and versions are there."""
    by_day = {str(row["ended"]): row for row in rows(data)}
    september, first, last = (by_day[d] for d in ("2026-09-30", "2026-10-01", "2026-10-31"))
    ann = first["players"][0]
    assert ann["name"] == last["players"][0]["name"] != september["players"][0]["name"]
    assert ann["name"].startswith("player-")
    assert not ann["named"]
    bea = first["players"][1]
    assert (bea["name"], bea["named"], bea["rating_band"]) == ("Bea", True, 1500)
    later = by_day["2026-10-20"]["players"][0]
    assert (later["name"], later["rating_band"]) == (ann["name"], 1500)  # as at the month's start
    assert not any("error" in name for name in ann)
    bot = last["players"][1]
    assert (bot["kind"], bot["bot"], bot["level"]) == ("bot", "random", None)
    assert bot["version"] == headway.__version__
    assert set(first["milliseconds"]) <= {1500 * n for n in range(200)}
    assert len(first["milliseconds"]) == len(first["movers"])
    assert by_day["2026-11-01"]["training"]
    assert by_day["2026-11-01"]["players"][0]["kind"] == "person"


def test_reviews_of_before_the_cut_are_in(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table_id = await house.play("2026-10-02", "ann")
        state = await house.store.load(table_id)
        assert state
        review = {
            "engine": "e1", "budget": "b", "game": "next-station", "map": "london",
            "seats": [
                {
                    "seat": 0, "measure": "points", "start": 150_000, "luck": -2_000, "loss": 9_000,
                    "others": 0, "recount": 0, "result": 139_000, "lost": 9_000, "decisions": 30,
                    "median": 100, "good": 0.5, "level": "driver", "turns": [], "turning": [],
                    "luckiest": None, "unluckiest": None,
                }
            ],
        }  # fmt: skip
        for engine, asked in (("e1", "2026-11-06"), ("e2", "2026-11-09")):
            store = ReviewStore(house.database, engine, 60)
            await store.ask(table_id, "ann", b"{}")
            assert await store.claim(table_id)
            assert await store.finish(table_id, msgspec.json.encode(review))
            await date_review(house, engine, time_of(asked))
        await export(house.database, "2026-10", tmp_path / "data", AFTER)
        (row,) = rows(tmp_path / "data")
        assert row["review"]["engine"] == "e1"
        assert row["review"]["seats"][0]["loss"] == 9_000

    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    at_home(Backing("sqlite", address, ""), story)
    early = command(address, "2026-10", tmp_path / "early", today="2026-11-07")
    assert (early.returncode, early.stdout) == (2, "")
    assert "complete on 2026-11-08" in early.stderr
    assert early.stderr.count("\n") == 1
    done = command(address, "2026-10", tmp_path / "late", today="2026-11-08")
    assert (done.returncode, done.stdout) == (0, f"1 game in {tmp_path / 'late'}.\n")
    assert content(tmp_path / "late") == content(tmp_path / "data")


def command(
    address: str, month: str, data: Path, *, today: str
) -> subprocess.CompletedProcess[str]:
    """Runs `headway data export`, as an operator does."""
    words = ["data", "export", "--month", month, "-o", str(data), "--database", address]
    return preloaded.run(*words, env=os.environ | {"HEADWAY_TODAY": today})


async def date_review(house: House, engine: str, at: float) -> None:
    dated = update(REVIEWS).where(REVIEWS.c.engine == engine).values(asked=at)
    await house.database.change(dated)
