"""What a record of Ticket to Ride hides from a seat."""

from __future__ import annotations

import headway
from headway.games.contract import CHANCE
from headway.games.tickettoride.notation import dealt_to
from headway.games.tickettoride.rules.arrays import BLIND, DEAL_HAND, DEAL_TICKET, DRAW_TICKET
from headway.games.tickettoride.state import TicketToRideState
from headway.record import steps


def hidden_places(record: headway.Record, seat: int) -> tuple[list[int], list[int]]:
    """The places in `transport` and `tickets` of the deal that a seat never gets to see."""
    assert record.deal
    cards = set(range(len(record.deal["transport"])))
    tickets = set(range(len(record.deal["tickets"])))
    shown: set[str] = set()
    for step in steps(record):
        state = step.state
        assert isinstance(state, TicketToRideState)
        shown |= set(state.view(seat).offered)
        if step.event[0] != CHANCE:
            continue
        part = state.chance_name().split()[0]
        mine = state.phase in (DEAL_HAND, BLIND) and dealt_to(state) != seat
        if part == "transport" and not mine:
            cards.discard(int(state.shared["drawn"]))
        if state.phase in (DEAL_TICKET, DRAW_TICKET) and dealt_to(state) == seat:
            tickets.discard(int(state.shared["tickets_seen"]))
    names = record.deal["tickets"]
    return sorted(cards), sorted(i for i in tickets if names[i] not in shown)


def swap(record: headway.Record, part: str, places: tuple[int, int]) -> headway.Record:
    """The record with two cards or tickets of its deal in each other's place."""
    assert record.deal
    one, other = places
    order = list(record.deal[part])
    order[one], order[other] = order[other], order[one]
    changed = headway.read(record.json())
    changed.deal = record.deal | {part: order}
    return changed
