"""The column beside the board: cards, tickets and seats, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from headway.games.text_canvas import TERMINAL
from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.presentation.board_text import BUS, short_names
from headway.games.tickettoride.presentation.score_sheet import TicketScore
from headway.games.tickettoride.presentation.score_table import ticket_name
from headway.games.tickettoride.view import TicketToRideView
from headway.i18n import number, say

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


FEW = 4
"""Up to this number of tickets, full names are shown; short ones otherwise."""


def status(
    game: TicketToRide, view: TicketToRideView, names: Sequence[str], lang: str
) -> list[str]:
    """Returns everything a player needs to know besides the board, in rich's markup."""
    lines = [*_course(view, names, lang), *_display(view, lang), *_hand(view, lang)]
    lines += _tickets(game.board, view, lang)
    lines += _seats(view, names, lang)
    return lines


def _title(key: str, lang: str) -> str:
    return f"[bold]{say(f'tickettoride.{key}', lang)}[/]"


def _card(kind: str, lang: str) -> str:
    """Returns a card in its colour."""
    name = say(f"card.{kind}", lang)
    return f"[{TERMINAL[kind]} bold]{name}[/]"


def _last_turns(view: TicketToRideView, names: Sequence[str], lang: str) -> str:
    if view.turns_left != 1 or not view.actors:
        return say("tickettoride.last_round", lang, turns=view.turns_left)
    (actor,) = view.actors
    if actor == view.seat:
        return say("tickettoride.last_turn_you", lang)
    return say("tickettoride.last_turn", lang, name=names[actor])


def _course(view: TicketToRideView, names: Sequence[str], lang: str) -> Iterator[str]:
    if view.turns_left is not None and not view.finished:
        yield f"[bold]{_last_turns(view, names, lang)}[/]"
    if view.taken and view.seat in view.actors:
        yield f"[bold]{say('tickettoride.second', lang)}[/]"


def _display(view: TicketToRideView, lang: str) -> Iterator[str]:
    yield _title("display", lang)
    cards = [say("tickettoride.gap", lang) if k is None else _card(k, lang) for k in view.display]
    yield ", ".join(cards[:3])
    yield ", ".join(cards[3:])
    yield say("tickettoride.pile", lang, pile=view.pile, discards=sum(view.discards.values()))


def _hand(view: TicketToRideView, lang: str) -> Iterator[str]:
    yield _title("hand", lang)
    cards = [
        f"[{TERMINAL[kind]} bold]{say(f'count.{kind}_cards', lang, n=number)}[/]"
        for kind, number in view.hand.items()
    ]
    for start in range(0, len(cards), 3):
        yield ", ".join(cards[start : start + 3])


def _tickets(board: Board, view: TicketToRideView, lang: str) -> Iterator[str]:
    if view.offered:
        yield _title("offered", lang)
        for number, name in enumerate(view.offered, 1):
            yield f"{number}: {_worth(board, name, ticket_name(board, name))}"
    held = view.own_score.each_ticket if view.own_score else ()
    if not held:
        return
    yield _title("tickets", lang)
    if len(held) + len(view.offered) <= FEW:
        for ticket in held:
            yield f"{_mark(ticket)} {_worth(board, ticket.name, ticket_name(board, ticket.name))}"
        return
    short = [
        f"{_mark(ticket)} {_worth(board, ticket.name, _short(board, ticket.name))}"
        for ticket in held
    ]
    for start in range(0, len(short), 3):
        yield "  ".join(text.ljust(10) for text in short[start : start + 3]).rstrip()


def _mark(ticket: TicketScore) -> str:
    return "✓" if ticket.completed else "-"


def _worth(board: Board, name: str, text: str) -> str:
    return f"{text} {board.tickets[board.ticket_named[name]].points}"


def _short(board: Board, name: str) -> str:
    ticket, short = board.tickets[board.ticket_named[name]], short_names(board)
    return f"{short[ticket.a]}-{short[ticket.b]}"


def _seats(view: TicketToRideView, names: Sequence[str], lang: str) -> Iterator[str]:
    yield f"[bold]{say('tickettoride.players', lang)}[/]"
    totals = {seat: sheet.total for seat, sheet in enumerate(view.scores)}
    for seat in range(view.seats):
        name = names[seat] if names else say("score.seat", lang, seat=seat)
        numbers = (view.buses[seat], view.hands[seat], view.tickets[seat])
        points = totals.get(seat, view.points[seat])
        facts = "".join(f"{number(value):>4}" for value in (*numbers, points))
        yield f"[{BUS[view.bus_colours[seat]]} bold reverse]{seat}[/] {name[:14]:<14}{facts}"
