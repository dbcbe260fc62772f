"""Levels play legal moves, and the beginner plays between random and what it imitates."""

from __future__ import annotations

from statistics import mean

import headway


def solo(name: str, deals: int) -> float:
    totals = []
    for seed in range(deals):
        table = headway.Table("london", seed=seed)
        headway.play_out(table, [headway.make_bot(name, table.game, seed)])
        outcome = table.outcome()
        assert outcome
        totals.append(outcome.totals[0])
    return mean(totals)


def test_tourist_at_next_station_is_between_random_and_greedy() -> None:
    deals = 40
    assert solo("random", deals) < solo("tourist", deals) < solo("greedy", deals)


def test_tourist_at_ticket_to_ride_beats_random() -> None:
    won = 0
    for seed in range(10):
        table = headway.Table("ticket-to-ride", seats=2, seed=seed)
        bots = [headway.make_bot(name, table.game, seed) for name in ("tourist", "random")]
        headway.play_out(table, bots)
        outcome = table.outcome()
        assert outcome
        won += outcome.winners == (0,)
    assert won == 10
