"""Many games for one seat each, played side by side in compiled code, on several threads.

Each thread has a slice of the games, so that it finds them in the cache of its core.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from headway.envs import checks
from headway.envs.episodes import (
    CURRENT,
    LAST,
    NEXT_STEP,
    RESUME,
    SAME_STEP,
    SHOW,
    START,
    Memory,
    Outputs,
    Shown,
    events_of,
    fill,
)
from headway.envs.records import StartPoint
from headway.errors import whole
from headway.games.contract import Event, State
from headway.games.simulation import apart
from headway.games.xorshift import seeded

if TYPE_CHECKING:
    from headway.envs.encoding import Encoding


class StepResult(NamedTuple):
    """What a step brought: new positions, rewards, ends, and which actions were not possible.

    `finals` are the last positions of games that have started again in the same step; other rows
    are undefined.
    """

    shown: Shown
    rewards: np.ndarray
    over: np.ndarray
    illegal: np.ndarray
    finals: Shown | None


class Batch:
    """Games side by side; the same seed gives the same game in a batch of any size.

    An action that is not possible counts as the lowest possible one. With `records` the events of
    each game are kept. Every step returns new arrays.
    """

    def __init__(
        self,
        encoding: Encoding,
        setup: np.ndarray,
        games: int,
        *,
        threads: int = 1,
        rewards: str = "score",
        autoreset: int = NEXT_STEP,
        records: bool = False,
    ) -> None:
        reward = checks.rewarded(rewards, encoding.game)
        games, threads = whole("num_envs", games, 1), whole("threads", threads, 1)
        self.encoding, self.games, self.autoreset = encoding, games, autoreset
        self.episodes = np.zeros(games, encoding.episode)
        self.episodes["over"], self.episodes["chosen"], self.episodes["generator"] = 1, -1, 1
        self.logs = np.zeros((games, 2, encoding.longest + 1 if records else 1), np.int64)
        self.setup = setup.copy()
        self.setup["autoreset"], self.setup["rewarded"] = autoreset, reward
        threads = min(threads, games)
        ends = [games * i // threads for i in range(threads + 1)]
        self._slices = [
            (Memory(self.setup, apart(1, encoding.scratch), self.episodes, self.logs), first, stop)
            for first, stop in pairwise(ends)
        ]
        """For each thread, its memory and its games."""
        self._others = ThreadPoolExecutor(max(1, threads - 1))
        """Starts its threads when they are needed."""

    # Playing

    def seed(self, place: int, seed: int) -> None:
        """Makes the games of one place depend on a seed alone."""
        self.episodes["generator"][place] = seeded(f"episode|{seed}")[0]

    def begin(self, places: np.ndarray | None = None) -> Shown:
        """Starts all games, or those where `places` is true; returns all positions."""
        what = np.full(self.games, START) if places is None else np.where(places, START, SHOW)
        return self.step(what).shown

    def resume(self, starts: Mapping[int, StartPoint]) -> Shown:
        """Continues the games of some places from where seats have to act."""
        what = np.full(self.games, SHOW)
        for place, (state, events) in starts.items():
            episode = self.episodes[place]
            self.encoding.load(episode, state)
            fill(self.logs[place, CURRENT], events)
            episode["chosen"], episode["total"], episode["over"] = -1, 0, 0
            what[place] = RESUME
        return self.step(what).shown

    def step(self, actions: np.ndarray) -> StepResult:
        """Takes one action in each game; a game that is over follows `autoreset`."""
        games, again = self.games, self.autoreset == SAME_STEP
        out, kernels = self._new_outputs(), self.encoding.kernels()
        (memory, first, stop), *rest = self._slices
        others = [
            self._others.submit(kernels.step_games, other, actions, out, *part)
            for other, *part in rest
        ]
        try:
            kernels.step_games(memory, actions, out, first, stop)
        finally:
            for future in others:  # an interrupted caller must not go on beside them
                future.result()
        observations = out.observations.view(np.int8)
        finals = Shown(observations[games:], out.masks[games:]) if again else None
        shown = Shown(observations[:games], out.masks[:games])
        return StepResult(shown, out.rewards, out.over, out.illegal, finals)

    def _new_outputs(self) -> Outputs:
        rows = 2 * self.games if self.autoreset == SAME_STEP else self.games
        words, encoding = self.encoding.words, self.encoding
        return Outputs(
            np.empty((rows, encoding.size // words.itemsize), words),
            np.empty((rows, encoding.actions), np.int8),
            np.empty(self.games),
            np.empty(self.games, np.bool_),
            np.empty(self.games, np.bool_),
        )

    def close(self) -> None:
        """Ends the threads."""
        self._others.shutdown()

    # Records

    def events(self, place: int, *, last: bool = False) -> list[Event]:
        """Returns the events of a game, or of the last one that came to its end."""
        return events_of(self.logs[place, LAST if last else CURRENT])

    def state(self, place: int) -> State:
        """Returns a copy of a game's position."""
        return self.encoding.state_of(self.episodes[place])
