"""Results and ratings: written once, with the last move, for games that count."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from server.database.test_tables import next_event
from server.people.test_accounts import claim
from server.services import Backing, Guest, Server, play_out, run
from sqlalchemy import select

from headway.server.calendar import Calendar
from headway.server.database.engine import Database, open_engine
from headway.server.database.migrations import upgrade
from headway.server.database.results import bot_ratings, ratings_of, results_of
from headway.server.database.schema import RATINGS, RESULTS
from headway.server.database.tables import TableStore
from headway.server.play.authority import new_setup
from headway.server.table.ratings import Skill, beginner, rate
from headway.server.table.setup import NewSeat, NewTable, Occupant
from headway.server.table.standings import contest, standings
from headway.server.table.state import TableState


def profile(server: Server, name: str) -> Any:
    return Guest.ok(server.guest().http.get(f"/api/people/{name}"))


def test_the_scale() -> None:
    assert (beginner().points(), beginner().error()) == (1500, 246)
    after = rate([("a", 1), ("b", 2)], {"a": beginner(), "b": beginner()})
    assert after["a"].points() > 1500 > after["b"].points()
    assert after["a"].points() - 1500 == 1500 - after["b"].points()
    assert after["a"].error() < 246
    assert after["a"].games == 1
    tied = rate([("a", 1), ("b", 1)], {"a": beginner(), "b": beginner()})
    assert tied["a"].points() == tied["b"].points() == 1500


def test_several_seats_of_one_bot_count_once() -> None:
    seats = [("person", 2), ("bot:greedy", 1), ("bot:greedy", 3)]
    after = rate(seats, {"person": beginner(), "bot:greedy": beginner()})
    assert after["bot:greedy"].games == 1
    one, two = (
        rate([("a", 2), ("b", rank)], {"a": beginner(), "b": beginner()}) for rank in (1, 3)
    )
    assert two["b"].points() < after["bot:greedy"].points() < one["b"].points()


def finished(*seats: str, **more: Any) -> TableState:
    """A game among these guests and bots in which everybody always passed."""
    wanted = NewTable("next-station", "london", [NewSeat("open")] * len(seats), **more)
    chairs = tuple(Occupant(s, None, s) if s == "greedy" else Occupant(s, s) for s in seats)
    setup = new_setup(wanted, "host", "Host", 7)
    now = TableState.new(msgspec.structs.replace(setup, occupants=chairs))
    while not now.finished:
        seat = now.actors()[0]
        guest = now.occupants[seat].guest
        now = now.after(next_event(now, seat, guest=guest))
    return now


@pytest.mark.parametrize(
    ("seats", "more", "rated"),
    [
        (("ann", "ben"), {}, ["ann", "ben"]),
        (("ann", "greedy"), {}, ["ann", "bot:greedy"]),
        (("ann",), {}, []),
        (("ann", "ben"), {"training": True}, []),
        (("ann", "ann"), {}, []),
        (("greedy", "greedy"), {}, []),
    ],
)
def test_which_games_count(seats: tuple[str, ...], more: Any, rated: list[str]) -> None:
    now = finished(*seats, **more)
    assert [who for who, _ in contest(now, standings(now))] == rated


def test_who_leaves_comes_last_and_who_takes_over_is_not_rated() -> None:
    now = finished("ann", "ben", "greedy")
    gone = Occupant("ann", None, "greedy", "ann")
    now.occupants = (gone, *now.occupants[1:])
    found = standings(now)
    assert found[0].guest is None
    ranks = dict(contest(now, found))
    assert ranks["ann"] > max(ranks["ben"], ranks["bot:greedy"])
    now.occupants = (Occupant("cleo", "cleo"), *now.occupants[1:])
    assert [who for who, _ in contest(now, standings(now))] == ["ben", "bot:greedy"]
    assert standings(now)[0].guest is None


def test_profile_has_games_averages_best_and_rating(server: Server) -> None:
    ann = claim(server.guest(), "Ann of Angers")
    ben = server.guest("Ben")
    duel = ann.set_up("me", "open")
    ben.join(duel)
    totals = play_out(duel, {0: ann, 1: ben})["outcome"]["totals"]
    alone = ann.set_up("me", map_name="tokyo")
    total = play_out(alone, {0: ann})["outcome"]["totals"][0]
    play_out(ann.set_up("me", training=True), {0: ann})
    seen = profile(server, "Ann%20of%20Angers")
    assert [(game["table"], game["total"]) for game in seen["played"]] == [
        (alone, total),
        (duel, totals[0]),
    ]
    assert not seen["mine"]
    courses = {course["map"]: course for course in seen["courses"]}
    assert courses["london"]["mean"] == totals[0]
    assert courses["tokyo"]["best_table"] == alone
    (rating,) = seen["ratings"]
    assert rating["game"] == "next-station"
    assert rating["games"] == 1
    picture = server.guest().http.get(f"/api/tables/{duel}/picture.svg?seat=0")
    assert picture.status_code == 200


def test_two_processes_write_every_rating_once(backing: Backing) -> None:
    """Games that end at the same time in two processes: no rating is lost, none counts twice."""

    async def check() -> None:
        stores = [TableStore(Database(open_engine(backing.database)), Calendar()) for _ in range(2)]
        await upgrade(stores[0].database.engine)
        for store in stores:
            store.open()
        ends = [finished("ann", "ben", "greedy") for _ in range(6)]
        for now in ends:
            await stores[0].set_up(now)
        last = [now.moves[-1] for now in ends]

        async def write(store: TableStore, i: int) -> bool:
            return await store.append(last[i], ends[i])

        written = await asyncio.gather(*(write(store, i) for i in range(6) for store in stores))
        assert sum(written) == 6
        await stores[0].add_results(ends[0], 1.0)  # known already: moves nothing
        expected = {who: beginner() for who in ("ann", "ben", "bot:greedy")}
        async with stores[1].database.reading() as connection:
            ann = await ratings_of(connection, "ann")
            assert ann["next-station"].games == 6
            assert (await bot_ratings(connection, "next-station"))["greedy"].games == 6
            assert len(await results_of(connection, "ann", 100)) == 6
            tables = [now.setup.id for now in ends]
            found = (await connection.execute(select(RESULTS.c.table_id))).scalars()
            assert sum(table in tables for table in found) == 18
            known = RATINGS.c.who.in_(expected)
            rows = (await connection.execute(select(RATINGS).where(known))).all()
        for now in ends:
            expected |= rate(contest(now, standings(now)), expected)
        for row in rows:
            assert Skill(row.mu, row.sigma, row.games) == pytest.approx(expected[row.who])
        for store in stores:
            await store.close()
            await store.database.close()

    run(check())
