"""Undo: which move a seat may take back, and who has to agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headway.errors import HeadwayError
from headway.server.core.errors import conflict
from headway.server.tables import events

if TYPE_CHECKING:
    from headway.server.tables.state import TableState


class UndoRequest(NamedTuple):
    """A seat's wish to take a move back: the numbers of both events, and who has agreed."""

    number: int
    seat: int
    move: int
    granted: frozenset[str] = frozenset()


def undo_drops(state: TableState, seat: int) -> tuple[int, ...]:
    """Returns the events that the seat's undo takes back; refuses if it may not."""
    table = state.playing()
    if state.over:
        raise conflict("server.undo_over")
    places = reversed(range(len(state.moves)))
    last = next((i for i in places if state.moves[i].seat == seat), None)
    if last is None or state.moves[last].kind == events.FLAG:
        raise conflict("server.undo_nothing")
    if state.moves[last].number == state.undo_refused:
        raise conflict("server.undo_refused")
    _require_undos_left(state, seat, last)
    if not table.is_final(seat):
        return (state.moves[last].number,)
    if not (state.setup.training and state.alone_with_bots):
        raise conflict("server.undo_revealed")
    return tuple(move.number for move in state.moves[last:])


def undo_needs(state: TableState, seat: int) -> frozenset[str]:
    """Returns the other people at the table, who have to agree when the seat takes a move back.

    Nobody has to where all others are bots, or play at the same screen.
    """
    holder = state.occupant(seat).guest
    return frozenset(who.guest for who in state.occupants if who.guest and who.guest != holder)


def open_undo_request(state: TableState) -> UndoRequest | None:
    """Returns the request that the others can answer now: it ends when its move becomes final."""
    request = state.undo_request
    if request is None or state.table is None or not undo_waits_for(state, request):
        return None
    try:
        return request if undo_drops(state, request.seat) == (request.move,) else None
    except HeadwayError:
        return None


def undo_waits_for(state: TableState, request: UndoRequest) -> frozenset[str]:
    """Returns the guests who have not answered a request yet."""
    return undo_needs(state, request.seat) - request.granted


def _require_undos_left(state: TableState, seat: int, last: int) -> None:
    """Refuses to take the same move back again and again, where others wait."""
    if not state.undos or (state.setup.training and state.alone_with_bots):
        return
    moves_before = sum(move.seat == seat for move in state.moves[:last])
    if state.undos.get((seat, moves_before), 0) >= events.UNDOS_PER_TURN:
        raise conflict("server.undo_often", most=events.UNDOS_PER_TURN)


def can_undo(state: TableState, seat: int) -> bool:
    """Tells whether the seat may take its last move back."""
    try:
        undo_drops(state, seat)
    except HeadwayError:
        return False
    return True
