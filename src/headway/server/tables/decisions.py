"""What may be done at a table: each function returns the next event, or refuses.

`TableAuthority.change` tries a decision on the newest state and commits its event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from headway.bots import find_bot
from headway.errors import HeadwayError
from headway.games.contract import Move
from headway.server.core.calendar import steady_time
from headway.server.core.errors import conflict, forbidden, invalid
from headway.server.tables import events
from headway.server.tables.events import TableEvent, UndoRequest
from headway.server.tables.setup import (
    Occupant,
    Persona,
    Setup,
    against_people,
    choice_of,
    game_of_seats,
)
from headway.server.tables.state import TableState

Decision = tuple[TableEvent, Move | None]
"""The next event of a table, with its move if that is parsed."""


def join(
    state: TableState, guest: str, seat: int | None, persona: Persona, pick: str = ""
) -> Decision:
    """Seats a guest on a free seat, or on the one that they have left.

    A guest holds one seat, except at a table set up for several people at one screen. With a
    `pick` such as `pencils=green` they take that too, or neither.
    """
    place = _free_seat(state, guest) if seat is None else seat
    refuse_daily(state)
    _refuse_seat(state, guest, place)
    state.require_patience(guest, events.SIT)
    refuse_finished(state)
    if pick:
        _refuse_pick(state, guest, place, pick)
    name, face = persona
    return new_event(state, events.SIT, place, guest, name, pick=pick, face=face), None


def pick(state: TableState, guest: str, seat: int, picked: str) -> Decision:
    """Picks something for a seat while its table waits: the holder, or the host for a bot.

    What is for all seats (seat -1) only the host picks. The first who picks something has it.
    """
    hosted = seat < 0 or state.occupant(seat).bot
    if hosted and guest != state.host:
        raise forbidden("server.host_only")
    if not hosted:
        state.require_holder(guest, seat)
    _refuse_pick(state, guest, seat, picked)
    return new_event(state, events.PICK, seat, guest, pick=picked), None


def leave(state: TableState, guest: str, seat: int) -> Decision:
    """Frees a guest's seat."""
    state.require_holder(guest, seat)
    refuse_daily(state)
    refuse_finished(state)
    return new_event(state, events.LEAVE, seat, guest), None


def confirm(state: TableState, guest: str) -> Decision:
    """Notes that a guest is there, so that the clock may start."""
    if not is_asked_to_confirm(state, guest):
        raise conflict("server.moved_on")
    state.require_patience(guest, events.READY)
    return new_event(state, events.READY, -1, guest), None


def hold(state: TableState, guest: str) -> Decision:
    """Stops the time before the game: it begins when everybody has confirmed."""
    if not state.held_by(guest):
        raise forbidden("server.not_at_table")
    if state.starts_at is None:
        raise conflict("server.moved_on")
    return new_event(state, events.HOLD, -1, guest), None


def start(state: TableState, here: Callable[[TableState], bool]) -> Decision:
    """Begins a game whose time has come; holds it while somebody is not `here`."""
    if state.starts_at is None or state.starts_at > steady_time():
        raise conflict("server.moved_on")
    return new_event(state, events.START if here(state) else events.HOLD), None


def begin(state: TableState, guest: str) -> Decision:
    """Takes the free seats away, so that the game begins with fewer players."""
    free = state.free_seats()
    if state.started is not None or not free:
        raise conflict("server.full")
    if guest != state.host:
        raise forbidden("server.host_only")
    left = [seat for seat in range(len(state.occupants)) if seat not in free]
    game_of_seats(state.setup, state.game.chosen, left)  # refuses too few players
    _refuse_days_against_bots(state.setup, [state.occupants[seat] for seat in left])
    return new_event(state, events.BEGIN, -1, guest), None


def move(
    state: TableState, guest: str, seat: int, text: str, client_id: str, seen: int | None
) -> Decision:
    """Makes a guest's move; `seen` is the number of the last event that the guest saw."""
    state.require_holder(guest, seat)
    game = state.playing().game
    if seen is not None and seen < state.asked(seat):
        raise conflict("server.moved_on")
    if seat in state.flagged_seats(steady_time()):
        raise conflict("server.time_over")
    parsed = game.parse_move(text)
    written = game.move_text(parsed)
    return new_event(state, events.MOVE, seat, guest, written, client_id=client_id), parsed


def bot_move(state: TableState, seat: int, bot: str, text: str, last_undo: int) -> Decision:
    """Makes a bot's move, unless its seat or the game changed while it thought."""
    if state.occupant(seat).bot != bot or state.last_undo != last_undo:
        raise conflict("server.moved_on")
    return new_event(state, events.MOVE, seat, text=text), None


def flag(state: TableState, seat: int) -> Decision:
    """Makes an idle move for a seat whose time is over."""
    if seat not in state.flagged_seats(steady_time()):
        raise conflict("server.moved_on")
    game = state.playing().game
    idle = game.idle_move(state.position, seat)
    return new_event(state, events.FLAG, seat, text=game.move_text(idle)), idle


def give_back(state: TableState, number: int, seconds: float) -> Decision:
    """Gives everybody who has to move time back, unless the table has changed since an event."""
    if state.number != number:
        raise conflict("server.moved_on")
    return new_event(state, events.DOWNTIME, text=f"{seconds:.3f}"), None


def end(state: TableState) -> Decision:
    """Ends a table for good, without a result; the operator does so."""
    refuse_finished(state)
    return new_event(state, events.END), None


