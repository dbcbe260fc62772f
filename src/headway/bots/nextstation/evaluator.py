"""An evaluator for a city: what sheets look worth at a glance, and how games may end from there."""

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
    """Search and endings as native code."""
    return compiled(tree, rollouts)


class Evaluator:
    """The network of a city, or for a city without one the score that a sheet has now."""

    def __init__(self, game: NextStation) -> None:
        self.city = city_record(game.city)
        trained = network_of(game)
        self.trained = trained is not None
        self.error = trained.error if trained else 0.0
        self.network: Network = trained.network if trained else zeros()
        self._workspace = rollouts.new_workspace()

    def values(self, solo_game: SoloGame, moves: Sequence[Move]) -> list[float]:
        """What the sheet looks worth after each of the moves."""
        look, workspace = native().value_after, self._workspace
        workspace.shared[0], workspace.sheets[0] = solo_game.shared[0], solo_game.sheet[0]
        return [
            float(look(self.city, self.network, self.trained, workspace, move, i == 0))
            for i, move in enumerate(moves)
        ]

    def endings(self, solo_game: SoloGame, move: Move | None, games: int, key: str) -> np.ndarray:
        """Final totals of games played on from here; the same key gives the same cards.

        They begin with a move; without one, with the move that looks best.
        """
        totals = np.zeros(games)
        first = -1 if move is None else move
        native().endings(
            self.city, self.network, self.trained, self._workspace, solo_game.shared,
            solo_game.sheet, first, seeded(key), totals,
        )  # fmt: skip
        return totals + solo_game.extra
