"""Finished games, moment by moment, as a seat saw them or with all hands open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict

from headway import record
from headway.errors import HeadwayError, InputError
from headway.games import box
from headway.games.contract import CHANCE, Event, Game, Outcome, Seat, State
from headway.games.logbook import LogLine
from headway.server.core.errors import conflict, not_found
from headway.server.tables.setup import Setup, chosen_game
from headway.server.tables.state import TableState
from headway.server.tables.view import SeatHead, seat_head, title_of


class Moment(msgspec.Struct, frozen=True):
    """A position in which somebody decides, or the end, after `number` events.

    `seat` made the last move, -1 before the first. `views` has, by seat, the fields of its view
    that differ from the moment before; in the first moment that is all of them.
    """

    number: int
    seat: int
    views: dict[str, dict[str, Any]]


class TimedLogLine(LogLine, frozen=True):
    """A log line, and after how many events the viewer knew it."""

    known: int


class GameReplay(msgspec.Struct, frozen=True):
    """A finished game, moment by moment."""

    game: str
    map: str
    title: dict[str, str]
    options: dict[str, bool]
    secret_hands: bool
    seen: int | None
    """The seat whose view this is; none where all is open."""
    seats: list[SeatHead]
    moments: list[Moment]
    log: list[TimedLogLine]
    outcome: Outcome


class PlayedGame(NamedTuple):
    """A table's game that is over, with all that a worker process needs to replay it."""

    setup: Setup
    chosen: dict[str, Any]
    events: list[Event]
    seats: list[SeatHead]
    seen: Seat | None


def played_game(
    state: TableState, guest: str | None, seat: Seat | None, own: bool = False
) -> PlayedGame:
    """Returns a table's game; only a finished one, as its record tells what everybody held.

    With `own`, as this guest saw it, or as suits somebody who did not play.
    """
    if not state.finished:
        raise conflict("server.not_over")
    everybody = frozenset(who.guest for who in state.occupants if who.guest)
    heads = [
        msgspec.structs.replace(seat_head(i, who, guest, everybody), online=True, kept=False)
        for i, who in enumerate(state.occupants)
    ]
    seat = _viewer(state.game, heads) if own else seat
    return PlayedGame(state.setup, dict(state.game.chosen), state.playing().events, heads, seat)


def replay_played(played: PlayedGame) -> GameReplay:
    """Returns a table's game, moment by moment."""
    game = chosen_game(played.setup, played.chosen, len(played.seats))
    return _replay(game, played.events, played.seats, played.seen)


def _viewer(game: Game, heads: list[SeatHead]) -> Seat | None:
    """Returns the guest's seat; else none where hands are secret, and the first where not."""
    mine = [head.seat for head in heads if head.mine]
    return mine[0] if mine else None if game.secret_hands else 0


def played_record(text: str) -> tuple[record.Record, list[Event]]:
    """Returns a record that somebody sends, and its events; an error knows its line in the text."""
    try:
        read = record.read(text)
        # A file that somebody sends must not open others of this machine.
        maps = box(read.game).maps
        if read.map not in maps:
            unknown = InputError("server.no_map", map=read.map, known=", ".join(maps))
            raise unknown.inside("map")
        return read, [step.event for step in record.steps(read)]
    except HeadwayError as error:
        error.line = record.line_of(text, error)
        raise


def canonical_record(text: str) -> str:
    """Returns a record that somebody sends in the one form of its game, as a review needs it.

    White space, names, the seed and spellings of moves make no difference.
    """
    read, events = played_record(text)
    return record.record_of(read.open(), events).json().decode()


def replay_text(text: str, seat: Seat | None, own: bool = False) -> GameReplay:
    """Returns the game of a record file; an error knows its line in the text."""
    read, events = played_record(text)
    game = read.open()
    names = read.names or [""] * game.seats
    heads = [
        SeatHead(seat=i, name=name, kind="person", mine=False, online=True)
        for i, name in enumerate(names)
    ]
    return _replay(game, events, heads, _viewer(game, heads) if own else seat)


def _replay(
    game: Game, events: Sequence[Event], seats: list[SeatHead], seat: Seat | None
) -> GameReplay:
    if seat is not None and seat >= game.seats:
        raise not_found("turn.no_seat", seat=seat, seats=game.seats)
    state, moments = _moments(game, events, range(game.seats) if seat is None else (seat,))
    outcome = state.outcome()
    assert outcome
    return GameReplay(
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
    """Returns the final state and the positions in which seats decide, each as its changes."""
    state, seats = game.start(), list(seats)
    before: dict[str, dict[str, Any]] = {str(seat): {} for seat in seats}
    moments: list[Moment] = []
    moved = CHANCE
    for number, (actor, move) in enumerate(events, 1):
        state.advance(actor, move)
        moved = actor if actor != CHANCE else moved
        if CHANCE in state.actors():
            continue
        views = {str(seat): msgspec.to_builtins(state.view(seat)) for seat in seats}
        moments.append(Moment(number, moved, {s: _changes(before[s], views[s]) for s in views}))
        before = views
    return state, moments


def _changes(before: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in view.items() if k not in before or before[k] != v}


def _timely_log(game: Game, events: Sequence[Event], seat: Seat) -> list[TimedLogLine]:
    """Returns a seat's log; simultaneous moves of others are known once all have moved."""
    state, known = game.start(), [0] * len(events)
    waiting: list[int] = []
    for number, (actor, move) in enumerate(events):
        if actor == seat:
            known[number] = number + 1
        else:
            waiting.append(number)
        if state.actors() == {actor}:
            for earlier in waiting:
                known[earlier] = number + 1
            waiting = []
        state.advance(actor, move)
    return [
        TimedLogLine(**asdict(line), known=known[line.number]) for line in game.log(events, seat)
    ]


def _open_log(game: Game, events: Sequence[Event]) -> list[TimedLogLine]:
    """Returns everything that happened, with nothing hidden."""
    state, lines = game.start(), []
    # A spectator reads the same lines with their hidden parts left out.
    turns = {line.number: line.turn for line in game.log(events, CHANCE)}
    for number, (actor, move) in enumerate(events):
        text = game.notation.chance_text(state, move) if actor == CHANCE else game.move_text(move)
        lines.append(TimedLogLine(number, actor, text, turns[number], number + 1))
        state.advance(actor, move)
    return lines
