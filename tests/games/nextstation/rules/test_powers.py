"""Pencil powers: PW-01 to PW-07."""

from __future__ import annotations

from fractions import Fraction

import pytest
from games.nextstation.playing import Play, sheet

from headway.errors import InputError, RuleBroken
from headway.games.contract import CHANCE
from headway.games.nextstation.game import NextStation


@pytest.mark.rule("PW-01")
def test_the_powers_are_dealt_at_random_one_to_each_colour() -> None:
    game = NextStation("london", 2, {"powers": True})
    state = game.start()
    state.apply(CHANCE, 0)
    assert [probability for _, probability in state.chance()] == [Fraction(1, 24)] * 24
    state.apply(CHANCE, 7)
    powers = state.view(1).powers
    assert set(powers) == set(game.city.colours)  # spare pencils included
    assert sorted(powers.values()) == ["double", "joker", "second", "switch"]


@pytest.mark.rule("PW-01")
def test_a_power_is_used_once_in_the_round() -> None:
    play = Play("london", "green", power="joker").turn("circle", "d2a2").reveal("square")
    assert not play.state.view(0).sheets[0].power_spent
    assert play.broken("!joker d2e3") is None
    play.move("!joker d2e3").reveal("circle")
    assert play.state.view(0).sheets[0].power_spent
    assert play.broken("!joker e3e4") == "PW-01"
    assert all(not move.startswith("!") for move in play.legal())


@pytest.mark.rule("PW-01")
def test_a_power_is_the_pencil_s_and_comes_back_unspent() -> None:
    play = Play("london", "green", seats=2, power="joker").reveal("circle")
    assert play.broken("!joker d2e3", seat=0) is None
    assert play.broken("!joker f7e6", seat=1) == "PW-01"  # blue has another power
    play.move("!joker d2e3", "pass").end_round()
    assert play.state.view(0).pencils[0][1] == "purple"
    assert not play.state.view(0).sheets[0].power_spent
    play.reveal("circle")
    assert play.broken("!joker c5b4", seat=0) == "PW-01"
    play.move("pass", "pass").end_round().reveal("circle")
    assert play.state.view(0).pencils[1][2] == "green"
    assert play.broken("!joker d2e3", seat=1) is None  # whoever holds the pencil


@pytest.mark.rule("PW-01")
@pytest.mark.parametrize("move", ["!joker d2a2", "!switch d2a2", "d2a2 +d2f0", "d2a2 *a2"])
def test_without_the_module_there_are_no_powers(move: str) -> None:
    assert Play("london", "green").reveal("circle").broken(move) == "PW-01"


@pytest.mark.rule("PW-01")
@pytest.mark.parametrize(
    ("power", "moves"),
    [
        ("joker", ["d2a2 +d2f0", "d2a2 *a2", "!switch d2a2"]),
        ("second", ["d2a2 *a2", "!switch d2a2", "!joker d2a2"]),
        ("double", ["d2a2 +d2f0", "!switch d2a2", "!joker d2a2"]),
        ("switch", ["d2a2 +d2f0", "d2a2 *a2", "!joker d2a2"]),
    ],
)
def test_a_power_not_held(power: str, moves: list[str]) -> None:
    play = Play("london", "green", power=power).reveal("circle")
    assert [play.broken(move) for move in moves] == ["PW-01"] * 3
    assert play.broken("d2a2") is None  # optional


# second


@pytest.mark.rule("PW-02")
def test_a_second_section_to_the_same_symbol() -> None:
    play = Play("london", "green", power="second").reveal("circle")
    pairs = {"d2a2 +d2f0", "d2f0 +d2a2", "d2f0 +f0f3"}  # f3 is the wildcard station
    assert play.legal() == {"pass", "d2a2", "d2f0", *pairs}
    assert play.broken("d2a2 +a2a3") == "PW-02"
    assert play.broken("d2a2 +d2e3") == "PW-02"
    assert play.broken("pass +d2f0") == "PW-02"
    play.move("d2a2 +d2f0").reveal("joker")
    assert {move[:2] for move in play.legal()} == {"pa", "a2", "f0"}
    assert play.broken("a2a3 +a3c3") == "PW-01"  # spent


@pytest.mark.rule("PW-02")
def test_the_second_may_start_where_the_first_ended() -> None:
    play = Play("london", "blue", power="second").reveal("triangle")
    assert play.broken("f7f9 +f7e6") is None
    play = Play("london", "green", power="second").reveal("triangle")
    assert play.broken("d2e3 +e3e0") is None
    assert play.broken("d2e3 +h3h0") == "NS-14"


