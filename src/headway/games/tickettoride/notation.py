"""The notation: abbreviated moves, what chance deals as text, and the log as a seat sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headway.errors import InputError
from headway.games.contract import CHANCE, Event, Move, Seat
from headway.games.logbook import Logbook
from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.moves import (
    PILE,
    claim_parts,
    keep_mask,
    move_text,
    parse_move,
    what,
)
from headway.games.tickettoride.presentation.board_text import short_names
from headway.games.tickettoride.rules.arrays import (
    BLIND,
    CLAIM_MOVE,
    DEAL_HAND,
    DEAL_TICKET,
    FIRST,
    KEEP,
    LAY,
    OPENING,
)
from headway.games.tickettoride.state import TicketToRideState, nearest_claim

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


def shorthand(game: TicketToRide, text: str, legal: Sequence[Move]) -> list[Move]:
    """Returns the legal moves that an abbreviated text may mean.

    A kind of card or `pile` takes one; numbers keep tickets; a route, by the ids or short names of
    its places in any order, claims it: as specified, or in every legal way. If there is no legal
    move, returns the nearest illegal one; empty if the text means nothing.
    """
    board, tokens = game.board, text.lower().split()
    if not tokens:
        return []
    if tokens[0] == "claim":
        tokens = tokens[1:]
    elif len(tokens) == 1 and (tokens[0] == PILE or tokens[0] in board.kinds):
        return [parse_move(board, f"take {tokens[0]}")]
    elif all(token.isdigit() for token in tokens):
        return _read(board, f"keep {' '.join(tokens)}")
    return _claims(board, tokens, legal)


def _claims(board: Board, tokens: Sequence[str], legal: Sequence[Move]) -> list[Move]:
    routes = _routes(board, tokens[0]) if tokens else []
    if len(tokens) > 3 or not routes:
        return []
    claims = [move for move in legal if what(move) == CLAIM_MOVE]
    claims = [
        move
        for move in claims
        if claim_parts(move).route in routes
        and move_text(board, move).split()[2:][: len(tokens) - 1] == list(tokens[1:])
    ]
    if claims:
        return claims
    # No legal move fits: return the plainest payment, whose error tells the reason.
    route = board.routes[routes[0]]
    colour = next((token for token in tokens[1:] if token in board.kinds), None)
    colour = colour or (route.colour if route.colour in board.kinds else board.kinds[1])
    buses = tokens[2] if len(tokens) == 3 else str(route.length if colour == board.kinds[0] else 0)
    return _read(board, f"claim {route.name} {colour} {buses}")


def _read(board: Board, text: str) -> list[Move]:
    try:
        return [parse_move(board, text)]
    except InputError:
        return []


def _routes(board: Board, token: str) -> list[int]:
    """Returns the routes between two places, named by id or short name; `#1` is one of a double."""
    match = re.fullmatch(r"([a-z0-9_]+)-([a-z0-9_]+)(#[12])?", token)
    if not match:
        return []
    names = {short.lower(): i for i, short in enumerate(short_names(board))}
    names |= board.location_named
    ends = {names.get(match[1]), names.get(match[2])}
    half = int(match[3][1]) if match[3] else 0
    return [
        i
        for i, route in enumerate(board.routes)
        if {route.a, route.b} == ends and half in (0, route.half)
    ]


HIDDEN = "?"


def asked_move(state: TicketToRideState, seat: Seat, text: str) -> Move:
    """Returns the move that a seat asks about; a claim may leave out the payment."""
    board, words = state.game.board, text.split()
    if len(words) == 2 and words[0] == "claim" and words[1] in board.route_named:
        return nearest_claim(board, state.players[seat], board.route_named[words[1]])
    return parse_move(board, text)


def chance_text(state: TicketToRideState, move: Move, seat: Seat | None = None) -> str:
    """Returns what chance deals with a move and to whom; with a seat, as far as it sees it."""
    board, phase = state.game.board, state.phase
    if phase == FIRST:
        return f"first {move}"
    if phase == LAY:
        return f"display {board.kinds[move]}"
    to = dealt_to(state)
    shown = seat is None or seat == to
    if phase in (DEAL_HAND, BLIND):
        return f"card {to} {board.kinds[move] if shown else HIDDEN}"
    return f"ticket {to} {board.tickets[move].name if shown else HIDDEN}"


def dealt_to(state: TicketToRideState) -> Seat:
    """Returns the seat that gets the card or ticket that is dealt now."""
    board, shared = state.game.board, state.shared
    if state.phase == DEAL_HAND:
        return int(shared["drawn"]) // board.play.hand
    if state.phase == DEAL_TICKET:
        return int(shared["tickets_seen"]) // board.play.tickets_dealt
    return int(shared["seat"])


class TicketToRideLog(Logbook):
    """The log with hidden parts as `?`.

    Opening choices of others appear when all have chosen (TR-05); of the tickets that others keep,
    only the number is shown (TR-14).
    """

    def add(self, state: TicketToRideState, event: Event) -> None:
        actor, move = event
        opening = state.phase == OPENING
        if actor == CHANCE:
            own, text = chance_text(state, move), chance_text(state, move, CHANCE)
            knower = dealt_to(state) if own != text else CHANCE
        else:
            own = text = state.game.move_text(move)
            knower = actor
            if state.phase in (OPENING, KEEP):
                text = " ".join(["keep", *HIDDEN * keep_mask(move).bit_count()])
            self.turn += not state.mid_turn()
        self.note(event, text, own, knower, waits=opening)
        if opening and state.actors() == {actor}:
            self.show()


logbook = TicketToRideLog
