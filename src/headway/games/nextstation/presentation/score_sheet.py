"""The score sheet: every line of the printed scoring area as a value."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from headway.games.kernel import NONE
from headway.games.nextstation.city.city import City
from headway.games.nextstation.rules.arrays import (
    ROUNDS,
    SCORE,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
    city_record,
)
from headway.games.nextstation.rules.scoring import objective_progress, score


class LineScore(msgspec.Struct, frozen=True):
    """One line: districts times stations in the fullest one, plus the river (NS-22, NS-24)."""

    colour: str
    districts: int
    fullest: int
    over_river: int
    points: int


class ObjectiveScore(msgspec.Struct, frozen=True):
    """A shared objective, its progress, and whether it is met."""

    id: str
    reached: int
    needed: int
    met: bool


class ScoreSheet(msgspec.Struct, frozen=True):
    """A seat's score as if the game ended now; at the end it is the final score.

    Parts that a city does not have are 0 or empty: London has no stamps and no loop, Tokyo no
    tourist sites. `meeting` is the number of stations where exactly k lines meet, by k.
    """

    lines: tuple[LineScore, ...]
    marks: int
    tourist: int
    stamps_won: int
    stamps: int
    loop_missed: int
    loop: int
    meeting: dict[int, int]
    interchanges: int
    objectives: tuple[ObjectiveScore, ...]
    objective_points: int
    deduction: int
    total: int

    @property
    def best_line(self) -> int:
        """The points of the best single line, which breaks ties (NL-04)."""
        return max(line.points for line in self.lines)


def score_sheet(city: City, shared: SharedRecord, sheet: SheetRecord, seat: int) -> ScoreSheet:
    """Returns the current score of a sheet."""
    score_record = np.zeros(1, SCORE)[0]
    score(city_record(city), shared, sheet, score_record)
    kinds = city.scoring.interchanges
    return ScoreSheet(
        lines=tuple(
            LineScore(
                colour=city.colours[int(shared["pencils"][seat, r])],
                districts=int(score_record["districts"][r]),
                fullest=int(score_record["fullest"][r]),
                over_river=int(score_record["over_river"][r]),
                points=int(score_record["lines"][r]),
            )
            for r in range(ROUNDS)
        ),
        marks=int(score_record["marks"]),
        tourist=int(score_record["tourist"]),
        stamps_won=int(score_record["won"]),
        stamps=int(score_record["stamps"]),
        loop_missed=int(score_record["missed"]),
        loop=int(score_record["loop"]),
        meeting={lines: int(score_record["meeting"][lines]) for lines in sorted(kinds)},
        interchanges=int(score_record["interchanges"]),
        objectives=_objectives(city, shared, sheet, score_record),
        objective_points=int(score_record["objectives"]),
        deduction=int(score_record["deduction"]),
        total=int(score_record["total"]),
    )


def _objectives(
    city: City, shared: SharedRecord, sheet: SheetRecord, score_record: ScoreRecord
) -> tuple[ObjectiveScore, ...]:
    if not shared["use_objectives"]:
        return ()
    visited = NONE
    for line in sheet["lines"]:
        visited |= line
    objectives = []
    for index in shared["objectives"]:
        progress = objective_progress(city_record(city), score_record, visited, int(index))
        objectives.append(ObjectiveScore(city.objectives[int(index)].id, *progress))
    return tuple(objectives)


def score_json(city: City, sheet: ScoreSheet) -> dict[str, Any]:
    """Returns a score as `headway replay --json` prints it (specification, section 11)."""
    result: dict[str, Any] = {"lines": [line.points for line in sheet.lines]}
    if city.loop:
        result |= {"stamps": sheet.stamps, "loop": sheet.loop}
    else:
        result |= {"tourist": sheet.tourist}
    return result | {
        "interchanges": sheet.interchanges,
        "objectives": sheet.objective_points,
        "deduction": sheet.deduction,
        "total": sheet.total,
    }
