"""Building: NS-11 to NS-21."""

from __future__ import annotations

from itertools import combinations

import pytest
from games.nextstation.playing import Play
from reference import referee

from headway.games.nextstation.city.city import SYMBOLS
from headway.games.nextstation.city.city_file import load_city

AROUND = ["a2", "b0", "c3", "d1", "d6", "e3", "f0", "g2"]
"""The neighbours of green's departure station d2."""


def starts(play: Play) -> set[str]:
    """The stations from which the seat may draw."""
    return {move[:2] for move in play.legal() if move != "pass"}


@pytest.mark.rule("NS-11")
def test_passing_is_always_allowed() -> None:
    play = Play("london", "pink").reveal("pentagon")
    assert {"pass", "h3j1", "h3i4"} == play.legal()
    play.move("h3j1").turn("circle", "j1j0").turn("square", "h3j3").reveal("circle")
    assert play.legal() == {"pass"}
    assert play.broken("pass") is None


@pytest.mark.rule("NS-12")
def test_a_section_is_straight_and_ends_at_the_next_station() -> None:
    play = Play("london", "green").reveal("circle")
    assert play.broken("d2f0") is None
    assert play.broken("d2e5") == "NS-12"  # not straight
    assert play.broken("d2d7") == "NS-12"  # over d6
    assert play.broken("d2d2") == "NS-12"


@pytest.mark.rule("NS-12")
@pytest.mark.parametrize(("name", "sections"), [("london", 155), ("tokyo", 126)])
def test_every_straight_pair_is_printed(name: str, sections: int) -> None:
    city = load_city(name)
    at = {(station.x, station.y): i for i, station in enumerate(city.stations)}
    straight = set()
    for (x, y), (u, v) in combinations(sorted(at), 2):
        steps = max(abs(u - x), abs(v - y))
        if u == x or v == y or abs(u - x) == abs(v - y):
            dx, dy = (u - x) // steps, (v - y) // steps
            if not any((x + dx * k, y + dy * k) in at for k in range(1, steps)):
                straight.add(frozenset((at[x, y], at[u, v])))
    ordinary = {frozenset((s.a, s.b)) for s in city.sections if not s.loop}
    loop = {frozenset((s.a, s.b)) for s in city.sections if s.loop}
    assert len(ordinary) == sections
    assert ordinary == straight - loop - set(map(frozenset, city.cut_by_loop))


@pytest.mark.rule("NS-13")
def test_the_first_section_starts_at_the_departure_station() -> None:
    play = Play("london", "green").reveal("circle")
    assert starts(play) == {"d2"}
    assert play.broken("h3g3") == "NS-13"  # another colour's departure
    assert play.broken("a5a7") == "NS-13"
    play.move("pass").reveal("circle")
    assert starts(play) == {"d2"}
    assert play.broken("h3g3") == "NS-13"


@pytest.mark.rule("NS-13")
@pytest.mark.parametrize(
    ("city", "colour", "departure"),
    [
        ("london", "purple", "c5"),
        ("london", "blue", "f7"),
        ("london", "pink", "h3"),
        ("london", "green", "d2"),
        ("tokyo", "purple", "c1"),
        ("tokyo", "blue", "b7"),
        ("tokyo", "pink", "i2"),
        ("tokyo", "brown", "h8"),
    ],
)
def test_departure_stations(city: str, colour: str, departure: str) -> None:
    assert starts(Play(city, colour).reveal("joker")) == {departure}


@pytest.mark.rule("NS-14")
def test_later_sections_start_at_an_end() -> None:
    play = Play("london", "green").turn("circle", "d2a2").reveal("joker")
    assert starts(play) == {"d2", "a2"}  # the departure is an end until two sections meet there
    play.move("d2f0").reveal("square")
    assert play.broken("d2d1") == "NS-14"
    assert play.broken("c5c4") == "NS-14"  # off the line
    assert play.broken("a2a3") is None
    play.move("a2a3").reveal("joker")
    assert starts(play) == {"f0", "a3"}


@pytest.mark.rule("NS-15")
def test_a_section_leads_to_the_symbol_of_the_card() -> None:
    assert Play("london", "green").reveal("circle").legal() == {"pass", "d2a2", "d2f0"}
    assert Play("london", "green").reveal("underground:circle").legal() == {"pass", "d2a2", "d2f0"}
    play = Play("london", "green").reveal("square")
    assert play.legal() == {"pass", "d2d1", "d2g2"}
    assert play.broken("d2a2") == "NS-15"


