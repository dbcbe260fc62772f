"""A view as a picture and as a terminal screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from headway.games.contract import Move
from headway.games.nextstation.city.city import City
from headway.games.nextstation.notation import parts
from headway.games.nextstation.presentation.sheet_svg import DrawnLine, draw_sheet
from headway.games.nextstation.presentation.sheet_text import rich_board
from headway.games.nextstation.rules.arrays import BARE
from headway.games.nextstation.view import LineView, NextStationView, SheetView
from headway.i18n import say
from headway.svg import Theme

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation


def drawn_lines(city: City, sheet: SheetView) -> list[DrawnLine]:
    """Returns the lines of a sheet in the form that drawings use."""
    return [_drawn(city, line) for line in sheet.lines]


def _drawn(city: City, line: LineView) -> DrawnLine:
    sections = [_section(city, name.removeprefix("=")) for name in line.sections]
    doubled = [name.startswith("=") for name in line.sections]
    return DrawnLine(
        line.colour,
        tuple(sections),
        frozenset(i for i, double in zip(sections, doubled, strict=True) if double),
        frozenset(city.station_named[name] for name in line.circled),
    )


def _section(city: City, pair: str) -> int:
    return city.section_between[city.station_named[pair[:2]], city.station_named[pair[2:]]]


def svg(game: NextStation, view: NextStationView, theme: Theme, lang: str) -> str:
    """Draws the sheet of the view's seat (a spectator sees the first) with its score below.

    Before the deal there is no score.
    """
    seat = max(view.seat, 0)
    sheet = view.sheets[seat]
    name = say("score.total" if view.finished else "score.now", lang)
    footer = say("score.sheet_of", lang, name=name, total=sheet.score.total)
    return draw_sheet(
        game.city,
        drawn_lines(game.city, sheet),
        theme=theme,
        lang=lang,
        title=game.title(lang),
        footer=(footer,) if view.pencils else (),
    )


def screen(game: NextStation, view: NextStationView, legal: Iterable[Move], lang: str) -> str:
    """Returns the seat's sheet for a terminal; starts and ends of legal sections are marked."""
    seat = max(view.seat, 0)
    moves = [parts(move) for move in legal]
    sections = [(move.section, move.way == BARE) for move in moves if move.section]
    plain = [section for section, bare in sections if bare]
    pencil = view.pencils[seat][view.round - 1] if view.pencils else ""
    return rich_board(
        game.city,
        drawn_lines(game.city, view.sheets[seat]),
        targets=frozenset(end for _, end in plain),
        powered=frozenset(end for (_, end), _ in sections),
        ends=frozenset(start for start, _ in plain) or frozenset(s for (s, _), _ in sections),
        pencil=pencil,
    )
