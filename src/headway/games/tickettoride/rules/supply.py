"""Transport cards: pile, discards and the face-up display (TR-02 to TR-04, TR-09).

The pile counts cards by kind; chance decides which one comes next.
"""

from __future__ import annotations

from headway.games.kernel import BIT, Mask, kernel, lowest
from headway.games.tickettoride.rules.arrays import BUS, GAP, LAY, BoardRecord, SharedRecord


def card_name(reshuffles: int, drawn: int) -> str:
    """Returns the name of the deal of a card, after some were drawn from this pile."""
    return f"reshuffles {reshuffles}.{drawn + 1}" if reshuffles else f"transport {drawn + 1}"


def ticket_name(seen: int) -> str:
    """Returns the name of the deal of a ticket, after some were drawn."""
    return f"tickets {seen + 1}"


@kernel
def card_at(shared: SharedRecord, number: int) -> int:
    """Returns the kind of the card with this number if the pile is sorted by kind."""
    pile = shared["pile"]
    kind = 0
    while number >= pile[kind]:
        number -= int(pile[kind])
        kind += 1
    return kind


@kernel
def ticket_at(tickets: Mask, number: int) -> int:
    """Returns the ticket with this number among those of a mask."""
    for _ in range(number):
        tickets &= ~BIT[lowest(tickets)]
    return lowest(tickets)


@kernel
def supply(shared: SharedRecord) -> int:
    """Returns the number of cards that can still be drawn: pile and discards."""
    return int(shared["pile_size"]) + int(shared["discards_size"])


@kernel
def open_pile(board: BoardRecord, shared: SharedRecord) -> None:
    """Makes the discards the new pile if the pile is empty and a card is needed (TR-09)."""
    if shared["pile_size"] > 0:
        return
    pile, discards = shared["pile"], shared["discards"]
    for kind in range(int(board["kinds"])):
        pile[kind] = discards[kind]
        discards[kind] = 0
    shared["pile_size"] = shared["discards_size"]
    shared["discards_size"] = 0
    shared["reshuffles"] += 1
    shared["drawn"] = 0
    shared["look"] = 1


@kernel
def draw(shared: SharedRecord, kind: int) -> None:
    """Removes a card from the pile."""
    shared["pile"][kind] -= 1
    shared["pile_size"] -= 1
    shared["drawn"] += 1


@kernel
def discard(shared: SharedRecord, kind: int, number: int) -> None:
    """Adds cards to the discards."""
    shared["discards"][kind] += number
    shared["discards_size"] += number


@kernel
def slot_of(board: BoardRecord, shared: SharedRecord, kind: int) -> int:
    """Returns the leftmost slot of the display with this kind (or GAP), -1 if there is none."""
    display = shared["display"]
    for slot in range(int(board["display"])):
        if display[slot] == kind:
            return slot
    return -1


@kernel
def redeal_due(board: BoardRecord, shared: SharedRecord) -> bool:
    """Whether all face-up cards are to be discarded and replaced (TR-04, with its ruling)."""
    size, limit = int(board["display"]), int(board["redeal_at"])
    display = shared["display"]
    buses = 0
    for slot in range(size):
        if display[slot] == BUS:
            buses += 1
    if buses < limit or shared["redealt"] >= board["redeals"] or supply(shared) < size:
        return False
    others = supply(shared) - int(shared["pile"][BUS]) - int(shared["discards"][BUS])
    return others >= size - limit + 1


@kernel
def settle(board: BoardRecord, shared: SharedRecord) -> bool:
    """Completes the display; returns False if chance has to lay a card first.

    Gaps are filled while there are cards (TR-09); then TR-04 applies to the whole display.
    """
    size = int(board["display"])
    while True:
        if slot_of(board, shared, GAP) >= 0:
            if supply(shared) == 0:
                break
            open_pile(board, shared)
            shared["phase"] = LAY
            return False
        if not redeal_due(board, shared):
            break
        display = shared["display"]
        for slot in range(size):
            discard(shared, int(display[slot]), 1)
            display[slot] = GAP
        shared["redealt"] += 1
    shared["redealt"] = 0
    shared["look"] = 0
    return True
