"""Transport cards: pile, discards and the face-up display (TR-02 to TR-04, TR-09).

The pile is a number of cards of each kind. Which one comes next is chance's business.
"""

from __future__ import annotations

from headway.games.kernel import Record, kernel
from headway.games.tickettoride.rules.arrays import BUS, GAP, LAY


@kernel
def supply(table: Record) -> int:
    """The cards that can still be drawn: pile and discards."""
    return int(table["pile_size"]) + int(table["discards_size"])


@kernel
def open_pile(board: Record, table: Record) -> None:
    """Makes sure that the pile has a card, which is needed now: the discards become it (TR-09)."""
    if table["pile_size"] > 0:
        return
    pile, discards = table["pile"], table["discards"]
    for kind in range(int(board["kinds"])):
        pile[kind] = discards[kind]
        discards[kind] = 0
    table["pile_size"] = table["discards_size"]
    table["discards_size"] = 0
    table["reshuffles"] += 1
    table["drawn"] = 0
    table["look"] = 1


@kernel
def draw(table: Record, kind: int) -> None:
    """Takes a card off the pile."""
    table["pile"][kind] -= 1
    table["pile_size"] -= 1
    table["drawn"] += 1


@kernel
def discard(table: Record, kind: int, number: int) -> None:
    """Puts cards on the discards."""
    table["discards"][kind] += number
    table["discards_size"] += number


@kernel
def slot_of(board: Record, table: Record, kind: int) -> int:
    """The leftmost place of the display with this kind (or GAP), -1 if there is none."""
    display = table["display"]
    for slot in range(int(board["display"])):
        if display[slot] == kind:
            return slot
    return -1


@kernel
def redeal_due(board: Record, table: Record) -> bool:
    """Whether the five are to be discarded and laid anew (TR-04, with its ruling)."""
    size, limit = int(board["display"]), int(board["redeal_at"])
    display = table["display"]
    buses = 0
    for slot in range(size):
        if display[slot] == BUS:
            buses += 1
    if buses < limit or table["redealt"] >= board["redeals"] or supply(table) < size:
        return False
    others = supply(table) - int(table["pile"][BUS]) - int(table["discards"][BUS])
    return others >= size - limit + 1


@kernel
def settle(board: Record, table: Record) -> bool:
    """Brings the display to rest; False if chance has to lay a card first.

    Gaps are filled while there are cards (TR-09); then TR-04 looks at the whole display.
    """
    size = int(board["display"])
    while True:
        if slot_of(board, table, GAP) >= 0:
            if supply(table) == 0:
                break
            open_pile(board, table)
            table["phase"] = LAY
            return False
        if not redeal_due(board, table):
            break
        display = table["display"]
        for slot in range(size):
            discard(table, int(display[slot]), 1)
            display[slot] = GAP
        table["redealt"] += 1
    table["redealt"] = 0
    table["look"] = 0
    return True
