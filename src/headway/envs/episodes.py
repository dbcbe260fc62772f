"""What the compiled episodes of all games share: their progress, results, masks and logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from headway.games.contract import Event
from headway.games.kernel import kernel

# When a game that is over starts again, as `gymnasium.vector.AutoresetMode` has it.
NEXT_STEP, SAME_STEP, DISABLED = range(3)

REWARDS = ("score", "final", "win")
"""What is rewarded: each change of the own total, the total at the end, or winning (1, 0 or -1)."""
CHANGES, FINAL, WINNING = range(3)

# Actions that are no decision: start a new game, only show the position, or let others play on.
START, SHOW, RESUME = -1, -2, -3

# One element of an array of these types: `record["field"]` reads and writes it in place.
SetupRecord = Any
"""What the games of a batch have in common."""
ScratchRecord = Any
"""The scratch memory of a thread."""
EpisodeRecord = Any
"""One game."""

PROGRESS: list[tuple[Any, ...]] = [
    ("chosen", "i8"),  # the first decision of an unfinished turn
    ("total", "i8"),  # at the last reward
    ("over", "i8"),
    ("generator", "u8", (1,)),
]
"""The first fields of every episode."""


class Memory(NamedTuple):
    """What a thread works on; two arrays have one row, which Python passes faster than a record."""

    setup: np.ndarray
    scratch: np.ndarray
    episodes: np.ndarray
    logs: np.ndarray


class Outputs(NamedTuple):
    """What a step writes. Rows after those of all games are for games that have started again."""

    observations: np.ndarray
    masks: np.ndarray
    rewards: np.ndarray
    over: np.ndarray
    illegal: np.ndarray


@kernel
def starts(autoreset: int, action: int) -> bool:
    """Whether a game that is not being played starts with this step."""
    return action == START or (action >= 0 and autoreset == NEXT_STEP)


@kernel
def reward(episode: EpisodeRecord, rewarded: int, total: int, over: bool) -> float:
    """Returns the reward of a step that rewards points."""
    if rewarded == CHANGES:
        before = int(episode["total"])
        episode["total"] = total
        return float(total - before)
    return float(total) if over else 0.0


# Masks of possible actions: a row of bytes for each game


@kernel
def clear(masks: Any, row: int) -> None:
    """Marks no action."""
    for i in range(masks.shape[1]):
        masks[row, i] = 0


@kernel
def mark(masks: Any, row: int, action: int) -> None:
    """Marks an action as possible."""
    masks[row, action] = 1


@kernel
def only_first(masks: Any, row: int) -> None:
    """Marks action 0 alone, for a seat that has nothing to decide: a mask is never empty."""
    clear(masks, row)
    mark(masks, row, 0)


# Logs: two rows of int64 for each game, the current one and the last one that came to its end.
# A row begins with its length.

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
