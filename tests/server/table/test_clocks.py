"""Clocks: what follows from the times of events, and flags that fall on a real server."""

from __future__ import annotations

import time
from collections.abc import Callable

from server.services import Server, start_clock, until

from headway.server.table.clocks import DAY_SECONDS, BankClock, Clock


def test_common_time_for_a_turn() -> None:
    times = Clock("turn", seconds=30).start()
    times.ask([0, 1], 100.0, 0)
    assert (times.ends(0), times.ends(1)) == (130.0, 130.0)
    times.move(0, 110.0)
    times.ask([1], 110.0, 1)
    assert (times.ends(0), times.ends(1)) == (None, 130.0)
    times.move(1, 120.0)
    times.ask([0, 1], 120.0, 2)
    assert (times.ends(0), times.ends(1)) == (150.0, 150.0)


def test_bank_with_increment() -> None:
    times = BankClock(Clock("bank", seconds=60, increment=5))
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
    times = Clock("days", days=2).start()
    times.ask([0], 0.0, 0)
    assert times.ends(0) == 2 * DAY_SECONDS


def test_no_clock() -> None:
    times = Clock().start()
    times.ask([0], 0.0, 0)
    assert (times.ends(0), times.shown(1)) == (None, None)


def test_flag_falls_for_those_who_have_not_moved(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    table = ann.set_up("me", "open", clock={"kind": "turn", "seconds": 1})
    ben.join(table)
    began = start_clock(table, ann, ben)
    assert began["clocks"]["turn_ends"] == began["started"] + 1
    mine = ann.move(table, 0)["views"]["0"]["own_move"]
    seen = until(lambda: (s := ann.see(table))["views"]["0"]["turn"] == 2 and s)
    lines = [(line["seat"], line["text"]) for line in seen["log"] if line["seat"] >= 0]
    assert lines == [(0, mine), (1, "pass")]
    assert seen["now"] >= began["started"] + 1
    until(lambda: ann.see(table)["views"]["0"]["turn"] >= 3)


def test_bank_runs_out(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me", "me", clock={"kind": "bank", "seconds": 1, "increment": 600})
    ann.move(table, 0)
    seen = until(lambda: (s := ann.see(table))["views"]["0"]["turn"] == 2 and s)
    assert seen["clocks"]["banks"]["0"] > 600
    assert seen["clocks"]["banks"]["1"] == 600


def test_undo_gives_no_time_back(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    table = ann.set_up("me", "open", clock={"kind": "days", "days": 1})
    ben.join(table)
    start_clock(table, ann, ben)
    before = ann.see(table)["clocks"]["turn_ends"]
    ann.move(table, 0)
    ann.ok(ann.post(f"tables/{table}/undo", seat=0, client_id="undo-0001"))
    assert ann.see(table)["clocks"]["ends"] == {"0": before, "1": before}


def test_flag_falls_while_the_server_is_away(start: Callable[..., Server]) -> None:
    server = start()
    ann = server.guest()
    table = ann.set_up("me", clock={"kind": "turn", "seconds": 1})
    end = ann.see(table)["clocks"]["turn_ends"]
    server.kill()
    until(lambda: time.time() > end)
    server.start()
    until(lambda: ann.see(table)["views"]["0"]["turn"] >= 2)


def test_one_flag_for_two_processes(start: Callable[..., Server]) -> None:
    left, right = start(), start()
    ann = left.guest()
    table = ann.set_up("me", "me", clock={"kind": "turn", "seconds": 1})
    with ann.socket(table):
        ann.moved_to(right)
        with ann.socket(table):
            seen = until(lambda: (s := ann.see(table))["views"]["0"]["turn"] == 2 and s)
            assert seen["number"] == 2
