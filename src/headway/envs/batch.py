"""Many games for one seat each, played side by side in compiled code, on several threads."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from headway.arguments import whole
from headway.envs import checks, episode_log
from headway.envs.episode_log import CURRENT, LAST
from headway.envs.episodes import Memory, Outputs
from headway.envs.modes import NEXT_STEP, RESUME, SAME_STEP, SHOW, START
from headway.envs.moments import Moment
from headway.envs.teamwork import CHUNKS, DONE, new_team
from headway.envs.threads import WorkerThreads
from headway.games.contract import Event, Game, State
from headway.games.simulation import apart
from headway.games.xorshift import seeded

STEPS_KEPT = 3
"""Steps whose arrays may be used again."""
UNUSED = 3
"""The references to an array that only `Batch` holds: its tuple, the loop and the question."""
PATIENCE = 2_000
"""Looks of the caller at threads that are not done yet, before it sleeps: less than 0.1 ms."""
WORKERS_PATIENCE = 40_000
"""Looks of another thread for the next step, before it sleeps: about 1 ms. Waking it takes 25 us of
a step of 270 us."""
NAP_SECONDS = 0.0001
MASKS = 3
"""Environments give two masks to their callers, who may change them, and keep one."""


class Shown(NamedTuple):
    """Observations and masks, one row for each game; of masks there are MASKS equal arrays."""

    observations: np.ndarray
    masks: np.ndarray


class Step(NamedTuple):
    """What a step brought: new positions, rewards, ends, and which actions were not possible.

    `finals` are the last positions of games that have started again in the same step; other rows
    are undefined.
    """

    shown: Shown
    rewards: np.ndarray
    over: np.ndarray
    illegal: np.ndarray
    finals: Shown | None


class Batch(ABC):
    """Games side by side; the same seed gives the same game in a batch of any size.

    An action that is not possible counts as the lowest possible one. With `records` the events of
    each game are kept.
    """

    observed: np.dtype[Any]
    """The type of an observation's elements in compiled code."""
    width: int
    """Their number."""
    longest: int
    """More than the most events of a game."""
    episode: np.dtype[Any]
    """The record of a game in compiled code; its first fields are `PROGRESS`."""
    scratch: np.dtype[Any]
    """The record of a thread's scratch memory."""

    def __init__(
        self,
        game: Game,
        games: int,
        actions: int,
        setup: np.ndarray,
        *,
        threads: int = 1,
        rewards: str = "score",
        autoreset: int = NEXT_STEP,
        records: bool = False,
    ) -> None:
        reward = checks.rewarded(rewards, game)
        games, threads = whole("num_envs", games, 1), whole("threads", threads, 1)
        self.game, self.games, self.actions = game, games, actions
        self.autoreset = autoreset
        self.episodes = np.zeros(games, self.episode)
        self.episodes["over"], self.episodes["chosen"], self.episodes["generator"] = 1, -1, 1
        self.logs = np.zeros((games, 2, self.longest + 1 if records else 1), np.int64)
        self.threads = min(threads, games)
        self.setup = setup.copy()
        self.setup["autoreset"], self.setup["rewarded"] = autoreset, reward
        self._earlier = deque[Outputs](maxlen=STEPS_KEPT)
        self._team = new_team(games, self.threads)
        self._order: tuple[np.ndarray, Outputs] | None = None
        """The arrays of the last step, which other threads write until it is done."""
        self._memory, *others = [
            Memory(self.setup, apart(1, self.scratch), self.episodes, self.logs)
            for _ in range(self.threads)
        ]
        self._workers = WorkerThreads([self._work(i, memory) for i, memory in enumerate(others, 1)])

    def _work(self, member: int, memory: Memory) -> Callable[[], object]:
        """Returns what another thread does; it knows the types of arrays from empty ones."""
        actions, out, kernels = np.empty(self.games, np.int64), self._new_outputs(), self.kernels()
        return partial(
            kernels.step_games, memory, actions, out, self._team, member, WORKERS_PATIENCE
        )

    # Playing

    def seed(self, place: int, seed: int) -> None:
        """Makes the games of one place depend on a seed alone."""
        self.episodes["generator"][place] = seeded(f"episode|{seed}")[0]

    def begin(self, places: np.ndarray | None = None) -> Shown:
        """Starts all games, or those where `places` is true; returns all positions."""
        what = np.full(self.games, START) if places is None else np.where(places, START, SHOW)
        return self.step(what).shown

    def resume(self, moments: Mapping[int, Moment]) -> Shown:
        """Continues the games of some places from moments in which seats have to act."""
        what = np.full(self.games, SHOW)
        for place, (state, events) in moments.items():
            self._load(place, state)
            episode_log.fill(self.logs[place, CURRENT], self._logged(events))
            episode = self.episodes[place]
            episode["chosen"], episode["total"], episode["over"] = -1, 0, 0
            what[place] = RESUME
        return self.step(what).shown

    def step(self, actions: np.ndarray) -> Step:
        """Takes one action in each game; a game that is over follows `autoreset`."""
        games, again = self.games, self.autoreset == SAME_STEP
        out = self._outputs()
        self._wait()
        self._order = actions, out
        self._workers.wake()
        if not self.kernels().step_games(self._memory, actions, out, self._team, 0, PATIENCE):
            self._wait()
        observations = out.observations.view(np.int8)
        finals = Shown(observations[games:], out.masks[:, games:]) if again else None
        shown = Shown(observations[:games], out.masks[:, :games])
        return Step(shown, out.rewards, out.over, out.illegal, finals)

    def _outputs(self) -> Outputs:
        """Returns arrays for a step: new ones, or those of an earlier step that nobody holds.

        In the latter, each thread finds the rows of its games in the cache of its core.
        """
        for outputs in self._earlier:
            if all(sys.getrefcount(array) <= UNUSED for array in outputs):
                return outputs
        outputs = self._new_outputs()
        self._earlier.append(outputs)
        return outputs

    def _new_outputs(self) -> Outputs:
        rows = 2 * self.games if self.autoreset == SAME_STEP else self.games
        return Outputs(
            np.empty((rows, self.width), self.observed),
            np.empty((MASKS, rows, self.actions), np.int8),
            np.empty(self.games),
            np.empty(self.games, np.bool_),
            np.empty(self.games, np.bool_),
        )

    def _wait(self) -> None:
        """Waits until the last step is done; one that was interrupted may not be."""
        while self._team[DONE] < self._team[CHUNKS]:
            time.sleep(NAP_SECONDS)

    def close(self) -> None:
        """Ends the threads."""
        self._workers.close()

    # Records

    def events(self, place: int, *, last: bool = False) -> list[Event]:
        """Returns the events of a game, or of the last one that came to its end."""
        return episode_log.events_of(self.logs[place, LAST if last else CURRENT])

    @abstractmethod
    def state(self, place: int) -> State:
        """Returns a copy of a game's position."""

    @abstractmethod
    def _load(self, place: int, state: State) -> None:
        """Takes over a position."""

    def _logged(self, events: Sequence[Event]) -> Sequence[Event]:
        """Returns those events that are in the log; `events` may know others from the position."""
        return events

    # Compiled code

    @abstractmethod
    def kernels(self) -> Any:
        """Returns the kernels of the episodes as native code."""
