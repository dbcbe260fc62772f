"""Values what a seat of Ticket to Ride decided, was dealt, and saw others do (RV-10, RV-11)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from headway.bots.tickettoride.trials import PositionTrials, worth_trying
from headway.games.contract import CHANCE, Move, Seat
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.moves import PILE
from headway.games.tickettoride.rules.arrays import (
    BLIND,
    DRAW_TICKET,
    LAY,
    OPENING,
    board_record,
)
from headway.games.tickettoride.rules.turns import deal_card, deal_first, play
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView
from headway.reviews.arithmetic import Decision, Place, Valued, decision_among
from headway.reviews.report import MoveLoss, MoveValue, Turn, thousandths, victory
from headway.reviews.reviewer import Positions, Reviewer

SAMPLE_SHARE = 4
"""Every position that an analysis values is played in a quarter of the simulations."""
TICKET_SAMPLES = 16
"""Sampled draws of tickets that a real draw is compared with."""

Kind = Literal["setup", "card", "tickets", "move", "act", "reveal"]


class SeenEvent(NamedTuple):
    """An event that a seat sees: its kind, its number, and how many deals it consists of."""

    kind: Kind
    number: int
    deals: int = 1


class TableReviewer(Reviewer):
    """Reviews a table of Ticket to Ride from the information of each seat."""

    game = "ticket-to-ride"
    measure = "victory"
    simulations = 4000
    rough = True

    def __init__(self, played: Positions, simulations: int) -> None:
        super().__init__(played, simulations)
        assert isinstance(played.game, TicketToRide)
        self.table_game = played.game
        self._moments = [_moments(played, seat) for seat in range(played.game.seats)]
        self._samples = max(2, simulations // SAMPLE_SHARE)

    def count(self, seat: Seat) -> int:
        return len(self._moments[seat])

    @staticmethod
    def kinds(turn: Turn) -> tuple[str, ...]:
        what, _, card = (turn.played or "").partition(" ")
        return ((PILE if card == PILE else "open") if what == "take" else what,)

    def result(self, seat: Seat) -> int:
        winners = self.played.outcome.winners
        return victory(1 / len(winners)) if seat in winners else 0

    def position(self, seat: Seat, index: int) -> int:
        return self._moments[seat][index].number

    def value(self, seat: Seat, index: int, move: Move | None = None) -> Valued:
        moment = self._moments[seat][index]
        if moment.kind == "setup":
            return self._setup(seat, moment)
        if moment.kind == "card":
            return self._card(seat, moment)
        if moment.kind == "tickets":
            return self._tickets(seat, moment)
        if moment.kind == "move":
            return self._move(seat, moment, move)
        if moment.kind == "act":
            return self._act(seat, moment, self._moments[seat][index + 1].number)
        return self._reveal(seat, moment)

    def losses(self, seat: Seat, index: int) -> list[MoveLoss]:
        view = self._view(seat, self.position(seat, index))
        sampled = self._sampled(view)
        moves = worth_trying(sampled.legal(seat))
        trials = self._trials([_with_move(sampled, seat, one) for one in moves], view)
        stayed = trials.compare(self.budget, self._samples, 0)
        best = max(stayed, key=lambda i: (trials.share(i), -i))
        most = victory(trials.share(best))
        losses = [
            MoveLoss(
                self.table_game.move_text(move),
                max(most - victory(trials.share(i)), 0),
                0 if i == best else victory(trials.error(best, i)),
            )
            for i, move in enumerate(moves)
        ]
        return sorted(losses, key=lambda judged: (judged is not losses[best], judged.loss))

    # What the seat knows

    def _view(self, seat: Seat, number: int) -> TicketToRideView:
        """Returns a seat's view before an event; after the last one, before tickets are shown."""
        if number < len(self.played.events):
            view = self.played.state(number).view(seat)
        else:
            state = self.played.state(number - 1)
            state.advance(*self.played.events[-1])
            view = state.view(seat)
        assert isinstance(view, TicketToRideView)
        return msgspec.structs.replace(view, revealed=(), scores=(), ranking=())

    def _sampled(self, view: TicketToRideView) -> TicketToRideState:
        return self.table_game.resample(view, random.Random(_key(view)))

    def _trials(
        self, states: Sequence[TicketToRideState], view: TicketToRideView
    ) -> PositionTrials:
        setup = self._moments[view.seat][0].number
        return PositionTrials(states, view.seat, _key(self._view(view.seat, setup + 1)))

    def _one(self, view: TicketToRideView) -> PositionTrials:
        trials = self._trials([self._sampled(view)], view)
        trials.run(self._samples)
        return trials

    # Kinds of events

    def _setup(self, seat: Seat, moment: SeenEvent) -> Valued:
        """Values everything that is dealt before the first decision, as one."""
        trials = self._one(self._view(seat, moment.number + 1))
        return _dealt(moment, "setup", self._start(seat), victory(trials.share(0)), trials.ahead(0))

    def _start(self, seat: Seat) -> int:
        """Returns a seat's share before anything is dealt: all have the same if all is chance."""
        game = self.table_game
        if not (fixed := game.fixed.get("first")):
            return victory(1 / game.seats)
        state = game.start()
        deal_first(state.shared, fixed[0])
        trials = PositionTrials(
            [state], seat, f"review start|{game.map_hash}|{game.seats}|{fixed[0]}"
        )
        trials.run(self.budget)
        return victory(trials.share(0))

    def _card(self, seat: Seat, moment: SeenEvent) -> Valued:
        """Values a card that the seat draws or that is laid face up."""
        view, came = self._view(seat, moment.number), self.played.events[moment.number][1]
        sampled = self._sampled(view)
        unseen = _unseen(sampled, seat)
        kinds = [kind for kind, number in enumerate(unseen) if number]
        states = [_with_card(sampled, seat, kind) for kind in kinds]
        trials = self._trials(states, view)
        trials.run(self._samples)
        shares = [trials.share(i) for i in range(len(kinds))]
        weights = [unseen[kind] / sum(unseen) for kind in kinds]
        mean = sum(w * share for w, share in zip(weights, shares, strict=True))
        real, name = kinds.index(came), self.table_game.board.kinds[came]
        return _dealt(moment, name, victory(mean), victory(shares[real]), trials.ahead(real))

    def _tickets(self, seat: Seat, moment: SeenEvent) -> Valued:
        """Values the tickets that the seat draws, compared with sampled draws."""
        view, after = (self._view(seat, moment.number + n) for n in (0, moment.deals))
        drawn = after.offered[: moment.deals]
        draws = [drawn, *self._other_draws(view, drawn)]
        states = [
            self._sampled(
                msgspec.structs.replace(after, offered=(*draw, *after.offered[len(draw) :]))
            )
            for draw in draws
        ]
        trials = self._trials(states, view)
        trials.run(max(2, self.budget // len(states)))
        shares = [trials.share(i) for i in range(len(states))]
        others = shares[1:] or shares
        mean = victory(sum(others) / len(others))
        return _dealt(moment, " ".join(drawn), mean, victory(shares[0]), trials.ahead(0))

    def _other_draws(
        self, view: TicketToRideView, drawn: tuple[str, ...], number: int = TICKET_SAMPLES
    ) -> list[tuple[str, ...]]:
        generator, board = random.Random(_key(view)), self.table_game.board
        draws: list[tuple[str, ...]] = []
        for _ in range(number):
            pile = int(self.table_game.resample(view, generator).shared["ticket_pile"])
            names = [ticket.name for i, ticket in enumerate(board.tickets) if pile >> i & 1]
            draw = tuple(generator.sample(names, len(drawn)))
            if sorted(draw) != sorted(drawn):
                draws.append(draw)
        return draws

    def _move(self, seat: Seat, moment: SeenEvent, move: Move | None) -> Valued:
        """Values the moves that the seat could have made."""
        view = self._view(seat, moment.number)
        move = self.played.events[moment.number][1] if move is None else move
        sampled = self._sampled(view)
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
            place=Place(number=moment.number),
            expected=value,
            dealt_value=value,
            after=after,
            ahead=thousandths(trials.ahead(played)),
            decision=self._decision(trials, moves, order, played),
        )

    def _decision(
        self, trials: PositionTrials, moves: list[Move], order: list[int], played: int
    ) -> Decision:
        best, text = order[0], self.table_game.move_text
        most = victory(trials.share(best))
        valued = [
            MoveValue(text(moves[i]), min(victory(trials.share(i)), most), victory(trials.error(i)))
            for i in order
        ]
        error = victory(trials.error(best, played)) if best != played else 0
        return decision_among(self.measure, valued, text(moves[played]), error)

    def _act(self, seat: Seat, moment: SeenEvent, following: int) -> Valued:
        """Values what another player's visible act changed.

        Cards that the act draws unseen belong to it: `following` is the next event that is seen.
        """
        before, after = (self._view(seat, number) for number in (moment.number, following))
        trials = self._trials([self._sampled(before), self._sampled(after)], before)
        trials.run(self._samples)
        expected = victory(trials.share(0))
        return Valued(
            place=Place(number=moment.number),
            other=self.played.events[moment.number][0],
            expected=expected,
            dealt_value=expected,
            after=victory(trials.share(1)),
            ahead=thousandths(trials.ahead(1)),
        )

    def _reveal(self, seat: Seat, moment: SeenEvent) -> Valued:
        """Values the game before its end shows the tickets of others.

        What they change is a recount, not luck: nobody knows their exact probabilities, and the
        players chose them.
        """
        trials = self._one(self._view(seat, moment.number))
        expected = victory(trials.share(0))
        totals = self.played.outcome.totals
        ahead = totals[seat] - max(total for s, total in enumerate(totals) if s != seat)
        return _dealt(moment, "tickets", expected, expected, ahead)


def _dealt(moment: SeenEvent, dealt: str, expected: int, value: int, ahead: float) -> Valued:
    """Returns the values of an event in which nobody decides: it is worth what was dealt."""
    return Valued(
        place=Place(number=moment.number),
        dealt=dealt,
        expected=expected,
        dealt_value=value,
        after=value,
        ahead=thousandths(ahead),
    )


def _moments(played: Positions, seat: Seat) -> list[SeenEvent]:
    """Returns what a seat sees of a game: the set-up as one, cards, tickets, moves, acts."""
    moments: list[SeenEvent] = []
    for number, (actor, _) in enumerate(played.events):
        state = played.state(number)
        assert isinstance(state, TicketToRideState)
        if not moments:
            if state.phase != OPENING:
                continue
            moments.append(SeenEvent("setup", number - 1))
        if actor == seat:
            moments.append(SeenEvent("move", number))
        elif actor != CHANCE:
            if state.phase != OPENING or len(state.actors()) == 1:
                moments.append(SeenEvent("act", number))
        elif state.phase == LAY or (state.phase == BLIND and state.shared["seat"] == seat):
            moments.append(SeenEvent("card", number))
        elif state.phase == DRAW_TICKET and state.shared["seat"] == seat:
            last = moments[-1]
            if last.kind == "tickets" and last.number + last.deals == number:
                moments[-1] = last._replace(deals=last.deals + 1)
            else:
                moments.append(SeenEvent("tickets", number))
    return [*moments, SeenEvent("reveal", len(played.events))]


def _unseen(state: TicketToRideState, seat: Seat) -> list[int]:
    """Returns the number of cards of each kind that a seat has not seen: pile and other hands."""
    unseen = state.shared["pile"].copy()
    for other, player in enumerate(state.players):
        if other != seat:
            unseen += player["hand"] - player["open"]
    return [int(number) for number in unseen]


def _with_card(state: TicketToRideState, seat: Seat, kind: int) -> TicketToRideState:
    """Returns the state after chance dealt a card of this kind, wherever the sample had it."""
    twin = state.copy()
    pile = twin.shared["pile"]
    if not pile[kind]:
        holder = next(
            player
            for other, player in enumerate(twin.players)
            if other != seat and player["hand"][kind] > player["open"][kind]
        )
        given = int(np.flatnonzero(pile)[0])
        holder["hand"][kind] -= 1
        holder["hand"][given] += 1
        pile[given] -= 1
        pile[kind] += 1
    deal_card(board_record(twin.game.board), twin.shared, twin.players, kind)
    return twin


def _with_move(state: TicketToRideState, seat: Seat, move: Move) -> TicketToRideState:
    """Returns the state after a seat's move; opening choices of others are still to be made."""
    twin = state.copy()
    if twin.phase == OPENING:
        for other in set(range(twin.game.seats)) - {seat}:
            twin.players[other]["choice"] = 0
    play(board_record(twin.game.board), twin.shared, twin.players, seat, move)
    return twin


def _key(view: TicketToRideView) -> str:
    return "review|" + hashlib.sha256(msgspec.json.encode(view)).hexdigest()
