"""Special stations: SP-01 to SP-06."""

from __future__ import annotations

from fractions import Fraction

import pytest
from games.nextstation.playing import Play

from headway.games.contract import CHANCE
from headway.games.nextstation.game import NextStation

# SP-01: one symbol and one effect for each round


@pytest.mark.rule("SP-01")
def test_a_symbol_and_an_effect_are_revealed_in_each_round() -> None:
    game = NextStation("london", 1, {"special_stations": True})
    state = game.start()
    state.apply(CHANCE, 0)
    seen: tuple[tuple[str, str], ...] = ()
    for left in (4, 3, 2, 1):
        chances = state.chance()
        assert [probability for _, probability in chances] == [Fraction(1, left**2)] * left**2
        state.apply(CHANCE, chances[-1][0])
        shown = state.view(0).special
        assert shown[:-1] == seen  # nothing of later rounds
        seen = shown
        while len(state.view(0).special) == len(seen) and not state.finished():
            if 0 in state.actors():
                state.apply(0, 0)
            elif state.chance_name().startswith("card"):
                state.apply(CHANCE, state.legal(CHANCE)[-1])
            else:
                break
    assert sorted(symbol for symbol, _ in seen) == ["circle", "pentagon", "square", "triangle"]
    assert sorted(effect for _, effect in seen) == ["double", "extension", "joker", "switch"]
    assert state.finished()


@pytest.mark.rule("SP-01")
@pytest.mark.parametrize(
    ("special", "card"),
    [
        ("", "circle"),  # the module is off
        ("square joker", "circle"),  # the symbol is not up
        ("circle extension", "circle"),  # the effect has no sign
        ("circle double", "circle"),
    ],
)
def test_no_sign_where_no_effect_is_up(special: str, card: str) -> None:
    assert Play("london", "green", special=special).reveal(card).broken("~ d2a2") == "SP-01"


@pytest.mark.rule("SP-01")
def test_the_pair_holds_for_its_round_only() -> None:
    play = Play("london", "green", special="circle joker").reveal("circle")
    assert play.broken("~ d2e3") is None
    play.move("pass").end_round()
    assert play.state.view(0).special == (("circle", "joker"), ("triangle", "switch"))
    play.reveal("circle")
    assert play.broken("~ c5b4") == "SP-01"


# SP-02: when it is up


@pytest.mark.rule("SP-02")
@pytest.mark.parametrize("card", ["street:circle", "underground:circle"])
def test_the_effect_is_up_with_its_symbol_above_and_under_ground(card: str) -> None:
    play = Play("london", "green", special="circle joker").reveal(card)
    assert play.broken("~ d2e3") is None
    assert play.broken("d2e3") == "NS-15"
    assert play.broken("d2a2") is None  # a player may use it


@pytest.mark.rule("SP-02")
def test_the_effect_is_up_as_often_as_the_symbol_and_for_everybody() -> None:
    play = Play("london", "green", seats=2, special="circle joker")
    play.turn("circle", "~ d2e3", "~ f7e6").reveal("circle")
    assert play.broken("~ e3e4", seat=0) is None
    assert play.broken("~ e6e5", seat=1) is None


@pytest.mark.rule("SP-02")
@pytest.mark.parametrize("city", ["london", "tokyo"])
def test_the_effect_never_applies_to_a_joker_card(city: str) -> None:
    first = {"london": "d2a2", "tokyo": "c1c0"}[city]
    for effect, move in (
        ("joker", f"~ {first}"),
        ("switch", f"~ {first}"),
        ("double", f"{first} *{first[2:]}"),
    ):
        play = Play(city, "green" if city == "london" else "purple", special=f"circle {effect}")
        play.turn("square", "pass").turn("triangle", "pass").reveal("joker")
        assert play.broken(move) == ("SP-06" if effect == "double" else "SP-01")


