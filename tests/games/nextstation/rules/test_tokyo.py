"""Tokyo: NT-01 to NT-09."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from games.nextstation.playing import Play, sheet

import headway
from headway.games.nextstation.city.city_file import load_city
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.records import score_json
from headway.games.nextstation.rules.arrays import city_record
from headway.games.nextstation.rules.building import draw

TESTS = Path(__file__).parents[3]
CORNERS, OUTER = ["a0", "j0", "a9", "j9"], ["c1", "g0", "b7", "h8"]
INNER = ["e1", "b6", "f4", "i4", "f8"]
LOOP = ["e2", "g2", "h4", "h6", "f7", "d7", "c5", "c3"]


@pytest.mark.rule("NT-01")
def test_the_sheet_of_tokyo() -> None:
    city = load_city("tokyo")
    assert city.colours == ("purple", "blue", "pink", "brown")
    assert city.loop_colour == "green"
    around = {
        city.stations[k].name for i in city.loop for k in (city.sections[i].a, city.sections[i].b)
    }
    assert around == set(LOOP)
    assert all(station.symbol != "wild" for station in city.stations)
    assert not city.river
    assert not any(station.tourist for station in city.stations)
    assert list(score_json(NextStation("tokyo", 1, {}), sheet("tokyo"))) == [
        "lines",
        "stamps",
        "loop",
        "interchanges",
        "objectives",
        "deduction",
        "total",
    ]


@pytest.mark.rule("NT-01")
def test_the_loop_is_on_the_sheet_from_the_start() -> None:
    play = Play("tokyo", "purple").turn("circle", "c1c3").reveal("square")
    assert play.broken("c3c5") == "NS-19"


@pytest.mark.rule("NT-02")
def test_the_loop_is_passed_at_its_stations_only() -> None:
    play = Play("tokyo", "purple").turn("square", "c1d0").reveal("circle")
    assert play.broken("d0d4") == "NT-02"
    assert play.broken("c1c3") is None
    play.move("c1c3").reveal("circle")
    assert play.broken("c3d4") is None  # into the centre through c3


@pytest.mark.rule("NT-02")
def test_23_straight_pairs_would_cross_the_loop() -> None:
    city = load_city("tokyo")
    facts = json.loads((TESTS / "reference" / "tokyo.json").read_text("utf-8"))
    barred = {frozenset(map(tuple, pair)) for pair in facts["aligned_pairs_not_sections"]}
    loop = {frozenset((city.sections[i].a, city.sections[i].b)) for i in city.loop}
    cut = set(map(frozenset, city.cut_by_loop))
    assert len(cut) == 23
    assert not loop & cut
    points = {frozenset(city.stations[k].point for k in pair) for pair in cut}
    straight_loop = {
        frozenset(city.stations[k].point for k in pair)
        for pair, i in zip(loop, city.loop, strict=True)
    }
    assert points <= barred <= points | straight_loop


@pytest.mark.rule("NT-02", "NS-19")
def test_an_ordinary_section_along_the_loop_is_a_second_one() -> None:
    play = Play("tokyo", "brown").turn("circle", "h8h6").reveal("joker")
    assert play.broken("h6h4") == "NS-19"
    assert play.broken("h6f7") == "NS-19"  # where it bends, too


@pytest.mark.rule("NT-03")
def test_a_second_track_along_the_loop_on_a_joker() -> None:
    play = Play("tokyo", "brown").turn("circle", "h8h6").reveal("joker")
    assert {"=h6h4", "=h6f7"} <= play.legal()
    play.move("=h6f7").reveal("triangle")
    assert play.broken("=f7d7") == "NT-03"  # no joker, though d7 is a triangle
    play.move("pass").reveal("underground:joker")
    assert play.broken("=f7d7") is None


@pytest.mark.rule("NT-03")
def test_a_second_track_along_another_colour() -> None:
    play = Play("tokyo", "brown").turn("square", "h8f8").turn("circle", "f8d8").end_round()
    play.end_round().turn("triangle", "b7b8").turn("circle", "b8d8").reveal("joker")
    assert play.state.view(0).sheets[0].lines[2].colour == "blue"
    assert play.broken("=d8f8") is None
    assert play.broken("d8f8") == "NS-19"
    assert play.broken("=d8d7") == "NT-03"  # nothing runs there
    play.move("=d8f8")
    assert play.state.view(0).sheets[0].lines[2].sections == ("b7b8", "b8d8", "=d8f8")


@pytest.mark.rule("NT-03", "NS-14", "NS-18", "NS-12")
def test_all_other_rules_hold_for_a_second_track() -> None:
    play = Play("tokyo", "brown").turn("circle", "h8h6").turn("square", "h6g6").reveal("joker")
    assert play.broken("=h6h4") == "NS-14"
    play.move("pass").turn("pentagon", "g6f7").reveal("joker")
    assert play.broken("=f7h6") == "NS-18"
    assert play.broken("=f7g9") == "NS-12"
    assert play.broken("=f7d7") is None


@pytest.mark.rule("NT-03")
def test_a_second_track_needs_a_first_one() -> None:
    play = Play("tokyo", "brown").reveal("joker")
    assert play.broken("=h8h6") == "NT-03"
    assert play.broken("h8h6") is None


@pytest.mark.rule("NT-03")
def test_no_second_track_in_london() -> None:
    play = Play("london", "green").turn("triangle", "d2e3").end_round()
    play.turn("triangle", "c5e3").reveal("joker")
    assert play.broken("=e3d2") == "NT-03"


@pytest.mark.rule("NT-04")
def test_two_tracks_are_the_most() -> None:
    play = Play("tokyo", "brown").turn("circle", "h8h6").turn("joker", "=h6h4").end_round()
    play.end_round()
    assert play.state.view(0).pencils[0][2] == "blue"
    play.end_round().turn("pentagon", "i2i4").turn("triangle", "i4h4").reveal("joker")
    assert play.broken("=h4h6") == "NT-04"  # loop and brown
    assert play.broken("h4h6") == "NS-19"
    assert play.broken("=h4g2") is None


@pytest.mark.rule("NT-04", "NS-18")
def test_never_two_tracks_of_one_colour() -> None:
    play = Play("tokyo", "brown").turn("circle", "h8h6").turn("joker", "=h6h4").reveal("joker")
    assert play.broken("=h4h6") == "NS-18"  # it would come back to h6 as well
    assert play.broken("=h8h6") == "NS-18"


@pytest.mark.rule("NT-05")
def test_interchanges_count_the_loop() -> None:
    at_h6 = ["h6g5", "h6g6", "h6h8", "h6i5"]
    assert [sheet("tokyo", *at_h6[:n]).interchanges for n in range(5)] == [0, 0, 5, 15, 30]
    at_h8 = ["h8f8", "h8g9", "h8h9", "h8i8"]
    assert [sheet("tokyo", *at_h8[:n]).interchanges for n in range(5)] == [0, 0, 0, 5, 15]


@pytest.mark.rule("NT-06")
def test_stamps_for_outlying_districts_with_an_interchange() -> None:
    assert (sheet("tokyo", "h8g9").stamps, sheet("tokyo", "h8g9").stamps_won) == (0, 0)
    outer = sheet("tokyo", "h8g9", "h8h9")
    assert (outer.stamps, outer.stamps_won) == (5, 1)
    corner = sheet("tokyo", "j9i8", "j9i9")
    assert (corner.stamps, corner.stamps_won) == (10, 1)
    assert sheet("tokyo", "j9i8", "j9i9 h8i8").stamps == 10 + 5
    # Once for a district, however many interchanges it has.
    twice = sheet("tokyo", "h8g9", "h8h9 h9g9", "h8i8 i8h9")
    assert (twice.stamps, twice.stamps_won) == (5, 1)


@pytest.mark.rule("NT-06")
@pytest.mark.parametrize("station", [*CORNERS, *OUTER, *INNER])
def test_which_districts_have_a_stamp(station: str) -> None:
    city = load_city("tokyo")
    here = city.station_named[station]
    first, second = [
        f"{station}{city.stations[s.a if s.b == here else s.b].name}"
        for s in city.sections
        if here in (s.a, s.b) and not s.loop
    ][:2]
    value = 10 if station in CORNERS else 5 if station in OUTER else 0
    assert sheet("tokyo", first, second).stamps == value


@pytest.mark.rule("NT-06")
def test_the_loop_counts_as_a_line_for_stamps() -> None:
    game = NextStation("tokyo", 1, {})
    inner = game.city.stations[game.city.station_named["e2"]].district
    districts = [d._replace(stamp=7 * (i == inner)) for i, d in enumerate(game.city.districts)]
    game.city = replace(game.city, districts=tuple(districts))  # no loop station has one in Tokyo
    state, named = game.start(), game.city.station_named
    draw(city_record(game.city), state.sheets[0], 0, named["e2"], named["e1"], False)
    assert state.scores()[0].stamps == 7


@pytest.mark.rule("NT-07")
def test_three_points_for_each_loop_station_missed() -> None:
    assert sheet("tokyo").loop == -24
    visits = ["e2e1", "g2g0", "h4i4", "h6h8", "f7f8", "d7d8", "c5b5", "c3d4"]
    for n in range(9):
        score = sheet("tokyo", " ".join(visits[:n]))
        assert (score.loop_missed, score.loop) == (8 - n, -3 * (8 - n))
    assert sheet("tokyo", "e2e1", "e2f1").loop == -21


@pytest.mark.rule("NT-08")
def test_the_worked_example() -> None:
    record = headway.load(TESTS / "records" / "next-station" / "nt-08.json")
    [score] = headway.replay(record).state.scores()
    first = score.lines[0]
    assert (first.districts, first.fullest, first.points) == (5, 4, 20)
    assert sum(line.points for line in score.lines) == 75
    assert (score.stamps, score.loop, score.interchanges) == (20, -9, 15)
    assert score.total == 101


@pytest.mark.rule("NT-08", "NL-04")
def test_ties_are_broken_as_in_london() -> None:
    game = NextStation("tokyo", 2, {})
    table = headway.Table(game, seed=1)
    while table.actors():
        for seat in table.actors():
            table.play(seat, "pass")
    assert table.outcome() == headway.Outcome((-24, -24), (0, 1), "outcome.shared")


@pytest.mark.rule("NT-09")
def test_the_map_is_presented_as_a_reconstruction() -> None:
    game = NextStation("tokyo", 1, {})
    assert "Redrawn map" in game.note("en")
    assert "Plan redessiné" in game.note("fr")
    assert NextStation("london", 1, {}).note("en") == ""


@pytest.mark.rule("NT-09")
def test_the_map_is_the_one_of_the_data_file() -> None:
    facts = json.loads((TESTS / "reference" / "tokyo.json").read_text("utf-8"))
    ours = {s.point: (s.symbol, s.departure, s.district) for s in load_city("tokyo").stations}
    theirs = {(s["x"], s["y"]): s for s in facts["stations"]}
    assert {point: (symbol, colour) for point, (symbol, colour, _) in ours.items()} == {
        point: (s["symbol"], s["departure"]) for point, s in theirs.items()
    }
    districts = {(district, theirs[point]["district"]) for point, (_, _, district) in ours.items()}
    assert len(districts) == 13  # the same thirteen, one to one
    rows = zip(load_city("tokyo").district_at, facts["district_of_cell"], strict=True)
    cells = {pair for row in rows for pair in zip(*row, strict=True)}
    assert len(cells) == 13  # also between the stations


@pytest.mark.rule("NT-09")
def test_a_player_can_transcribe_another_sheet(tmp_path: Path) -> None:
    shipped = files("headway").joinpath("games/nextstation/city/tokyo.toml").read_text("utf-8")
    mine = tmp_path / "my-tokyo.toml"
    mine.write_text(shipped.replace('name = "tokyo"', 'name = "my-tokyo"', 1), "utf-8")
    table = headway.Table(str(mine), seed=2)
    while table.actors():
        table.play(0, "pass")
    tmp_path.joinpath("game.json").write_bytes(table.record().json())
    again = headway.replay(headway.load(tmp_path / "game.json"))
    assert again.outcome.totals == (-24,)
