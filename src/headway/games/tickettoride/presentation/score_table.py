"""The scores as rows of text, with the seats side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.presentation.score_sheet import TicketScore, TicketToRideScore
from headway.i18n import number, say


def rows(board: Board, sheets: Sequence[TicketToRideScore], lang: str) -> list[list[str]]:
    """Returns a header row, then a row per kind of points; the first column is its name."""
    grid = [["", *(say("score.seat", lang, seat=seat) for seat in range(len(sheets)))]]

    def row(key: str, value: Callable[[TicketToRideScore], int]) -> None:
        grid.append([say(key, lang), *(number(value(sheet)) for sheet in sheets)])

    row("score.routes", lambda s: s.routes)
    for i in range(max(len(sheet.each_ticket) for sheet in sheets)):
        cells = [_ticket(board, s.each_ticket[i : i + 1]) for s in sheets]
        grid.append([say("score.ticket", lang), *cells])
    row("score.tickets", lambda s: s.tickets)
    grid.append([say("score.districts", lang), *map(_districts, sheets)])
    row("score.total", lambda s: s.total)
    row("score.completed", lambda s: s.completed)
    return grid


def _ticket(board: Board, tickets: Sequence[TicketScore]) -> str:
    if not tickets:
        return ""
    worth = tickets[0].worth
    return f"{ticket_name(board, tickets[0].name)} {'+' if worth >= 0 else ''}{number(worth)}"


def _districts(sheet: TicketToRideScore) -> str:
    joined = " ".join(map(str, sheet.each_district))
    return f"{joined} → {sheet.districts}" if joined else "0"


def ticket_name(board: Board, name: str) -> str:
    """Returns a ticket's two places as text."""
    ticket = board.tickets[board.ticket_named[name]]
    return f"{board.locations[ticket.a].plain} – {board.locations[ticket.b].plain}"
