"""Plays a sheet between two turns to its end many times, on the same cards for every sheet."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from headway.bots.nextstation.evaluator import Evaluator
from headway.bots.nextstation.network.network import Network
from headway.bots.nextstation.rollouts import (
    Workspace,
    deal_rest,
    deal_special,
    new_workspace,
    play_on,
)
from headway.games.kernel import compiled, kernel
from headway.games.nextstation.rules.arrays import SCORE, CityRecord
from headway.games.xorshift import seeded


@kernel
def continue_games(
    city: CityRecord,
    net: Network,
    trained: bool,
    workspace: Workspace,
    start: Any,
    sheet: Any,
    generator: Any,
    scores: Any,
) -> None:
    """Plays from between two turns to the end, once for each element of `scores`.

    Only the generator decides the cards: equal generators give all sheets the same cards.
    """
    for k in range(scores.shape[0]):
        workspace.shared[0] = start[0]
        workspace.sheets[0] = sheet[0]
        deal_rest(workspace.shared[0], workspace.cards, generator)
        if workspace.shared[0]["use_special"] != 0:
            deal_special(workspace.shared[0], generator)
        play_on(city, net, trained, workspace)
        scores[k] = workspace.score[0]


class Continuations:
    """Plays on like the driver."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self._workspace = evaluator, new_workspace()

    def scores(self, shared: np.ndarray, sheet: np.ndarray, games: int, key: str) -> np.ndarray:
        """Returns final score records; the same key gives the same cards."""
        out, evaluator = np.zeros(games, SCORE), self.evaluator
        compiled(sys.modules[__name__]).continue_games(
            evaluator.city, evaluator.network, evaluator.trained, self._workspace, shared, sheet,
            seeded(key), out,
        )  # fmt: skip
        return out
