"""What the compiled episodes of all games share: their progress, their results, their logs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.envs.modes import CHANGES, NEXT_STEP, START
from headway.games.kernel import kernel

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
