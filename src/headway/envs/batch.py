"""Many games for one seat each, played side by side in compiled code, on several threads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from headway.envs import episode_log
from headway.envs.modes import NEXT_STEP, RESUME, REWARDS, SAME_STEP, SHOW, START
from headway.errors import InputError
from headway.games.contract import Event, Game, State
from headway.games.xorshift import seeded

ROW = np.dtype([("chosen", "i8"), ("total", "i8"), ("over", "i8")], align=True)
"""By game: the first decision of an unfinished turn, the last total, and whether it is over."""
RESULT = np.dtype([("reward", "f8"), ("over", "i8"), ("illegal", "i8")], align=True)


class Shown(NamedTuple):
    """Observations and masks, one row for each game."""

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

    def __init__(
        self,
        game: Game,
        games: int,
        actions: int,
        *,
        threads: int = 1,
        rewards: str = "score",
        autoreset: int = NEXT_STEP,
        records: bool = False,
    ) -> None:
        if rewards not in REWARDS or (rewards == "win" and game.seats == 1):
            raise InputError("env.rewards", rewards=rewards, known=", ".join(REWARDS))
        self.game, self.games, self.actions = game, games, actions
        self.autoreset, self.rewarded = autoreset, REWARDS.index(rewards)
        self.rows = np.zeros(games, ROW)
        self.rows["over"], self.rows["chosen"] = 1, -1
        self.generators = np.ones(games, np.uint64)
        events = self.longest + 1 if records else 1
        self.logs, self.last_logs = (np.zeros((games, events), np.int64) for _ in range(2))
        self.threads = max(1, min(threads, games))
        cuts = [games * i // self.threads for i in range(self.threads + 1)]
        self.cuts = list(pairwise(cuts))
        self.pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    # Playing

    def seed(self, place: int, seed: int) -> None:
        """Makes the games of one place depend on a seed alone."""
        self.generators[place] = seeded(f"episode|{seed}")[0]

    def begin(self, places: np.ndarray | None = None) -> Shown:
        """Starts all games, or those where `places` is true; returns all positions."""
        what = np.full(self.games, START) if places is None else np.where(places, START, SHOW)
        return self.step(what).shown

    def resume(self, place: int, state: State, events: Sequence[Event]) -> Shown:
        """Continues one game from a state in which seats have to act; `events` led to it."""
        self._load(place, state)
        episode_log.fill(self.logs[place], self._logged(events))
        self.rows[place] = (-1, 0, 0)
        what = np.full(self.games, SHOW)
        what[place] = RESUME
        return self.step(what).shown

    def step(self, actions: np.ndarray) -> Step:
        """Takes one action in each game; a game that is over follows `autoreset`."""
        again = self.autoreset == SAME_STEP
        rows = 2 * self.games if again else self.games
        shown = Shown(
            np.empty((rows, self.width), self.observed), np.empty((rows, self.actions), np.int8)
        )
        results = np.empty(self.games, RESULT)
        self._everywhere(lambda part: self._step(part, actions, shown, results))
        observations, masks = shown.observations.view(np.int8), shown.masks
        return Step(
            Shown(observations[: self.games], masks[: self.games]),
            results["reward"].copy(),
            results["over"] != 0,
            results["illegal"] != 0,
            Shown(observations[self.games :], masks[self.games :]) if again else None,
        )

    def close(self) -> None:
        """Ends the threads."""
        if self.pool:
            self.pool.shutdown()

    # Records

    def events(self, place: int, *, last: bool = False) -> list[Event]:
        """Returns the events of a game, or of the last one that came to its end."""
        return episode_log.events_of((self.last_logs if last else self.logs)[place])

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
    def _step(self, part: int, actions: np.ndarray, shown: Shown, results: np.ndarray) -> None:
        """Plays the games of a thread; last positions of games that start again come after all."""

    def _everywhere(self, work: Callable[[int], None]) -> None:
        if self.pool:
            list(self.pool.map(work, range(self.threads)))
        else:
            work(0)
