"""Trials: plays candidates many times with the cards and tickets that a seat cannot know.

Candidates are moves in one position, or positions. All of them get the same random numbers in one
sample, so that differences between them show early. A sample ends with the game, or some turns
ahead with the value network.
"""

from __future__ import annotations

import math
import random
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from headway.bots.bot import Appraisal, Budget, shares
from headway.bots.tickettoride import beliefs, playout_policy
from headway.bots.tickettoride.beliefs import (
    FINE,
    REVIEW,
    SEARCH,
    Belief,
    redeal_cards,
    redeal_tickets,
    weigh_tickets,
)
from headway.bots.tickettoride.player import (
    LEAD_VALUE,
    Valuer,
    candidates,
    new_valuer,
    prepare,
    value_moves,
)
from headway.bots.tickettoride.playout_policy import finish, result_of
from headway.bots.tickettoride.route_plans import PlannedGame, copy_game, planned_game
from headway.bots.value_net import Network
from headway.games.contract import CHANCE, Move, Seat
from headway.games.kernel import compiled, kernel
from headway.games.simulation import below, seeded
from headway.games.tickettoride.board.board import MOST_TICKETS
from headway.games.tickettoride.moves import claim_parts, what
from headway.games.tickettoride.rules.arrays import (
    BUS,
    CLAIM_MOVE,
    OPENING,
    OVER,
    PLAYER,
    SCORE,
    SHARED,
    TURN,
    board_record,
)
from headway.games.tickettoride.rules.engine import actor, deal
from headway.games.tickettoride.rules.turns import play
from headway.games.tickettoride.state import TicketToRideState

POINT_VALUE = 0.03
"""The value of a point compared with a victory; it decides where all is won or lost."""
MOVES_AHEAD = 6
"""The most moves that are tried with a network: those that it values highest."""
TURNS_AHEAD = 2
"""The seat's turns that are played after a move before the network values the position."""
SAMPLES_PER_CLOCK_CHECK = 8
"""Determinizations between two checks of the clock."""
STIR, STIR_DEAL = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)

TALLY = np.dtype(
    [
        ("move", "i8"),
        ("remaining", "i8"),
        ("trials", "i8"),
        ("wins", "f8"),  # a shared victory counts by its share
        ("squares", "f8"),
        ("margin", "f8"),  # points ahead of the best other
    ],
    align=True,
)
"""A candidate and the results of its trials."""


class TrialWorkspace(NamedTuple):
    """What is tried, the results, and the memory for playing."""

    game: PlannedGame
    """What is played on."""
    shared: Any
    """The shared record of `game`, as an array of one."""
    seat: int
    hidden: bool
    """Whether the seat does not know all cards and tickets."""
    belief: Belief
    positions: Any
    """The shared record of each position; one, if the candidates are moves."""
    hands: Any
    """The players of each position."""
    fits: Any
    """By position, seat and ticket: the weights of tickets."""
    tallies: Any
    shares: Any
    """By position and sample: the share of the victory; empty, if nobody compares samples."""
    margins: Any
    world: Any
    """A determinization of the one position."""
    world_players: Any
    score: Any
    cards: Any
    dealer: Any


@kernel
def any_seed(generator: Any) -> np.uint64:
    """Returns the seed of what a sample deals."""
    return np.uint64((below(generator, FINE) * FINE) + below(generator, FINE))


@kernel
def deal_world(trials: TrialWorkspace, generator: Any) -> None:
    """Deals a new determinization of the one position; if nothing is hidden, it is the real one."""
    copy_game(trials.positions[0], trials.hands[0], trials.world, trials.world_players)
    if trials.hidden:
        world, players, seat = trials.world[0], trials.world_players, trials.seat
        redeal_cards(trials.game.board, world, players, seat, trials.cards, generator)
        redeal_tickets(world, players, seat, trials.fits[0], generator)


@kernel
def make_move(trials: TrialWorkspace, i: int, seed: np.uint64) -> None:
    """Sets up a move in the determinization; `seed` decides the cards after it."""
    game, move = trials.game, int(trials.tallies[i]["move"])
    copy_game(trials.world[0], trials.world_players, trials.shared, game.players)
    trials.dealer[0] = STIR ^ seed
    play(game.board, game.shared, game.players, trials.seat, move)


