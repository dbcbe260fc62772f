"""Reviews by the two networks of a board: what each event changed for a seat.

The worth of a position (`worth.py`) is a function of what the seat sees there. Every event is
valued by the worth before and after it, so estimates are adjusted in few places: where a move is
worth more than what both networks chose, and at the end, when tickets are shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from math import hypot
from pathlib import Path
from typing import NamedTuple

import numpy as np

from headway.bots.tickettoride.trials import worth_trying
from headway.bots.value_net import Network, network_for
from headway.games.contract import Move, Seat
from headway.games.simulation import seeded
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import BLIND, LAY, MOST_KINDS, OPENING, board_record
from headway.games.tickettoride.rules.engine import deal
from headway.games.tickettoride.rules.turns import deal_first
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView
from headway.reviews.arithmetic import Place, Valued, decision_among
from headway.reviews.report import MoveLoss, MoveValue, thousandths, victory
from headway.reviews.tickettoride.seen import SeenEvent, SeenGame, TableValues, dealt_event, key_of
from headway.reviews.tickettoride.worth import SHAPES, native, new_pair

NetworkPair = tuple[Network, Network]


def shapes(_: int) -> Network:
    """Returns the shape of each layer; all networks have the same width."""
    return SHAPES


def file_name(map_name: str, seats: int, number: int) -> str:
    """Returns the file name of one of the two networks of a board for a number of seats."""
    return f"{Path(map_name).stem}-{seats}-seats-{number}.npz"


def networks_of(game: TicketToRide) -> NetworkPair | None:
    """Returns the networks for a board and a number of seats, if there are both."""
    names = (file_name(game.map, game.seats, number) for number in (1, 2))
    first, second = (network_for(__package__, name, game.map_hash, shapes) for name in names)
    return (first.network, second.network) if first and second else None


LEAST_ERROR = 0.012
"""The error of a comparison in which both networks happen to say the same."""
STARTS = 60
"""Sampled deals, where the seat that begins was chosen and the start is not the same for all."""


class Worth(NamedTuple):
    """A share of the victory by each network, and the points ahead by each."""

    first: float
    second: float
    ahead_first: float
    ahead_second: float

    @property
    def share(self) -> float:
        """The mean share."""
        return (self.first + self.second) / 2

    @property
    def ahead(self) -> float:
        """The mean of the points ahead."""
        return (self.ahead_first + self.ahead_second) / 2

    def error(self, other: Worth) -> float:
        """Returns the error of the difference to another worth: how far the networks differ."""
        apart = (self.first - other.first) - (self.second - other.second)
        return hypot(apart / 2, LEAST_ERROR)


class Networks(TableValues):
    """Values events by two networks; the same position has the same worth everywhere.

    Worths are consistent in the mean, but a game's sum is rough (docs/measurements.md).
    """

    def __init__(self, seen: SeenGame, nets: NetworkPair) -> None:
        super().__init__(seen)
        self._pair = new_pair(board_record(seen.game.board), nets, seen.game.seats)
        self._out = np.zeros(4)
        self._by_kind = np.zeros((MOST_KINDS + 1, 5))

    # Worths

    def _state(self, view: TicketToRideView) -> TicketToRideState:
        """Returns a state of a view; opening choices of others are still to be made."""
        state = self.seen.sampled(view)
        if state.phase == OPENING:
            for other in set(range(self.game.seats)) - {view.seat}:
                state.players[other]["choice"] = 0
        return state

    def _worth(self, state: TicketToRideState, seat: Seat) -> Worth:
        """Returns the worth of a position; where a card comes, `_by_kind` has it by kind too."""
        self._pair.seed[0] = self._seed(seat)
        if state.phase in (LAY, BLIND):
            kinds = len(self.game.board.kinds)
            native().worth_by_kind(self._pair, state.shared, state.players, seat, self._by_kind)
            return _worth_of(self._by_kind[kinds])
        native().worth_at(self._pair, state.shared, state.players, seat, self._out)
        return _worth_of(self._out)

    def _seed(self, seat: Seat) -> np.uint64:
        """Returns what decides sampled tickets and displays: something that the seat knows."""
        setup = self.seen.events[seat][0].number
        digest = hashlib.sha256(key_of(self.seen.view(seat, setup + 1)).encode()).digest()
        return np.uint64(int.from_bytes(digest[:8]) | 1)

    def _worth_before(self, seat: Seat, number: int) -> Worth:
        return self._worth(self._state(self.seen.view(seat, number)), seat)

    def _worths(self, seat: Seat, number: int, moves: Sequence[Move]) -> tuple[Worth, list[Worth]]:
        """Returns the worth of a decision, and that after each of these moves."""
        state = self._state(self.seen.view(seat, number))
        whole, tried = self._worth(state, seat), np.array(moves, np.int64)
        native().worths_of_moves(self._pair, state.shared, state.players, seat, tried, len(tried))
        return whole, [_worth_of(row) for row in self._pair.worths[: len(tried)]]

    def before(self, seat: Seat, number: int) -> tuple[float, float]:
        worth = self._worth_before(seat, number)
        return worth.share, worth.ahead

    def share_at_start(self, seat: Seat, first: Seat) -> float:
        dice = seeded(f"review start|{self.game.map_hash}|{self.game.seats}|{first}")
        board, total = board_record(self.game.board), 0.0
        for _ in range(STARTS):
            state = self.game.start()
            deal_first(state.shared, first)
            while state.phase != OPENING:
                deal(board, state.shared, state.players, dice)
            total += self._worth(state, seat).share
        return total / STARTS

    # Kinds of events

    def card(self, seat: Seat, event: SeenEvent) -> Valued:
        worth, came = self._worth_before(seat, event.number), self.seen.move(event)
        real, name = _worth_of(self._by_kind[came]), self.game.board.kinds[came]
        return dealt_event(event, name, victory(worth.share), victory(real.share), real.ahead)

    def tickets(self, seat: Seat, event: SeenEvent) -> Valued:
        drawn = self.seen.view(seat, event.number + event.deals).offered[: event.deals]
        before = self._worth_before(seat, event.number)
        after = self._worth_before(seat, event.number + event.deals)
        before_share, share = victory(before.share), victory(after.share)
        return dealt_event(event, " ".join(drawn), before_share, share, after.ahead)

    def move(self, seat: Seat, event: SeenEvent, move: Move | None) -> Valued:
        move = self.seen.move(event) if move is None else move
        moves, worths, whole = self._tried(seat, event, move)
        played = moves.index(move)
        order = sorted(range(len(moves)), key=lambda i: (-worths[i].share, i != played, i))
        most, after = victory(whole.share), victory(worths[played].share)
        if after >= most:  # better than what both networks chose: nothing is lost
            order.sort(key=lambda i: i != played)
            after = most
        best, text = order[0], self.game.move_text
        error = victory(worths[best].error(worths[played])) if best != played else 0
        valued = [
            MoveValue(
                text(moves[i]),
                most if i == best else min(victory(worths[i].share), most),
                victory(worths[best].error(worths[i])),
            )
            for i in order
        ]
        return Valued(
            place=Place(number=event.number),
            expected=most,
            dealt_value=most,
            after=after,
            ahead=thousandths(worths[played].ahead),
            decision=decision_among("victory", valued, text(move), error),
        )

    def _tried(
        self, seat: Seat, event: SeenEvent, move: Move | None
    ) -> tuple[list[Move], list[Worth], Worth]:
        legal = self._state(self.seen.view(seat, event.number)).legal(seat)
        moves = worth_trying(legal)
        moves = moves if move is None or move in moves else [*moves, move]
        whole, worths = self._worths(seat, event.number, moves)
        return moves, worths, whole

    def losses(self, seat: Seat, event: SeenEvent) -> list[MoveLoss]:
        moves, worths, whole = self._tried(seat, event, None)
        most = victory(whole.share)
        order = sorted(range(len(moves)), key=lambda i: (-worths[i].share, i))
        best = worths[order[0]]
        return [
            MoveLoss(
                self.game.move_text(moves[i]),
                max(most - victory(worths[i].share), 0) if rank else 0,
                victory(best.error(worths[i])) if rank else 0,
            )
            for rank, i in enumerate(order)
        ]


def _worth_of(row: np.ndarray) -> Worth:
    return Worth(*map(float, row[:4]))
