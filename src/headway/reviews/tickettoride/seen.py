"""What a seat of Ticket to Ride sees of a played game: the events, and its views before them.

`TableValues` values these events; its two kinds differ in how a position is valued.
"""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from typing import ClassVar, Literal, NamedTuple

import msgspec

from headway.games.contract import CHANCE, Move, Seat
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import BLIND, DRAW_TICKET, LAY, OPENING
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView
from headway.reviews.arithmetic import Place, Valued
from headway.reviews.job import Positions
from headway.reviews.report import MoveLoss, thousandths, victory

Kind = Literal["setup", "card", "tickets", "move", "act", "reveal"]


class SeenEvent(NamedTuple):
    """An event that a seat sees: its kind, its number, and how many deals it consists of."""

    kind: Kind
    number: int
    deals: int = 1


class SeenGame:
    """A played game as its seats saw it."""

    def __init__(self, played: Positions) -> None:
        assert isinstance(played.game, TicketToRide)
        self.played, self.game = played, played.game
        self.events = [_events(played, seat) for seat in range(played.game.seats)]

    def view(self, seat: Seat, number: int) -> TicketToRideView:
        """Returns a seat's view before an event; after the last one, before tickets are shown."""
        if number < len(self.played.events):
            view = self.played.state(number).view(seat)
        else:
            state = self.played.state(number - 1)
            state.advance(*self.played.events[-1])
            view = state.view(seat)
        assert isinstance(view, TicketToRideView)
        return msgspec.structs.replace(view, revealed=(), scores=(), ranking=())

    def sampled(self, view: TicketToRideView) -> TicketToRideState:
        return self.game.resample(view, random.Random(key_of(view)))

    def move(self, event: SeenEvent) -> Move:
        """Returns what was played or dealt."""
        return self.played.events[event.number][1]

    def ahead(self, seat: Seat) -> int:
        """Returns the points ahead of the best other seat at the end."""
        totals = self.played.outcome.totals
        return totals[seat] - max(total for s, total in enumerate(totals) if s != seat)


class TableValues(ABC):
    """Values the events of a game as its seats saw them."""

    rough: ClassVar[bool] = True
    """Whether a game's sum is too rough to be told."""

    def __init__(self, seen: SeenGame) -> None:
        self.seen, self.game = seen, seen.game

    @abstractmethod
    def before(self, seat: Seat, number: int) -> tuple[float, float]:
        """Returns a seat's share of the victory before an event, and its points ahead."""

    @abstractmethod
    def share_at_start(self, seat: Seat, first: Seat) -> float:
        """Returns a seat's share before anything is dealt but the seat that begins."""

    @abstractmethod
    def card(self, seat: Seat, event: SeenEvent) -> Valued:
        """Values a card that the seat draws or that is laid face up."""

    @abstractmethod
    def tickets(self, seat: Seat, event: SeenEvent) -> Valued:
        """Values the tickets that the seat draws, compared with sampled draws."""

    @abstractmethod
    def move(self, seat: Seat, event: SeenEvent, move: Move | None) -> Valued:
        """Values the moves that the seat could have made."""

    @abstractmethod
    def losses(self, seat: Seat, event: SeenEvent) -> list[MoveLoss]:
        """Returns what the moves of a decision lose, the best first, which loses nothing."""

    def setup(self, seat: Seat, event: SeenEvent) -> Valued:
        """Values everything that is dealt before the first decision, as one."""
        share, ahead = self.before(seat, event.number + 1)
        return dealt_event(event, "setup", self._start(seat), victory(share), ahead)

    def _start(self, seat: Seat) -> int:
        """Returns a seat's share before anything is dealt: all have the same if all is chance."""
        fixed = self.game.fixed.get("first")
        return victory(self.share_at_start(seat, fixed[0]) if fixed else 1 / self.game.seats)

    def act(self, seat: Seat, event: SeenEvent, following: int) -> Valued:
        """Values what another player's visible act changed.

        Cards that the act draws unseen belong to it: `following` is the next event that is seen.
        """
        expected = victory(self.before(seat, event.number)[0])
        share, ahead = self.before(seat, following)
        return Valued(
            place=Place(number=event.number),
            other=self.seen.played.events[event.number][0],
            expected=expected,
            dealt_value=expected,
            after=victory(share),
            ahead=thousandths(ahead),
        )

    def reveal(self, seat: Seat, event: SeenEvent) -> Valued:
        """Values the game before its end shows the tickets of others.

        What they change is a recount, not luck: nobody knows their exact probabilities, and the
        players chose them.
        """
        expected = victory(self.before(seat, event.number)[0])
        return dealt_event(event, "tickets", expected, expected, self.seen.ahead(seat))


def dealt_event(event: SeenEvent, dealt: str, expected: int, value: int, ahead: float) -> Valued:
    """Returns the values of an event in which nobody decides: it is worth what was dealt."""
    return Valued(
        place=Place(number=event.number),
        dealt=dealt,
        expected=expected,
        dealt_value=value,
        after=value,
        ahead=thousandths(ahead),
    )


def _events(played: Positions, seat: Seat) -> list[SeenEvent]:
    """Returns what a seat sees of a game: the set-up as one, cards, tickets, moves, acts."""
    seen: list[SeenEvent] = []
    for number, (actor, _) in enumerate(played.events):
        state = played.state(number)
        assert isinstance(state, TicketToRideState)
        if not seen:
            if state.phase != OPENING:
                continue
            seen.append(SeenEvent("setup", number - 1))
        if actor == seat:
            seen.append(SeenEvent("move", number))
        elif actor != CHANCE:
            if state.phase != OPENING or len(state.actors()) == 1:
                seen.append(SeenEvent("act", number))
        elif state.phase == LAY or (state.phase == BLIND and state.shared["seat"] == seat):
            seen.append(SeenEvent("card", number))
        elif state.phase == DRAW_TICKET and state.shared["seat"] == seat:
            last = seen[-1]
            if last.kind == "tickets" and last.number + last.deals == number:
                seen[-1] = last._replace(deals=last.deals + 1)
            else:
                seen.append(SeenEvent("tickets", number))
    return [*seen, SeenEvent("reveal", len(played.events))]


def key_of(view: TicketToRideView) -> str:
    """Returns a text for a view that its seat could write itself."""
    return "review|" + hashlib.sha256(msgspec.json.encode(view)).hexdigest()
