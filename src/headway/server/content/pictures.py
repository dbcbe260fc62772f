"""Pictures of boards, as a guest may see them, and empty sheets to print.

They are drawn in worker processes, because a large one takes about a second: each picture has all
that is needed there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from datetime import UTC, datetime
from functools import cache, partial
from typing import NamedTuple

from headway.games.contract import CHANCE, View
from headway.games.presentation import Poster, Shape
from headway.i18n import SOURCE, locale_of
from headway.server.core import metrics
from headway.server.core.errors import conflict, forbidden, invalid, not_found
from headway.server.core.workers import Account, Owners, PagePool, Work, cancel
from headway.server.tables.setup import GameChoice, box_with_map, opened
from headway.server.tables.state import TableState
from headway.server.tables.view import occupant_name, titles
from headway.svg import Theme, pdf, png

NARROWEST_PIXELS, WIDEST_PIXELS = 16, 1600
"""The width of a picture."""
MAP_PIXELS = 1200
"""The width of the picture of a map."""
CACHE_BYTES = 32_000_000
"""Drawings that never change are kept up to this size in total."""


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


@cache
def load_pdf() -> None:
    """Makes an empty PDF, once: its libraries take longer to load than a sheet to draw."""
    pdf('<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm"/>', "", SOURCE)


class Drawings:
    """Draws boards and sheets, and keeps the drawings that cannot change."""

    def __init__(self, pages: PagePool) -> None:
        self._pages = pages
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._drawing: dict[Hashable, tuple[asyncio.Task[bytes], Account]] = {}

    async def close(self) -> None:
        """Stops; nobody waits any more."""
        await cancel(task for task, _ in self._drawing.values())

    async def board(
        self, state: TableState, guest: str | None, seat: int | None, style: Style, owners: Owners
    ) -> bytes:
        """Returns a seat's board; `board_of` tells more.

        The drawing is made on the account of its `owners`.
        """
        board = board_of(state, guest, seat, style)
        # A running table's next state has another number.
        shown = _visible_seat(state, guest, seat)
        key = state.setup.id, state.number, shown, board.names, style
        return await self._drawn(key, board.draw, owners, keep=state.finished)

    async def poster(self, state: TableState, poster: Poster, width: int, owners: Owners) -> bytes:
        """Returns the poster of a seat of a finished game, as PNG."""
        _check_width(width)
        if not state.finished:
            raise conflict("server.poster_later")
        state.occupant(poster.seat)
        game = GameChoice.of(state.game)
        picture = PosterPicture(game, state.view(CHANCE), poster, width)
        key = state.setup.id, poster, width
        return await self._drawn(key, picture.draw, owners, keep=True)

    async def map(self, game: str, map_name: str, lang: str, owners: Owners) -> bytes:
        """Returns the board of a map before anything is dealt, as PNG."""
        game_box = box_with_map(game, map_name)
        opened = game_box.open(map_name, game_box.seats.start)
        view = opened.start().view(CHANCE)
        board = BoardPicture(GameChoice.of(opened), view, (), Style("light", lang, MAP_PIXELS))
        key = game, map_name, lang
        return await self._drawn(key, board.draw, owners, keep=True)

    async def sheet(
        self,
        game: str,
        map_name: str,
        options: list[str],
        lang: str,
        owners: Owners,
        *,
        as_pdf: bool,
    ) -> bytes:
        """Returns the empty sheet of a map on a page of A4, as PDF or SVG."""
        game_box = box_with_map(game, map_name)
        if not game_box.on_paper:
            raise not_found()
        modules = dict.fromkeys(options, True)
        opened = game_box.open(map_name, game_box.seats.start, modules)
        title = titles(game, map_name, opened.seats)[lang] if as_pdf else ""
        sheet = SheetPicture(GameChoice.of(opened), lang, title)
        prepare = load_pdf if as_pdf else None
        return await self._drawn(sheet, sheet.draw, owners, prepare, keep=True)

    async def _drawn(
        self,
        key: Hashable,
        work: Work[bytes],
        owners: Owners,
        prepare: Work[object] | None = None,
        *,
        keep: bool,
    ) -> bytes:
        """Returns a kept drawing, or a new one; those who ask for the same one share it."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key in self._drawing:
            task, account = self._drawing[key]
            account.others.append(owners)
        else:
            self._pages.refuse_crowd(owners)
            account = Account(owners)
            task = asyncio.create_task(self._pages.page(work, account, prepare))
            self._drawing[key] = task, account
            task.add_done_callback(partial(self._drawn_once, key, keep))
        # One who leaves must not cancel the drawing for the others.
        return await asyncio.shield(task)

    def _drawn_once(self, key: Hashable, keep: bool, task: asyncio.Task[bytes]) -> None:
        """Takes what a task has drawn; everybody who waited for it may have left."""
        del self._drawing[key]
        if not task.cancelled() and task.exception() is None:
            metrics.DRAWINGS.inc()
            if keep:
                self._keep(key, task.result())

    def _keep(self, key: Hashable, drawing: bytes) -> None:
        self._kept[key] = drawing
        self._kept_bytes += len(drawing)
        while self._kept_bytes > CACHE_BYTES:
            self._kept_bytes -= len(self._kept.popitem(last=False)[1])


def board_of(state: TableState, guest: str | None, seat: int | None, style: Style) -> BoardPicture:
    """Returns what to draw; before the end a hidden hand is in its holder's picture alone."""
    _check_width(style.width)
    view, game = state.view(_visible_seat(state, guest, seat)), state.setup.game
    names = tuple(occupant_name(occupant, game, style.lang) for occupant in state.occupants)
    return BoardPicture(GameChoice.of(state.game), view, names, style)


def poster_of(
    state: TableState, guest: str | None, seat: int | None, shape: Shape, lang: str, site: str
) -> Poster:
    """Returns what a poster tells before there is a review.

    It is of the guest's own seat by default, else of the first one.
    """
    from babel.dates import format_date  # slow to import

    game = state.setup.game
    names = tuple(occupant_name(occupant, game, lang) for occupant in state.occupants)
    played = datetime.fromtimestamp(state.started or 0, UTC)
    return Poster(
        seat=(state.held_by(guest) or (0,))[0] if seat is None else seat,
        names=names,
        date=format_date(played, "d MMM y", locale=locale_of(lang)),
        site=site,
        shape=shape,
        lang=lang,
    )


def _check_width(width: int | None) -> None:
    if width is not None and not NARROWEST_PIXELS <= width <= WIDEST_PIXELS:
        raise invalid("server.picture_width", least=NARROWEST_PIXELS, most=WIDEST_PIXELS)


def _visible_seat(state: TableState, guest: str | None, seat: int | None) -> int:
    """Returns whose board to draw: by default the guest's, else the spectator's."""
    mine = state.held_by(guest)
    if seat is None:
        return (mine or (CHANCE,))[0]
    state.occupant(seat)
    if seat not in mine and state.game.secret_hands and not state.finished:
        raise forbidden("server.not_yours")
    return seat
