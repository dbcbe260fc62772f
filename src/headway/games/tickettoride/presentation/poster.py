"""The poster of a finished game: the board with everybody's buses, and the points."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headway.games.poster import EDGE, WIDE, Poster, figures, frame, words
from headway.games.tickettoride.presentation.board_svg import draw_board
from headway.games.tickettoride.presentation.board_text import text_board
from headway.i18n import number as signed
from headway.svg import Palette, element, moved, number, rectangle

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide
    from headway.games.tickettoride.view import TicketToRideView

PAPER = Palette("light")
TOP = 56.0


def poster(game: TicketToRide, view: TicketToRideView, shown: Poster) -> str:
    """Returns the poster of a seat as SVG; `view` is that of a finished game."""
    taken = {game.board.route_named[name]: seat for name, seat in view.routes.items()}
    description, title = text_board(game.board, taken, shown.lang), game.title(shown.lang)
    board = draw_board(
        game.board, taken, theme="light", title=title, description=description,
        bus_colours=view.bus_colours,
    )  # fmt: skip
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', board)
    assert size  # each drawing has one
    wide, high = float(size[1]), float(size[2])
    room = shown.height - TOP - 150
    scale = min((WIDE - 2 * EDGE) / wide, room / high)
    place = f"{moved((WIDE - wide * scale) / 2, TOP)} scale({number(scale)})"
    ink = PAPER("plate-text")
    y = shown.height - 44
    drawn, right = figures(signed(view.scores[shown.seat].total), y, 96, ink)
    others = " · ".join(
        f"{name} {signed(score.total)}"
        for seat, (name, score) in enumerate(zip(shown.names, view.scores, strict=True))
        if seat != shown.seat
    )
    who = " · ".join(filter(None, (shown.names[shown.seat], shown.date)))
    room = WIDE - EDGE - right - 20
    return frame(
        shown,
        PAPER,
        title,
        description,
        element("g", board, transform=place),
        rectangle(0, shown.height - 140, WIDE, 140, fill=PAPER("plate")),
        drawn,
        words(who, right + 20, y - 34, 18, room, ink),
        words(others, right + 20, y - 8, 15, room, ink),
    )
