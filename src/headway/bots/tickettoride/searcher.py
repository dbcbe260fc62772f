"""The searching bot of Ticket to Ride: tries its moves in determinizations of the view."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import ClassVar

import numpy as np

from headway.bots.bot import Appraisal, Budget, Searcher
from headway.bots.tickettoride import determinization, network_trials, trials
from headway.bots.tickettoride.network import network_of
from headway.bots.tickettoride.player import LEAD_VALUE, new_scratch
from headway.bots.tickettoride.route_plans import HABITS, PLAN, SENSIBLE, WORKSPACE
from headway.bots.tickettoride.trials import TALLY
from headway.bots.value_net import Network
from headway.games.contract import Move, View
from headway.games.kernel import compiled
from headway.games.tickettoride.board.board import MOST_TICKETS
from headway.games.tickettoride.notation import claim_parts, what
from headway.games.tickettoride.rules.arrays import (
    BUS,
    CLAIM_MOVE,
    PLAYER,
    SCORE,
    SHARED,
    board_record,
)
from headway.games.tickettoride.state import TicketToRideState
from headway.games.xorshift import seeded
from headway.table import Table

TRUST = 0.5
"""How much routes say about tickets: each bus that they save makes a ticket 2 ** TRUST likelier."""
POINT_VALUE = 0.03
"""The value of a point compared with a victory; it decides where all is won or lost."""
MOVES_AHEAD = 6
"""The most moves that are tried with a network: those that it values highest."""
TURNS_AHEAD = 2
"""The seat's turns that are played after a move before the network values the position."""
SAMPLES_PER_CLOCK_CHECK = 8
"""Determinizations between two looks at the clock."""


@cache
def native() -> SimpleNamespace:
    """Returns the kernels of the search as compiled code."""
    return compiled(trials, network_trials, determinization)


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


