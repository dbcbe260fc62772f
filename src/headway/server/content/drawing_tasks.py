"""What a drawing worker does: functions that run in its process, and what they are given."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from headway.games.contract import View
from headway.i18n import SOURCE
from headway.render import pdf, png
from headway.reviews.presentation import picture
from headway.reviews.report import Review
from headway.server.tables.setup import GameChoice, opened
from headway.svg import Theme


class Style(NamedTuple):
    """How to draw a picture: in pixels with a `width`, else as SVG."""

    theme: Theme
    lang: str
    width: int | None = None

    def encode(self, svg: str) -> bytes:
        """Returns a drawing as PNG or SVG."""
        return svg.encode() if self.width is None else png(svg, self.width)


class BoardPicture(NamedTuple):
    """A board to draw, as somebody sees it."""

    choice: GameChoice
    view: View
    names: tuple[str, ...]
    style: Style


class SheetPicture(NamedTuple):
    """An empty sheet to draw on a page of A4; as PDF with a `title`, else as SVG."""

    choice: GameChoice
    lang: str
    title: str


class CurvesPicture(NamedTuple):
    """The curves of a review to draw."""

    review: Review
    title: str
    names: tuple[str, ...]
    style: Style


@cache
def load_pdf() -> None:
    """Makes an empty PDF, once: its libraries take longer to load than a sheet to draw."""
    pdf('<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm"/>', "", SOURCE)


def draw_board(board: BoardPicture) -> bytes:
    """Returns a board as PNG or SVG."""
    choice, view, names, style = board
    game = opened(choice)
    svg = game.presentation.svg(game, view, names=names, theme=style.theme, lang=style.lang)
    return style.encode(svg)


def draw_sheet(sheet: SheetPicture) -> bytes:
    """Returns an empty sheet as PDF or SVG."""
    game = opened(sheet.choice)
    svg = game.presentation.blank_sheet(game, sheet.lang)
    return pdf(svg, sheet.title, sheet.lang) if sheet.title else svg.encode()


def draw_curves(curves: CurvesPicture) -> bytes:
    """Returns the curves of a review as PNG or SVG."""
    review, title, names, style = curves
    return style.encode(picture(review, title, names, theme=style.theme, lang=style.lang))
