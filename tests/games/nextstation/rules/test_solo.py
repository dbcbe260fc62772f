"""Solo: SO-01 and SO-02."""

from __future__ import annotations

import pytest

import headway
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.view import NextStationView
from headway.i18n import say


@pytest.mark.rule("SO-01")
@pytest.mark.parametrize("city", ["london", "tokyo"])
@pytest.mark.parametrize(
    ("modules", "deduction"),
    [
        ({}, 0),
        ({"objectives": True}, -10),
        ({"powers": True}, -10),
        ({"special_stations": True}, -10),
        ({"objectives": True, "powers": True}, -20),
        ({"objectives": True, "special_stations": True}, -20),
    ],
)
def test_ten_points_off_for_each_module(
    city: str, modules: dict[str, bool], deduction: int
) -> None:
    alone = headway.Table(NextStation(city, 1, modules), seed=1).scores()[0]
    assert alone.deduction == deduction
    assert alone.total == deduction + alone.loop
    for score in headway.Table(NextStation(city, 2, modules), seed=1).scores():
        assert (score.deduction, score.total) == (0, score.loop)


@pytest.mark.rule("SO-01")
def test_the_order_of_the_colours_is_random_and_public() -> None:
    orders = set()
    for seed in range(150):
        view = headway.Table("tokyo", seed=seed).view(0)
        assert isinstance(view, NextStationView)
        orders.add(view.pencils)
    assert len(orders) == 24


@pytest.mark.rule("SO-02")
@pytest.mark.parametrize(
    ("city", "judge", "limits"),
    [
        ("london", "mayor", [90, 105, 120, 135, 150]),
        ("tokyo", "emperor", [65, 85, 100, 115, 130]),
    ],
)
def test_six_verdicts(city: str, judge: str, limits: list[int]) -> None:
    game = NextStation(city, 1, {})
    for rank, limit in enumerate(limits, start=1):
        assert game.verdict(limit) == f"verdict.{judge}.{rank}"
        assert game.verdict(limit + 1) == f"verdict.{judge}.{rank + 1}"
    assert game.verdict(-40) == f"verdict.{judge}.1"
    assert game.verdict(300) == f"verdict.{judge}.6"


@pytest.mark.rule("SO-02")
@pytest.mark.parametrize("judge", ["mayor", "emperor"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_verdicts_have_words(judge: str, lang: str) -> None:
    assert len({say(f"verdict.{judge}.{rank}", lang) for rank in range(1, 7)}) == 6


@pytest.mark.rule("SO-02")
def test_a_solo_game_ends_with_a_verdict() -> None:
    table = headway.Table("london", seed=1)
    while table.actors():
        table.play(0, "pass")
    assert table.outcome() == headway.Outcome((0,), (0,), "verdict.mayor.1")
    two = headway.Table("london", seats=2, seed=1)
    while seats := two.actors():
        for seat in seats:
            two.play(seat, "pass")
    assert two.outcome() == headway.Outcome((0, 0), (0, 1), "outcome.shared")