@kernel
def add(tally: Any, share: float, lead: float) -> None:
    """Adds a result to a tally."""
    tally["trials"] += 1
    tally["wins"] += share
    tally["squares"] += share * share
    tally["margin"] += lead


@kernel
def play_out(trials: TrialWorkspace) -> tuple[float, float]:
    """Plays to the end of the game; returns the seat's share of the victory and its lead."""
    for player in range(trials.game.players.shape[0]):
        trials.game.plans[player]["made"] = 0
    finish(trials.game, trials.dealer)
    return result(trials)


@kernel
def result(trials: TrialWorkspace) -> tuple[float, float]:
    """Returns the seat's share of the victory and its lead, when the game is over."""
    game = trials.game
    return result_of(game.board, game.players, trials.seat, game.workspace, trials.score[0])


@kernel
def try_moves(trials: TrialWorkspace, samples: int, generator: Any) -> None:
    """Plays all remaining moves to the end of the game, in this many new determinizations."""
    for _ in range(samples):
        deal_world(trials, generator)
        seed = any_seed(generator)
        for i in range(trials.tallies.shape[0]):
            if trials.tallies[i]["remaining"] != 0:
                make_move(trials, i, seed)
                share, lead = play_out(trials)
                add(trials.tallies[i], share, lead)


@kernel
def try_positions(trials: TrialWorkspace, first: int, samples: int, generator: Any) -> None:
    """Plays all remaining positions to the end of the game, in samples from `first` on."""
    board, shared, players = trials.game.board, trials.game.shared, trials.game.players
    for k in range(first, first + samples):
        seed = any_seed(generator)
        for i in range(trials.tallies.shape[0]):
            if trials.tallies[i]["remaining"] == 0:
                continue
            copy_game(trials.positions[i], trials.hands[i], trials.shared, players)
            trials.dealer[0] = STIR ^ seed
            redeal_cards(board, shared, players, trials.seat, trials.cards, trials.dealer)
            redeal_tickets(shared, players, trials.seat, trials.fits[i], trials.dealer)
            trials.dealer[0] = STIR_DEAL ^ seed
            trials.shares[i, k], trials.margins[i, k] = play_out(trials)


# With the network


@kernel
def play_ahead(trials: TrialWorkspace, valuer: Valuer, tally: Any) -> None:
    """Plays until the seat has had some turns, and adds its value at the next to a tally."""
    left, board = TURNS_AHEAD, trials.game.board
    shared, players = trials.game.shared, trials.game.players
    while shared["phase"] != OVER:
        mover = actor(shared, players)
        if mover == CHANCE:
            deal(board, shared, players, trials.dealer)
            continue
        prepare(valuer, shared, players, mover)
        n, _ = candidates(valuer, mover)
        best = value_moves(valuer, shared, players, mover, n)
        if mover == trials.seat and shared["phase"] == TURN and shared["taken"] == 0:
            if left == 0:
                add(tally, valuer.values[best, 0], valuer.values[best, 1])
                return
            left -= 1
        play(board, shared, players, mover, int(valuer.moves[best]))
    share, lead = result(trials)
    add(tally, share, lead)


@kernel
def value_here(trials: TrialWorkspace, valuer: Valuer) -> None:
    """Adds the value of the seat after each move to its tally, without playing on."""
    shared, players, tallies = trials.positions[0], trials.hands[0], trials.tallies
    n = tallies.shape[0]
    prepare(valuer, shared, players, trials.seat)
    for i in range(n):
        valuer.moves[i] = tallies[i]["move"]
    value_moves(valuer, shared, players, trials.seat, n)
    for i in range(n):
        add(tallies[i], valuer.values[i, 0], valuer.values[i, 1])


@kernel
def try_moves_ahead(trials: TrialWorkspace, valuer: Valuer, samples: int, generator: Any) -> None:
    """Tries all remaining moves in `samples` new determinizations, some turns ahead.

    With no samples it prepares them: weighs the tickets of others and lets the network value every
    move where it stands. All this is one kernel because each kernel that Python calls is compiled
    with everything that it uses.
    """
    if samples == 0:
        copy_game(trials.positions[0], trials.hands[0], trials.shared, trials.game.players)
        weigh_tickets(trials.game, trials.seat, trials.belief, trials.fits[0])
        value_here(trials, valuer)
    for _ in range(samples):
        deal_world(trials, generator)
        seed = any_seed(generator)
        for i in range(trials.tallies.shape[0]):
            if trials.tallies[i]["remaining"] != 0:
                make_move(trials, i, seed)
                play_ahead(trials, valuer, trials.tallies[i])


