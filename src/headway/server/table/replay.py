"""Games that are over, moment by moment, as a seat saw them or with all hands open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from headway import json_position, record
from headway.errors import HeadwayError, InputError
from headway.games import box
from headway.games.contract import CHANCE, Event, Game, LogLine, Outcome, Seat, State
from headway.server.errors import Refused
from headway.server.table.state import Sitting
from headway.server.table.view import SeatHead, title_of


class Moment(msgspec.Struct, frozen=True):
    """A position in which somebody decides, or the end, after `number` events.

    `seat` made the last move, -1 before the first. `views` has, by seat, the fields of its view
    that are not as in the moment before; in the first moment that is all of them.
    """

    number: int
    seat: int
    views: dict[str, dict[str, Any]]


class TimedLogLine(LogLine, frozen=True):
    """A line of the log, and after how many events whoever looks knew it."""

    known: int


class Replay(msgspec.Struct, frozen=True):
    """A game that is over, moment by moment."""

    game: str
    map: str
    title: dict[str, str]
    options: dict[str, bool]
    secret_hands: bool
    seen: int | None
    """The seat that saw it so; none where all is open."""
    seats: list[SeatHead]
    moments: list[Moment]
    log: list[TimedLogLine]
    outcome: Outcome


_BYTE = re.compile(r"\(byte (\d+)\)")
_FIELD = re.compile(r"`\$\.([A-Za-z_.]+)")


def replay_table(now: Sitting, guest: str | None, seat: Seat | None, own: bool = False) -> Replay:
    """A table's game; only one that is over, as its record tells what everybody held.

    With `own` as this guest saw it, or as somebody who did not play may like to.
    """
    if not now.finished:
        raise Refused(409, "server.not_over")
    heads = [
        SeatHead(
            seat=place,
            name=chair.name,
            kind=chair.kind,
            mine=guest is not None and chair.guest == guest,
            online=True,
            bot=chair.bot,
        )
        for place, chair in enumerate(now.chairs)
    ]
    return _replay(now.game, now.playing().events, heads, _eyes(now.game, heads) if own else seat)


def _eyes(game: Game, heads: list[SeatHead]) -> Seat | None:
    """The seat of whoever asks; else all open where hands are secret, and the first where not."""
    mine = [head.seat for head in heads if head.mine]
    return mine[0] if mine else None if game.secret_hands else 0


def replay_text(text: str, seat: Seat | None, own: bool = False) -> Replay:
    """The game of a record file; an error knows the line in which it lies."""
    game: Game | None = None
    try:
        read = record.read(text)
        # A file that somebody sends must not open others of this machine.
        found = box(read.game)
        if read.map not in found.maps:
            raise InputError("server.no_map", map=read.map, known=", ".join(found.maps))
        game = read.open()
        events = [step.event for step in record.steps(read)]
    except HeadwayError as error:
        error.line = _line(text, game, error)
        raise
    names = read.names or [""] * game.seats
    heads = [
        SeatHead(seat=place, name=name, kind="person", mine=False, online=True)
        for place, name in enumerate(names)
    ]
    return _replay(game, events, heads, _eyes(game, heads) if own else seat)


def _line(text: str, game: Game | None, error: HeadwayError) -> int:
    """The line of a record's text in which an error lies, 0 if that cannot be said."""
    reason = str(error.values.get("reason", ""))
    if error.key == "format.no_json":
        at = _BYTE.search(reason)
        read = text.encode()[: int(at[1])] if at else text.rstrip().encode()
        return read.count(b"\n") + 1
    if game and error.place:
        return json_position.line_of(text, ["moves", *game.nesting(error.place)])
    if field := _FIELD.search(reason):
        return json_position.line_of(text, field[1].split("."))
    for field_name, key in (("map", "server.no_map"), ("game", "format.unknown_game")):
        if error.key == key:
            return json_position.line_of(text, [field_name])
    return 0


def _replay(
    game: Game, events: Sequence[Event], seats: list[SeatHead], seat: Seat | None
) -> Replay:
    if seat is not None and seat >= game.seats:
        raise Refused(404, "turn.no_seat", seat=seat, seats=game.seats)
    state, moments = _moments(game, events, range(game.seats) if seat is None else (seat,))
    outcome = state.outcome()
    assert outcome
    return Replay(
        game=game.box.name,
        map=game.map,
        title=title_of(game),
        options=dict(game.options),
        secret_hands=game.secret_hands,
        seen=seat,
        seats=seats,
        moments=moments,
        log=_open_log(game, events) if seat is None else _timely_log(game, events, seat),
        outcome=outcome,
    )


def _moments(
    game: Game, events: Sequence[Event], seats: Iterable[Seat]
) -> tuple[State, list[Moment]]:
    """The final state, and the positions in which seats decide: in each, what has changed."""
    state, seats = game.start(), list(seats)
    known: dict[str, dict[str, Any]] = {str(seat): {} for seat in seats}
    moments: list[Moment] = []
    moved = CHANCE
    for number, (actor, move) in enumerate(events, 1):
        state.apply(actor, move)
        moved = actor if actor != CHANCE else moved
        if CHANCE in state.actors():
            continue
        changes = {}
        for seat in seats:
            view, before = msgspec.to_builtins(state.view(seat)), known[str(seat)]
            changes[str(seat)] = {
                k: v for k, v in view.items() if k not in before or before[k] != v
            }
            known[str(seat)] = view
        moments.append(Moment(number, moved, changes))
    return state, moments


def _timely_log(game: Game, events: Sequence[Event], seat: Seat) -> list[TimedLogLine]:
    """A seat's log: what others chose at the same time is known when all of them have chosen."""
    state, known = game.start(), [0] * len(events)
    waiting: list[int] = []
    for number, (actor, move) in enumerate(events):
        waiting.append(number)
        if state.actors() == {actor}:
            for each in waiting:
                known[each] = number + 1
            waiting = []
        state.apply(actor, move)
    return [
        TimedLogLine(n, who, text, n + 1 if who == seat else known[n])
        for n, who, text in map(msgspec.structs.astuple, game.log(events, seat))
    ]


def _open_log(game: Game, events: Sequence[Event]) -> list[TimedLogLine]:
    """Everything that happened, with nothing hidden."""
    state, told = game.start(), []
    for number, (actor, move) in enumerate(events):
        text = game.chance_text(state, move) if actor == CHANCE else game.move_text(move)
        told.append(TimedLogLine(number, actor, text, number + 1))
        state.apply(actor, move)
    return told