@pytest.mark.rule("NS-15")
@pytest.mark.parametrize("card", ["street:joker", "underground:joker"])
def test_a_joker_matches_every_symbol(card: str) -> None:
    around = {f"d2{station}" for station in AROUND}
    assert Play("london", "green").reveal(card).legal() == {"pass", *around}


@pytest.mark.rule("NS-16")
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_the_central_station_of_london_matches_every_card(symbol: str) -> None:
    play = Play("london", "green").turn("triangle", "d2e3").reveal(symbol)
    assert play.broken("e3f3") is None
    assert [s.symbol for s in load_city("london").stations].count("wild") == 1


@pytest.mark.rule("NS-17")
def test_a_section_does_not_cross_the_own_line() -> None:
    play = Play("london", "green")
    play.turn("circle", "d2a2").turn("pentagon", "a2b1").turn("square", "b1c0").reveal("pentagon")
    assert play.broken("c0c3") == "NS-17"


@pytest.mark.rule("NS-17")
def test_a_section_does_not_cross_another_colour() -> None:
    play = Play("london", "green").turn("circle", "d2a2").end_round()
    play.turn("triangle", "c5b4").turn("pentagon", "b4c3").reveal("square")
    assert play.broken("c3c0") == "NS-17"
    play.move("pass").reveal("triangle")
    assert play.broken("c3d2") is None  # meeting at a station is not crossing


@pytest.mark.rule("NS-17")
@pytest.mark.parametrize(("name", "pairs"), [("london", 116), ("tokyo", 27)])
def test_crossing_pairs_cross_away_from_stations(name: str, pairs: int) -> None:
    city, other = load_city(name), referee.city(name)
    assert len(city.crossings) == pairs
    for i, j in city.crossings:
        one, two = city.sections[i], city.sections[j]
        assert not {one.a, one.b} & {two.a, two.b}
    known = {frozenset(pair) for pair in referee.crossing_pairs(other)}
    assert known == {
        frozenset(
            frozenset((city.stations[s.a].point, city.stations[s.b].point))
            for s in (city.sections[i], city.sections[j])
        )
        for i, j in city.crossings
    }


@pytest.mark.rule("NS-18")
def test_a_line_does_not_come_back_to_a_station() -> None:
    play = Play("london", "green")
    play.turn("square", "d2d1").turn("pentagon", "d1b1").turn("circle", "b1a2").reveal("triangle")
    assert play.broken("a2d2") == "NS-18"  # to the departure station
    play.move("pass").reveal("switch pentagon")
    assert play.broken("a2b1") == "NS-18"  # the switch does not change it
    assert play.broken("b1a0") is None


@pytest.mark.rule("NS-19")
def test_no_second_section_between_two_stations() -> None:
    play = Play("london", "green").turn("triangle", "d2e3").end_round()
    play.turn("triangle", "c5e3").reveal("triangle")
    assert play.broken("e3d2") == "NS-19"
    play.move("pass").reveal("joker")
    assert play.broken("e3d2") == "NS-19"


@pytest.mark.rule("NS-20")
def test_departure_stations_are_ordinary_for_other_colours() -> None:
    play = Play("london", "pink")
    play.turn("square", "h3g2").reveal("triangle")
    assert play.broken("g2d2") is None  # green's departure is a triangle
    play.move("g2d2").reveal("pentagon")
    assert {"d2c3", "d2d6"} <= play.legal()  # and the line goes on from there
    assert play.broken("d2a2") == "NS-15"


@pytest.mark.rule("NS-21")
def test_a_branch_adds_an_end_and_the_old_ones_stay() -> None:
    play = Play("london", "green").turn("circle", "d2a2").turn("square", "a2a3")
    play.turn("switch pentagon", "a2b1").reveal("joker")
    assert starts(play) == {"d2", "a3", "b1"}
    play.move("b1b0").reveal("joker")
    assert starts(play) == {"d2", "a3", "b0"}
    play.move("pass").end_round().reveal("joker")
    assert starts(play) == {"c5"}  # the next line has its own
