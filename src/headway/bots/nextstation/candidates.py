"""Filters the legal moves before they are evaluated."""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, NONE, kernel
from headway.games.nextstation.rules.arrays import (
    CIRCLE_AT,
    TO_AT,
    WAY_AT,
    CityRecord,
    SharedRecord,
    SheetRecord,
)

WAY_BITS = 3 << WAY_AT


@kernel
def candidates(
    city: CityRecord, shared: SharedRecord, sheet: SheetRecord, moves: Any, n: int
) -> int:
    """Drops moves from `moves[:n]`, as `legal_moves` wrote them; returns the number that is left.

    Two kinds are dropped. A power or effect used for a section that the card allows anyway: the
    same move without it is legal. A circle of the power `double` at a station whose district also
    has a station with a lower number on the line, or as the section's target: that one scores the
    same.
    """
    if shared["use_powers"] == 0 and shared["use_special"] == 0:
        return n
    kept = 0
    for i in range(n):
        move = int(moves[i])
        if not _beaten(city, shared, sheet, moves, n, move):
            moves[kept] = move
            kept += 1
    return kept


@kernel
def _beaten(
    city: CityRecord,
    shared: SharedRecord,
    sheet: SheetRecord,
    moves: Any,
    n: int,
    move: int,
) -> bool:
    way = move >> WAY_AT
    if way != 0:
        bare = move & ~WAY_BITS
        for j in range(n):
            if int(moves[j]) == bare:
                return True
    circle = (move >> CIRCLE_AT) & 127
    if shared["use_powers"] != 0 and circle != 0:
        return _circled_before(city, shared, sheet, move, circle - 1)
    return False


@kernel
def _circled_before(
    city: CityRecord, shared: SharedRecord, sheet: SheetRecord, move: int, station: int
) -> bool:
    """Whether the line has a lower-numbered station in the same district; it scores the same."""
    stations = sheet["lines"][shared["round"]]
    to = (move >> TO_AT) & 127
    district = city["district"][city["district_of"][station]]
    lower = BIT[station] - BIT[0]
    if stations & district & lower != NONE:
        return True
    return to != 0 and to - 1 < station and BIT[to - 1] & district != NONE
