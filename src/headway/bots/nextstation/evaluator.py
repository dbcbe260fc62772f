"""Estimates the final score of a sheet, and plays games from a position to their end.

The games always go on with the move of the highest value. The value comes from the network, or for
a city without one from the current score. Many such endings show how a game may end, for a seat and
for its opponents.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from headway.bots.nextstation import tree
from headway.bots.nextstation.network import WIDTH, network_of, shapes
from headway.bots.nextstation.solo_game import SoloGame
from headway.bots.nextstation.workspace import Workspace, glance, new_workspace
from headway.bots.value_net import zeros
from headway.games.contract import Move
from headway.games.kernel import BIT, NONE, compiled, kernel
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import (
    DECK,
    OVER,
    PLAY,
    ROUNDS,
    SCORE,
    SharedRecord,
    city_record,
)
from headway.games.nextstation.rules.building import play
from headway.games.nextstation.rules.engine import (
    deal_effect,
    deal_symbol,
    end_turn,
    reveal_next,
    shuffled,
)
from headway.games.nextstation.rules.scoring import score
from headway.games.xorshift import seeded, shuffle


@kernel
def deal_rest(shared: SharedRecord, cards: Any, generator: Any) -> None:
    """Shuffles the cards to come: the rest of this deck, then a deck for each later round."""
    n = 0
    for card in range(DECK):
        if shared["shown"] & BIT[card] == NONE:
            cards[n] = card
            n += 1
    shuffle(generator, cards[:DECK], n)
    for r in range(1, ROUNDS + 1):
        shuffled(cards[DECK * r : DECK * (r + 1)], DECK, generator)


@kernel
def deal_special(shared: SharedRecord, generator: Any) -> None:
    """Deals the special stations of the rounds to come, each card once in a game (SP-01)."""
    current_round = int(shared["round"])
    first_unknown = current_round + 1 if shared["turn"] > 0 else current_round
    for r in range(first_unknown, ROUNDS):
        deal_symbol(shared, r, generator)
    for r in range(first_unknown, ROUNDS):
        deal_effect(shared, r, generator)


@kernel
def play_on(workspace: Workspace) -> int:
    """Plays the workspace's game from between two turns to its end; `deal_rest` dealt the cards."""
    city, shared, sheets = workspace.city, workspace.shared, workspace.sheets
    deck, drawn = 0, 0
    while shared[0]["phase"] != OVER:
        if shared[0]["turn"] == 0:
            deck, drawn = deck + 1, 0
        drawn = reveal_next(shared[0], workspace.cards[DECK * deck :], drawn)
        _, best, _ = glance(workspace)
        play(city, shared[0], sheets[0], int(workspace.moves[best]))
        end_turn(shared[0], sheets[0:1])
    return score(city, shared[0], sheets[0], workspace.score[0])


@kernel
def endings(
    workspace: Workspace, start: Any, sheet: Any, move: int, generator: Any, scores: Any
) -> None:
    """Plays from `start[0]` to the game's end, once for each element of `scores`.

    `start` is a turn, which begins with `move`, or with the move with the highest value if it is
    negative; or it is between two turns. Only the generator decides the cards: equal generators
    give all moves, all sheets and all seats the same cards.
    """
    for k in range(scores.shape[0]):
        workspace.shared[0] = start[0]
        workspace.sheets[0] = sheet[0]
        deal_rest(workspace.shared[0], workspace.cards, generator)
        if workspace.shared[0]["use_special"] != 0:
            deal_special(workspace.shared[0], generator)
        if start[0]["phase"] == PLAY:
            first = move
            if first < 0:
                _, best, _ = glance(workspace)
                first = int(workspace.moves[best])
            play(workspace.city, workspace.shared[0], workspace.sheets[0], first)
            end_turn(workspace.shared[0], workspace.sheets[0:1])
        play_on(workspace)
        scores[k] = workspace.score[0]


def native() -> SimpleNamespace:
    """Returns the kernels of the tree search and of rollouts as compiled code."""
    return compiled(tree, sys.modules[__name__])


class Evaluator:
    """Uses the network of a city; for a city without one, the current score of a sheet."""

    def __init__(self, game: NextStation) -> None:
        self.city = city_record(game.city)
        trained = network_of(game)
        self.trained = trained is not None
        self.error = trained.error if trained else 0.0
        self.network = trained.network if trained else zeros(shapes(WIDTH))
        self._workspace = self.new_workspace()

    def new_workspace(self) -> Workspace:
        """Creates memory for playing games with this evaluator."""
        return new_workspace(self.city, self.network, self.trained)

    def candidates(self, solo_game: SoloGame) -> list[Move]:
        """Returns the legal moves that are worth considering."""
        workspace = self._at(solo_game)
        return [int(move) for move in workspace.moves[: native().candidates(workspace)]]

    def values(self, solo_game: SoloGame, moves: Sequence[Move]) -> list[float]:
        """Returns the value of the sheet after each of the moves."""
        value_after, workspace = native().value_after, self._at(solo_game)
        return [float(value_after(workspace, move, i == 0)) for i, move in enumerate(moves)]

    def _at(self, solo_game: SoloGame) -> Workspace:
        self._workspace.shared[0] = solo_game.shared[0]
        self._workspace.sheets[0] = solo_game.sheet[0]
        return self._workspace

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
