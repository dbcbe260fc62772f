"""Positions of Ticket to Ride for tests: set up as wanted, then played in the notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from headway.games.contract import CHANCE
from headway.games.kernel import BIT
from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import GAP, TURN
from headway.games.tickettoride.state import TicketToRideState

LONDON = "london"
TINY = str(Path(__file__).parent / "tiny.toml")
"""A board of four places and few cards, where rare things happen soon."""


def opened(seats: int = 2, board: str = LONDON) -> TicketToRide:
    """A game on a board."""
    return TicketToRide(board, seats, {})


def kind(board: Board, name: str) -> int:
    """The number of a kind of card."""
    return board.kinds.index(name)


def turn(
    *,
    seats: int = 2,
    board: str = LONDON,
    hands: Sequence[Mapping[str, int]] = (),
    display: Sequence[str | None] = ("blue", "green", "black", "pink", "yellow"),
    pile: Mapping[str, int] | None = None,
    discards: Mapping[str, int] | None = None,
    tickets: Sequence[str] = (),
    ticket_pile: Sequence[str] | None = None,
) -> TicketToRideState:
    """The start of a turn of seat 0, with these cards; `tickets` are those of seat 0.

    The pile, where it is not given, has all that is not elsewhere.
    """
    game = opened(seats, board)
    state = TicketToRideState(game)
    shared, of = state.shared, game.board
    shared["phase"], shared["first"], shared["seat"] = TURN, 0, 0
    for seat, hand in enumerate(hands):
        for name, number in hand.items():
            state.players[seat]["hand"][kind(of, name)] = number
    shared["display"][: len(display)] = [GAP if n is None else kind(of, n) for n in display]
    for name, number in (discards or {}).items():
        shared["discards"][kind(of, name)] = number
    shared["discards_size"] = sum((discards or {}).values())
    rest = dict(of.cards)
    for name in filter(None, display):
        rest[name] -= 1
    for cards in (*hands, discards or {}):
        for name, number in cards.items():
            rest[name] -= number
    for i, name in enumerate(of.kinds):
        shared["pile"][i] = rest[name] if pile is None else pile.get(name, 0)
    shared["pile_size"] = shared["pile"].sum()
    held = [of.ticket_named[name] for name in tickets]
    for ticket in held:
        state.players[0]["tickets"] |= BIT[ticket]
    left = range(len(of.tickets)) if ticket_pile is None else map(of.ticket_named.get, ticket_pile)
    shared["ticket_pile"] = 0
    for ticket in (t for t in left if t is not None and t not in held):
        shared["ticket_pile"] |= BIT[ticket]
    return state


def give_route(state: TicketToRideState, seat: int, name: str) -> None:
    """Puts a seat's buses on a route, as if it had taken it earlier."""
    board = state.game.board
    route = board.route_named[name]
    state.players[seat]["routes"] |= BIT[route]
    state.shared["routes"] |= BIT[route]
    state.players[seat]["buses"] -= board.routes[route].length
    state.players[seat]["points"] += board.scoring[board.routes[route].length - 1]


def go(state: TicketToRideState, text: str, *dealt: str) -> None:
    """The seat whose turn it is makes a move; then chance deals these cards or tickets."""
    (seat,) = state.actors()
    state.apply(seat, state.game.parse_move(text))
    for name in dealt:
        deal(state, name)


def deal(state: TicketToRideState, name: str) -> None:
    """Chance deals a card or a ticket by name, or a seat that begins by number."""
    board = state.game.board
    assert state.actors() == {CHANCE}
    if name.isdigit():
        state.apply(CHANCE, int(name))
    elif name in board.kinds:
        state.apply(CHANCE, kind(board, name))
    else:
        state.apply(CHANCE, board.ticket_named[name])


def legal(state: TicketToRideState) -> list[str]:
    """The legal moves of the seat whose turn it is, as texts."""
    (seat,) = state.actors()
    return [state.game.move_text(move) for move in state.legal(seat)]


def display(state: TicketToRideState) -> tuple[str | None, ...]:
    """The face-up cards."""
    return state.view(0).display


def hand(state: TicketToRideState, seat: int) -> dict[str, int]:
    """A seat's cards."""
    return state.view(seat).hand
