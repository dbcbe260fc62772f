"""Numbers that the features repeat are those of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from bots.nextstation.turns import Turn, turns

from headway.bots.nextstation.network import position_bits
from headway.games.kernel import BIT, NONE
from headway.games.nextstation import observation
from headway.games.nextstation.city.city import SYMBOLS
from headway.games.nextstation.moves import FROM_AT, TO_AT
from headway.games.nextstation.observation import (
    FEATURE_WORDS,
    LEFT,
    REACHED,
    TWICE,
    VISITED,
)
from headway.games.nextstation.rules.arrays import CARDS, JOKER, MOST_MOVES, SCORE, city_record
from headway.games.nextstation.rules.building import sections_between
from headway.games.nextstation.rules.scoring import itinerary

CITIES = pytest.mark.parametrize("name", ["london", "tokyo"])


class Encoded(NamedTuple):
    """A turn with the features of the sheet before its card."""

    turn: Turn
    city: Any
    shared: Any
    sheet: Any
    score: Any
    bits: Any
    way: observation.Itinerary
    total: int


def encoded(name: str, seed: int, *modules: str, bot: str = "greedy") -> Iterator[Encoded]:
    """Yields the features at every turn of a game."""
    for turn in turns(name, seed, *modules, bot=bot):
        city = city_record(turn.state.game.city)
        shared, sheet = turn.solo_game.before_card()[0], turn.solo_game.sheet[0]
        score, bits = np.zeros(1, SCORE)[0], np.zeros(FEATURE_WORDS, np.uint64)
        total = position_bits(city, shared, sheet, 0, score, bits)
        way = observation._itinerary(city, shared, sheet, 0, score, bits.copy())
        yield Encoded(turn, city, shared, sheet, score, bits, way, total)


def set_bits(word: Any) -> set[int]:
    return {i for i in range(64) if word & BIT[i] != NONE}


@CITIES
def test_the_score_is_that_of_the_table(name: str) -> None:
    for position in encoded(name, 1, "objectives"):
        assert position.total == position.turn.state.scores()[0].total


@CITIES
def test_districts_of_the_line_are_counted_as_in_its_score(name: str) -> None:
    circled = 0
    for position in encoded(name, 2, "powers", bot="random"):
        r = int(position.shared["round"])
        assert (position.way.districts, position.way.fullest) == itinerary(
            position.city, position.sheet, r
        )
        circled += position.sheet["circled"][r] != NONE
    assert circled


@CITIES
def test_lines_at_stations_are_counted_as_in_the_score(name: str) -> None:
    for position in encoded(name, 3):
        counts: Counter[tuple[int, bool]] = Counter()
        for station in range(int(position.city["stations"])):
            lines = observation._lines_at(BIT[station], position.bits)
            counts[lines, bool(position.city["loop"] & BIT[station] != NONE)] += 1
        meeting = position.score["meeting"]
        assert counts[1, False] + counts[0, True] == meeting[1]
        assert counts[2, False] + counts[1, True] == meeting[2]
        more = counts[3, False] + counts[2, True] + counts[3, True]
        assert more == meeting[3] + meeting[4] + meeting[5]
    assert position.bits[TWICE] != NONE


@CITIES
def test_stamps_won_are_those_of_the_score(name: str) -> None:
    for position in encoded(name, 4, "objectives"):
        reached, city = set_bits(position.bits[REACHED]), position.turn.state.game.city
        stamps = [city.districts[i].stamp for i in reached if i < 32]
        assert sum(stamps) == position.score["stamps"]
        assert sum(stamp > 0 for stamp in stamps) == position.score["won"]
        visited = {city.stations[k].district for k in set_bits(position.bits[VISITED])}
        assert {i - 32 for i in reached if i >= 32} == visited


@CITIES
def test_cards_left_are_those_of_the_deck(name: str) -> None:
    for position in encoded(name, 5, bot="random"):
        left = [c for i, c in enumerate(CARDS) if position.shared["shown"] & BIT[i] == NONE]
        undergrounds = sum(card.startswith("underground") for card in left)
        streets = len(left) - undergrounds
        assert set_bits(position.bits[LEFT]) == {undergrounds * observation.STREETS + streets}
        for symbol, symbol_name in enumerate((*SYMBOLS, "joker")):
            number = sum(card.endswith(symbol_name) for card in left)
            assert observation._cards_left(position.shared, symbol) == number


@CITIES
def test_a_line_reaches_what_a_joker_lets_it_reach(name: str) -> None:
    out = np.empty(MOST_MOVES, np.int64)
    for position in encoded(name, 6):
        city, sheet, way = position.city, position.sheet, position.way
        r = int(position.shared["round"])
        n = sections_between(city, sheet, r, way.ends, city["targets"][JOKER], False, out, 0)
        targets = {(move >> TO_AT & 127) - 1 for move in out[:n].tolist()}
        assert set_bits(observation.reach(city, sheet, way.ends, way.line)) == targets


@CITIES
def test_the_best_section_is_that_with_the_highest_score(name: str) -> None:
    seen = 0
    for position in encoded(name, 7):
        state, way = position.turn.state, position.way
        # A line's first section also brings its departure; a switch allows more starts.
        if way.line == NONE or position.turn.solo_game.switched:
            continue
        sections = [move for move in state.legal(0) if move >> FROM_AT or move >> TO_AT & 127]
        doubles = [move for move in sections if state.game.move_text(move).startswith("=")]
        gains = [state.score_after(0, m) - position.total for m in sections if m not in doubles]
        targets = position.city["targets"][int(state.shared["card"])]
        best = observation._best_gain(
            position.city, position.sheet, way, targets, position.score, position.bits
        )
        assert best == max(gains, default=-1)
        seen += bool(gains)
    assert seen > 15
