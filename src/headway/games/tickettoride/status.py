"""What lies beside the board: cards, tickets and seats, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from headway.catalogue import say
from headway.games.tickettoride.board import Board
from headway.games.tickettoride.textboard import LETTER, SEAT, TERMINAL, short_names
from headway.games.tickettoride.view import TicketToRideView

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


def status(
    game: TicketToRide, view: TicketToRideView, names: Sequence[str], lang: str
) -> list[str]:
    """Everything a player needs to know besides the board, in rich's markup."""
    lines = [*_course(view, lang), *_display(view, lang), *_hand(view, lang)]
    lines += _tickets(game.board, view, lang)
    lines += _seats(view, names, lang)
    return lines


def _title(key: str, lang: str) -> str:
    return f"[bold]{say(f'tickettoride.{key}', lang)}[/]"


def _card(kind: str, lang: str) -> str:
    """A card in its colour, with the letter that the board has for it."""
    name = say(f"card.{kind}", lang)
    letter = f"{LETTER[kind]} " if kind in LETTER else ""
    return f"[{TERMINAL[kind]} bold]{letter}{name}[/]"


def _course(view: TicketToRideView, lang: str) -> Iterator[str]:
    if view.turns_left is not None and not view.finished:
        yield f"[bold]{say('tickettoride.last_turns', lang, turns=view.turns_left)}[/]"
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
    cards = [f"{number} {_card(kind, lang)}" for kind, number in view.hand.items()]
    for start in range(0, len(cards), 3):
        yield ", ".join(cards[start : start + 3])


def _tickets(board: Board, view: TicketToRideView, lang: str) -> Iterator[str]:
    if view.offered:
        yield _title("offered", lang)
        for number, name in enumerate(view.offered, 1):
            yield f"{number}: {_ticket(board, name)}"
    yield _title("tickets", lang)
    for each in view.own_score.each_ticket if view.own_score else ():
        yield f"{'✓' if each.completed else '-'} {_ticket(board, each.name)}"


def _ticket(board: Board, name: str) -> str:
    """A ticket in a narrow column: the short names of its places."""
    ticket, short = board.tickets[board.ticket_named[name]], short_names(board)
    return f"({short[ticket.a]}) – ({short[ticket.b]})  {ticket.points}"


def _seats(view: TicketToRideView, names: Sequence[str], lang: str) -> Iterator[str]:
    yield _title("players", lang)
    totals: Mapping[int, int] = {i: sheet.total for i, sheet in enumerate(view.scores)}
    for seat in range(view.seats):
        name = names[seat] if names else say("score.seat", lang, seat=seat)
        points = totals.get(seat, view.points[seat])
        yield f"[{SEAT[seat]} bold]{seat}▪[/] {name}: {points}"
        values = {
            "buses": view.buses[seat],
            "cards": view.hands[seat],
            "tickets": view.tickets[seat],
        }
        yield f"   [dim]{say('tickettoride.player', lang, **values)}[/]"
