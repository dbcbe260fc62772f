"""Scoring: a line (NS-22 to NS-24), the whole sheet (NL, NT, OB, SO), and what a move is worth."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np

from headway.games.kernel import BIT, NONE, Mask, count, has, kernel, lowest
from headway.games.nextstation.city.city import OBJECTIVE_POINTS, City
from headway.games.nextstation.city.city_file import NEEDS
from headway.games.nextstation.moves import (
    circle_of,
    second_start_of,
    second_target_of,
    start_of,
    target_of,
)
from headway.games.nextstation.rules.arrays import (
    ROUNDS,
    SCORE,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
    bits,
    city_fields,
    fields,
)

MODULE_DEDUCTION = 10
NEEDS_INTERCHANGES = NEEDS.index("interchanges")
NEEDS_DISTRICTS = NEEDS.index("districts")
NEEDS_TOURIST = NEEDS.index("tourist")
NEEDS_RIVER = NEEDS.index("river")
NEEDS_STAMPS = NEEDS.index("stamps")
NEEDS_HUB = NEEDS.index("hub")
NEEDS_LOOP = NEEDS.index("loop")


@kernel
def itinerary(city: CityRecord, sheet: SheetRecord, r: int) -> tuple[int, int]:
    """Returns a line's districts and its stations in the fullest one, circled ones twice (NS-22).

    A line without a section has no stations, not even its departure (NS-23).
    """
    line, circled = sheet["lines"][r], sheet["circled"][r]
    rest = line
    districts, fullest = 0, 0
    while rest != NONE:
        district = city["district_of"][lowest(rest)]
        rest &= ~city["district"][district]
        districts += 1
        fullest = max(fullest, stations_here(city, line, circled, district))
    return districts, fullest


@kernel
def stations_here(city: CityRecord, line: Mask, circled: Mask, district: int) -> int:
    """Returns the number of these stations in a district, circled ones twice (NS-22)."""
    here = line & city["district"][district]
    stations = count(here)
    if circled != NONE:
        stations += count(here & circled)
    return stations


@kernel
def over_river(city: CityRecord, sheet: SheetRecord, r: int) -> int:
    """Returns the number of a line's sections that cross the river (NS-24)."""
    tracks, river = sheet["tracks"][r], city["over_river"]
    sections = 0
    for word in range(tracks.shape[0]):
        sections += count(tracks[word] & river[word])
    return sections


@kernel
def score(city: CityRecord, shared: SharedRecord, sheet: SheetRecord, out: ScoreRecord) -> int:
    """Fills the score record as if the game ended now; returns the total."""
    total = _lines(city, sheet, out)
    total += _tourist(city, sheet, out)
    visited = _interchanges(city, sheet, out)
    total += int(out["interchanges"]) + int(out["stamps"])
    out["missed"] = count(city["loop"] & ~visited)
    out["loop"] = -int(city["loop_points"]) * int(out["missed"])
    total += int(out["loop"])
    total += _objectives(city, shared, out, visited)
    out["deduction"] = 0
    if shared["seats"] == 1:
        modules = shared["use_objectives"] + shared["use_powers"] + shared["use_special"]
        out["deduction"] = -MODULE_DEDUCTION * int(modules)
    total += int(out["deduction"])
    out["total"] = total
    return total


@kernel
def best_line(score_record: ScoreRecord) -> int:
    """Returns the points of the best line, which decides between equal totals (NL-04)."""
    best = 0
    for r in range(ROUNDS):
        best = max(best, int(score_record["lines"][r]))
    return best


@kernel
def _lines(city: CityRecord, sheet: SheetRecord, out: ScoreRecord) -> int:
    total = 0
    for r in range(ROUNDS):
        districts, fullest = itinerary(city, sheet, r)
        river = over_river(city, sheet, r) if districts > 0 else 0
        out["districts"][r], out["fullest"][r], out["over_river"][r] = districts, fullest, river
        points = districts * fullest + river * int(city["river_points"])
        out["lines"][r] = points
        total += points
    return total


@kernel
def _tourist(city: CityRecord, sheet: SheetRecord, out: ScoreRecord) -> int:
    marks = 0
    for r in range(ROUNDS):
        marks += count(sheet["lines"][r] & city["tourist"])
    marks = min(marks, int(city["most_marks"]))
    out["marks"] = marks
    out["tourist"] = city["tourist_points"][marks]
    return int(out["tourist"])


