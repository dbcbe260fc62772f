"""Fits the belief in `bots/tickettoride/beliefs.py`: how likely a player holds a ticket.

    python -m benchmarks.beliefs 40

plays 40 games of two equal bots of each level and prints the parameters with the highest likelihood
for the tickets that the players held, after each quarter of the games. The same number of games
gives the same parameters.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import exp, log
from typing import NamedTuple

import numpy as np

from benchmarks.grades import level_kinds
from benchmarks.review_games import Kind, played
from headway.bots.tickettoride import beliefs
from headway.bots.tickettoride.beliefs import REVIEW, Belief, hidden_tickets
from headway.bots.tickettoride.route_plans import planned_game
from headway.games.kernel import BIT, NONE, compiled
from headway.games.tickettoride.board.board import MOST_TICKETS
from headway.games.tickettoride.rules.arrays import board_record
from headway.games.tickettoride.state import TicketToRideState
from headway.reviews.job import positions

GAME, MAP = "ticket-to-ride", "london"
SEATS = 2
MOST_HELD = 5
"""Hands with more tickets are left out: their orders are too many."""
QUARTERS = 4
STEPS = (0.4, 0.1, 0.05)
"""The steps of the search for the parameters, the widest first."""


class Hand(NamedTuple):
    """What a seat knows of another hand, and the tickets that it really holds.

    The weight of each ticket that the seat has not seen is exp(SAVED * saved + JOINED * joined).
    """

    saved: np.ndarray
    joined: np.ndarray
    held: list[int]
    """Indices of `saved` and `joined`."""


class Fit(NamedTuple):
    """The two parameters, as `bots/tickettoride/beliefs.py` calls them."""

    saved: float
    joined: float


def hands(kind: Kind, seed: int) -> Iterator[Hand]:
    """Yields the hands of a game after each of its quarters, as the other seat judges them."""
    game = positions(played(kind, seed))
    for quarter in range(1, QUARTERS + 1):
        state = game.state(len(game.events) * quarter // QUARTERS - 1)
        assert isinstance(state, TicketToRideState)
        for seat in range(SEATS):
            hand = hand_of(state, seat, 1 - seat)
            if 0 < len(hand.held) <= MOST_HELD:
                yield hand


def hand_of(state: TicketToRideState, seat: int, other: int) -> Hand:
    """Returns what a seat knows of another hand."""
    evidence, game = [], planned_game(board_record(state.game.board), state.shared, state.players)
    for belief in (Belief(1.0), Belief(0.0, 1.0)):
        fits = np.ones((SEATS + 1, MOST_TICKETS))
        compiled(beliefs).weigh_tickets(game, seat, belief, fits)
        evidence.append(np.log(fits[other]))
    mask = hidden_tickets(state.shared, state.players, seat)
    unseen = [i for i in range(MOST_TICKETS) if mask & BIT[i] != NONE]
    tickets = state.players[other]["tickets"]
    held = [k for k, i in enumerate(unseen) if tickets & BIT[i] != NONE]
    return Hand(evidence[0][unseen], evidence[1][unseen], held)


def likelihood(hand: Hand, fit: Fit) -> float:
    """Returns the logarithm of the probability that exactly these tickets are drawn."""
    weights = np.exp(fit.saved * hand.saved + fit.joined * hand.joined)
    chances, whole = 0.0, float(weights.sum())
    for order in permutations(weights[hand.held].tolist()):
        chance, left = 1.0, whole
        for weight in order:
            chance *= weight / left
            left -= weight
        chances += chance
    return log(chances)


def fitted(observed: Sequence[Hand]) -> Fit:
    """Returns the parameters with the highest likelihood, in steps of the smallest width."""

    def worth(fit: Fit) -> float:
        return sum(likelihood(hand, fit) for hand in observed)

    best, most = (fit := Fit(0.0, 0.0)), worth(fit)
    for step in STEPS:
        while True:
            around = [
                Fit(round(best.saved + a * step / 4, 4), round(best.joined + b * step, 4))
                for a, b in product((-1, 0, 1), repeat=2)
            ]
            top = max(around, key=worth)
            if worth(top) <= most:
                break
            best, most = top, worth(top)
    return best


def main(games: int) -> None:
    """Prints the parameters, and what they and those in use say about the tickets."""
    kinds = level_kinds(GAME, MAP).values()
    observed = [hand for kind in kinds for seed in range(games) for hand in hands(kind, seed)]
    for fit in (fitted(observed), Fit(*REVIEW[:2]), Fit(0.0, 0.0)):
        mean = sum(likelihood(hand, fit) for hand in observed) / len(observed)
        sys.stdout.write(f"{fit}: probability of a hand {exp(mean):.4f} in {len(observed)} hands\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