class SequentialHalving:
    """Tries moves in the same determinizations and repeatedly drops the worse half of them."""

    point_value: ClassVar[float] = POINT_VALUE

    def __init__(
        self,
        position: TicketToRideState,
        seat: int,
        moves: Sequence[Move],
        generator: random.Random,
        trust: float,
        hidden: bool = True,
    ) -> None:
        game = position.game
        self.board, self.seat, self.hidden = board_record(game.board), seat, hidden
        self.shared_rows = np.zeros(3, SHARED)
        self.players = np.zeros((3, game.seats), PLAYER)
        self.shared_rows[0], self.players[0] = position.shared, position.players
        if hidden:  # opening choices of others are unknown: each sample makes them again
            self.players["choice"] = 0
        self.tallies = np.zeros(len(moves), TALLY)
        self.tallies["move"], self.tallies["remaining"] = moves, 1
        self.habits = np.array([SENSIBLE] * game.seats, HABITS)
        self.plans, self.workspaces = np.zeros(game.seats, PLAN), np.zeros(1, WORKSPACE)
        self.score_records, self.cards = (
            np.zeros(1, SCORE),
            np.zeros(self.board["cards"].sum(), np.int64),
        )
        self.fits = np.ones((game.seats + 1, MOST_TICKETS))
        self.generator = seeded(str(generator.getrandbits(64)))
        self.dealer = self.generator.copy()
        self.trust = trust
        self.weigh()

    def weigh(self) -> None:
        """Weighs the tickets that others may have."""
        native().weigh_tickets(
            self.board,
            self.shared_rows[0],
            self.players[0],
            self.seat,
            self.trust,
            self.workspaces[0],
            self.fits,
        )

    def run(self, samples: int) -> None:
        """Tries the remaining moves in this many new determinizations."""
        native().try_moves(
            self.board,
            self.shared_rows,
            self.players,
            self.seat,
            samples,
            self.hidden,
            self.fits,
            self.plans,
            self.habits,
            self.workspaces,
            self.score_records,
            self.cards,
            self.tallies,
            self.generator,
            self.dealer,
        )

    def merit(self, i: int) -> float:
        """Returns the mean result of a move: victories, plus a little for points."""
        tally = self.tallies[i]
        return float((tally["wins"] + self.point_value * tally["margin"]) / tally["trials"])

    def halve(self, budget: Budget) -> list[int]:
        """Runs sequential halving; returns the moves, those that stayed longest first."""
        remaining = [int(i) for i in np.flatnonzero(self.tallies["remaining"])]
        out = [int(i) for i in np.flatnonzero(self.tallies["remaining"] == 0)]
        out.sort(key=lambda k: (-self.merit(k), k))
        rounds = max(1, math.ceil(math.log2(len(remaining))))
        start = time.perf_counter()
        for i in range(rounds):
            share = None if budget.simulations is None else budget.simulations / rounds
            most = None if share is None else max(1, int(share / len(remaining)))
            until = None if budget.seconds is None else budget.seconds * (i + 1) / rounds
            self._round(most, None if until is None else start + until)
            remaining.sort(key=lambda k: (-self.merit(k), k))
            stay = -(-len(remaining) // 2) if i < rounds - 1 else len(remaining)
            out = remaining[stay:] + out
            remaining = remaining[:stay]
            self.tallies["remaining"] = 0
            self.tallies["remaining"][remaining] = 1
        return remaining + out

    def _round(self, samples: int | None, until: float | None) -> None:
        """Tries this many determinizations, or as many as the time allows; at least one."""
        done = 0
        while done == 0 or (
            (samples is None or done < samples) and (until is None or time.perf_counter() < until)
        ):
            batch = (
                SAMPLES_PER_CLOCK_CHECK
                if samples is None
                else min(samples - done, SAMPLES_PER_CLOCK_CHECK if until else samples)
            )
            self.run(batch)
            done += batch

    def appraisal(self, i: int) -> Appraisal:
        """Returns the estimate for a move from its trials."""
        tally = self.tallies[i]
        n = int(tally["trials"])
        mean = float(tally["wins"]) / n
        spread = max(0.0, float(tally["squares"]) / n - mean * mean)
        error = math.sqrt(spread / (n - 1)) if n > 1 else 1.0
        return Appraisal(int(tally["move"]), mean, error, n, "win")


class NetworkHalving(SequentialHalving):
    """The same, but the trials end after some turns, with the network's value of the position.

    The network chooses the moves to try and plays all seats. Its value of a move counts as the
    first trial.
    """

    point_value = LEAD_VALUE

    def __init__(
        self,
        net: Network,
        position: TicketToRideState,
        seat: int,
        moves: Sequence[Move],
        generator: random.Random,
        trust: float,
        hidden: bool = True,
    ) -> None:
        self.net, self.scratch = net, new_scratch()
        super().__init__(position, seat, moves, generator, trust, hidden)

    def weigh(self) -> None:
        """Weighs the tickets that others may have, and the moves."""
        self.run(0)
        best = sorted(range(len(self.tallies)), key=lambda i: (-self.merit(i), i))
        self.tallies["remaining"][best[MOVES_AHEAD:]] = 0

    def run(self, samples: int) -> None:
        native().try_moves_ahead(
            self.board,
            self.shared_rows,
            self.players,
            self.seat,
            samples,
            self.hidden,
            self.trust,
            self.fits,
            TURNS_AHEAD,
            self.net,
            self.habits,
            self.workspaces,
            self.scratch,
            self.score_records,
            self.cards,
            self.tallies,
            self.generator,
            self.dealer,
        )


def halving_of(
    position: TicketToRideState,
    seat: int,
    moves: Sequence[Move],
    generator: random.Random,
    trust: float,
    hidden: bool = True,
) -> SequentialHalving:
    """Returns the search of a position: with the network of its board, if there is one."""
    net = network_of(position.game)
    if net is None:
        return SequentialHalving(position, seat, moves, generator, trust, hidden)
    return NetworkHalving(net, position, seat, moves, generator, trust, hidden)


class TicketSearcher(Searcher):
    """Tries its moves in determinizations that its seat cannot tell from the real state.

    Hidden cards are dealt uniformly, tickets of others by the routes that they took. With a network
    for the board, the network plays all seats some turns ahead and values the positions. Without
    one, all seats play to the end of the game by `playout_policy.py`.
    """

    games = ("ticket-to-ride",)
    trust: ClassVar[float] = TRUST

    def appraise(self, view: View, legal: Sequence[Move], budget: Budget) -> list[Appraisal]:
        position = self.game.resample(view, self.generator)
        assert isinstance(position, TicketToRideState)
        halving = halving_of(position, view.seat, worth_trying(legal), self.generator, self.trust)
        return [halving.appraisal(i) for i in halving.halve(budget)]

    @classmethod
    def warm_up(cls) -> None:
        table = Table(cls.games[0], seats=2, seed=0)
        bot = cls(table.game, random.Random(0))
        bot.appraise(table.view(0), table.state.legal(0), Budget(simulations=1))
