"""Results and ratings: written once, with the last move, for games that count."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from server.services import Backing, Guest, Server, play_out, until
from server.steps import claim, next_event, profile
from sqlalchemy import Connection, insert, select, update
from support.own_loop import run

from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.core.migrations import upgrade
from headway.server.core.schema import ACCOUNTS as ACCOUNT_ROWS
from headway.server.core.schema import RATINGS, RESULTS
from headway.server.core.workers import cancel, start_task
from headway.server.tables.results import (
    SETTLED_GAMES,
    SETTLED_SECONDS,
    Ending,
    bot_ratings,
    ratings_of,
    results_of,
    write,
)
from headway.server.tables.setup import (
    NewSeat,
    NewTable,
    Occupant,
    Persona,
    new_setup,
)
from headway.server.tables.standings import (
    Skill,
    beginner,
    contests,
    rate,
    standings,
)
from headway.server.tables.state import TableState
from headway.server.tables.store import TableStore


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


ACCOUNTS = {"ann", "ben"}
BOTS = ("greedy", "random", "driver")


def finished(*seats: str, **more: Any) -> TableState:
    """A game among these guests and bots in which everybody always passed."""
    new_table = NewTable("next-station", "london", [NewSeat("open")] * len(seats), **more)
    chairs = tuple(Occupant(s, None, s) if s in BOTS else Occupant(s, s) for s in seats)
    setup = new_setup(new_table, "host", Persona("Host"), 7)
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
        (("ann", "random"), {}, []),
        (("ann", "guest"), {}, []),
        (("ann", "guest", "ben"), {}, ["ann", "ben"]),
        (("ann", "random", "greedy"), {}, ["ann", "bot:greedy"]),
    ],
)
def test_which_games_count(seats: tuple[str, ...], more: Any, rated: list[str]) -> None:
    now = finished(*seats, **more)
    held = contests(now, standings(now), ACCOUNTS, ACCOUNTS)
    assert [who for contest in held for who, _ in contest.seats] == rated
    assert all(contest.moving == set(rated) for contest in held)


def test_guests_are_rated_apart_and_move_no_bot() -> None:
    now = finished("ann", "guest", "other guest", "greedy")
    open_contest, of_guests = contests(now, standings(now), ACCOUNTS, ACCOUNTS)
    assert open_contest.moving == {"ann", "bot:greedy"}
    assert {who for who, _ in of_guests.seats} == {"guest", "other guest", "bot:greedy"}
    assert of_guests.moving == {"guest", "other guest"}


def test_a_new_account_moves_no_rating_but_its_own() -> None:
    """Against bots and settled accounts; two new accounts are not rated against each other."""
    now = finished("ann", "ben", "greedy")
    settled, of_ben = contests(now, standings(now), ACCOUNTS, {"ann"})
    assert settled.moving == set(dict(settled.seats)) == {"ann", "bot:greedy"}
    assert of_ben.moving == {"ben"}
    assert set(dict(of_ben.seats)) == {"ann", "ben", "bot:greedy"}
    of_ann, of_ben = contests(now, standings(now), ACCOUNTS, set())
    assert set(dict(of_ann.seats)) == {"ann", "bot:greedy"}
    assert set(dict(of_ben.seats)) == {"ben", "bot:greedy"}
    duel = finished("ann", "ben")
    assert contests(duel, standings(duel), ACCOUNTS, set()) == []


def test_the_deal_of_the_day_is_unrated() -> None:
    now = finished("ann", "greedy")
    now.setup = msgspec.structs.replace(now.setup, day="2026-11-16")
    assert contests(now, standings(now), ACCOUNTS, ACCOUNTS) == []


@pytest.mark.parametrize("bot", ["greedy", None])
def test_who_leaves_comes_last(bot: str | None) -> None:
    now = finished("ann", "ben", "greedy")
    now.occupants = (Occupant("ann", None, bot, "ann"), *now.occupants[1:])
    result = standings(now)
    assert result[0].guest is None
    (contest,) = contests(now, result, ACCOUNTS, ACCOUNTS)
    ranks = dict(contest.seats)
    assert ranks["ann"] > max(ranks["ben"], ranks["bot:greedy"])


def test_a_seat_where_a_bot_moved_is_not_rated() -> None:
    now = finished("ann", "ben", "greedy")
    first = next(i for i, move in enumerate(now.moves) if move.seat == 0)
    by_bot = msgspec.structs.replace(now.moves[first], guest=None)
    now.moves = (*now.moves[:first], by_bot, *now.moves[first + 1 :])
    assert standings(now)[0].guest is None
    (contest,) = contests(now, standings(now), ACCOUNTS, ACCOUNTS)
    assert [who for who, _ in contest.seats] == ["ben", "bot:greedy"]


def test_profile_has_games_averages_best_and_rating(server: Server) -> None:
    ann = claim(server.guest(), "Ann of Angers")
    ben = claim(server.guest(), "Ben of Bordeaux")
    settle(server, ann, ben)
    duel = ann.set_up("me", "open")
    ben.join(duel)
    totals = play_out(duel, {0: ann, 1: ben})["outcome"]["totals"]
    alone = ann.set_up("me", map="tokyo")
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
    assert rating["games"] == SETTLED_GAMES + 1
    picture = server.guest().http.get(f"/api/tables/{duel}/picture.svg?seat=0")
    assert picture.status_code == 200


def points(server: Server, name: str) -> list[int]:
    return [rating["points"] for rating in profile(server, name)["ratings"]]


def settle(server: Server, *people: Guest) -> None:
    """Makes accounts count for others: a day old, with enough rated games."""

    async def write() -> None:
        database = Database(open_engine(server.backing.database))
        ids = [person.id for person in people]
        old = update(ACCOUNT_ROWS).where(ACCOUNT_ROWS.c.guest.in_(ids)).values(created=0.0)
        await database.change(old)
        fresh = beginner()._replace(games=SETTLED_GAMES)._asdict()
        rows = [{"who": who, "game": "next-station", **fresh} for who in ids]
        await database.change(insert(RATINGS).values(rows))
        await database.close()

    run(write())


def duel_of(ann: Guest, ben: Guest) -> str:
    table = ann.set_up("me", "open")
    ben.join(table)
    return table


def test_beating_random_or_the_own_second_guest_earns_nothing(server: Server) -> None:
    """The attacks: many cheap games, alone in two browsers, before and after claiming a name."""
    first, second = server.guest("One"), server.guest("Two")
    play_out(duel_of(first, second), {0: first, 1: second})
    farmer = claim(first, "Farmer")
    assert points(server, "farmer") == []
    play_out(duel_of(farmer, second), {0: farmer, 1: second})
    play_out(farmer.set_up("me", "random"), {0: farmer})
    assert points(server, "farmer") == []
    assert len(profile(server, "farmer")["played"]) == 3


def test_throw_away_accounts_earn_nothing(server: Server) -> None:
    """The attack: new accounts, one after the other, lose to the one that wants a rating."""
    farmer = claim(server.guest(), "Cattle Farmer")
    settle(server, farmer)
    before = points(server, "cattle%20farmer")
    for n in range(2):
        victim = claim(server.guest(), f"Victim {n}")
        table = duel_of(farmer, victim)
        victim.ok(victim.post(f"tables/{table}/leave", seat=1))
        farmer.ok(farmer.post(f"tables/{table}/seats/1/bot", bot="random"))
        play_out(table, {0: farmer})
    assert points(server, "cattle%20farmer") == before == [1500]
    assert points(server, "victim%201") < [1500]  # it is rated, against one who is settled


def test_guests_cannot_feed_a_bot_for_an_account(server: Server) -> None:
    """The attack: lose to a bot as a guest, then beat it, rated high, as an account."""
    before = run(bot_points(server))
    dummy = server.guest("Dummy")
    play_out(dummy.set_up("me", "greedy"), {0: dummy}, pick=0)
    assert run(bot_points(server)) == before
    new = claim(server.guest(), "New Ned")
    play_out(new.set_up("me", "greedy"), {0: new}, pick=0)
    assert run(bot_points(server)) == before
    assert points(server, "new%20ned") < [1500]
    honest = claim(server.guest(), "Honest Hal")
    settle(server, honest)
    play_out(honest.set_up("me", "greedy"), {0: honest}, pick=0)
    assert run(bot_points(server)) != before
    assert points(server, "honest%20hal") < [1500]


async def bot_points(server: Server) -> dict[str, int]:
    database = Database(open_engine(server.backing.database))
    skills = await database.read(lambda c: bot_ratings(c, "next-station"))
    await database.close()
    return {bot: skill.points() for bot, skill in skills.items()}


def test_leaving_costs_the_last_place_and_a_bot_is_no_help(server: Server) -> None:
    """The attacks: leave a lost game; let a strong bot play and come back for the last move."""
    ann, ben = claim(server.guest(), "Leaving Lea"), claim(server.guest(), "Staying Stan")
    settle(server, ann, ben)
    table = duel_of(ann, ben)
    ann.move(table, 0)
    ann.ok(ann.post(f"tables/{table}/leave", seat=0))
    ben.ok(ben.post(f"tables/{table}/seats/0/bot", bot="greedy"))
    play_out(table, {1: ben}, pick=0)
    (left,) = points(server, "leaving%20lea")
    assert left < 1500 < points(server, "staying%20stan")[0]
    assert profile(server, "leaving%20lea")["played"] == []
    table = duel_of(ann, ben)
    ann.ok(ann.post(f"tables/{table}/seats/0/bot", bot="greedy"))
    until(lambda: ann.see(table)["seats"][0]["moved"])
    ann.join(table, seat=0)
    play_out(table, {0: ann, 1: ben}, pick=0)
    assert points(server, "leaving%20lea") == [left]
    assert profile(server, "leaving%20lea")["played"] == []


def test_two_processes_write_every_rating_once(backing: Backing) -> None:
    """Games that end at the same time in two processes: no rating is lost, none counts twice."""

    async def check() -> None:
        stores = [TableStore(Database(open_engine(backing.database)), Calendar()) for _ in range(2)]
        await upgrade(stores[0].database.engine)
        writers = [start_task(store.run(), "event writer") for store in stores]
        database = stores[0].database
        names = [{"guest": who, "name": who, "key": who} for who in ("ann", "ben")]
        accounts = [row | {"password": "", "created": -SETTLED_SECONDS} for row in names]
        await database.change(insert(ACCOUNT_ROWS).values(accounts))
        fresh = beginner()._replace(games=SETTLED_GAMES)._asdict()
        settled = [{"who": who, "game": "next-station", **fresh} for who in ("ann", "ben")]
        await database.change(insert(RATINGS).values(settled))
        ends = [finished("ann", "ben", "driver") for _ in range(6)]
        for now in ends:
            await stores[0].set_up(now)
        last = [now.moves[-1] for now in ends]

        async def end(store: TableStore, i: int) -> bool:
            return await store.append(last[i], ends[i])

        written = await asyncio.gather(*(end(store, i) for i in range(6) for store in stores))
        assert sum(written) == 6
        again = [Ending.of(ends[0], 1.0, "")]  # known already: moves nothing
        await database.write(lambda connection: write(connection, database.dialect, again))
        expected = {who: beginner()._replace(games=SETTLED_GAMES) for who in ("ann", "ben")}
        expected["bot:driver"] = beginner()

        def check_ratings(connection: Connection) -> list[Any]:
            assert ratings_of(connection, "ann")["next-station"].games == SETTLED_GAMES + 6
            assert bot_ratings(connection, "next-station")["driver"].games == 6
            assert len(results_of(connection, "ann", 100)) == 6
            tables = [now.setup.id for now in ends]
            table_ids = connection.scalars(select(RESULTS.c.table_id))
            assert sum(table in tables for table in table_ids) == 18
            known = RATINGS.c.who.in_(expected)
            return list(connection.execute(select(RATINGS).where(known)))

        rows = await stores[1].database.read(check_ratings)
        for now in ends:
            (contest,) = contests(now, standings(now), ACCOUNTS, ACCOUNTS)
            expected |= rate(contest.seats, expected)
        for row in rows:
            assert Skill(row.mu, row.sigma, row.games) == pytest.approx(expected[row.who])
        await cancel(writers)
        for store in stores:
            await store.database.close()

    run(check())
