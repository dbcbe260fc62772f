"""The score as rows of text, with the seats side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from headway.games.nextstation.city.city import City
from headway.games.nextstation.presentation.score_sheet import LineScore, ScoreSheet
from headway.i18n import in_language, number, say


def rows(city: City, sheets: Sequence[ScoreSheet], lang: str) -> list[list[str]]:
    """Returns a header row, then a row per line of the score; the first column is its name."""
    head = ["", *(say("score.seat", lang, seat=seat) for seat in range(len(sheets)))]
    grid = [head]

    def row(key: str, value: Callable[[ScoreSheet], object], **values: object) -> None:
        grid.append([say(key, lang, **values), *(str(value(sheet)) for sheet in sheets)])

    for r in range(len(sheets[0].lines)):
        grid.append(
            [
                say("place.round", lang, n=r + 1),
                *(_line(city, sheet.lines[r], lang) for sheet in sheets),
            ]
        )
    row("score.lines", lambda s: sum(line.points for line in s.lines))
    if city.scoring.tourist:
        row("score.tourist", lambda s: f"{s.marks} → {s.tourist}")
    if any(district.stamp for district in city.districts):
        row("score.stamps", lambda s: f"{s.stamps_won} → {s.stamps}")
    if city.loop:
        row("score.loop", lambda s: f"{s.loop_missed} → {number(s.loop)}")
    row("score.interchanges", _interchanges)
    for i, objective in enumerate(sheets[0].objectives):
        name = objective_name(city, objective.id, lang)
        row("score.objective", partial(_objective, i), objective=name)
    if any(sheet.deduction for sheet in sheets):
        row("score.deduction", lambda s: number(s.deduction))
    row("score.total", lambda s: number(s.total))
    return grid


def _line(city: City, line: LineScore, lang: str) -> str:
    river = f" + {line.over_river} × {city.scoring.river}" if city.river else ""
    sum_ = f"{line.districts} × {line.fullest}{river} = {line.points}"
    return f"{say(f'colour.{line.colour}', lang)}  {sum_}"


def _interchanges(sheet: ScoreSheet) -> str:
    counts = " ".join(f"{n}×{lines}" for lines, n in sheet.meeting.items() if n)
    return f"{counts} → {sheet.interchanges}" if counts else "0"


def _objective(i: int, sheet: ScoreSheet) -> str:
    objective = sheet.objectives[i]
    return f"{objective.reached}/{objective.needed}" + (" ✓" if objective.met else "")


def objective_name(city: City, name: str, lang: str) -> str:
    """Describes a city's objective in a few words."""
    objective = next(o for o in city.objectives if o.id == name)
    district = in_language(city.districts[objective.district].name, lang)
    return say(
        f"objective.{objective.needs}",
        lang,
        needed=city.needed(objective),
        district=district,
        river=in_language(city.river_name, lang),
    )
