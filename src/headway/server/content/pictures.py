"""Pictures of a board, as a guest may see it."""

from __future__ import annotations

from typing import Literal

from headway.games.contract import CHANCE
from headway.server.errors import Refused
from headway.server.table.state import Sitting
from headway.svg import Theme, png


def picture(now: Sitting, guest: str | None, seat: int | None, theme: Theme, lang: str) -> str:
    """A seat's board as SVG: a hidden hand is in nobody else's picture before the end."""
    mine = now.held_by(guest)
    if seat is None:
        seat = (mine or (CHANCE,))[0]
    else:
        now.chair(seat)
    if seat not in (CHANCE, *mine) and now.game.secret_hands and not now.finished:
        raise Refused(403, "server.not_yours")
    return now.game.svg(now.view(seat), theme=theme, lang=lang)


def as_png(svg: str, width: int) -> bytes:
    """The same as pixels; slow, so not for the event loop."""
    return png(svg, width)


ThemeName = Literal["light", "dark", "auto"]
