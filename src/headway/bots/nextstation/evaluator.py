"""Estimates the final score of a sheet, and plays games from a position to their end."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from headway.bots.nextstation import rollouts, tree
from headway.bots.nextstation.network import WIDTH, network_of, shapes
from headway.bots.nextstation.solo_game import SoloGame
from headway.bots.value_net import zeros
from headway.games.contract import Move
from headway.games.kernel import compiled
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import SCORE, city_record
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
        self.network = trained.network if trained else zeros(shapes(WIDTH))
        self._workspace = self.new_workspace()

    def new_workspace(self) -> rollouts.Workspace:
        """Creates memory for playing games with this evaluator."""
        return rollouts.new_workspace(self.city, self.network, self.trained)

    def new_tree(self, nodes: int) -> tree.Tree:
        """Creates an empty tree that is valued by the network."""
        return tree.new_tree(self.city, self.network, nodes)

    def values(self, solo_game: SoloGame, moves: Sequence[Move]) -> list[float]:
        """Returns the value of the sheet after each of the moves."""
        value_after, workspace = native().value_after, self._workspace
        workspace.shared[0], workspace.sheets[0] = solo_game.shared[0], solo_game.sheet[0]
        return [float(value_after(workspace, move, i == 0)) for i, move in enumerate(moves)]

    def endings(self, solo_game: SoloGame, move: Move | None, games: int, key: str) -> np.ndarray:
        """Returns final totals of games played from here; the same key gives the same cards.

        The games begin with `move`, or with the move of the highest value if it is None.
        """
        scores = self.final_scores(solo_game.shared, solo_game.sheet, games, key, move)
        totals: np.ndarray = scores["total"] + float(solo_game.extra)
        return totals

    def final_scores(
        self, shared: np.ndarray, sheet: np.ndarray, games: int, key: str, move: Move | None = None
    ) -> np.ndarray:
        """Returns the final scores of games from a turn or from between two; see `endings`."""
        scores, first = np.zeros(games, SCORE), -1 if move is None else move
        native().endings(self._workspace, shared, sheet, first, seeded(key), scores)
        return scores