def take_back(state: TableState, guest: str, seat: int, client_id: str) -> Decision:
    """Takes a guest's last move back, or asks the other people at the table to allow it."""
    state.require_holder(guest, seat)
    drops = undo_drops(state, seat)
    if not undo_needs(state, seat):
        return new_event(state, events.UNDO, seat, guest, drops=drops, client_id=client_id), None
    if open_undo_request(state):
        raise conflict("server.undo_asked")
    state.require_patience(guest, events.UNDO_ASK)
    asked = str(drops[0])
    return new_event(state, events.UNDO_ASK, seat, guest, asked, client_id=client_id), None


def answer_undo(
    state: TableState, guest: str, request: tuple[int, int], grant: bool, client_id: str
) -> Decision:
    """Lets a seat take its move back, or not; `request` is its seat, and its event's number.

    Nobody answers by saying nothing: a request without an answer ends with its turn.
    """
    if not state.held_by(guest):
        raise forbidden("server.not_at_table")
    asked = open_undo_request(state)
    if asked is None or (asked.seat, asked.number) != request:
        raise conflict("server.undo_gone")
    waits = undo_waits_for(state, asked)
    if guest not in waits:
        raise forbidden("server.undo_not_asked")
    drops: tuple[int, ...] = ()
    kind = events.UNDO_YES if grant else events.UNDO_NO
    if grant and waits == {guest}:
        kind, drops = events.UNDO, (asked.move,)
    return new_event(state, kind, asked.seat, guest, drops=drops, client_id=client_id), None


def give_to_bot(
    state: TableState, guest: str, seat: int, bot: str, away: Callable[[TableState, int], bool]
) -> Decision:
    """Gives a seat to a bot: the guest's, a free one, or one whose holder is away."""
    occupant = state.occupant(seat)
    find_bot(bot, state.setup.game)
    refuse_daily(state)
    refuse_finished(state)
    if not (state.held_by(guest) or state.setup.host == guest):
        raise forbidden("server.not_at_table")
    if occupant.bot:
        raise conflict("server.bot_already")
    if occupant.kind == "open" and state.started is None and guest != state.host:
        raise forbidden("server.host_only")
    if state.started is None:
        others = [who for s, who in enumerate(state.occupants) if s != seat]
        _refuse_days_against_bots(state.setup, others)
    if occupant.kind == "person" and occupant.guest != guest and not away(state, seat):
        raise conflict("server.not_away")
    return new_event(state, events.BOT, seat, guest, text=bot), None


def require_hint(state: TableState, guest: str | None, seat: int) -> None:
    """Refuses a hint unless the seat's holder trains alone and has to move; it is no event."""
    table = state.playing()
    state.require_holder(guest, seat)
    if not state.setup.training:
        raise conflict("server.hint_training")
    if not state.alone_with_bots:
        raise conflict("server.hint_people")
    if table.finished():
        raise conflict("server.over")
    if seat not in table.actors():
        raise conflict("server.hint_not_now")


def new_event(
    state: TableState,
    kind: str,
    seat: int = -1,
    guest: str | None = None,
    text: str = "",
    **fields: Any,
) -> TableEvent:
    """Returns the next event of a table; `fields` are the others of `TableEvent`."""
    # A process whose clock is behind must not write a time before the turn began.
    at = max(steady_time(), *state.clock.since.values(), 0.0)
    place: dict[str, Any] = {"table_id": state.setup.id, "number": state.number + 1, "at": at}
    return TableEvent(**place, kind=kind, seat=seat, guest=guest, text=text, **fields)


def is_asked_to_confirm(state: TableState, guest: str) -> bool:
    """Tells whether the game waits for a guest to confirm."""
    return bool(set(state.held_by(guest)) & set(state.unready()))


def refuse_daily(state: TableState) -> None:
    """Refuses changes of seats at a deal of the day: its player plays it alone to the end."""
    if state.setup.day:
        raise conflict("server.today_alone")


def refuse_finished(state: TableState) -> None:
    """Refuses what nobody can do when the game is over."""
    if state.finished:
        raise conflict("server.over")


def _refuse_pick(state: TableState, guest: str, seat: int, pick: str) -> None:
    """Refuses a pick when the game has begun, or of what another seat has."""
    if state.started is not None:
        raise conflict("server.begun")
    state.require_patience(guest, events.PICK)
    part, _, value = pick.partition("=")
    if choice_of(state.game, part).each_seat != (seat >= 0):
        raise invalid("choice.seats", part=part, seats=state.game.seats)
    taken = state.game.chosen.get(part) or []
    if seat >= 0 and any(one == value for s, one in enumerate(taken) if one and s != seat):
        raise conflict("server.picked")


def _refuse_days_against_bots(setup: Setup, occupants: Sequence[Occupant]) -> None:
    if setup.clock.kind == "days" and not against_people(occupants):
        raise conflict("server.clock_days")


def _refuse_seat(state: TableState, guest: str, seat: int) -> None:
    """Refuses a seat to a guest; one who left it may always come back."""
    occupant = state.occupant(seat)
    if occupant.guest == guest:
        raise conflict("server.yours")
    if occupant.former == guest:
        return
    if occupant.kind != "open":
        raise conflict("server.taken")
    if state.started is not None:
        raise conflict("server.seat_left")
    if state.held_by(guest):
        raise conflict("server.one_seat")


def _free_seat(state: TableState, guest: str) -> int:
    kept = [seat for seat, occupant in enumerate(state.occupants) if occupant.former == guest]
    free = state.free_seats()
    if not kept + free:
        raise conflict("server.full")
    return (kept + free)[0]


# Which move a seat may take back, and who has to agree


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
