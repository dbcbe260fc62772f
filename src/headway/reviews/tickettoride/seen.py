"""What a seat of Ticket to Ride sees of a played game: the events, and its views before them."""

from __future__ import annotations

import hashlib
import random
from typing import Literal, NamedTuple

import msgspec

from headway.games.contract import CHANCE, Move, Seat
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import BLIND, DRAW_TICKET, LAY, OPENING
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView
from headway.reviews.arithmetic import Place, Valued
from headway.reviews.job import Positions
from headway.reviews.report import thousandths

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