@pytest.mark.rule("PW-02")
def test_on_a_joker_both_lead_to_the_same_symbol() -> None:
    play = Play("london", "green", power="second").reveal("joker")
    assert play.broken("d2a2 +d2f0") is None
    assert play.broken("d2a2 +d2d1") == "PW-02"
    assert play.broken("d2d1 +d2g2") is None


@pytest.mark.rule("PW-02", "NS-16")
def test_a_wildcard_station_is_always_a_target_of_the_second() -> None:
    play = Play("london", "pink", power="second").turn("circle", "h3g3")
    before = play.state.copy()
    play.reveal("square")
    assert play.broken("g3g2 +g2f3") is None
    # After a first to the wildcard station on a symbol, the card's symbol still holds.
    assert play.broken("g3f3 +f3f4") is None
    assert play.broken("g3f3 +f3e3") == "PW-02"
    play.state = before
    play.reveal("joker")
    assert play.broken("g3g2 +g2f3") is None
    # Ruling: first to the wildcard station on a joker, then any symbol.
    assert {"g3f3 +f3d1", "g3f3 +f3e3", "g3f3 +f3e4", "g3f3 +f3f0"} <= play.legal()


@pytest.mark.rule("PW-02", "NS-12", "NS-17", "NS-18")
def test_the_second_keeps_the_building_rules() -> None:
    play = Play("london", "green", power="second").turn("circle", "d2a2").reveal("pentagon")
    assert play.broken("a2b1 +b1a0") is None
    assert play.broken("a2b1 +b1e4") == "NS-17"
    assert play.broken("a2b1 +b1c3") == "NS-12"
    play = Play("london", "green", power="second").turn("square", "d2d1").turn("pentagon", "d1b1")
    play.reveal("square")
    assert play.broken("b1c0 +c0d1") == "NS-18"


@pytest.mark.rule("PW-02", "NS-19", "NT-02")
def test_the_second_runs_along_no_section_and_across_no_loop() -> None:
    play = Play("london", "green", power="joker").turn("triangle", "d2e3").end_round()
    assert play.state.view(0).powers["purple"] == "second"
    play.reveal("triangle")
    assert play.broken("c5e3 +e3d2") == "NS-19"
    assert play.broken("c5e3 +e3e0") is None
    play = Play("tokyo", "purple", power="second").turn("square", "c1d0").reveal("circle")
    assert play.broken("c1c3 +d0d4") == "NT-02"
    assert play.broken("c1c3 +c3d4") is None


@pytest.mark.rule("PW-02", "NT-03")
def test_the_first_may_be_a_double_track_and_the_second_never() -> None:
    play = Play("tokyo", "brown", power="second").turn("circle", "h8h6").reveal("joker")
    assert play.broken("=h6h4 +h8h9") is None  # both triangles
    assert play.broken("=h6f7 +f7d7") == "PW-02"
    assert play.broken("=h6f7 +f7h9") == "PW-02"
    assert not any("+=" in move for move in play.legal())
    with pytest.raises(InputError):
        play.game.parse_move("h8h9 +=h6h4")
    assert play.broken("h8h9 +h6h4") == "NS-19"


@pytest.mark.rule("PW-03", "PW-02")
def test_on_a_switch_turn_both_sections_may_start_anywhere() -> None:
    play = Play("london", "green", power="second").turn("circle", "d2a2").turn("square", "a2a3")
    plain = play.state.copy()
    play.reveal("switch pentagon")
    assert play.broken("a3a5 +a2b1") is None
    assert play.broken("a2b1 +a2a0") is None
    assert play.broken("a3a5 +h3i4") == "NS-08"
    play.state = plain
    play.reveal("pentagon")
    assert play.broken("a3a5 +a2b1") == "NS-14"
    assert play.broken("a3a5 +d2d6") is None


# joker


@pytest.mark.rule("PW-04")
def test_the_card_counts_as_a_joker() -> None:
    play = Play("london", "green", power="joker").reveal("circle")
    assert play.broken("d2e3") == "NS-15"
    around = ["a2", "b0", "c3", "d1", "d6", "e3", "f0", "g2"]
    jokers = {f"!joker d2{station}" for station in around}
    assert play.legal() == {"pass", "d2a2", "d2f0", *jokers}


@pytest.mark.rule("PW-04")
def test_the_joker_combines_with_a_switch() -> None:
    play = Play("london", "green", power="joker").turn("circle", "d2a2").turn("square", "a2a3")
    play.reveal("switch circle")
    assert play.broken("!joker a2b1") is None
    assert play.broken("!joker h3i4") == "NS-08"


