"""Analyses: what a sheet is worth before a card is known, with each card, and after each move.

With the network of a city they search a tree; without one they play games to their end. The expert
estimates its moves with the same two methods, within a budget.

An analysis starts between two turns and does not depend on the card that comes, so the mean of all
cards' values is the value before the card: luck has the mean zero. Reviews and `headway arena
--luck` use the same analyses.
"""

from __future__ import annotations

import hashlib
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from headway.bots.bot import Appraisal, Budget, shares
from headway.bots.nextstation import tree
from headway.bots.nextstation.evaluator import SCALE, Curve, Evaluator, SoloGame, probability
from headway.bots.nextstation.tree import Tree, clear, half_full, new_tree, reveal_outcome
from headway.games.contract import Move
from headway.games.kernel import BIT, NONE, compiled
from headway.games.nextstation.moves import special_pair, special_pairs
from headway.games.nextstation.rules.arrays import (
    DEAL_SPECIAL,
    DECK,
    OVER,
    REVEAL,
    ROUNDS,
    SWITCH_CARD,
)
from headway.games.nextstation.rules.building import play
from headway.games.nextstation.rules.engine import end_turn, take_dealt

TREE_NODES = 30_000
"""The size of a tree for playing; with outcomes and edges it takes about 150 MB."""
SIMULATIONS_PER_CLOCK_CHECK = 16
"""The number of simulations between two checks of the clock."""
NODES_PER_SIMULATION = 6
"""The space of a tree; turns with powers have many moves."""
PLAYED_SHARE = 8
"""The move that was played gets a further eighth of the simulations, unless it is the best."""
SPECIAL_SHARE = 8
"""The analysis of one possible deal of special stations has an eighth of the simulations."""
ROLLOUT_SHARE = 25
"""Without a network, every move with every card gets this part of the simulations as games."""
MOST_ROLLOUT_MOVES = 12
"""Without a network, the moves with the highest scores that are played out."""
ERROR_SCALE = 1.5
"""The error of a value without simulations, in errors of the network.

Fitted on the losses of 44 positions with 300 and with 5,000 simulations.
"""


class MoveEstimate(NamedTuple):
    """The value after a move, and its standard error."""

    move: Move
    value: float
    error: float


class Analysis(NamedTuple):
    """The expected total before the card, with the card and the best move, and after the moves.

    `moves` has the best move first. `played` is the estimate for the move that was played; `error`
    is that of the difference to the best move.
    """

    expected: float
    known: float
    moves: list[MoveEstimate]
    played: MoveEstimate
    error: float

    @property
    def luck(self) -> float:
        """The value of the card that came, compared with the mean of all cards."""
        return self.known - self.expected


