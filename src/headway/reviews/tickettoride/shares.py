"""The share of the victory that a seat may expect, by what it knows.

A position is valued by playing it to its end in many determinizations. All positions of a review
get the same random numbers, so differences between them show early, and a position has the same
value in two looks. The numbers come from a text that the seat could write itself: its first view.
So nothing that it cannot know changes a value (RV-11).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from headway.bots.tickettoride.determinization import FINE, redeal_cards, redeal_tickets
from headway.bots.tickettoride.playout_policy import finish
from headway.bots.tickettoride.route_plans import HABITS, PLAN, SENSIBLE, WORKSPACE
from headway.bots.tickettoride.trials import STIR, TALLY, result
from headway.games.contract import Seat
from headway.games.kernel import compiled, kernel
from headway.games.tickettoride.board.board import MOST_TICKETS
from headway.games.tickettoride.rules.arrays import (
    OPENING,
    PLAYER,
    SCORE,
    SHARED,
    BoardRecord,
    board_record,
)
from headway.games.tickettoride.state import TicketToRideState
from headway.games.xorshift import below, seeded
from headway.reviews.tickettoride import beliefs

STIR_DEAL = np.uint64(0xD1B54A32D192ED03)


@kernel
def try_positions(
    board: BoardRecord,
    shared_rows: Any,
    players: Any,
    seat: int,
    first: int,
    samples: int,
    remaining: Any,
    fits: Any,
    plans: Any,
    habits: Any,
    workspaces: Any,
    score_records: Any,
    cards: Any,
    shared: Any,
    copies: Any,
    tallies: Any,
    generator: Any,
    dealer: Any,
    shares: Any,
    margins: Any,
) -> None:
    """Plays every remaining position to its end in `samples` determinizations from `first` on.

    `shares` and `margins` get the results by position and sample.
    """
    workspace, tally = workspaces[0], tallies[0]
    for k in range(first, first + samples):
        seed = np.uint64((below(generator, FINE) * FINE) + below(generator, FINE))
        for i in range(remaining.shape[0]):
            if remaining[i] == 0:
                continue
            shared[0] = shared_rows[i]
            for player in range(players.shape[1]):
                copies[player] = players[i, player]
                plans[player]["made"] = 0
            dealer[0] = STIR ^ seed
            redeal_cards(board, shared[0], copies, seat, cards, dealer)
            redeal_tickets(shared[0], copies, seat, fits[i], dealer)
            dealer[0] = STIR_DEAL ^ seed
            finish(board, shared[0], copies, plans, habits, workspace, dealer)
            tally["wins"], tally["margin"] = 0.0, 0.0
            result(board, copies, seat, workspace, score_records, tally)
            shares[i, k] = tally["wins"]
            margins[i, k] = tally["margin"]


class Trials:
    """Compares positions from the view of a seat; `key` decides the random numbers."""

    def __init__(self, states: Sequence[TicketToRideState], seat: Seat, key: str) -> None:
        game, n = states[0].game, len(states)
        self.board, self.seat = board_record(game.board), seat
        self.shared_rows = np.zeros(n, SHARED)
        self.players = np.zeros((n, game.seats), PLAYER)
        for i, state in enumerate(states):
            self.shared_rows[i], self.players[i] = state.shared, state.players
            if state.phase == OPENING:  # choices of others are unknown: each sample makes them
                for other in set(range(game.seats)) - {seat}:
                    self.players[i, other]["choice"] = 0
        self.remaining = np.ones(n, np.int64)
        self.shares, self.margins = np.zeros((n, 0)), np.zeros((n, 0))
        self._plans, self._workspaces = np.zeros(game.seats, PLAN), np.zeros(1, WORKSPACE)
        self._habits = np.array([SENSIBLE] * game.seats, HABITS)
        self._scratch = np.zeros(1, SHARED), np.zeros(game.seats, PLAYER), np.zeros(1, TALLY)
        self._scores = np.zeros(1, SCORE)
        self._cards = np.zeros(self.board["cards"].sum(), np.int64)
        self._generator = seeded(key)
        self._dealer = self._generator.copy()
        self.fits = np.ones((n, game.seats + 1, MOST_TICKETS))
        for i in range(n):
            compiled(beliefs).weigh_tickets(
                self.board, self.shared_rows[i], self.players[i], seat, beliefs.SAVED,
                beliefs.JOINED, self._workspaces[0], self.fits[i],
            )  # fmt: skip

    def run(self, samples: int) -> None:
        """Plays the remaining positions in this many further determinizations."""
        first, n = self.shares.shape[1], len(self.remaining)
        self.shares = np.hstack([self.shares, np.full((n, samples), np.nan)])
        self.margins = np.hstack([self.margins, np.full((n, samples), np.nan)])
        shared, copies, tallies = self._scratch
        compiled(sys.modules[__name__]).try_positions(
            self.board, self.shared_rows, self.players, self.seat, first, samples, self.remaining,
            self.fits, self._plans, self._habits, self._workspaces, self._scores, self._cards,
            shared, copies, tallies, self._generator, self._dealer, self.shares, self.margins,
        )  # fmt: skip

    def halve(self, simulations: int, samples: int, keep: int) -> None:
        """Spends the simulations on the positions; drops the worse half of them again and again.

        The position `keep` stays to the end. Those that stay are played in `samples`
        determinizations, as a position that has nothing to be compared with.
        """
        left = list(range(len(self.remaining)))
        rounds = max(1, (len(left) - 1).bit_length())
        for _ in range(rounds):
            self.run(max(1, min(simulations // len(left), samples) // rounds))
            left.sort(key=lambda i: (-self.share(i), -self.ahead(i), i))
            if len(left) > 2:
                worse = left[-(len(left) // 2) :]
                self.remaining[[i for i in worse if i != keep]] = 0
                left = [i for i in left if self.remaining[i]]
        self.run(max(0, samples - self.shares.shape[1]))

    def share(self, i: int) -> float:
        """Returns the mean share of the victory of a position."""
        return float(np.nanmean(self.shares[i]))

    def ahead(self, i: int) -> float:
        """Returns the mean of the points ahead of the best other seat."""
        return float(np.nanmean(self.margins[i]))

    def error(self, i: int, other: int | None = None) -> float:
        """Returns the error of a share, or of its difference to another one."""
        values = self.shares[i] if other is None else self.shares[i] - self.shares[other]
        values = values[~np.isnan(values)]
        return float(values.std() / np.sqrt(max(len(values) - 1, 1)))
