"""What the network is told of a sheet's next section is what that section really scores."""

from __future__ import annotations

import random

import numpy as np
import pytest

import headway
from headway.bots import make_bot
from headway.bots.nextstation.evaluator import solo_games
from headway.bots.nextstation.network import position_bits
from headway.games.kernel import has
from headway.games.nextstation import observation
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import FROM_AT, TO_AT
from headway.games.nextstation.observation import FEATURE_WORDS
from headway.games.nextstation.rules.arrays import SCORE, city_record


@pytest.mark.parametrize("name", ["london", "tokyo"])
def test_gain_of_a_section_is_what_it_scores(name: str) -> None:
    table, seen = headway.Table(name, seed=2), 0
    assert isinstance(table.game, NextStation)
    driver, city = make_bot("driver", table.game, 1), city_record(table.game.city)
    while table.actors():
        own = solo_games(table.game, table.view(0), random.Random(0))[0]
        between_turns, sheet = own.before_card()[0], own.sheet[0]
        score_record, bits = np.zeros(1, SCORE)[0], np.zeros(FEATURE_WORDS, np.uint64)
        had = position_bits(city, between_turns, sheet, 0, score_record, bits)
        way = observation._itinerary(city, between_turns, sheet, 0, score_record, bits.copy())
        legal = table.state.legal(0)
        for move in legal:
            start, to = (move >> FROM_AT) & 63, (move >> TO_AT) & 127
            # A line's first section also brings its departure.
            if to and way.line:
                gain = observation._station_gain(
                    city, way, to - 1, int(score_record["marks"]), bits
                )
                if has(city["over_river"], int(city["between"][start, to - 1])):
                    gain += int(city["river_points"])
                assert had + gain == table.state.score_after(0, move)
                seen += 1
        table.play(0, driver.choose(table.view(0), legal))
    assert seen > 50