class Analyst(ABC):
    """Analyses sheets of one game, with a fixed number of simulations for each analysis."""

    def __init__(self, evaluator: Evaluator, simulations: int) -> None:
        self.evaluator, self.simulations = evaluator, simulations

    @abstractmethod
    def analyse(self, solo_game: SoloGame, played: Move | None = None) -> Analysis:
        """Analyses a turn from before its card came; None stands for the best move."""

    def losses(
        self, solo_game: SoloGame, moves: Sequence[Move]
    ) -> list[tuple[MoveEstimate, float]]:
        """Returns the estimates of moves, each with the error of its difference to the best."""
        analyses = [self.analyse(solo_game, move) for move in moves]
        return [(analysis.played, analysis.error) for analysis in analyses]

    @abstractmethod
    def appraise(
        self,
        solo_game: SoloGame,
        legal: Sequence[Move],
        budget: Budget,
        curve: Curve | None,
        generator: random.Random,
    ) -> list[Appraisal]:
        """Returns estimates for the moves of a turn, best first; by the curve, if there is one."""

    @abstractmethod
    def expected(self, shared: np.ndarray, sheet: np.ndarray, simulations: int) -> float:
        """Returns the expected total of a sheet between two turns."""

    def special(self, shared: np.ndarray, sheet: np.ndarray, pairs: list[Move]) -> list[float]:
        """Returns the expected total with each deal of special stations at the start of a round."""
        simulations = max(self.simulations // SPECIAL_SHARE, 2)
        return [self.expected(with_special(shared, pair), sheet, simulations) for pair in pairs]


def analyst_of(evaluator: Evaluator, simulations: int = 0) -> Analyst:
    """Returns an analyst that searches a tree, or without a network plays games to their end.

    One without simulations is for playing: it has space to keep what it searched from turn to turn.
    """
    return (TreeAnalyst if evaluator.trained else EndingsAnalyst)(evaluator, simulations)


def with_special(shared: np.ndarray, pair: Move) -> np.ndarray:
    """Returns the shared record of a round's start with this deal of special stations."""
    dealt: np.ndarray = shared.copy()
    dealt[0]["phase"] = DEAL_SPECIAL
    take_dealt(dealt[0], pair)
    return dealt


def special_pairs_before(shared: np.ndarray) -> tuple[list[Move], Move]:
    """Returns the special stations that could be dealt for this round, and those that were."""
    r = int(shared[0]["round"])
    symbols, effects = shared[0]["special_symbol"], shared[0]["special_effect"]
    pairs = list(special_pairs(frozenset(symbols[:r].tolist()), frozenset(effects[:r].tolist())))
    return pairs, special_pair(int(symbols[r]), int(effects[r]))


def after_move(
    evaluator: Evaluator, solo_game: SoloGame, move: Move
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the shared record and the sheet between the turns, after a move."""
    shared, sheet = solo_game.shared.copy(), solo_game.sheet.copy()
    play(evaluator.city, shared[0], sheet[0], move)
    end_turn(shared[0], sheet)
    return shared, sheet


class TreeAnalyst(Analyst):
    """Searches a tree: a new one for each analysis, one that grows for a game that it plays."""

    _deal_key = b""

    @cached_property
    def tree(self) -> Tree:
        """The tree with what was searched last."""
        nodes = NODES_PER_SIMULATION * self.simulations + 64 if self.simulations else TREE_NODES
        return new_tree(self.evaluator.new_workspace(), nodes)

    def analyse(self, solo_game: SoloGame, played: Move | None = None) -> Analysis:
        clear(self.tree)
        between, card = solo_game.before_card(), (solo_game.card, solo_game.switched)
        root, at = self._search(between, solo_game.sheet, self.simulations, *card)
        outcome = self.tree.outcomes[at]
        known, first = float(outcome["value"]), int(outcome["first"])
        edges = self.tree.edges[first : first + int(outcome["edges"])]
        estimates = [
            MoveEstimate(int(edge["move"]), float(edge["value"]), self._error(between, edge))
            for edge in edges
        ]
        estimates.sort(key=lambda estimate: (-estimate.value, estimate.move))
        expected = self._expected(root)
        best = estimates[0]
        if played is None or played == best.move:
            return _whole(solo_game, expected, known, estimates, best, 0.0)
        estimate = self._played(solo_game, played)
        estimate = estimate._replace(value=min(estimate.value, known))
        others = [other for other in estimates if other.move != played]
        error = math.hypot(best.error, estimate.error)
        return _whole(solo_game, expected, known, [*others, estimate], estimate, error)

    def losses(
        self, solo_game: SoloGame, moves: Sequence[Move]
    ) -> list[tuple[MoveEstimate, float]]:
        # A tree for each move: all of them together would not fit into one.
        best, losses = self.analyse(solo_game), []
        for move in moves:
            clear(self.tree)
            estimate = self._played(solo_game, move)
            value = min(estimate.value + solo_game.extra, best.known)
            error = math.hypot(best.moves[0].error, estimate.error)
            losses.append((estimate._replace(value=value), error))
        return losses

    def expected(self, shared: np.ndarray, sheet: np.ndarray, simulations: int) -> float:
        clear(self.tree)
        root, _ = self._search(shared, sheet, simulations)
        return self._expected(root)

    def _search(
        self,
        shared: np.ndarray,
        sheet: np.ndarray,
        simulations: int,
        card: int = -1,
        switched: int = 0,
    ) -> tuple[int, int]:
        """Searches from between two turns; returns the node and the outcome of a card, if any."""
        root, at, _ = compiled(tree).search(
            self.tree, sheet[0], shared[0], card, switched, False, simulations
        )
        return root, at

    def _expected(self, index: int) -> float:
        node = self.tree.nodes[index]
        outcomes = self.tree.outcomes[int(node["first"]) :][: int(node["outcomes"])]
        return float(outcomes["probability"] @ outcomes["value"])

    def _error(self, shared: np.ndarray, part: Any) -> float:
        """Returns the error of a node or edge; what is searched to the game's end has none."""
        # The search stops at the deal of special stations: before the last round nothing is exact.
        exact = not shared[0]["use_special"] or shared[0]["round"] == ROUNDS - 1
        if part["solved"] and exact:
            return 0.0
        return float(self.evaluator.error * ERROR_SCALE / math.sqrt(1.0 + part["visits"]))

    def _played(self, solo_game: SoloGame, move: Move) -> MoveEstimate:
        """Returns the estimate for the move that was played; searches it, though it is not best."""
        shared, sheet = after_move(self.evaluator, solo_game, move)
        if shared[0]["phase"] in (OVER, DEAL_SPECIAL):
            over = shared[0]["phase"] == OVER
            value = self.evaluator.values(solo_game, [move])[0]
            return MoveEstimate(move, value, 0.0 if over else self.evaluator.error * ERROR_SCALE)
        root, _ = self._search(shared, sheet, max(self.simulations // PLAYED_SHARE, 2))
        error = self._error(shared, self.tree.nodes[root])
        return MoveEstimate(move, self._expected(root), error)

    # Playing

    def appraise(
        self,
        solo_game: SoloGame,
        legal: Sequence[Move],
        budget: Budget,
        curve: Curve | None,
        generator: random.Random,
    ) -> list[Appraisal]:
        searched, between = self._prepared(solo_game, curve), solo_game.before_card()[0]
        sheet, search = solo_game.sheet[0], compiled(tree).search
        for share in shares(budget, SIMULATIONS_PER_CLOCK_CHECK):
            _, at, done = search(
                searched, sheet, between, solo_game.card, solo_game.switched, True, share
            )
            if done < share:
                break
        outcome = searched.outcomes[at]
        first = int(outcome["first"])
        edges = searched.edges[first : first + int(outcome["edges"])]
        appraisals = [self._appraisal(solo_game, edge, curve) for edge in edges]
        return sorted(appraisals, key=lambda appraisal: (-appraisal.value, appraisal.move))

    def _prepared(self, solo_game: SoloGame, curve: Curve | None) -> Tree:
        """Returns the tree of the turns before if it is valid and has space, else an empty one."""
        deal_key = solo_game.deal_key() if curve is None else b""
        kept = self.tree
        if not deal_key or deal_key != self._deal_key or half_full(kept):
            clear(kept)
        self._deal_key = deal_key
        return kept._replace(worth=np.zeros((0, 2)) if curve is None else curve.worth)

    def _appraisal(self, solo_game: SoloGame, edge: Any, curve: Curve | None) -> Appraisal:
        visits, value = int(edge["visits"]), float(edge["value"])
        error = self.evaluator.error
        if edge["solved"]:
            error = 0.0
        elif visits > 1:
            variance = edge["squares"] / visits - (edge["sum"] / visits) ** 2
            error = math.sqrt(max(variance, 0.0) / (visits - 1))
        if curve is None:
            return Appraisal(int(edge["move"]), value + solo_game.extra, error, visits, "score")
        win = probability(value, curve)
        return Appraisal(int(edge["move"]), win, min(error / SCALE, 0.5), visits, "win")


class EndingsAnalyst(Analyst):
    """Plays every move with every card to the end of the game, always on the same cards."""

    def analyse(self, solo_game: SoloGame, played: Move | None = None) -> Analysis:
        between, sheet = solo_game.before_card(), solo_game.sheet
        games, key = self._games(self.simulations), _key(between, sheet)
        expected, totals = self._expected(between, sheet, games, key)
        came = totals[solo_game.card, solo_game.switched]
        estimates = [MoveEstimate(move, float(ends.mean()), _spread(ends)) for move, ends in came]
        best = min(estimates, key=lambda estimate: (-estimate.value, estimate.move))
        if played is None or played == best.move:
            return _whole(solo_game, expected, best.value, estimates, best, 0.0)
        turn = _turn(between, sheet, solo_game.card, solo_game.switched)
        ends = self.evaluator.endings(turn, played, games, key)
        chosen = MoveEstimate(played, min(float(ends.mean()), best.value), _spread(ends))
        error = _spread(dict(came)[best.move] - ends)
        others = [estimate for estimate in estimates if estimate.move != played]
        return _whole(solo_game, expected, best.value, [*others, chosen], chosen, error)

    def expected(self, shared: np.ndarray, sheet: np.ndarray, simulations: int) -> float:
        return self._expected(shared, sheet, self._games(simulations), _key(shared, sheet))[0]

    def _games(self, simulations: int) -> int:
        return max(simulations // ROLLOUT_SHARE, 2)

    def _expected(
        self, between: np.ndarray, sheet: np.ndarray, games: int, key: str
    ) -> tuple[float, dict[tuple[int, int], list[tuple[Move, np.ndarray]]]]:
        """Returns the expected total, and with each outcome the totals after each move."""
        expected, totals = 0.0, {}
        for card, switched, chance in _outcomes(between):
            turn = _turn(between, sheet, card, switched)
            ends = [
                (move, self.evaluator.endings(turn, move, games, key))
                for move in self._sensible(turn)
            ]
            totals[card, switched] = ends
            expected += chance * max(float(total.mean()) for _, total in ends)
        return expected, totals

    def _sensible(self, turn: SoloGame) -> list[Move]:
        """Returns the moves with the highest scores."""
        moves = self.evaluator.candidates(turn)
        values = dict(zip(moves, self.evaluator.values(turn, moves), strict=True))
        return sorted(moves, key=lambda move: (-values[move], move))[:MOST_ROLLOUT_MOVES]

    # Playing

    def appraise(
        self,
        solo_game: SoloGame,
        legal: Sequence[Move],
        budget: Budget,
        curve: Curve | None,
        generator: random.Random,
    ) -> list[Appraisal]:
        """Plays every move to the end on the same cards; repeatedly drops the worse half."""
        seen: dict[Move, np.ndarray] = {move: np.zeros(0) for move in legal}
        alive, key = list(legal), generator.random()
        for number, share in enumerate(shares(budget, SIMULATIONS_PER_CLOCK_CHECK)):
            games = max(share // len(alive), 1)
            for move in alive:
                new = self.evaluator.endings(solo_game, move, games, f"{key}|{number}")
                worth = new if curve is None else curve.wins(new - solo_game.extra)
                seen[move] = np.concatenate([seen[move], worth])
            alive.sort(key=lambda move: (-seen[move].mean(), move))
            if len(seen[alive[0]]) >= SIMULATIONS_PER_CLOCK_CHECK:
                alive = alive[: max(len(alive) // 2, 2)]
        rest = [move for move in legal if move not in alive]
        rest.sort(key=lambda move: (-seen[move].mean(), move))
        return [
            Appraisal(
                move,
                float(seen[move].mean()),
                float(seen[move].std() / math.sqrt(max(len(seen[move]) - 1, 1))),
                len(seen[move]),
                "score" if curve is None else "win",
            )
            for move in [*alive, *rest]
        ]


def _whole(
    solo_game: SoloGame,
    expected: float,
    known: float,
    moves: list[MoveEstimate],
    played: MoveEstimate,
    error: float,
) -> Analysis:
    """Returns an analysis in the totals of the real game, which may deduct nothing for modules."""
    extra = solo_game.extra

    def real(estimate: MoveEstimate) -> MoveEstimate:
        return estimate._replace(value=estimate.value + extra)

    ordered = sorted(moves, key=lambda estimate: (-estimate.value, estimate.move))
    return Analysis(
        expected + extra, known + extra, [real(one) for one in ordered], real(played), error
    )


def _outcomes(shared: np.ndarray) -> list[tuple[int, int, float]]:
    """Returns what may come next with its probability: a card, 0 or 1 for the switch before it."""
    left = [card for card in range(DECK) if shared[0]["shown"] & BIT[card] == NONE]
    cards = [card for card in left if card != SWITCH_CARD]
    outcomes = [(card, 0, 1 / len(left)) for card in cards]
    if SWITCH_CARD in left:
        outcomes += [(card, 1, 1 / (len(left) * (len(left) - 1))) for card in cards]
    return outcomes


def _turn(between: np.ndarray, sheet: np.ndarray, card: int, switched: int) -> SoloGame:
    shared = between.copy()
    shared[0]["phase"] = REVEAL
    reveal_outcome(shared[0], card, switched)
    return SoloGame(shared, sheet, 0)


def _key(shared: np.ndarray, sheet: np.ndarray) -> str:
    return "look|" + hashlib.sha256(shared.tobytes() + sheet.tobytes()).hexdigest()


def _spread(totals: np.ndarray) -> float:
    return float(totals.std() / math.sqrt(max(len(totals) - 1, 1)))
