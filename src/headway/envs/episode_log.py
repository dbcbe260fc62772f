"""The events of games in compiled code.

`logs` has two rows of int64 for each game: the current game and the last one that came to its end.
A row begins with its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headway.games.contract import Event
from headway.games.kernel import kernel

CURRENT, LAST = 0, 1
ACTOR = 8
"""An event is the move times ACTOR, plus the seat + 1 (0 for chance)."""


@kernel
def clear_log(logs: Any, game: int) -> None:
    """Forgets the events of the current game."""
    logs[game, CURRENT, 0] = 0


@kernel
def note(logs: Any, game: int, seat: int, move: int) -> None:
    """Appends an event; a log of one element keeps none, a full one counts it only."""
    length = int(logs[game, CURRENT, 0]) + 1
    if logs.shape[2] > 1:
        logs[game, CURRENT, 0] = length
    if length < logs.shape[2]:
        logs[game, CURRENT, length] = move * ACTOR + seat + 1


@kernel
def keep(logs: Any, game: int) -> None:
    """Copies the log of a game that is over."""
    for i in range(min(int(logs[game, CURRENT, 0]) + 1, logs.shape[2])):
        logs[game, LAST, i] = logs[game, CURRENT, i]


def events_of(log: Any) -> list[Event]:
    """Returns the events of a log."""
    return [(code % ACTOR - 1, code // ACTOR) for code in log[1 : int(log[0]) + 1].tolist()]


def fill(log: Any, events: Sequence[Event]) -> None:
    """Replaces the content of a log that has space."""
    if log.shape[0] > 1:
        log[0] = len(events)
        log[1 : len(events) + 1] = [move * ACTOR + seat + 1 for seat, move in events]
