"""The score sheet: every line of the printed scoring area as a value."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np

from headway.games.kernel import NONE, Mask
from headway.games.nextstation.city.city import City
from headway.games.nextstation.rules.arrays import (
    ROUNDS,
    SCORE,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
    bits,
    city_fields,
    fields,
)
from headway.games.nextstation.rules.scoring import (
    best_line,
    lines_met,
    objective_progress,
    score,
    stations_here,
)


class LineScore(msgspec.Struct, frozen=True):
    """One line: districts times stations in the fullest one, plus the river (NS-22, NS-24)."""

    colour: str
    districts: int
    fullest: int
    over_river: int
    points: int
    visited: tuple[int, ...]
    """The districts of the line."""
    fullest_district: int
    """The first of the fullest districts, -1 without one."""
    fullest_stations: tuple[str, ...]
    """The line's stations in that district; `fullest` counts circled ones twice."""
    river_sections: tuple[int, ...]
    """The sections over the river."""
    new_stamps: tuple[int, ...]
    """The districts whose stamp this line won."""


class ObjectiveScore(msgspec.Struct, frozen=True):
    """A shared objective, its progress, and whether it is met."""

    id: str
    reached: int
    needed: int
    met: bool


class ScoreSheet(msgspec.Struct, frozen=True):
    """A seat's score as if the game ended now; at the end it is the final score.

    Parts that a city does not have are 0 or empty: London has no stamps and no loop, Tokyo no
    tourist sites. `meeting` is the number of stations where exactly k lines meet, by k; `lines_at`
    is the number of lines at each interchange, the loop as a line. `stamped` are the districts
    whose stamp is won. `best_line` breaks ties (NL-04).
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
    best_line: int
    lines_at: dict[str, int]
    stamped: tuple[int, ...]

    @property
    def rank(self) -> tuple[int, int]:
        """What decides a game: the total, then the best single line (NL-04)."""
        return self.total, self.best_line


def score_sheet(city: City, shared: SharedRecord, sheet: SheetRecord, seat: int) -> ScoreSheet:
    """Returns the current score of a sheet."""
    score_record = fields(np.zeros(1, SCORE)[0])
    score(city_fields(city), shared, sheet, score_record)
    kinds = city.scoring.interchanges
    stamped = [_stamped(city, sheet, rounds) for rounds in range(ROUNDS + 1)]
    return ScoreSheet(
        lines=tuple(
            _line(
                city,
                sheet,
                score_record,
                r,
                colour=city.colours[int(shared["pencils"][seat, r])],
                new_stamps=tuple(d for d in stamped[r + 1] if d not in stamped[r]),
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
        best_line=best_line(score_record),
        lines_at=_lines_at(city, sheet),
        stamped=stamped[-1],
    )


def _line(
    city: City,
    sheet: SheetRecord,
    score_record: ScoreRecord,
    r: int,
    *,
    colour: str,
    new_stamps: tuple[int, ...],
) -> LineScore:
    places = _places(city, sheet["lines"][r], sheet["circled"][r], sheet["tracks"][r].tobytes())
    return LineScore(
        colour=colour,
        districts=int(score_record["districts"][r]),
        fullest=int(score_record["fullest"][r]),
        over_river=int(score_record["over_river"][r]),
        points=int(score_record["lines"][r]),
        visited=places.visited,
        fullest_district=places.fullest_district,
        fullest_stations=places.fullest_stations,
        river_sections=places.river_sections,
        new_stamps=new_stamps,
    )


class _Places(NamedTuple):
    """What `LineScore` says of places."""

    visited: tuple[int, ...]
    fullest_district: int
    fullest_stations: tuple[str, ...]
    river_sections: tuple[int, ...]


# Three of four lines of a sheet are finished or not begun, and the same in every turn.
@lru_cache(maxsize=10_000)
def _places(city: City, line: Mask, circled: Mask, tracks: bytes) -> _Places:
    record = city_fields(city)
    stations = bits(np.array([line]))
    visited = tuple(dict.fromkeys(city.stations[i].district for i in stations))
    counts = {d: stations_here(record, line, circled, d) for d in visited}
    fullest = max(counts, key=lambda d: counts[d], default=-1)
    return _Places(
        visited=visited,
        fullest_district=fullest,
        fullest_stations=tuple(
            city.stations[i].name for i in stations if city.stations[i].district == fullest
        ),
        river_sections=tuple(bits(np.frombuffer(tracks, np.uint64) & record["over_river"])),
    )


def _stamped(city: City, sheet: SheetRecord, rounds: int) -> tuple[int, ...]:
    """Returns the districts whose stamp is won after some rounds (NT-06)."""
    record = city_fields(city)
    if record["stamped"] == NONE:
        return ()
    two = lines_met(record, sheet, rounds)[1] & record["stamped"]
    return tuple(sorted({city.stations[i].district for i in bits(np.array([two]))}))


def _lines_at(city: City, sheet: SheetRecord) -> dict[str, int]:
    met = [int(stations) for stations in lines_met(city_fields(city), sheet, ROUNDS)]
    return {
        station.name: sum(stations >> i & 1 for stations in met)
        for i, station in enumerate(city.stations)
        if met[1] >> i & 1
    }


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
        progress = objective_progress(city_fields(city), score_record, visited, int(index))
        objectives.append(ObjectiveScore(city.objectives[int(index)].id, *progress))
    return tuple(objectives)
