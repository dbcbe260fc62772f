"""The candidates leave out no move that scores more than those they keep."""

from __future__ import annotations

import pytest
from bots.nextstation.turns import turns

from headway.bots.nextstation.evaluator import Evaluator, candidates
from headway.games.nextstation.moves import parts


@pytest.mark.parametrize("module", ["powers", "special_stations"])
@pytest.mark.parametrize("name", ["london", "tokyo"])
def test_every_move_left_out_has_an_equal_that_stays(name: str, module: str) -> None:
    left_out = 0
    for seed in range(2):
        for state, _ in turns(name, seed, module, bot="random"):
            workspace, legal = Evaluator(state.game).new_workspace(), state.legal(0)
            workspace.shared[0], workspace.sheets[0] = state.shared, state.sheets[0]
            kept = workspace.moves[: candidates(workspace)].tolist()
            assert set(kept) <= set(legal)
            values = {(parts(move).section, state.score_after(0, move)) for move in kept}
            for move in set(legal) - set(kept):
                assert (parts(move).section, state.score_after(0, move)) in values
                left_out += 1
    assert left_out >= 5
