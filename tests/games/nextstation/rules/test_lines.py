"""The score of a line: NS-22 to NS-24."""

from __future__ import annotations

from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from games.nextstation.playing import Play, sheet
from reference import referee

from headway.games.nextstation import BOX
from headway.games.nextstation.city.city import Section
from headway.games.nextstation.city.city_file import load_city
from headway.games.nextstation.rules.scoring import LineScore


def line(*sections: str, city: str = "london") -> LineScore:
    """The score of one line."""
    return sheet(city, " ".join(sections)).lines[0]


@pytest.mark.rule("NS-22")
def test_districts_times_stations_in_the_fullest_one() -> None:
    one_each = line("d2a2")
    assert (one_each.districts, one_each.fullest, one_each.points) == (2, 1, 2)
    two_in_the_north_west = line("d2a2", "a2b1")
    assert (two_in_the_north_west.districts, two_in_the_north_west.fullest) == (2, 2)
    assert two_in_the_north_west.points == 4
    assert line("d2a2", "a2b1", "b1c0", "d2e3").points == 3 * 3


@pytest.mark.rule("NS-22")
def test_the_departure_station_counts() -> None:
    north = line("d2d1")
    assert (north.districts, north.fullest, north.points) == (1, 2, 2)


@pytest.mark.rule("NS-22")
def test_stations_of_a_district_need_not_be_adjacent() -> None:
    # a2 and c0 lie in the north-west; the line leaves it between them.
    back = line("d2a2", "d2d1", "d1c0")
    assert (back.districts, back.fullest, back.points) == (2, 2, 4)


@pytest.mark.rule("NS-22")
def test_a_line_is_scored_as_it_is_played() -> None:
    play = Play("london", "green").turn("circle", "d2a2").turn("pentagon", "a2b1")
    assert play.score().lines[0].points == 4
    play.end_round().turn("square", "c5c4").turn("triangle", "c4b4")
    assert [line.points for line in play.score().lines] == [4, 3, 0, 0]
    assert [line.colour for line in play.score().lines] == ["green", "purple", "blue", "pink"]


def passing(name: str) -> list[str]:
    """The sections that pass a district without stopping in it."""
    city = load_city(name)

    def passed(section: Section) -> set[int]:
        districts = set()
        for (x, y), (to_x, to_y) in pairwise(section.path):
            steps = int(max(abs(to_x - x), abs(to_y - y)))
            for k in range(steps + 1):
                at_x, at_y = x + (to_x - x) * k // steps, y + (to_y - y) * k // steps
                districts.add(city.district_at[int(at_y)][int(at_x)])
        return districts - {city.stations[section.a].district, city.stations[section.b].district}

    sections = [section for section in city.sections if passed(section)]
    return [city.stations[s.a].name + city.stations[s.b].name for s in sections]


@pytest.mark.rule("NS-22", "NT-09")
@pytest.mark.parametrize("city", BOX.maps)
def test_no_section_of_a_shipped_city_passes_a_district_without_stopping(city: str) -> None:
    assert passing(city) == []


@pytest.mark.rule("NS-22")
def test_passing_a_district_without_stopping_does_not_count(tmp_path: Path) -> None:
    tokyo = files("headway").joinpath("games/nextstation/city/tokyo.toml").read_text("utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(tokyo.replace("jjiiiiikkk", "jjjiiiikkk"), "utf-8")
    assert passing(str(mine)) == ["b6d8"]
    assert line("b6d8", city=str(mine)).districts == 2


@pytest.mark.rule("NS-23")
def test_a_line_without_sections_has_no_stations() -> None:
    play = Play("london", "green").reveal("circle")
    score = play.score()
    assert [line.points for line in score.lines] == [0, 0, 0, 0]
    assert (score.tourist, score.interchanges, score.total) == (0, 0, 0)


@pytest.mark.rule("NS-23")
def test_the_departure_of_an_undrawn_line_makes_no_interchange() -> None:
    through_purple = "a5c5 c5e5"
    assert sheet("london", through_purple).interchanges == 0
    drawn = sheet("london", through_purple, "c4c5")
    assert drawn.interchanges == 2
    # Tokyo's c1 is the departure of purple, in a district with a stamp.
    assert sheet("tokyo", "b1c1").stamps == 0
    assert sheet("tokyo", "b1c1", "c0c1").stamps == 5


@pytest.mark.rule("NS-23", "OB-03")
def test_the_departure_of_an_undrawn_line_visits_no_district() -> None:
    all_but_north = "a0a2 e3f3 h0j0 a3b4 h3i4 a7a9 d7f7 h9j9"
    missed = sheet("london", all_but_north, objectives="districts tourist", colours="green")
    assert (missed.objectives[0].reached, missed.objectives[0].met) == (12, False)


@pytest.mark.rule("NS-24")
def test_two_points_for_each_section_over_the_thames() -> None:
    over = line("d2d6")
    assert (over.districts, over.fullest, over.over_river, over.points) == (2, 1, 1, 2 + 2)
    assert line("d2d6", "d6e5").points == 2 * 2 + 2 + 2
    assert line("d6e6").over_river == 0


@pytest.mark.rule("NS-24")
def test_24_sections_cross_the_thames() -> None:
    city = load_city("london")
    over = {
        frozenset((city.stations[s.a].point, city.stations[s.b].point))
        for s in city.sections
        if s.over_river
    }
    assert len(over) == 24
    assert over == referee.city("london").thames
    assert not any(section.over_river for section in load_city("tokyo").sections)