@pytest.mark.rule("SP-02", "SP-04")
def test_the_effect_combines_with_a_switch() -> None:
    play = Play("london", "green", special="circle joker")
    play.turn("square", "d2d1").turn("pentagon", "d1b1").reveal("switch circle")
    assert play.broken("~ d1e0") is None  # from the middle, to a triangle
    assert play.broken("d1e0") == "NS-15"
    assert play.broken("~ h3h0") == "NS-08"


# SP-03: switch


@pytest.mark.rule("SP-03")
def test_the_switch_effect_from_the_third_turn_on() -> None:
    play = Play("london", "green", special="pentagon switch").reveal("pentagon")
    assert play.broken("~ d2c3") == "SP-03"
    play.move("pass").turn("circle", "d2a2").turn("square", "a2a3").reveal("pentagon")
    assert play.broken("a2b1") == "NS-14"
    assert play.broken("~ a2b1") is None
    assert play.broken("~ a3a5") is None
    assert play.broken("~ h3i4") == "NS-08"


@pytest.mark.rule("SP-03")
def test_the_switch_effect_not_in_turn_two() -> None:
    play = Play("london", "green", special="pentagon switch").turn("circle", "d2a2")
    assert play.reveal("pentagon").broken("~ a2b1") == "SP-03"


# SP-04: joker


@pytest.mark.rule("SP-04", "NT-03")
def test_the_joker_effect_allows_a_double_track_in_london_too() -> None:
    play = Play("london", "green", special="circle switch").turn("triangle", "d2e3").end_round()
    assert play.state.view(0).special[1] == ("triangle", "joker")
    play.turn("joker", "c5e3").reveal("triangle")
    assert play.broken("~ e3f4") is None  # a joker
    assert play.broken("~ =e3d2") is None  # a second track along green
    assert play.broken("~ e3d2") == "NS-19"
    assert play.broken("=e3d2") == "NT-03"  # not without the sign
    assert play.broken("~ =e3e0") == "NT-03"  # not along nothing


@pytest.mark.rule("SP-04")
def test_the_joker_effect_in_tokyo() -> None:
    play = Play("tokyo", "brown", special="square joker").turn("circle", "h8h6").reveal("square")
    assert play.broken("~ =h6h4") is None
    assert play.broken("~ h8h9") is None
    assert play.broken("=h6h4") == "NT-03"  # not without the sign
    play.move("~ =h6h4").reveal("square")
    assert play.broken("~ =h4g2") is None


# SP-05: extension


@pytest.mark.rule("SP-05")
def test_the_extension_goes_straight_on_whatever_the_symbol() -> None:
    play = Play("london", "green", special="square extension").reveal("square")
    assert play.legal() == {"pass", "d2d1", "d2g2", "d2g2 +g2j2"}  # d1 is the last one upwards
    assert play.broken("d2g2 +g2g3") == "SP-05"
    assert play.broken("d2g2 +d2d1") == "SP-05"
    assert play.broken("pass +d2d1") == "SP-05"
    play.move("d2g2 +g2j2").reveal("joker")
    assert {move[:2] for move in play.legal()} == {"pa", "d2", "j2"}


@pytest.mark.rule("SP-05")
@pytest.mark.parametrize("special", ["circle double", "circle joker", "circle switch"])
def test_no_extension_in_a_round_with_another_effect(special: str) -> None:
    play = Play("london", "green", special=special).reveal("circle")
    assert play.broken("d2f0 +f0h0") == "SP-05"


@pytest.mark.rule("SP-05", "SP-02")
def test_no_extension_when_the_symbol_is_not_up() -> None:
    play = Play("london", "green", special="circle extension").reveal("square")
    assert play.broken("d2g2 +g2j2") == "SP-05"


@pytest.mark.rule("SP-05", "NS-18")
def test_the_extension_does_not_come_back_to_the_line() -> None:
    play = Play("london", "green", special="square extension").turn("triangle", "d2e3")
    play.turn("triangle", "e3e0").turn("joker", "d2b0").reveal("square")
    assert play.broken("b0c0 +c0e0") == "NS-18"
    assert play.broken("b0c0") is None


