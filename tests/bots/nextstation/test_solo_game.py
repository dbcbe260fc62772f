"""A seat's game for one agrees with the game of several that it is a part of."""

from __future__ import annotations

import numpy as np
import pytest
from bots.nextstation.turns import turns

from headway.games.nextstation.rules.arrays import SCORE, SWITCH_CARD, city_record
from headway.games.nextstation.rules.engine import reveal
from headway.games.nextstation.rules.scoring import score


@pytest.mark.parametrize("name", ["london", "tokyo"])
def test_revealing_the_card_again_leads_back_to_the_turn(name: str) -> None:
    switched = 0
    for _, solo_game in turns(name, 3, bot="random"):
        shared = solo_game.before_card()
        if solo_game.switched:
            reveal(shared[0], SWITCH_CARD)
            switched += 1
        reveal(shared[0], solo_game.card)
        assert shared.tobytes() == solo_game.shared.tobytes()
    assert switched


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("modules", [("objectives",), ("objectives", "powers"), ()])
def test_extra_points_make_up_for_the_deduction(seats: int, modules: tuple[str, ...]) -> None:
    for state, solo_game in turns("london", 5, *modules, seats=seats):
        city = city_record(state.game.city)
        total = score(city, solo_game.shared[0], solo_game.sheet[0], np.zeros(1, SCORE)[0])
        assert total + solo_game.extra == state.scores()[0].total
