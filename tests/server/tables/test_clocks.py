"""Clocks: what follows from the times of events, and flags that fall on a real server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from server.services import ON_SQLITE, Server, start_clock, until
from server.steps import next_event, rider_table, undo

from headway.server.tables.clocks import DAY_SECONDS, Clock, Clocks, RunningClock
from headway.server.tables.events import (
    DOWNTIME,
    FLAG,
    LEAVE,
    MOVE,
    SIT,
    UNDO,
)
from headway.server.tables.state import TableState


def test_common_time_for_a_turn() -> None:
    times = RunningClock(Clock("turn", seconds=30))
    times.ask([0, 1], 100.0, 0)
    assert (times.ends(0), times.ends(1)) == (130.0, 130.0)
    times.move(0, 110.0)
    times.ask([1], 110.0, 1)
    assert (times.ends(0), times.ends(1)) == (None, 130.0)
    times.move(1, 120.0)
    times.ask([0, 1], 120.0, 2)
    assert (times.ends(0), times.ends(1)) == (150.0, 150.0)


def test_bank_with_increment() -> None:
    times = RunningClock(Clock("bank", seconds=60, increment=5))
    times.ask([0], 0.0, 0)
    assert times.ends(0) == 60.0
    times.move(0, 20.0)
    times.ask([1], 20.0, 1)
    assert times.bank(0) == 45.0
    times.move(1, 100.0)
    assert times.bank(1) == 5.0
    times.ask([0], 100.0, 2)
    assert times.ends(0) == 145.0
    shown = times.shown(2)
    assert shown
    assert (shown.ends, shown.banks) == ({"0": 145.0}, {"0": 45.0, "1": 5.0})


def test_days() -> None:
    times = RunningClock(Clock("days", days=2))
    times.ask([0], 0.0, 0)
    assert times.ends(0) == 2 * DAY_SECONDS


def test_no_clock() -> None:
    times = RunningClock(Clock())
    times.ask([0], 0.0, 0)
    assert (times.ends(0), times.shown(1)) == (None, None)


@ON_SQLITE
def test_flag_falls_for_those_who_have_not_moved(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    seconds = 4  # for one move on a busy machine
    table = ann.set_up("me", "open", clock={"kind": "turn", "seconds": seconds})
    ben.join(table)
    began = start_clock(table, ann, ben)
    assert began["clocks"]["turn_ends"] == began["started"] + seconds
    mine = ann.move(table, 0)["views"]["0"]["own_move"]
    seen = until(lambda: (s := ann.see(table))["views"]["0"]["turn"] >= 2 and s)
    lines = [(line["seat"], line["text"]) for line in seen["log"] if line["seat"] >= 0]
    assert lines[:2] == [(0, mine), (1, "pass")]
    assert seen["now"] >= began["started"] + seconds
    until(lambda: ann.see(table)["views"]["0"]["turn"] >= 3)


@ON_SQLITE
def test_bank_runs_out(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me", "me", clock={"kind": "bank", "seconds": 1, "increment": 600})
    seen = until(lambda: (s := ann.see(table))["views"]["0"]["turn"] == 2 and s)
    assert seen["clocks"]["banks"] == {"0": 600, "1": 600}


@ON_SQLITE
def test_undo_gives_no_time_back(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    table = ann.set_up("me", "open", clock={"kind": "days", "days": 1})
    ben.join(table)
    start_clock(table, ann, ben)
    before = ann.see(table)["clocks"]["turn_ends"]
    ann.move(table, 0)
    undo(ann, table, 0, ben)
    assert ann.see(table)["clocks"]["ends"] == {"0": before, "1": before}


def played(now: TableState, at: float, text: str, kind: str = MOVE) -> TableState:
    """The table after a move, at this time, of the seat that has to make it first."""
    return now.after(next_event(now, now.actors()[0], at=at, text=text, kind=kind))


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("take pile", "take pile", MOVE),
        ("tickets", "keep 1", MOVE),
        ("take pile", "take pile", FLAG),
    ],
)
def test_a_turn_is_one_turn_however_many_moves_it_takes(first: str, second: str, kind: str) -> None:
    """Two drawn cards, or tickets drawn and kept, share the seconds of one turn."""
    now = rider_table(Clock("turn", seconds=60))
    for at in (10.0, 20.0):
        now = played(now, at, "keep 1")
    (seat,) = now.actors()
    assert now.clock.ends(seat) == 80.0
    middle = played(now, 50.0, first, kind)
    assert middle.actors() == (seat,)
    assert middle.clock.ends(seat) == 80.0
    assert middle.asked(seat) == middle.number  # a move for the first decision comes too late
    assert played(middle, 70.0, second, kind).clock.shown(2) == Clocks(
        130.0, {str(1 - seat): 130.0}
    )


def test_an_increment_is_for_a_turn() -> None:
    now = rider_table(Clock("bank", seconds=60, increment=5))
    for at in (0.0, 0.0):
        now = played(now, at, "keep 1")
    (seat,) = now.actors()
    now = played(played(now, 10.0, "take pile"), 30.0, "take pile")
    shown = now.clock.shown(2)
    assert shown
    assert shown.banks[str(seat)] == 60 + 5 - 30 + 5


def seated(now: TableState, at: float, kind: str, guest: str, seat: int) -> TableState:
    return now.after(next_event(now, seat, at=at, kind=kind, guest=guest, text=guest))


def test_a_game_that_everybody_has_left_stops() -> None:
    """Nobody's clock runs and no process wakes it; who comes back has the time that was left."""
    now = rider_table(Clock("bank", seconds=60, increment=5))
    now = seated(now, 20.0, LEAVE, "ann", 0)
    assert now.deadline() == 60.0  # the clock moves for one who has left, while another plays
    events = [now.last_event]
    now = seated(now, 30.0, LEAVE, "ben", 1)
    assert (now.deadline(), now.wake_at(30.0), now.flagged_seats(1000.0)) == (None, None, [])
    assert now.clocks() == Clocks(banks={"0": 60.0, "1": 60.0})
    events.append(now.last_event)
    now = seated(now, 1030.0, SIT, "ben", 1)
    assert now.clocks() == Clocks(ends={"0": 1060.0, "1": 1060.0}, banks={"0": 60.0, "1": 60.0})
    events.append(now.last_event)
    replayed = TableState.replayed(now.setup, [event for event in events if event])
    assert replayed.clocks() == now.clocks()