@kernel
def _interchanges(city: CityRecord, sheet: SheetRecord, out: ScoreRecord) -> Mask:
    """Scores the stations where lines meet, and the stamps; returns the visited stations."""
    visited = NONE
    for r in range(ROUNDS):
        visited = visited | sheet["lines"][r]
    one, two, three, four, five = lines_met(city, sheet, ROUNDS)
    meeting = out["meeting"]
    meeting[1] = count(one & ~two)
    meeting[2] = count(two & ~three)
    meeting[3] = count(three & ~four)
    meeting[4] = count(four & ~five)
    meeting[5] = count(five)
    points = 0
    for lines in range(2, 6):
        points += int(meeting[lines]) * int(city["interchange_points"][lines])
    out["interchanges"] = points
    won, stamps = 0, 0
    rest = two & city["stamped"]
    while rest != NONE:
        district = city["district_of"][lowest(rest)]
        rest &= ~city["district"][district]
        won += 1
        stamps += int(city["stamp"][district])
    out["won"], out["stamps"] = won, stamps
    return visited


@kernel
def lines_met(
    city: CityRecord, sheet: SheetRecord, rounds: int
) -> tuple[Mask, Mask, Mask, Mask, Mask]:
    """Returns the stations with at least 1, 2 … 5 lines after some rounds, the loop as a line."""
    one = city["loop"]
    two, three, four, five = NONE, NONE, NONE, NONE
    for r in range(rounds):
        line = sheet["lines"][r]
        five = five | (four & line)
        four = four | (three & line)
        three = three | (two & line)
        two = two | (one & line)
        one = one | line
    return one, two, three, four, five


@kernel
def _objectives(city: CityRecord, shared: SharedRecord, out: ScoreRecord, visited: Mask) -> int:
    points = 0
    for i in range(2):
        out["met"][i] = 0
        if shared["use_objectives"] != 0:
            if objective_progress(city, out, visited, int(shared["objectives"][i]))[2]:
                out["met"][i] = 1
                points += OBJECTIVE_POINTS
    out["objectives"] = points
    return points


@kernel
def objective_progress(
    city: CityRecord, out: ScoreRecord, visited: Mask, objective: int
) -> tuple[int, int, bool]:
    """Returns the progress of an objective: (reached, needed, met) (OB-02 to OB-11)."""
    needs = city["objective_needs"][objective]
    needed = int(city["objective_needed"][objective])
    reached = 0
    if needs == NEEDS_INTERCHANGES:
        for lines in range(2, 6):
            reached += int(out["meeting"][lines])
    elif needs == NEEDS_DISTRICTS:
        for i in range(int(city["districts"])):
            if visited & city["district"][i] != NONE:
                reached += 1
    elif needs == NEEDS_RIVER:
        for r in range(ROUNDS):
            reached += int(out["over_river"][r])
    elif needs == NEEDS_STAMPS:
        reached = int(out["won"])
    elif needs == NEEDS_HUB:
        for lines in range(2, 6):
            if out["meeting"][lines] > 0:
                reached = lines
    else:
        if needs == NEEDS_TOURIST:
            stations = city["tourist"]
        elif needs == NEEDS_LOOP:
            stations = city["loop"]
        else:
            stations = city["district"][city["objective_district"][objective]]
        reached = count(visited & stations)
    return reached, needed, reached >= needed


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
        objectives=_objective_scores(city, shared, sheet, score_record),
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
    return LineScore(
        colour,
        int(score_record["districts"][r]),
        int(score_record["fullest"][r]),
        int(score_record["over_river"][r]),
        int(score_record["lines"][r]),
        *_places(city, sheet["lines"][r], sheet["circled"][r], sheet["tracks"][r].tobytes()),
        new_stamps,
    )


# Three of four lines of a sheet are finished or not begun, and the same in every turn.
@lru_cache(maxsize=10_000)
def _places(
    city: City, line: Mask, circled: Mask, tracks: bytes
) -> tuple[tuple[int, ...], int, tuple[str, ...], tuple[int, ...]]:
    """Returns what `LineScore` says of places, from `visited` to `river_sections`."""
    record = city_fields(city)
    stations = bits(np.array([line]))
    visited = tuple(dict.fromkeys(city.stations[i].district for i in stations))
    counts = {d: stations_here(record, line, circled, d) for d in visited}
    fullest = max(counts, key=lambda d: counts[d], default=-1)
    names = tuple(city.stations[i].name for i in stations if city.stations[i].district == fullest)
    river = bits(np.frombuffer(tracks, np.uint64) & record["over_river"])
    return visited, fullest, names, tuple(river)


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


def _objective_scores(
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


# What a move is worth, without scoring the whole sheet for each move. `standing` collects once
# for a turn what all moves share, and `worth` adds what one move changes. It differs from `score`
# of the sheet after the move by the same number for all moves of a turn; a test compares the two.
# Objectives (OB) are not counted here.


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
    points += _line_points(city, now, new, circled)
    marks = min(now.marks + count(new & city["tourist"]), int(city["most_marks"]))
    points += int(city["tourist_points"][marks])
    points += count(new & city["loop"] & ~now.visited) * int(city["loop_points"])
    return points + _meeting_points(city, now, new)


@kernel
def _line_points(city: CityRecord, now: ScoreSoFar, new: Mask, circled: Mask) -> int:
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
def _meeting_points(city: CityRecord, now: ScoreSoFar, new: Mask) -> int:
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
