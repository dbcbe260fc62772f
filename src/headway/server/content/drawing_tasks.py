"""What workers draw: each picture has all that is needed in another process."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from headway.games.contract import View
from headway.games.presentation import Poster
from headway.i18n import SOURCE
from headway.reviews.presentation import picture
from headway.reviews.report import Review
from headway.server.tables.setup import GameChoice, opened
from headway.svg import Theme, pdf, png


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

    def draw(self) -> bytes:
        """Returns the board as PNG or SVG."""
        game, (theme, lang, _) = opened(self.choice), self.style
        svg = game.presentation.svg(game, self.view, names=self.names, theme=theme, lang=lang)
        return self.style.encode(svg)


class PosterPicture(NamedTuple):
    """The poster of a finished game to draw."""

    choice: GameChoice
    view: View
    poster: Poster
    width: int

    def draw(self) -> bytes:
        """Returns the poster as PNG."""
        game = opened(self.choice)
        return png(game.presentation.poster(game, self.view, self.poster), self.width)


class SheetPicture(NamedTuple):
    """An empty sheet to draw on a page of A4; as PDF with a `title`, else as SVG."""

    choice: GameChoice
    lang: str
    title: str

    def draw(self) -> bytes:
        """Returns the empty sheet as PDF or SVG."""
        game = opened(self.choice)
        svg = game.presentation.blank_sheet(game, self.lang)
        return pdf(svg, self.title, self.lang) if self.title else svg.encode()


class CurvesPicture(NamedTuple):
    """The curves of a review to draw."""

    review: Review
    title: str
    names: tuple[str, ...]
    style: Style

    def draw(self) -> bytes:
        """Returns the curves as PNG or SVG."""
        theme, lang, _ = self.style
        svg = picture(self.review, self.title, self.names, theme=theme, lang=lang)
        return self.style.encode(svg)


@cache
def load_pdf() -> None:
    """Makes an empty PDF, once: its libraries take longer to load than a sheet to draw."""
    pdf('<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm"/>', "", SOURCE)
