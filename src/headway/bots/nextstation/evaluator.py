"""Estimates the final score of a sheet, and plays games from a position to their end.

Sheets never interact, so a seat's part of a game is a game for one, a `SoloGame`.

The games always go on with the move of the highest value. The value comes from the network, or for
a city without one from the current score. Many such endings show how a game may end, for a seat and
for its opponents.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.network import (
    DEPTH,
    MOST_WIDTH,
    WIDTH,
    network_of,
    output,
    position_bits,
    refresh,
    shapes,
    update,
)
from headway.bots.value_net import Network, zeros
from headway.games.contract import Move, Seat, View
from headway.games.kernel import BIT, NONE, compiled, kernel
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import WAY_AT, circle_of, target_of
from headway.games.nextstation.observation import FEATURE_WORDS
from headway.games.nextstation.rules.arrays import (
    DECK,
    MOST_MOVES,
    OVER,
    PLAY,
    REVEAL,
    ROUNDS,
    SCORE,
    SHARED,
    SHEET,
    SWITCH_CARD,
    UNDERGROUNDS,
    CityRecord,
    SharedRecord,
    SheetRecord,
    city_record,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.engine import (
    deal_effect,
    deal_symbol,
    end_turn,
    reveal_next,
    shuffled,
)
from headway.games.nextstation.rules.scoring import MODULE_DEDUCTION, score
from headway.games.nextstation.state import NextStationState
from headway.games.simulation import apart, seeded, shuffle


class SoloGame(NamedTuple):
    """One seat's turn as a game for one: the shared record and the seat's sheet."""

    shared: np.ndarray
    sheet: np.ndarray
    extra: int
    """The points that a real solo game would deduct for modules (SO-01), but this one did not."""

    @property
    def card(self) -> int:
        """The card to play."""
        return int(self.shared[0]["card_id"])

    @property
    def switched(self) -> int:
        """1 if the switch came up with the card, else 0."""
        return int(self.shared[0]["switched"])

    @property
    def last_round(self) -> bool:
        """Whether this is the last round."""
        return bool(self.shared[0]["round"] == ROUNDS - 1)

    def deal_key(self) -> bytes:
        """Returns what was dealt for the game and this round; a tree is valid while it is equal."""
        shared = self.shared[0]
        names = ("pencils", "objectives", "powers", "special_symbol", "special_effect")
        return b"".join(shared[name].tobytes() for name in names)

    def before_card(self) -> np.ndarray:
        """Returns the shared record as it was before this turn's card was revealed."""
        between_turns: np.ndarray = self.shared.copy()
        shared = between_turns[0]
        shared["shown"] &= ~BIT[self.card]
        if self.switched:
            shared["shown"] &= ~BIT[SWITCH_CARD]
        shared["undergrounds"] -= self.card > SWITCH_CARD
        shared["turn"] -= 1
        shared["switched"] = shared["card"] = shared["card_id"] = 0
        shared["phase"] = REVEAL
        return between_turns


def solo_game_of(state: NextStationState, seat: Seat) -> SoloGame:
    """Returns the solo game of a seat, as everybody at the table knows it."""
    shared, sheet = np.zeros(1, SHARED), np.zeros(1, SHEET)
    shared[0], sheet[0] = state.shared, state.sheets[seat]
    shared[0]["seats"] = 1
    shared[0]["pencils"][0] = state.shared["pencils"][seat]
    modules = sum(int(state.shared[f"use_{name}"]) for name in ("objectives", "powers", "special"))
    extra = MODULE_DEDUCTION * modules if state.game.seats > 1 else 0
    return SoloGame(shared, sheet, extra)


def solo_games(game: NextStation, view: View, generator: random.Random) -> dict[Seat, SoloGame]:
    """Returns the solo games of all seats, as far as the seat of the view knows them."""
    sampled = game.resample(view, generator)
    return {seat: solo_game_of(sampled, seat) for seat in range(game.seats)}


WAY_BITS = 3 << WAY_AT


class Workspace(NamedTuple):
    """A solo game and memory for playing it: `shared[0]` and `sheets[0]` are the position."""

    city: CityRecord
    net: Network
    trained: bool
    """Whether the network says what a sheet is worth; if not, its current score does."""
    shared: Any
    sheets: Any
    moves: Any
    score: Any
    cards: Any
    bits: Any
    sums: Any
    hidden: Any


def new_workspace(city: CityRecord, net: Network, trained: bool = True) -> Workspace:
    """Creates a workspace that shares no cache line with another thread's."""
    return Workspace(
        city=city,
        net=net,
        trained=trained,
        shared=apart(2, SHARED),
        sheets=apart(2, SHEET),
        moves=apart(MOST_MOVES, np.int64),
        score=apart(1, SCORE),
        cards=apart((ROUNDS + 1) * DECK, np.int64),
        bits=np.zeros((2, FEATURE_WORDS), np.uint64),
        sums=np.zeros((2, MOST_WIDTH), np.float32),
        hidden=apart(DEPTH, np.float32),
    )


# Values


@kernel
def glance(workspace: Workspace) -> tuple[int, int, float]:
    """Returns the number of candidate moves, the index of the best one, and its value.

    The candidates are in `moves`. Among equals the first one is best.
    """
    n, best, most = candidates(workspace), 0, -1.0e9
    for i in range(n):
        value = value_after(workspace, int(workspace.moves[i]), i == 0)
        if value > most:
            best, most = i, value
    return n, best, most


