"""Estimates the final score of a sheet, and plays games from a position to their end."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from headway.bots.nextstation import rollouts, tree
from headway.bots.nextstation.network.network import Network, network_of, zeros
from headway.bots.nextstation.solo_game import SoloGame
from headway.games.contract import Move
from headway.games.kernel import compiled
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import city_record
from headway.games.xorshift import seeded


def native() -> SimpleNamespace:
    """Returns the kernels of the tree search and of rollouts as compiled code."""
    return compiled(tree, rollouts)


class Evaluator:
    """Uses the network of a city; for a city without one, the current score of a sheet."""

    def __init__(self, game: NextStation) -> None:
        self.city = city_record(game.city)
        trained = network_of(game)
        self.trained = trained is not None
        self.error = trained.error if trained else 0.0
        self.network: Network = trained.network if trained else zeros()
        self._workspace = rollouts.new_workspace()

    def values(self, solo_game: SoloGame, moves: Sequence[Move]) -> list[float]:
        """Returns the value of the sheet after each of the moves."""
        look, workspace = native().value_after, self._workspace
        workspace.shared[0], workspace.sheets[0] = solo_game.shared[0], solo_game.sheet[0]
        return [
            float(look(self.city, self.network, self.trained, workspace, move, i == 0))
            for i, move in enumerate(moves)
        ]

    def endings(self, solo_game: SoloGame, move: Move | None, games: int, key: str) -> np.ndarray:
        """Returns final totals of games played from here; the same key gives the same cards.

        The games begin with `move`, or with the move of the highest value if it is None.
        """
        totals = np.zeros(games)
        first = -1 if move is None else move
        native().endings(
            self.city, self.network, self.trained, self._workspace, solo_game.shared,
            solo_game.sheet, first, seeded(key), totals,
        )  # fmt: skip
        return totals + solo_game.extra