@pytest.mark.rule("PW-04", "NT-03")
def test_the_power_is_a_plain_joker_in_tokyo() -> None:
    play = Play("tokyo", "brown", power="joker").turn("circle", "h8h6").reveal("square")
    assert play.broken("!joker =h6h4") == "PW-04"
    assert play.broken("!joker h6i5") is None
    play.move("pass").reveal("joker")
    assert play.broken("=h6h4") is None
    assert play.broken("!joker =h6h4") == "PW-04"  # even on a joker card


@pytest.mark.rule("PW-04", "PW-01")
def test_a_power_that_changes_nothing_is_spent_all_the_same() -> None:
    play = Play("london", "green", power="joker").turn("joker", "!joker d2a2").reveal("circle")
    assert play.broken("!joker d2e3") == "PW-01"


# switch


@pytest.mark.rule("PW-05")
def test_the_power_switch_from_the_third_turn_on() -> None:
    play = Play("london", "green", power="switch").reveal("circle")
    assert play.broken("!switch d2a2") == "PW-05"
    play.move("d2a2").reveal("square")
    assert play.broken("!switch a2a3") == "PW-05"
    play.move("a2a3").reveal("pentagon")
    assert play.broken("a2b1") == "NS-14"
    assert play.broken("!switch a2b1") is None
    assert play.broken("!switch a3a5") is None  # from an end: it changes nothing
    assert play.broken("!switch h3i4") == "NS-08"  # the card counts as one with the switch
    play.move("!switch a2b1").reveal("triangle")
    assert play.broken("!switch b1b0") == "PW-01"


@pytest.mark.rule("PW-05", "NT-03")
def test_the_double_track_stays_allowed_on_a_joker() -> None:
    play = Play("tokyo", "brown", power="switch").turn("circle", "h8h6").turn("square", "h6g6")
    play.reveal("joker")
    assert play.broken("=h6h4") == "NS-14"
    assert play.broken("!switch =h6h4") is None


# double


@pytest.mark.rule("PW-06")
def test_a_circled_station_counts_as_two() -> None:
    play = Play("london", "green", power="double").turn("circle", "d2a2 *a2")
    line = play.score().lines[0]
    assert (line.districts, line.fullest, line.points) == (2, 2, 4)
    play.reveal("pentagon")
    assert play.broken("a2b1 *b1") == "PW-01"
    play.move("a2b1")
    assert play.score().lines[0].points == 2 * 3


@pytest.mark.rule("PW-06")
def test_when_and_what_may_be_circled() -> None:
    play = Play("london", "green", power="double").reveal("circle")
    assert play.broken("pass *d2") == "PW-06"  # never on a line without sections
    assert play.broken("d2a2 *d2") is None
    assert play.broken("d2a2 *a2") is None
    assert play.broken("d2a2 *f0") == "PW-06"
    play.move("d2a2").reveal("circle")
    assert play.broken("pass *a2") is None  # in a turn that is passed
    assert play.broken("d2f0 *a2") is None
    for symbol in ("circle", "triangle", "square", "pentagon"):
        if f"underground:{symbol}" not in play.shown():
            play.reveal(f"underground:{symbol}")
        play.move("pass")
    play.reveal("underground:joker")
    assert play.broken("pass *d2") is None  # at the very end of the round
    play.move("pass *d2")
    assert play.round == 2
    assert play.score().lines[0].points == 4


@pytest.mark.rule("PW-06")
def test_only_the_line_in_hand() -> None:
    play = Play("london", "purple", power="second").turn("square", "c5c4").end_round()
    play.end_round().end_round()
    assert play.state.view(0).powers["green"] == "double"
    play.reveal("circle")
    assert play.broken("d2a2 *c5") == "PW-06"
    assert play.broken("d2a2 *a2") is None


@pytest.mark.rule("PW-06")
def test_a_circle_counts_for_nothing_else() -> None:
    def rest(*lines: str) -> tuple[object, ...]:
        score = sheet("london", *lines, objectives="tourist interchanges")
        return score.marks, score.tourist, score.meeting, score.interchanges, score.objectives

    assert rest("e3f3 *f3", "e3e4") == rest("e3f3", "e3e4")
    score = sheet("london", "d2e3 *e3", "e3e4")
    assert [line.points for line in score.lines] == [4, 2, 0, 0]  # for this line only


@pytest.mark.rule("PW-07")
@pytest.mark.parametrize("city", ["london", "tokyo"])
def test_powers_or_special_stations_not_both(city: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        NextStation(city, 2, {"powers": True, "special_stations": True})
    assert refused.value.rule == "PW-07"
    NextStation(city, 2, {"powers": True, "objectives": True})
    NextStation(city, 2, {"special_stations": True, "objectives": True})
