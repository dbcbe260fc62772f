"""Records of episodes, and positions out of records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from headway import dealer
from headway.errors import InputError
from headway.games.contract import CHANCE, Event, Game, Seat, State
from headway.record import Record, load, read, steps


def opened(record: Record | Mapping[str, Any] | Path | str) -> Record:
    """Returns a record that is given as such, as data, as a file, or as JSON."""
    if isinstance(record, Record):
        return record
    if isinstance(record, Mapping):
        return read(msgspec.json.encode(record))
    return read(record) if isinstance(record, str) and record.lstrip()[:1] == "{" else load(record)


class StartPoint(NamedTuple):
    """A position, and the events that led to it."""

    state: State
    events: list[Event]

    def dealt(self, seed: int) -> StartPoint:
        """Returns a copy in which a seat has to act: what chance has to deal, the seed deals."""
        copy = StartPoint(self.state.copy(), list(self.events))
        deal_on(copy.state, copy.events, seed)
        return copy


def start_point(game: Game, options: Mapping[str, Any], seat: Seat | None = None) -> StartPoint:
    """Returns the position that `options` of a reset name: a `record`, and an `event` of it.

    Without a number it is the first decision of the seat, or of any seat. Raises `InputError` if
    the record is of another game or has no decision there.
    """
    record, event = opened(options["record"]), options.get("event")
    if record.open().map_hash != game.map_hash or (record.seats, record.options) != (
        game.seats,
        dict(game.options),
    ):
        raise InputError("env.other_game", game=game.box.name, map=game.map)
    state, events = game.start(), list[Event]()
    left = steps(record)
    while not state.finished() and len(events) != event:
        if event is None and (
            seat in state.actors() if seat is not None else CHANCE not in state.actors()
        ):
            break
        step = next(left, None)
        if step is None:
            break
        state.advance(*step.event)
        events.append(step.event)
    if state.finished() or event not in (None, len(events)):
        raise InputError("env.event", event=event, events=len(events))
    return StartPoint(state, events)


def deal_on(state: State, events: list[Event], seed: int) -> None:
    """Deals by a seed until a seat has to act; adds the events."""
    while CHANCE in state.actors():
        events.append((CHANCE, dealer.deal(seed, state)))
        state.advance(*events[-1])
