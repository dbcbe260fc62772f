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

# What a step does in a game: take an action, start a new game, only show the position, or let
# others play on. The last three are also actions that are no decision.
DECIDE, START, SHOW, RESUME = 0, -1, -2, -3

NOTHING = -1
"""No action: no first decision in this turn, or no second one."""
WATCHING = -2
"""The same for a seat that has nothing to decide."""

# The two logs of a game: the current one, and the last one that came to its end.
CURRENT, LAST = 0, 1
ACTOR = 8
"""An event in a log is the move times ACTOR, plus the seat + 1 (0 for chance)."""

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


class Shown(NamedTuple):
    """Observations and masks of possible actions, one row for each game."""

    observations: np.ndarray
    masks: np.ndarray


@kernel
def task_of(memory: Memory, actions: Any, game: int) -> int:
    """Returns what a step does in a game: DECIDE, START, SHOW or RESUME."""
    action = int(actions[game])
    if action < 0:
        return action
    if memory.episodes[game]["over"] == 0:
        return DECIDE
    return START if memory.setup[0]["autoreset"] == NEXT_STEP else SHOW


@kernel
def clear_progress(memory: Memory, game: int) -> None:
    """Forgets the progress and the events of a game that starts again."""
    episode = memory.episodes[game]
    episode["chosen"], episode["total"], episode["over"] = NOTHING, 0, 0
    memory.logs[game, CURRENT, 0] = 0


@kernel
def row_of(memory: Memory, out: Outputs, game: int, task: int, over: bool) -> int:
    """Returns where a game is shown; it is another row if it starts again in the same step."""
    again = task == DECIDE and over and memory.setup[0]["autoreset"] == SAME_STEP
    return game + out.over.shape[0] if again else game


@kernel
def finish(memory: Memory, out: Outputs, game: int, task: int, over: bool, total: int) -> None:
    """Writes the results of a step; `total` is what is rewarded at the end."""
    episode = memory.episodes[game]
    out.rewards[game], out.over[game] = 0.0, over
    if task == DECIDE:
        out.rewards[game] = reward(episode, int(memory.setup[0]["rewarded"]), total, over)
    if over:
        episode["over"] = 1
        keep(memory.logs, game)


@kernel
def reward(episode: EpisodeRecord, rewarded: int, total: int, over: bool) -> float:
    """Returns the reward of a decision."""
    if rewarded == CHANGES:
        before = int(episode["total"])
        episode["total"] = total
        return float(total - before)
    return float(total) if over else 0.0


@kernel
def only_first(mask: Any) -> None:
    """Marks action 0 alone, for a seat that has nothing to decide: a mask is never empty."""
    mask[:] = 0
    mask[0] = 1


# Logs: rows of int64 that begin with their length


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
