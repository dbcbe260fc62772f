"""The facts behind a score, recounted from the sections that a view shows."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from headway import dealer
from headway.games.contract import CHANCE
from headway.games.nextstation.city.map_data import CityData
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.state import NextStationState
from headway.games.nextstation.view import SheetView


def played(city: str, seed: int, **options: bool) -> NextStationState:
    """Returns the end of a random game of two."""
    state, generator = NextStation(city, 2, options).start(), random.Random(seed)
    while not state.finished():
        if CHANCE in state.actors():
            state.apply(CHANCE, dealer.deal(seed, state))
        else:
            seat = min(state.actors())
            state.apply(seat, generator.choice(state.legal(seat)))
    return state


def stations(sections: tuple[str, ...]) -> set[str]:
    plain = [section.removeprefix("=") for section in sections]
    return {name for pair in plain for name in (pair[:2], pair[2:])}


def check_lines(data: CityData, sheet: SheetView) -> None:
    district = {station.name: station.district for station in data.stations}
    over = {i: s.a + s.b for i, s in enumerate(data.sections) if s.over_river}
    for line, score in zip(sheet.lines, sheet.score.lines, strict=True):
        here = stations(line.sections)
        sizes = Counter(district[name] for name in [*here, *(set(line.circled) & here)])
        assert sorted(score.visited) == sorted(sizes)
        assert len(score.visited) == score.districts
        assert sizes[score.fullest_district] == score.fullest == max(sizes.values(), default=0)
        assert set(score.fullest_stations) == {
            name for name in here if district[name] == score.fullest_district
        }
        crossed = {over[i] for i in score.river_sections}
        drawn = {section.removeprefix("=") for section in line.sections}
        assert crossed == drawn & set(over.values())
        assert len(score.river_sections) == score.over_river


def check_meeting(data: CityData, sheet: SheetView) -> None:
    district = {station.name: station.district for station in data.stations}
    lines_at = Counter(stations(tuple(s.a + s.b for s in data.sections if s.loop)))
    won: set[int] = set()
    for line, score in zip(sheet.lines, sheet.score.lines, strict=True):
        lines_at.update(stations(line.sections))
        stamped = {district[name] for name, lines in lines_at.items() if lines > 1}
        stamped = {d for d in stamped if data.districts[d].stamp}
        assert set(score.new_stamps) == stamped - won
        won = stamped
    assert sheet.score.lines_at == {name: n for name, n in lines_at.items() if n > 1}
    assert set(sheet.score.stamped) == won
    assert sheet.score.stamps_won == len(won)
    assert sheet.score.stamps == sum(data.districts[d].stamp for d in won)


@pytest.mark.parametrize("city", ["london", "tokyo"])
@pytest.mark.parametrize("module", ["powers", "special_stations"])
def test_the_facts_behind_a_score_are_on_the_sheet(city: str, module: str) -> None:
    for seed in range(4):
        state = played(city, seed, **{module: True})
        data, view = state.game.map_data(), state.view(CHANCE)
        assert any(sheet.lines[0].sections for sheet in view.sheets)
        for sheet in view.sheets:
            check_lines(data, sheet)
            check_meeting(data, sheet)
            assert sheet.score.best_line == max(line.points for line in sheet.score.lines)
