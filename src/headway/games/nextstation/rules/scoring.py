"""Scoring: a line (NS-22 to NS-24) and the whole sheet (NL, NT, OB, SO)."""

from __future__ import annotations

from headway.games.kernel import NONE, Mask, count, kernel, lowest
from headway.games.nextstation.rules.arrays import (
    ROUNDS,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
)

OBJECTIVE_POINTS = 10
MODULE_DEDUCTION = 10
(
    NEEDS_INTERCHANGES,
    NEEDS_DISTRICTS,
    NEEDS_TOURIST,
    NEEDS_DISTRICT,
    NEEDS_RIVER,
    NEEDS_STAMPS,
    NEEDS_HUB,
    NEEDS_LOOP,
) = range(8)


@kernel
def itinerary(city: CityRecord, sheet: SheetRecord, r: int) -> tuple[int, int]:
    """Returns a line's districts and its stations in the fullest one, circled ones twice (NS-22).

    A line without a section has no stations, not even its departure (NS-23).
    """
    rest = sheet["lines"][r]
    districts, fullest = 0, 0
    while rest != NONE:
        district = city["district_of"][lowest(rest)]
        rest &= ~city["district"][district]
        districts += 1
        fullest = max(fullest, stations_counted(city, sheet, r, district))
    return districts, fullest


@kernel
def stations_counted(city: CityRecord, sheet: SheetRecord, r: int, district: int) -> int:
    """Returns the number of a line's stations in a district, circled ones twice (NS-22)."""
    return stations_here(city, sheet["lines"][r], sheet["circled"][r], district)


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
    needed = int(city["objective_at_least"][objective])
    reached = 0
    if needs == NEEDS_INTERCHANGES:
        for lines in range(2, 6):
            reached += int(out["meeting"][lines])
    elif needs == NEEDS_DISTRICTS:
        needed = int(city["districts"])
        for i in range(needed):
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
        needed = count(stations)
        reached = count(visited & stations)
    return reached, needed, reached >= needed
