"""London: the end of the game, NL-01 to NL-05."""

from __future__ import annotations

from pathlib import Path

import pytest
from games.nextstation.playing import sheet

import headway
from headway.games.contract import CHANCE
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import OVER, city_record
from headway.games.nextstation.rules.building import draw
from headway.games.nextstation.rules.scoring import ScoreSheet

RECORDS = Path(__file__).parents[3] / "records" / "next-station"
SITES = ["f0g1", "a2a3", "e3f3", "j3j6", "d9e9"]
"""A section to each of the five sites."""


def final(name: str) -> ScoreSheet:
    """The score of seat 0 at the end of a stored game."""
    score: ScoreSheet = headway.replay(headway.load(RECORDS / f"{name}.json")).state.scores()[0]
    return score


def ending(*sheets: list[str]) -> tuple[headway.Outcome, tuple[int, ...]]:
    """The outcome and ranking of a game that ends with these lines on the seats' sheets."""
    game = NextStation("london", len(sheets), {})
    state = game.start()
    named = game.city.station_named
    for seat, lines in enumerate(sheets):
        for r, line in enumerate(lines):
            for pair in line.split():
                a, b = named[pair[:2]], named[pair[2:]]
                draw(city_record(game.city), state.sheets[seat], r, a, b, False)
    state.shared["phase"] = OVER
    outcome = state.outcome()
    assert outcome
    return outcome, state.view(CHANCE).ranking


@pytest.mark.rule("NL-01")
@pytest.mark.parametrize(
    ("marks", "points"),
    [*enumerate([0, 1, 2, 4, 6, 8, 11, 14, 17, 21, 25]), (11, 25), (15, 25), (20, 25)],
)
def test_tourist_marks(marks: int, points: int) -> None:
    lines = [" ".join(SITES[: max(0, min(5, marks - 5 * r))]) for r in range(4)]
    score = sheet("london", *lines)
    assert (score.marks, score.tourist) == (min(marks, 10), points)


@pytest.mark.rule("NL-01")
def test_a_site_counts_again_for_another_line_but_once_for_a_line() -> None:
    assert sheet("london", "e3f3 f3f4").marks == 1
    assert sheet("london", "e3f3", "f3f4").marks == 2


@pytest.mark.rule("NL-02")
def test_interchanges_of_two_three_and_four_lines() -> None:
    lines = ["d2e3", "c3e3", "e0e3", "e3e4"]
    assert [sheet("london", *lines[:n]).interchanges for n in range(5)] == [0, 0, 2, 5, 9]
    apart = sheet("london", "d2e3 e3e4", "c3e3", "c4e4")
    assert (apart.meeting, apart.interchanges) == ({2: 2, 3: 0, 4: 0}, 4)


@pytest.mark.rule("NL-03")
def test_the_final_score_is_the_sum_of_its_parts() -> None:
    score = sheet(
        "london",
        "d2a2 a2a3 a3a5",  # 3 districts x 2, over the Thames once, a site: 8
        "c5a5 a5a7",  # 2 x 2 = 4
        objectives="thames tourist",
        seats=1,
    )
    assert [line.points for line in score.lines] == [8, 4, 0, 0]
    assert (score.tourist, score.interchanges, score.objective_points) == (1, 2, 0)
    assert score.deduction == -10
    assert score.total == 8 + 4 + 1 + 2 - 10


@pytest.mark.rule("NL-04")
def test_the_highest_score_wins() -> None:
    outcome, ranking = ending(["d2d1"], ["d2a2 a2b1"], ["d2a2"])
    assert outcome == headway.Outcome((2, 4, 2), (1,), "outcome.highest")
    assert ranking == (1, 0, 2)


@pytest.mark.rule("NL-04")
def test_a_tie_goes_to_the_best_single_line() -> None:
    outcome, ranking = ending(["d2d1", "i1j1"], ["d2a2 a2b1"])
    assert outcome == headway.Outcome((4, 4), (1,), "outcome.best_line")
    assert ranking == (1, 0)


@pytest.mark.rule("NL-04")
def test_still_tied_is_a_shared_victory() -> None:
    outcome, ranking = ending(["d2a2 a2b1"], ["d2d1"], ["i1j1 j1j0"])
    assert outcome == headway.Outcome((4, 2, 4), (0, 2), "outcome.shared")
    assert ranking == (0, 2, 1)


@pytest.mark.rule("NL-05")
def test_the_worked_example() -> None:
    score = final("nl-05")
    shape = [(line.districts, line.fullest, line.over_river) for line in score.lines]
    assert shape == [(6, 3, 1), (4, 4, 0), (5, 5, 2), (5, 4, 1)]
    assert [line.points for line in score.lines] == [20, 16, 29, 22]
    assert (score.marks, score.tourist) == (7, 14)
    assert (score.meeting, score.interchanges) == ({2: 9, 3: 0, 4: 0}, 18)
    assert score.total == 119


@pytest.mark.rule("NL-05", "PW-06")
def test_the_worked_example_with_the_double_station_power() -> None:
    score = final("nl-05-double")
    first = score.lines[0]
    assert (first.districts, first.fullest, first.over_river, first.points) == (6, 4, 1, 26)
    assert [line.points for line in score.lines[1:]] == [16, 29, 22]
    assert (score.tourist, score.interchanges, score.deduction) == (14, 18, -10)
    assert score.total == 119 + 6 - 10
