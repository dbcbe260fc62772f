"""Moves of Next Station as decisions: a fixed set of actions for each map.

A turn is one decision, or two where a power needs two. The actions are, with S sections and N
stations:

- 0: pass;
- 1 to S: draw this section with the card alone (as a second decision: the second section);
- S + 1 to 2 S: draw this section and use the extra of the turn: the pencil's power or the effect of
  the special stations. At most one is available in a turn, so it needs no name;
- 2 S + 1 to 2 S + N: circle this station (alone: pass and circle it).

A section needs no direction: it leads away from the line. With the powers `second` and `double` the
action with the extra is followed by a second decision, the second section or the circle. Effects of
special stations leave nothing to decide. Without both modules the set ends at S.

The rules are asked for all legal moves; what is here only translates.
"""

from __future__ import annotations

from typing import Any

from headway.envs.episodes import NOTHING, SetupRecord
from headway.games.kernel import kernel
from headway.games.nextstation.moves import (
    CIRCLE_AT,
    FROM_AT,
    SECOND_FROM_AT,
    SECOND_TO_AT,
    TO_AT,
    WAY_AT,
)
from headway.games.nextstation.rules.arrays import CityRecord, SharedRecord


@kernel
def first_action(city: CityRecord, sections: int, move: int) -> int:
    """Returns the action of a move's first decision."""
    to, circle = (move >> TO_AT) & 127, (move >> CIRCLE_AT) & 127
    if to == 0:
        return 2 * sections + circle if circle != 0 else 0
    action = 1 + int(city["between"][(move >> FROM_AT) & 63, to - 1])
    if circle != 0 or (move >> SECOND_TO_AT) & 127 != 0 or move >> WAY_AT != 0:
        return action + sections
    return action


@kernel
def second_action(city: CityRecord, shared: SharedRecord, sections: int, move: int) -> int:
    """Returns the action of a move's second decision, or NOTHING."""
    if shared["use_powers"] == 0 or (move >> TO_AT) & 127 == 0:
        return NOTHING
    second, circle = (move >> SECOND_TO_AT) & 127, (move >> CIRCLE_AT) & 127
    if second != 0:
        return 1 + int(city["between"][(move >> SECOND_FROM_AT) & 63, second - 1])
    if circle != 0:
        return 2 * sections + circle
    return NOTHING


@kernel
def write_mask(
    setup: SetupRecord, shared: SharedRecord, moves: Any, n: int, chosen: int, mask: Any
) -> None:
    """Writes 1 for each action that is possible with the legal moves, after `chosen` if any."""
    city, sections = setup["city"], int(setup["sections"])
    mask[:] = 0
    for i in range(n):
        move = int(moves[i])
        first = first_action(city, sections, move)
        if chosen == NOTHING:
            mask[first] = 1
        elif first == chosen:
            second = second_action(city, shared, sections, move)
            if second != NOTHING:
                mask[second] = 1


@kernel
def find_move(
    setup: SetupRecord, shared: SharedRecord, moves: Any, n: int, chosen: int, action: int
) -> int:
    """Returns the place of the first legal move with this action after `chosen`, -1 without."""
    city, sections = setup["city"], int(setup["sections"])
    for i in range(n):
        move = int(moves[i])
        first = first_action(city, sections, move)
        if chosen == NOTHING:
            if first == action:
                return i
        elif first == chosen and second_action(city, shared, sections, move) == action:
            return i
    return -1
