"""Shared objectives: OB-01 to OB-11."""

from __future__ import annotations

from fractions import Fraction

import pytest
from games.nextstation.playing import Play, sheet

from headway.errors import InputError, RuleBroken
from headway.games.contract import CHANCE
from headway.games.nextstation.game import NextStation

LONDON = ["interchanges", "districts", "tourist", "centre", "thames"]
TOKYO = ["stamps", "hub", "loop", "districts", "centre"]


def progress(city: str, objective: str, *lines: str) -> tuple[int, int, bool]:
    """How far an objective is with these lines: reached, needed, met."""
    other = next(name for name in (TOKYO if city == "tokyo" else LONDON) if name != objective)
    objective_score = sheet(city, *lines, objectives=f"{objective} {other}").objectives[0]
    assert objective_score.id == objective
    return objective_score.reached, objective_score.needed, objective_score.met


@pytest.mark.rule("OB-01")
@pytest.mark.parametrize(("city", "ids"), [("london", LONDON), ("tokyo", TOKYO)])
def test_two_of_five_are_drawn_at_random_and_public(city: str, ids: list[str]) -> None:
    game = NextStation(city, 2, {"objectives": True})
    state = game.start()
    state.apply(CHANCE, 0)
    assert [probability for _, probability in state.chance()] == [Fraction(1, 10)] * 10
    pairs = set()
    for move in state.legal(CHANCE):
        after = state.copy()
        after.apply(CHANCE, move)
        for seat in (0, 1, CHANCE):
            pairs.add(after.view(seat).objectives)
    assert len(pairs) == 10
    assert {name for pair in pairs for name in pair} == set(ids)
    assert all(len(set(pair)) == 2 for pair in pairs)


@pytest.mark.rule("OB-01")
def test_each_objective_achieved_scores_ten() -> None:
    centre = "e3f3 f3f4 f4e4 e4e5 e5e6 e6d6 e6g6 g6g3"
    thames = "a2c4 a3a5 a3b4 b1b4 b4c3 c3c4"
    one = sheet("london", centre, objectives="centre thames")
    assert ([o.met for o in one.objectives], one.objective_points) == ([True, False], 10)
    both = sheet("london", centre, thames, objectives="centre thames")
    assert ([o.met for o in both.objectives], both.objective_points) == ([True, True], 20)
    assert both.total - sheet("london", centre, thames).total == 20 - 10  # solo, a module used


@pytest.mark.rule("OB-01")
def test_without_the_module_nothing_is_drawn() -> None:
    play = Play("london").reveal("circle")
    assert play.state.view(0).objectives == ()
    assert (play.score().objectives, play.score().objective_points) == ((), 0)


@pytest.mark.rule("OB-01")
@pytest.mark.parametrize(
    ("city", "drawn"),
    [
        ("london", "hub thames"),
        ("tokyo", "tourist hub"),
        ("london", "thames thames"),
        ("london", "thames"),
        ("tokyo", "hub loop centre"),
    ],
)
def test_two_different_objectives_of_the_city(city: str, drawn: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        Play(city, objectives=drawn)
    assert refused.value.rule == "OB-01"


def test_an_objective_that_does_not_exist_cannot_be_read() -> None:
    with pytest.raises(InputError):
        Play("london", objectives="thames world-peace")


@pytest.mark.rule("OB-02")
def test_london_eight_interchanges() -> None:
    seven, eighth = "d2a2 a2b1 b1c0 c0d1 d1g1 g1h0", "h0j0"
    assert progress("london", "interchanges", seven, seven) == (7, 8, False)
    both = f"{seven} {eighth}"
    assert progress("london", "interchanges", both, both) == (8, 8, True)
    assert progress("london", "interchanges", both, both, both) == (8, 8, True)  # stations differ


@pytest.mark.rule("OB-03")
def test_london_all_districts() -> None:
    twelve = "a0a2 d2e3 h0j0 a3b4", "h3i4 a7a9 d7f7"
    assert progress("london", "districts", *twelve, "h9i8") == (12, 13, False)
    assert progress("london", "districts", *twelve, "h9j9") == (13, 13, True)


@pytest.mark.rule("OB-04")
def test_london_all_tourist_sites() -> None:
    four = "f0g1 a2a3", "e3f3", "j3j6"
    assert progress("london", "tourist", *four, "e3f3") == (4, 5, False)  # a site twice is one
    assert progress("london", "tourist", *four, "d9e9") == (5, 5, True)


@pytest.mark.rule("OB-05")
def test_london_all_nine_stations_of_the_centre() -> None:
    eight = "e3f3 f3f4 f4e4 e4e5", "e5e6 e6d6 e6g6"
    assert progress("london", "centre", *eight) == (8, 9, False)
    assert progress("london", "centre", *eight, "g3h3") == (9, 9, True)


@pytest.mark.rule("OB-06")
def test_london_six_sections_over_the_thames() -> None:
    five = "a2c4 a3a5", "a3b4 b1b4 b4c3"
    assert progress("london", "thames", *five) == (5, 6, False)
    assert progress("london", "thames", *five, "c3c4") == (6, 6, True)
    assert progress("london", "thames", *five, "c3c4", "h3h5") == (7, 6, True)


@pytest.mark.rule("OB-07")
def test_tokyo_four_stamps() -> None:
    three = ["j9i8 h8g9 c0c1", "j9i9 h8h9 c1b1"]
    assert progress("tokyo", "stamps", *three) == (3, 4, False)
    assert progress("tokyo", "stamps", f"{three[0]} b7a6", f"{three[1]} b7a7") == (4, 4, True)


@pytest.mark.rule("OB-08")
def test_tokyo_an_interchange_of_four_lines() -> None:
    assert progress("tokyo", "hub", "h6g5", "h6g6") == (3, 4, False)
    assert progress("tokyo", "hub", "h6g5", "h6g6", "h6h8") == (4, 4, True)  # with the loop
    assert progress("tokyo", "hub", "h8f8", "h8g9", "h8h9") == (3, 4, False)
    assert progress("tokyo", "hub", "h8f8", "h8g9", "h8h9", "h8i8") == (4, 4, True)
    assert progress("tokyo", "hub", "h6g5", "h6g6", "h6h8", "h6i5") == (5, 4, True)


@pytest.mark.rule("OB-09")
def test_tokyo_all_loop_stations() -> None:
    seven = "e2e1 g2g0 h4i4", "h6h8 f7f8 d7d8 c5b5"
    assert progress("tokyo", "loop", *seven) == (7, 8, False)
    assert progress("tokyo", "loop", *seven, "c3d4") == (8, 8, True)


@pytest.mark.rule("OB-10")
def test_tokyo_all_districts() -> None:
    twelve = "a0b0 j0j1 a9a8 e1f1", "b5b6 f4f5 i4i5 f8d8", "h8h9"
    assert progress("tokyo", "districts", *twelve) == (12, 13, False)
    assert progress("tokyo", "districts", *twelve, "j9i8") == (13, 13, True)


@pytest.mark.rule("OB-11")
def test_tokyo_all_eight_stations_of_the_centre() -> None:
    seven = "d4f4 f3g3", "e6f5 g5f4"
    assert progress("tokyo", "centre", *seven) == (7, 8, False)
    assert progress("tokyo", "centre", *seven, "g6h6") == (8, 8, True)
