"""Reviews by playouts, for boards without networks: rough values, by games of drivers.

A value is the mean share of the victory over determinizations of the seat's view, played to the end
by the driver.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import numpy as np

from headway.bots.tickettoride.trials import PositionTrials, worth_trying
from headway.games.contract import Move, Seat
from headway.games.tickettoride.rules.arrays import MOST_KINDS, OPENING, board_record
from headway.games.tickettoride.rules.turns import deal_card, deal_first, play
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView
from headway.reviews.arithmetic import Decision, Place, Valued, decision_among
from headway.reviews.report import MoveLoss, MoveValue, thousandths, victory
from headway.reviews.tickettoride.seen import SeenEvent, SeenGame, TableValues, dealt_event, key_of
from headway.reviews.tickettoride.worth import count_unseen, put_in_pile

SAMPLE_SHARE = 4
"""Every position that an analysis values is played in a quarter of the simulations."""
TICKET_SAMPLES = 16
"""Sampled draws of tickets that a real draw is compared with."""


class Playouts(TableValues):
    """Values events by playouts of the driver."""

    def __init__(self, seen: SeenGame, budget: int) -> None:
        super().__init__(seen)
        self.budget, self._samples = budget, max(2, budget // SAMPLE_SHARE)

    def losses(self, seat: Seat, event: SeenEvent) -> list[MoveLoss]:
        view = self.seen.view(seat, event.number)
        sampled = self.seen.sampled(view)
        moves = worth_trying(sampled.legal(seat))
        trials = self._trials([_with_move(sampled, seat, one) for one in moves], view)
        stayed = trials.compare(self.budget, self._samples, 0)
        best = max(stayed, key=lambda i: (trials.share(i), -i))
        most = victory(trials.share(best))
        losses = [
            MoveLoss(
                self.game.move_text(move),
                max(most - victory(trials.share(i)), 0),
                0 if i == best else victory(trials.error(best, i)),
            )
            for i, move in enumerate(moves)
        ]
        return sorted(losses, key=lambda judged: (judged is not losses[best], judged.loss))

    def _trials(
        self, states: Sequence[TicketToRideState], view: TicketToRideView
    ) -> PositionTrials:
        setup = self.seen.events[view.seat][0].number
        return PositionTrials(states, view.seat, key_of(self.seen.view(view.seat, setup + 1)))

    def before(self, seat: Seat, number: int) -> tuple[float, float]:
        view = self.seen.view(seat, number)
        trials = self._trials([self.seen.sampled(view)], view)
        trials.run(self._samples)
        return trials.share(0), trials.ahead(0)

    def share_at_start(self, seat: Seat, first: Seat) -> float:
        state = self.game.start()
        deal_first(state.shared, first)
        key = f"review start|{self.game.map_hash}|{self.game.seats}|{first}"
        trials = PositionTrials([state], seat, key)
        trials.run(self.budget)
        return trials.share(0)

    def card(self, seat: Seat, event: SeenEvent) -> Valued:
        view, came = self.seen.view(seat, event.number), self.seen.move(event)
        sampled = self.seen.sampled(view)
        board, unseen = board_record(self.game.board), np.zeros(MOST_KINDS, np.int64)
        total = count_unseen(board, sampled.shared, sampled.players, seat, unseen)
        kinds = np.flatnonzero(unseen).tolist()
        states = [_with_card(sampled, seat, kind) for kind in kinds]
        trials = self._trials(states, view)
        trials.run(self._samples)
        shares = [trials.share(i) for i in range(len(kinds))]
        weights = [int(unseen[kind]) / total for kind in kinds]
        mean = sum(w * share for w, share in zip(weights, shares, strict=True))
        real, name = kinds.index(came), self.game.board.kinds[came]
        return dealt_event(event, name, victory(mean), victory(shares[real]), trials.ahead(real))

    def tickets(self, seat: Seat, event: SeenEvent) -> Valued:
        view, after = (self.seen.view(seat, event.number + n) for n in (0, event.deals))
        drawn = after.offered[: event.deals]
        draws = [drawn, *self._other_draws(view, drawn)]
        states = [
            self.seen.sampled(
                msgspec.structs.replace(after, offered=(*draw, *after.offered[len(draw) :]))
            )
            for draw in draws
        ]
        trials = self._trials(states, view)
        trials.run(max(2, self.budget // len(states)))
        shares = [trials.share(i) for i in range(len(states))]
        others = shares[1:] or shares
        mean = victory(sum(others) / len(others))
        return dealt_event(event, " ".join(drawn), mean, victory(shares[0]), trials.ahead(0))

    def _other_draws(self, view: TicketToRideView, drawn: tuple[str, ...]) -> list[tuple[str, ...]]:
        generator, board = random.Random(key_of(view)), self.game.board
        draws: list[tuple[str, ...]] = []
        for _ in range(TICKET_SAMPLES):
            pile = int(self.game.resample(view, generator).shared["ticket_pile"])
            names = [ticket.name for i, ticket in enumerate(board.tickets) if pile >> i & 1]
            draw = tuple(generator.sample(names, len(drawn)))
            if sorted(draw) != sorted(drawn):
                draws.append(draw)
        return draws

    def move(self, seat: Seat, event: SeenEvent, move: Move | None) -> Valued:
        view = self.seen.view(seat, event.number)
        move = self.seen.move(event) if move is None else move
        sampled = self.seen.sampled(view)
        moves = worth_trying(sampled.legal(seat))
        moves = moves if move in moves else [*moves, move]
        trials = self._trials([_with_move(sampled, seat, one) for one in moves], view)
        played = moves.index(move)
        stayed = trials.compare(self.budget, self._samples, played)
        best = max(stayed, key=lambda i: (trials.share(i), trials.ahead(i), i == played))
        # The best of many noisy means is too high: a better move has to be so beyond its error.
        if trials.share(best) - trials.share(played) <= trials.error(best, played):
            best = played
        value, after = victory(trials.share(best)), victory(trials.share(played))
        # A move that left early may have a better mean by chance; those that stayed come first.
        order = sorted(
            range(len(moves)), key=lambda i: (i != best, i not in stayed, -trials.share(i), i)
        )
        return Valued(
            place=Place(number=event.number),
            expected=value,
            dealt_value=value,
            after=after,
            ahead=thousandths(trials.ahead(played)),
            decision=self._decision(trials, moves, order, played),
        )

    def _decision(
        self, trials: PositionTrials, moves: list[Move], order: list[int], played: int
    ) -> Decision:
        best, text = order[0], self.game.move_text
        most = victory(trials.share(best))
        valued = [
            MoveValue(text(moves[i]), min(victory(trials.share(i)), most), victory(trials.error(i)))
            for i in order
        ]
        error = victory(trials.error(best, played)) if best != played else 0
        return decision_among("victory", valued, text(moves[played]), error)


def _with_card(state: TicketToRideState, seat: Seat, kind: int) -> TicketToRideState:
    """Returns the state after chance dealt a card of this kind, wherever the sample had it."""
    twin, board = state.copy(), board_record(state.game.board)
    put_in_pile(twin.shared, twin.players, seat, kind)
    deal_card(board, twin.shared, twin.players, kind)
    return twin


def _with_move(state: TicketToRideState, seat: Seat, move: Move) -> TicketToRideState:
    """Returns the state after a seat's move; opening choices of others are still to be made."""
    twin = state.copy()
    if twin.phase == OPENING:
        for other in set(range(twin.game.seats)) - {seat}:
            twin.players[other]["choice"] = 0
    play(board_record(twin.game.board), twin.shared, twin.players, seat, move)
    return twin
