"""Shows a game: pictures, the screen of a terminal, the column beside it, the score table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from headway.errors import InputError
from headway.games.contract import Move
from headway.games.presentation import TERMINAL
from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.moves import claim_parts, what
from headway.games.tickettoride.presentation.board_svg import Beside, draw_board
from headway.games.tickettoride.presentation.board_text import (
    legend,
    rich_board,
    short_names,
    text_board,
)
from headway.games.tickettoride.presentation.poster import poster as poster
from headway.games.tickettoride.rules.arrays import CLAIM_MOVE
from headway.games.tickettoride.rules.scoring import TicketScore, TicketToRideScore
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView
from headway.i18n import language, number, say
from headway.svg import Theme

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


def svg(
    game: TicketToRide,
    view: TicketToRideView,
    *,
    names: Sequence[str] = (),
    theme: Theme = "auto",
    lang: str | None = None,
) -> str:
    """Draws the board with all buses, and below it what the view's seat has and sees.

    Before the deal it is the board alone. Without names a seat goes by its number.
    """
    lang, taken = lang or language(), view.owners(game.board)
    dealt = any(view.display) or any(view.hands)
    return draw_board(
        game.board,
        taken,
        theme=theme,
        title=game.title(lang),
        beside=Beside(view, names, lang) if dealt else None,
        description=text_board(game.board, taken, lang),
        bus_colours=view.bus_colours,
    )


def screen(
    game: TicketToRide,
    view: TicketToRideView,
    *,
    legal: Iterable[Move] = (),
    lang: str | None = None,
) -> str:
    """Returns the board for a terminal; claimable routes are marked."""
    marked = {claim_parts(move).route for move in legal if what(move) == CLAIM_MOVE}
    return rich_board(game.board, view.owners(game.board), marked, view.bus_colours)


FEW = 4
"""Up to this number of tickets, full names are shown; short ones otherwise."""


def status(
    game: TicketToRide,
    view: TicketToRideView,
    *,
    names: Sequence[str] = (),
    lang: str | None = None,
) -> list[str]:
    """Returns everything a player needs to know besides the board, in rich's markup."""
    lang = lang or language()
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
            yield f"{number}: {_worth(board, name, board.ticket_title(name))}"
    held = view.own_score.each_ticket if view.own_score else ()
    if not held:
        return
    yield _title("tickets", lang)
    if len(held) + len(view.offered) <= FEW:
        for ticket in held:
            yield f"{_mark(ticket)} {_worth(board, ticket.name, board.ticket_title(ticket.name))}"
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
        yield f"[{TERMINAL[view.bus_colours[seat]]} bold reverse]{seat}[/] {name[:14]:<14}{facts}"


def score_table(state: TicketToRideState, lang: str | None = None) -> list[list[str]]:
    """Returns a header row, then a row per kind of points; the first column is its name."""
    board, sheets, lang = state.game.board, state.scores(), lang or language()
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
    return f"{board.ticket_title(tickets[0].name)} {'+' if worth >= 0 else ''}{number(worth)}"


def _districts(sheet: TicketToRideScore) -> str:
    joined = " ".join(map(str, sheet.each_district))
    return f"{joined} → {sheet.districts}" if joined else "0"


def notation_help(game: TicketToRide, lang: str | None = None) -> list[str]:
    """Explains how moves are typed, and the letters of the text board."""
    return [*say("tickettoride.notation", lang).splitlines(), *legend(game.board)]


def blank_sheet(game: TicketToRide, lang: str | None = None) -> str:
    """Refuses: nobody plays this game on sheets of paper."""
    raise InputError("print.none", game=game.box.name)
