"""The log as a seat sees it: events in the notation of records, hidden parts as `?`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headway.games.contract import CHANCE, Event, Logbook, LogLine, Move, Seat, State
from headway.games.tickettoride.notation import keep_mask
from headway.games.tickettoride.rules.arrays import (
    BLIND,
    DEAL_HAND,
    DEAL_TICKET,
    FIRST,
    KEEP,
    LAY,
    OPENING,
    TURN,
)
from headway.games.tickettoride.state import TicketToRideState

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide

HIDDEN = "?"


def chance_text(state: TicketToRideState, move: Move, seat: Seat | None = None) -> str:
    """Returns what chance deals with a move and to whom; with a seat, as far as it sees it."""
    board, phase = state.game.board, state.phase
    if phase == FIRST:
        return f"first {move}"
    if phase == LAY:
        return f"display {board.kinds[move]}"
    to = dealt_to(state)
    shown = seat is None or seat == to
    if phase in (DEAL_HAND, BLIND):
        return f"card {to} {board.kinds[move] if shown else HIDDEN}"
    return f"ticket {to} {board.tickets[move].name if shown else HIDDEN}"


def dealt_to(state: TicketToRideState) -> Seat:
    """Returns the seat that gets the card or ticket that is dealt now."""
    board, shared = state.game.board, state.shared
    if state.phase == DEAL_HAND:
        return int(shared["drawn"]) // board.play.hand
    if state.phase == DEAL_TICKET:
        return int(shared["tickets_seen"]) // board.play.tickets_dealt
    return int(shared["seat"])


def begins_turn(state: TicketToRideState) -> bool:
    """Whether the next move of a seat is the first of its turn (TR-05, TR-07)."""
    return state.phase == OPENING or bool(state.phase == TURN and state.shared["taken"] == 0)


class TicketToRideLog(Logbook):
    """Adds lines as events happen, each as everybody reads it and as the seat that knows more.

    Opening choices of others appear when all have chosen (TR-05); of the tickets that others keep,
    only the number is shown (TR-14).
    """

    def __init__(self, game: TicketToRide) -> None:
        self.game: TicketToRide = game
        self.number = 0
        self.turn = 0
        self.shown: list[tuple[LogLine, LogLine, Seat]] = []
        """The line for others, the line for a seat, and that seat."""
        self.waiting: list[tuple[LogLine, LogLine, Seat]] = []

    def add(self, state: State, event: Event) -> None:
        assert isinstance(state, TicketToRideState)
        actor, move = event
        opening = state.phase == OPENING
        if actor == CHANCE:
            own, text = chance_text(state, move), chance_text(state, move, CHANCE)
            knower = dealt_to(state) if own != text else CHANCE
        else:
            own = text = self.game.move_text(move)
            knower = actor
            if state.phase in (OPENING, KEEP):
                text = " ".join(["keep", *HIDDEN * keep_mask(move).bit_count()])
            self.turn += begins_turn(state)
        line = LogLine(self.number, actor, text, self.turn)
        own_line = line if own == text else LogLine(self.number, actor, own, self.turn)
        (self.waiting if opening else self.shown).append((line, own_line, knower))
        if opening and state.actors() == {actor}:
            self.shown += self.waiting
            self.waiting = []
        self.number += 1

    def lines(self, seat: Seat) -> list[LogLine]:
        lines = [own if knower == seat else line for line, own, knower in self.shown]
        return lines + [own for _, own, knower in self.waiting if knower == seat]

    def copy(self) -> TicketToRideLog:
        twin = TicketToRideLog(self.game)
        twin.number, twin.turn = self.number, self.turn
        twin.shown, twin.waiting = self.shown[:], self.waiting[:]
        return twin


def log(game: TicketToRide, events: Sequence[Event], seat: Seat) -> list[LogLine]:
    """Returns the events as a seat (or a spectator, CHANCE) sees them."""
    state, book = game.start(), TicketToRideLog(game)
    for actor, move in events:
        book.add(state, (actor, move))
        state.apply(actor, move)
    return book.lines(seat)
