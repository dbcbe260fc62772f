"""Pictures of a board, as a guest may see it."""

from __future__ import annotations

from headway.games.contract import CHANCE
from headway.server.errors import forbidden
from headway.server.table.state import TableState
from headway.svg import Theme


def picture(state: TableState, guest: str | None, seat: int | None, theme: Theme, lang: str) -> str:
    """Returns a seat's board as SVG; before the end a hidden hand is in its holder's alone."""
    mine = state.held_by(guest)
    if seat is None:
        seat = (mine or (CHANCE,))[0]
    else:
        state.occupant(seat)
    if seat not in (CHANCE, *mine) and state.game.secret_hands and not state.finished:
        raise forbidden("server.not_yours")
    return state.game.svg(state.view(seat), theme=theme, lang=lang)
