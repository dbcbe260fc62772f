"""Records of episodes, and positions out of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from headway import dealer
from headway.errors import InputError
from headway.games.contract import CHANCE, Event, Game, Seat, State
from headway.record import FORMAT, RULES, Record, load, read, steps


def record_of(game: Game, events: Sequence[Event], names: Sequence[str] | None = None) -> Record:
    """Returns the record of these events, with everything that was dealt."""
    deal, moves = game.write(events)
    return Record(
        format=FORMAT,
        game=game.box.name,
        map=game.map,
        options=dict(game.options),
        seats=game.seats,
        rules=RULES,
        map_hash=game.map_hash,
        names=list(names) if names else None,
        deal=deal,
        moves=moves,
    )


def opened(record: Record | Mapping[str, Any] | Path | str) -> Record:
    """Returns a record that is given as such, as data, as a file, or as JSON."""
    if isinstance(record, Record):
        return record
    if isinstance(record, Mapping):
        return read(msgspec.json.encode(record))
    return read(record) if isinstance(record, str) and record.lstrip()[:1] == "{" else load(record)


def moment(
    game: Game, record: Record, event: int | None, seat: Seat, seed: int
) -> tuple[State, list[Event]]:
    """Returns the position after so many events of a record, and the events up to there.

    Without a number it is the first decision of the seat. What chance has to deal next, the
    seed deals. Raises `InputError` if the record is of another game or ends before.
    """
    if record.open().map_hash != game.map_hash or (record.seats, record.options) != (
        game.seats,
        dict(game.options),
    ):
        raise InputError("env.other_game", game=game.box.name, map=game.map)
    state, events = game.start(), list[Event]()
    for step in steps(record):
        if len(events) == event or (event is None and seat in state.actors()):
            break
        state.advance(*step.event)
        events.append(step.event)
    deal_on(state, events, seed)
    if state.finished() or len(events) < (event or 0):
        raise InputError("env.event", event=event, events=len(events))
    return state, events


def deal_on(state: State, events: list[Event], seed: int) -> None:
    """Deals by a seed until a seat has to act; adds the events."""
    while CHANCE in state.actors():
        events.append((CHANCE, dealer.deal(seed, state)))
        state.advance(*events[-1])
