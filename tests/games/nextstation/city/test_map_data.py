"""What clients are told of a city's districts: tints, outlines, places of stamps."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import dist

import pytest

from headway.games.nextstation.city.ground import STEP
from headway.games.nextstation.city.map_data import STATION_RADIUS, CityData
from headway.games.nextstation.game import NextStation

Corner = tuple[int, int]


@pytest.fixture(params=["london", "tokyo"])
def data(request: pytest.FixtureRequest) -> CityData:
    return NextStation(request.param, 1, {}).map_data()


def test_neighbouring_districts_differ_in_tint(data: CityData) -> None:
    rows = data.district_at
    columns = list(zip(*rows, strict=True))
    neighbours = [pair for row in (*rows, *columns) for pair in pairwise(row)]
    tints = [district.tint for district in data.districts]
    assert set(tints) <= {0, 1, 2, 3}
    assert all(tints[a] != tints[b] for a, b in neighbours if a != b)


def inside(rings: tuple[tuple[Corner, ...], ...], x: float, y: float) -> bool:
    """Whether a ray to the left of a point crosses the rings an odd number of times."""
    sides = [side for ring in rings for side in pairwise((*ring, ring[0]))]
    upright = [(a[0], sorted((a[1], b[1]))) for a, b in sides if a[0] == b[0]]
    return sum(at < x and low < y < high for at, (low, high) in upright) % 2 == 1


def test_outlines_enclose_the_cells_of_their_districts(data: CityData) -> None:
    for y, row in enumerate(data.district_at):
        for x, own in enumerate(row):
            around = [
                d
                for d, district in enumerate(data.districts)
                if inside(district.outline, x + 0.5, y + 0.5)
            ]
            assert around == [own]


def test_outlines_turn_at_every_corner(data: CityData) -> None:
    for district in data.districts:
        for ring in district.outline:
            sides = list(pairwise((*ring, ring[0], ring[1])))
            flat = [a[1] == b[1] for a, b in sides]
            assert all(one != other for one, other in pairwise(flat))


def test_stamps_stand_clear_of_stations_in_their_districts(data: CityData) -> None:
    for d, district in enumerate(data.districts):
        assert (district.stamp_at is not None) == (district.stamp > 0)
        if district.stamp_at is not None:
            x, y = district.stamp_at
            assert all(dist((x, y), (s.x, s.y)) > STATION_RADIUS for s in data.stations)
            assert data.district_at[int(y + 0.5)][int(x + 0.5)] == d


@pytest.mark.rule("NS-17")
def test_sections_tell_which_others_they_cross(data: CityData) -> None:
    pairs = {(i, j) for i, section in enumerate(data.sections) for j in section.crosses}
    assert {(j, i) for i, j in pairs} == pairs
    game = NextStation(data.map, 1, {})
    assert {(i, j) for i, j in pairs if i < j} == set(game.city.crossings)


def test_bridges_cross_the_river_apart(data: CityData) -> None:
    """Each has two parapets, and only a city with a river has any."""
    starts = re.findall(r"M(\S+) (\S+?)L", data.ground.bridges)
    places = [(float(x), float(y)) for x, y in starts]
    pairs = zip(places[::2], places[1::2], strict=True)
    middles = [((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in pairs]
    assert all(dist(p, q) > STEP / 2 for p, q in combinations(middles, 2))
    crossing = sum(section.over_river for section in data.sections)
    assert (0 < len(middles) < crossing) if data.river else not middles
