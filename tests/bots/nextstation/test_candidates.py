"""The candidates leave out no move that scores more than those they keep."""

from __future__ import annotations

import numpy as np
import pytest
from bots.nextstation.turns import turns

from headway.bots.nextstation.candidates import candidates
from headway.games.nextstation.moves import parts
from headway.games.nextstation.rules.arrays import MOST_MOVES, city_record
from headway.games.nextstation.rules.building import legal_moves, trial_sheets


@pytest.mark.parametrize("module", ["powers", "special_stations"])
@pytest.mark.parametrize("name", ["london", "tokyo"])
def test_every_move_left_out_has_an_equal_that_stays(name: str, module: str) -> None:
    left_out = 0
    moves = np.empty(MOST_MOVES, np.int64)
    for seed in range(2):
        for state, _ in turns(name, seed, module, bot="random"):
            city, sheets = city_record(state.game.city), trial_sheets(state.sheets[0])
            n = legal_moves(city, state.shared, sheets, 0, moves)
            legal = moves[:n].tolist()
            n = candidates(city, state.shared, sheets[0], moves, n)
            kept = moves[:n].tolist()
            assert set(kept) <= set(legal)
            values = {(parts(move).section, state.score_after(0, move)) for move in kept}
            for move in set(legal) - set(kept):
                assert (parts(move).section, state.score_after(0, move)) in values
                left_out += 1
    assert left_out >= 5