@kernel
def value_after(workspace: Workspace, move: int, first: bool) -> float:
    """Returns the value of the workspace's sheet after a move, `sheets[1]` with `shared[1]`.

    The `first` move of a turn computes the network's first layer in full; later moves update it.
    """
    city, net = workspace.city, workspace.net
    shared, sheets = workspace.shared, workspace.sheets
    sheets[1] = sheets[0]
    shared[1] = shared[0]
    play(city, shared[0], sheets[1], move)
    if not workspace.trained:
        return float(score(city, shared[0], sheets[1], workspace.score[0]))
    end_turn(shared[1], sheets[1:2])
    value = float(
        position_bits(city, shared[1], sheets[1], 0, workspace.score[0], workspace.bits[1])
    )
    r = int(shared[1]["round"])
    if r >= ROUNDS:
        return value
    if first:
        refresh(net, workspace.bits[1], workspace.sums[0])
        for word in range(workspace.bits.shape[1]):
            workspace.bits[0, word] = workspace.bits[1, word]
        return value + output(net, r, workspace.sums[0], workspace.hidden)
    update(net, workspace.bits[0], workspace.sums[0], workspace.bits[1], workspace.sums[1])
    return value + output(net, r, workspace.sums[1], workspace.hidden)


# Candidate moves


@kernel
def candidates(workspace: Workspace) -> int:
    """Writes the legal moves that are worth considering into `moves`; returns their number.

    Two kinds are left out. A power or effect used for a section that the card allows anyway: the
    same move without it is legal. A circle of the power `double` at a station whose district also
    has a station with a lower number on the line, or as the section's target: that one scores the
    same.
    """
    shared, moves = workspace.shared[0], workspace.moves
    n = legal_moves(workspace.city, shared, workspace.sheets, 0, moves)
    if shared["use_powers"] == 0 and shared["use_special"] == 0:
        return n
    kept = 0
    for i in range(n):
        move = int(moves[i])
        if not _beaten(workspace, n, move):
            moves[kept] = move
            kept += 1
    return kept


@kernel
def _beaten(workspace: Workspace, n: int, move: int) -> bool:
    """Whether the first `n` of `moves` or the line have something that scores the same."""
    if move >> WAY_AT != 0:
        bare = move & ~WAY_BITS
        for j in range(n):
            if int(workspace.moves[j]) == bare:
                return True
    shared, circle = workspace.shared[0], circle_of(move)
    if shared["use_powers"] != 0 and circle >= 0:
        return _circled_before(workspace.city, shared, workspace.sheets[0], move, circle)
    return False


@kernel
def _circled_before(
    city: CityRecord, shared: SharedRecord, sheet: SheetRecord, move: int, station: int
) -> bool:
    """Whether the line has a lower-numbered station in the same district; it scores the same."""
    stations = sheet["lines"][shared["round"]]
    to = target_of(move)
    district = city["district"][city["district_of"][station]]
    lower = BIT[station] - BIT[0]
    if stations & district & lower != NONE:
        return True
    return 0 <= to < station and BIT[to] & district != NONE


# Games played to their end


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
    """Returns the kernels above as compiled code."""
    return compiled(sys.modules[__name__])


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


# The last round


LOWEST, HIGHEST, STEPS = -100, 400, 4
"""The range of totals that the curve covers, and its points per total."""
SCALE = 40.0
"""The value of a certain win in points, so that the search explores wins as it explores points."""
TIE_BREAK = 0.002
"""The value of one more point; it decides between moves that all win or all lose."""


class Curve(NamedTuple):
    """The value of totals against the best opponent."""

    worth: np.ndarray
    """Values by undergrounds to come, and by total from `LOWEST` on in `STEPS`."""
    rivals: np.ndarray
    """Sampled totals of the best opponent."""
    mean: float
    """The seat's expected total."""

    def wins(self, totals: np.ndarray) -> np.ndarray:
        """Returns how often each total wins; a tie counts half."""
        margin = totals[:, None] - self.rivals[None, :]
        result: np.ndarray = ((margin > 0) + 0.5 * (margin == 0)).mean(axis=1)
        return result


def curve_against(rivals: np.ndarray, spread: float, mean: float, left: int) -> Curve:
    """Returns the curve for a seat whose ending has this mean and spread.

    `left` is the number of undergrounds to come.
    """
    totals = np.arange(LOWEST * STEPS, HIGHEST * STEPS + 1) / STEPS
    worth = np.empty((UNDERGROUNDS + 1, len(totals)))
    for k in range(UNDERGROUNDS + 1):
        sigma = max(spread * math.sqrt(k / max(left, 1)), 1e-3)
        worth[k] = _normal((totals[:, None] - rivals[None, :]) / sigma).mean(axis=1)
    return Curve(worth * SCALE + TIE_BREAK * totals, rivals, mean)


def _normal(x: np.ndarray) -> np.ndarray:
    """Returns the normal distribution function, by a logistic approximation."""
    result: np.ndarray = 1 / (1 + np.exp(np.clip(-1.702 * x, -50, 50)))
    return result


def probability(worth: float, curve: Curve) -> float:
    """Converts a value of the curve to a probability to win."""
    return min(max((worth - TIE_BREAK * curve.mean) / SCALE, 0.0), 1.0)