# Candidates and their comparison


def worth_trying(legal: Sequence[Move]) -> list[Move]:
    """Returns the moves without those that pay with more buses than necessary."""
    claims = [claim_parts(move) for move in legal if what(move) == CLAIM_MOVE]
    least: dict[tuple[int, int], int] = {}
    coloured = {claim.route for claim in claims if claim.kind != BUS}
    for claim in claims:
        key = claim.route, claim.kind
        least[key] = min(claim.buses, least.get(key, claim.buses))

    def good(move: Move) -> bool:
        if what(move) != CLAIM_MOVE:
            return True
        route, kind, buses = claim_parts(move)
        return buses == least[route, kind] and (kind != BUS or route not in coloured)

    return [move for move in legal if good(move)]


@cache
def native() -> SimpleNamespace:
    """Returns the kernels of trials as compiled code."""
    return compiled(beliefs, playout_policy, sys.modules[__name__])


class Trials(ABC):
    """Compares candidates; `key` decides the random numbers."""

    def __init__(
        self, states: Sequence[TicketToRideState], seat: Seat, candidates: int, key: str
    ) -> None:
        game, n = states[0].game, len(states)
        board, seats, shared = board_record(game.board), game.seats, np.zeros(1, SHARED)
        self.generator = seeded(key)
        self.workspace = TrialWorkspace(
            game=planned_game(board, shared[0], np.zeros(seats, PLAYER)),
            shared=shared,
            seat=seat,
            hidden=True,
            belief=SEARCH,
            positions=np.array([state.shared for state in states], SHARED),
            hands=np.array([state.players for state in states], PLAYER),
            fits=np.ones((n, seats + 1, MOST_TICKETS)),
            tallies=np.zeros(candidates, TALLY),
            shares=np.zeros((n, 0)),
            margins=np.zeros((n, 0)),
            world=np.zeros(1, SHARED),
            world_players=np.zeros(seats, PLAYER),
            score=np.zeros(1, SCORE),
            cards=np.zeros(board["cards"].sum(), np.int64),
            dealer=self.generator.copy(),
        )
        self.tallies = self.workspace.tallies
        self.tallies["remaining"] = 1

    def weigh(self) -> None:
        """Weighs the tickets that others may have."""
        work = self.workspace
        for shared, players, fits in zip(work.positions, work.hands, work.fits, strict=True):
            copy_game(shared, players, work.shared, work.game.players)
            native().weigh_tickets(work.game, work.seat, work.belief, fits)

    @abstractmethod
    def run(self, samples: int) -> None:
        """Tries the remaining candidates in this many further determinizations."""

    @abstractmethod
    def order(self, i: int) -> tuple[float, ...]:
        """Sorts candidates, the best first."""

    def halve(
        self, budget: Budget, samples: int | None = None, keep: int | None = None
    ) -> list[int]:
        """Tries the candidates and repeatedly drops the worse half; returns all, the best first.

        No candidate is tried in more than `samples` determinizations, and `keep` stays to the end.
        """
        remaining = self.tallies["remaining"]
        left = [int(i) for i in np.flatnonzero(remaining)]
        out = sorted((int(i) for i in np.flatnonzero(remaining == 0)), key=self.order)
        rounds = max(1, (len(left) - 1).bit_length())
        start = time.perf_counter()
        for i in range(rounds):
            most = None
            if budget.simulations is not None:
                each = budget.simulations // len(left)
                most = max(1, min(each, each if samples is None else samples) // rounds)
            seconds = None
            if budget.seconds is not None:
                seconds = start + budget.seconds * (i + 1) / rounds - time.perf_counter()
            for share in shares(Budget(seconds, most), SAMPLES_PER_CLOCK_CHECK):
                self.run(share)
            left.sort(key=self.order)
            if len(left) > 2:
                worse = [k for k in left[-(len(left) // 2) :] if k != keep]
                out = worse + out
                left = [k for k in left if k not in worse]
            remaining[:] = 0
            remaining[left] = 1
        return left + out


class MoveTrials(Trials):
    """Compares moves in one position; without `hidden` its cards and tickets are the real ones.

    With a network the trials end after some turns, with its value of the position. It chooses the
    moves to try and plays all seats; its value of a move counts as the first trial.
    """

    def __init__(
        self,
        position: TicketToRideState,
        seat: Seat,
        moves: Sequence[Move],
        generator: random.Random,
        *,
        net: Network | None = None,
        belief: Belief = SEARCH,
        hidden: bool = True,
    ) -> None:
        super().__init__([position], seat, len(moves), str(generator.getrandbits(64)))
        work = self.workspace = self.workspace._replace(belief=belief, hidden=hidden)
        if hidden:  # opening choices of others are unknown: each sample makes them again
            work.hands["choice"] = 0
        self.tallies["move"] = moves
        self.valuer = None if net is None else new_valuer(work.game.board, net, position.game.seats)
        self.point_value = POINT_VALUE if net is None else LEAD_VALUE
        if self.valuer is None:
            self.weigh()
        else:
            self.run(0)
            best = sorted(range(len(moves)), key=self.order)
            self.tallies["remaining"][best[MOVES_AHEAD:]] = 0

    def run(self, samples: int) -> None:
        if self.valuer is None:
            native().try_moves(self.workspace, samples, self.generator)
        else:
            native().try_moves_ahead(self.workspace, self.valuer, samples, self.generator)

    def order(self, i: int) -> tuple[float, ...]:
        return -self.merit(i), i

    def merit(self, i: int) -> float:
        """Returns the mean result of a move: victories, plus a little for points."""
        tally = self.tallies[i]
        return float((tally["wins"] + self.point_value * tally["margin"]) / tally["trials"])

    def appraisal(self, i: int) -> Appraisal:
        """Returns the estimate for a move from its trials."""
        tally = self.tallies[i]
        n = int(tally["trials"])
        mean = float(tally["wins"]) / n
        spread = max(0.0, float(tally["squares"]) / n - mean * mean)
        error = math.sqrt(spread / (n - 1)) if n > 1 else 1.0
        return Appraisal(int(tally["move"]), mean, error, n, "win")


class PositionTrials(Trials):
    """Compares positions for a review, from what a seat knows.

    All positions of a review get the same random numbers, so a position has the same value in two
    analyses. `key` is a text that the seat could write itself, so nothing that it cannot know
    changes a value (RV-11).
    """

    def __init__(self, states: Sequence[TicketToRideState], seat: Seat, key: str) -> None:
        super().__init__(states, seat, len(states), key)
        self.workspace = self.workspace._replace(belief=REVIEW)
        for state, players in zip(states, self.workspace.hands, strict=True):
            if state.phase == OPENING:  # choices of others are unknown: each sample makes them
                for other in set(range(len(players))) - {seat}:
                    players[other]["choice"] = 0
        self.weigh()

    @property
    def samples(self) -> int:
        """The determinizations so far."""
        return int(self.workspace.shares.shape[1])

    def run(self, samples: int) -> None:
        work, first = self.workspace, self.samples
        new = np.full((len(self.tallies), samples), np.nan)
        self.workspace = work._replace(
            shares=np.hstack([work.shares, new]), margins=np.hstack([work.margins, new])
        )
        native().try_positions(self.workspace, first, samples, self.generator)

    def order(self, i: int) -> tuple[float, ...]:
        return -self.share(i), -self.ahead(i), i

    def compare(self, simulations: int, samples: int, keep: int) -> list[int]:
        """Spends the simulations on the positions; returns those that stayed to the end.

        They are played in `samples` determinizations, as a position that has nothing to be compared
        with. The position `keep` is one of them.
        """
        self.halve(Budget(simulations=simulations), samples, keep)
        self.run(max(0, samples - self.samples))
        return [int(i) for i in np.flatnonzero(self.tallies["remaining"])]

    def share(self, i: int) -> float:
        """Returns the mean share of the victory of a position."""
        return float(np.nanmean(self.workspace.shares[i]))

    def ahead(self, i: int) -> float:
        """Returns the mean of the points ahead of the best other seat."""
        return float(np.nanmean(self.workspace.margins[i]))

    def error(self, i: int, other: int | None = None) -> float:
        """Returns the error of a share, or of its difference to another one."""
        shares = self.workspace.shares
        values = shares[i] if other is None else shares[i] - shares[other]
        values = values[~np.isnan(values)]
        return float(values.std() / np.sqrt(max(len(values) - 1, 1)))
