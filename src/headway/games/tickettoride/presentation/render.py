"""A view as a picture and as a terminal screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from headway.games.contract import Move
from headway.games.tickettoride.notation import claim_parts, what
from headway.games.tickettoride.presentation.board_svg import (
    Beside,
    Holding,
    TicketSlip,
    draw_board,
)
from headway.games.tickettoride.presentation.board_text import rich_board, text_board
from headway.games.tickettoride.presentation.score_table import ticket_name
from headway.games.tickettoride.rules.arrays import CLAIM_MOVE
from headway.games.tickettoride.view import TicketToRideView
from headway.i18n import say
from headway.svg import Theme

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


def owners(game: TicketToRide, view: TicketToRideView) -> dict[int, int]:
    """Returns the seat of each claimed route."""
    return {game.board.route_named[name]: seat for name, seat in view.routes.items()}


def svg(
    game: TicketToRide, view: TicketToRideView, names: Sequence[str], theme: Theme, lang: str
) -> str:
    """Draws the board with all buses, and below it what the view's seat has and sees.

    Before the deal it is the board alone. Without names a seat goes by its number.
    """
    taken = owners(game, view)
    dealt = any(view.display) or any(view.hands)
    return draw_board(
        game.board,
        taken,
        theme=theme,
        title=game.title(lang),
        beside=_beside(game, view, names, lang) if dealt else None,
        description=text_board(game.board, taken, lang),
        bus_colours=view.bus_colours,
    )


def _beside(game: TicketToRide, view: TicketToRideView, names: Sequence[str], lang: str) -> Beside:
    def title(part: str) -> str:
        if not names or view.seat < 0:
            return say(f"tickettoride.{part}", lang)
        return say(f"web.tickettoride.{part}_of", lang, name=names[view.seat])

    sheet = view.own_score
    slips = [
        TicketSlip(ticket_name(game.board, ticket.name), ticket.points, ticket.completed)
        for ticket in (sheet.each_ticket if sheet else ())
    ]
    note = say("tickettoride.pile", lang, pile=view.pile, discards=sum(view.discards.values()))
    return Beside(
        holdings=[_holding(view, seat, names, lang) for seat in range(view.seats)],
        display_title=say("tickettoride.display", lang),
        display=() if view.finished else view.display,
        display_note=note,
        hand_title=title("hand") if view.seat >= 0 else "",
        hand={} if view.finished else view.hand,
        tickets_title=title("tickets"),
        tickets=slips,
    )


def _holding(view: TicketToRideView, seat: int, names: Sequence[str], lang: str) -> Holding:
    name = names[seat] if names else say("score.seat", lang, seat=seat)
    if view.finished:
        sheet = view.scores[seat]
        name = say("score.sheet_of", lang, name=name, total=sheet.total)
        facts = say(
            "tickettoride.final",
            lang,
            routes=sheet.routes,
            tickets=sheet.tickets,
            districts=sheet.districts,
        )
        return Holding(seat, name, facts)
    name = say("score.sheet_of", lang, name=name, total=view.points[seat])
    facts = say(
        "tickettoride.player",
        lang,
        buses=view.buses[seat],
        cards=view.hands[seat],
        tickets=view.tickets[seat],
    )
    return Holding(seat, name, facts, seat in view.actors)


def screen(game: TicketToRide, view: TicketToRideView, legal: Iterable[Move], lang: str) -> str:
    """Returns the board for a terminal; claimable routes are marked."""
    marked = {claim_parts(move).route for move in legal if what(move) == CLAIM_MOVE}
    return rich_board(game.board, owners(game, view), marked, view.bus_colours)
