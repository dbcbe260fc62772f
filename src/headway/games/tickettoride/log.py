"""The log as a seat sees it: events in the notation of records, hidden parts as `?`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headway.games.contract import CHANCE, Event, LogLine, Move, Seat
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


def log(game: TicketToRide, events: Sequence[Event], seat: Seat) -> list[LogLine]:
    """Returns the events as a seat (or a spectator, CHANCE) sees them.

    Opening choices of others appear when all have chosen (TR-05); of the tickets that others keep,
    only the number is shown (TR-14).
    """
    state = game.start()
    lines: list[LogLine] = []
    waiting: list[LogLine] = []
    turn = 0
    for number, (actor, move) in enumerate(events):
        if actor == CHANCE:
            text = chance_text(state, move, seat)
        elif state.phase in (OPENING, KEEP) and actor != seat:
            text = " ".join(["keep", *HIDDEN * keep_mask(move).bit_count()])
        else:
            text = game.move_text(move)
        turn += actor != CHANCE and begins_turn(state)
        line = LogLine(number, actor, text, turn)
        (waiting if state.phase == OPENING else lines).append(line)
        state.apply(actor, move)
        if state.phase != OPENING:
            lines += waiting
            waiting = []
    return lines + [line for line in waiting if line.seat == seat]