@pytest.mark.rule("SP-05", "NS-17")
def test_the_extension_does_not_cross_a_section() -> None:
    play = Play("london", "pink", special="pentagon extension").turn("triangle", "h3h0")
    play.turn("circle", "h0f0").turn("triangle", "f0e0").turn("square", "e0d1").reveal("pentagon")
    assert play.broken("d1g1 +g1i1") == "NS-17"
    assert play.broken("d1g1") is None


@pytest.mark.rule("SP-05", "NS-19")
def test_the_extension_is_never_a_double_track() -> None:
    play = Play("london", "green", special="circle joker").turn("triangle", "d2e3")
    play.turn("joker", "e3f3").turn("square", "f3f4").end_round().end_round()
    assert play.state.view(0).special[2] == ("square", "extension")
    play.reveal("square")
    assert play.broken("f7f4 +f4f3") == "NS-19"
    assert play.broken("f7f4") is None


@pytest.mark.rule("SP-05")
def test_the_next_station_is_the_end_of_the_printed_section() -> None:
    # From b5 over c5 the row goes on to f5, inside the loop: c5 is a loop station.
    play = Play("tokyo", "purple", special="square extension")
    play.turn("pentagon", "c1b1").turn("triangle", "b1b5").reveal("square")
    assert play.broken("b5c5 +c5f5") is None
    # Up from h8, what goes on behind h6 is the loop's own track.
    play = Play("tokyo", "brown", special="circle extension").reveal("circle")
    assert play.broken("h8h6") is None
    assert play.broken("h8h6 +h6h4") == "NS-19"
    # Nothing goes on behind g9: the sheet ends there.
    assert play.broken("h8g9 +g9d9") == "SP-05"


@pytest.mark.rule("SP-05", "NT-09")
def test_the_extension_of_the_rulebook() -> None:
    """From a circle to the square on its left, and straight on to the pentagon."""
    play = Play("tokyo", "brown", special="square extension").turn("circle", "h8g9")
    play.reveal("square").move("g9d9 +d9a9")
    line = play.state.view(0).sheets[0].lines[0]
    assert set(line.sections) == {"h8g9", "d9g9", "a9d9"}
    symbols = {station.name: station.symbol for station in play.game.city.stations}
    assert [symbols[name] for name in ("g9", "d9", "a9")] == ["circle", "square", "pentagon"]


# SP-06: double


@pytest.mark.rule("SP-06")
def test_the_station_just_reached_may_be_circled() -> None:
    play = Play("london", "green", special="circle double").reveal("circle")
    assert play.legal() == {"pass", "d2a2", "d2f0", "d2a2 *a2", "d2f0 *f0"}
    assert play.broken("d2a2 *d2") == "SP-06"
    assert play.broken("d2a2 *f0") == "SP-06"
    play.move("d2a2 *a2").reveal("circle")
    assert play.broken("pass *a2") == "SP-06"
    play.move("d2f0 *f0")  # several in a round
    line = play.score().lines[0]
    assert (line.districts, line.fullest, line.points) == (2, 3, 6)  # d2 and f0 twice
    assert play.state.view(0).sheets[0].lines[0].circled == ("f0", "a2")


@pytest.mark.rule("SP-06")
@pytest.mark.parametrize("special", ["circle extension", "circle joker", "square double"])
def test_no_circle_under_another_effect_or_symbol(special: str) -> None:
    assert Play("london", "green", special=special).reveal("circle").broken("d2a2 *a2") == "SP-06"


@pytest.mark.rule("SP-06")
def test_a_circle_is_for_this_line_only() -> None:
    play = Play("london", "green", special="triangle double").turn("triangle", "d2e3 *e3")
    assert play.score().lines[0].points == 4
    play.end_round().turn("triangle", "c5e3")
    score = play.score()
    assert [line.points for line in score.lines] == [4, 2 + 2, 0, 0]  # and over the Thames
    assert score.interchanges == 2