def test_an_undo_keeps_the_time_that_was_given_back() -> None:
    now = rider_table(Clock("turn", seconds=60))
    now = now.after(next_event(now, 0, at=10.0, text="keep 1", guest="ann"))
    down = next_event(now, -1, at=500.0, kind=DOWNTIME, text="470.0")
    now = now.after(down)
    assert now.clock.ends(1) == 530.0
    undo = next_event(now, 0, at=510.0, kind=UNDO, guest="ann", text="", drops=(1,))
    assert now.after(undo).clocks() == Clocks(530.0, {"0": 530.0, "1": 530.0})


@ON_SQLITE
def test_a_left_game_waits_for_its_players(server: Server) -> None:
    """Neither the clock nor a bot plays on; the time until somebody is back is nobody's."""
    ann, ben = server.guest(), server.guest()
    clock = {"kind": "turn", "seconds": 1}
    table = ann.set_up("me", "greedy", clock=clock)
    stopped = ann.ok(ann.post(f"tables/{table}/leave", seat=0))
    assert stopped["stopped"]
    assert not stopped["clocks"].get("ends")
    number = stopped["number"]
    other = ben.set_up("me", clock=clock)
    until(lambda: ben.see(other)["views"]["0"]["turn"] >= 3)
    with ben.socket(table):  # nor for somebody who looks on
        until(lambda: ben.see(other)["views"]["0"]["turn"] >= 4)
        assert number <= ann.see(table)["number"] <= number + 1  # a bot that was thinking
    back = ann.join(table, seat=0)
    assert not back["stopped"]
    assert back["clocks"]["ends"]
    until(lambda: ann.see(table)["views"]["0"]["turn"] >= 2)


def test_one_flag_for_two_processes(start: Callable[..., Server]) -> None:
    left, right = start(), start()
    ann = left.guest()
    table = ann.set_up("me", "me", clock={"kind": "turn", "seconds": 1})
    with ann.socket(table):
        ann.moved_to(right)
        with ann.socket(table):
            seen = until(lambda: (s := ann.see(table))["views"]["0"]["turn"] >= 2 and s)
            moved = [line["seat"] for line in seen["log"] if line["seat"] >= 0]
            assert sorted(moved[:2]) == [0, 1]
            assert seen["number"] <= len(moved) + 1  # a turn that is not over shows no moves
