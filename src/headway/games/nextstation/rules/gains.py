"""What a move is worth, without scoring the whole sheet for each move.

A move changes one line and the few stations that it adds. `standing` collects once for a turn
what all moves share, and `worth` adds what one move changes. It differs from `scoring.score` of
the sheet after the move by the same number for all moves of a turn; a test compares the two.
Objectives (OB) are not counted here.
"""

from __future__ import annotations

from typing import NamedTuple

from headway.games.kernel import BIT, NONE, Mask, count, has, kernel, lowest
from headway.games.nextstation.moves import (
    circle_of,
    second_start_of,
    second_target_of,
    start_of,
    target_of,
)
from headway.games.nextstation.rules.arrays import (
    ROUNDS,
    CityRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.scoring import itinerary, lines_met, stations_here


class ScoreSoFar(NamedTuple):
    """What the moves of a turn share: the current line, and the stations as they are."""

    line: Mask
    circled: Mask
    districts: int
    fullest: int
    marks: int
    visited: Mask
    one: Mask
    """Stations with at least one line, the loop as a line; the next ones with more."""
    two: Mask
    three: Mask
    four: Mask
    stamped: Mask
    """Stations of districts whose stamp is not won yet."""


@kernel
def standing(city: CityRecord, sheet: SheetRecord, r: int) -> ScoreSoFar:
    """Returns what all moves of a turn in round r share."""
    districts, fullest = itinerary(city, sheet, r)
    marks, visited = 0, NONE
    for k in range(ROUNDS):
        marks += count(sheet["lines"][k] & city["tourist"])
        visited = visited | sheet["lines"][k]
    one, two, three, four, _ = lines_met(city, sheet, ROUNDS)
    stamped = city["stamped"]
    won = two & stamped
    while won != NONE:
        district = city["district"][city["district_of"][lowest(won)]]
        won &= ~district
        stamped = stamped & ~district
    return ScoreSoFar(
        sheet["lines"][r], sheet["circled"][r], districts, fullest, marks, visited,
        one, two, three, four, stamped,
    )  # fmt: skip


@kernel
def worth(city: CityRecord, now: ScoreSoFar, move: int) -> int:
    """Returns the score after a legal move, less what the sheet has without the current line."""
    new, crossings = NONE, 0
    a, to = start_of(move), target_of(move)
    if to >= 0:
        new = BIT[to]
        if now.line == NONE:
            new = new | BIT[a]
        crossings += has(city["over_river"], int(city["between"][a, to]))
    a, to = second_start_of(move), second_target_of(move)
    if to >= 0:
        new = new | BIT[to]
        crossings += has(city["over_river"], int(city["between"][a, to]))
    circle = circle_of(move)
    circled = now.circled if circle < 0 else now.circled | BIT[circle]
    points = crossings * int(city["river_points"])
    points += _line(city, now, new, circled)
    marks = min(now.marks + count(new & city["tourist"]), int(city["most_marks"]))
    points += int(city["tourist_points"][marks])
    points += count(new & city["loop"] & ~now.visited) * int(city["loop_points"])
    return points + _meeting(city, now, new)


@kernel
def _line(city: CityRecord, now: ScoreSoFar, new: Mask, circled: Mask) -> int:
    """Returns the points of the line's districts with new stations and circles (NS-22)."""
    districts, fullest = now.districts, now.fullest
    line = now.line | new
    changed = new | (circled & ~now.circled)
    while changed != NONE:
        district = int(city["district_of"][lowest(changed)])
        here = city["district"][district]
        changed &= ~here
        if now.line & here == NONE:
            districts += 1
        fullest = max(fullest, stations_here(city, line, circled, district))
    return districts * fullest


@kernel
def _meeting(city: CityRecord, now: ScoreSoFar, new: Mask) -> int:
    """Returns what interchanges and stamps gain by new stations of the line."""
    points, per_lines = 0, city["interchange_points"]
    stamped = now.stamped
    meeting = new & now.one
    while meeting != NONE:
        station = lowest(meeting)
        bit = BIT[station]
        meeting &= ~bit
        lines = 1
        for more in (now.two, now.three, now.four):
            if more & bit != NONE:
                lines += 1
        points += int(per_lines[lines + 1] - per_lines[lines])
        if stamped & bit != NONE:
            district = city["district_of"][station]
            points += int(city["stamp"][district])
            stamped = stamped & ~city["district"][district]
    return points
