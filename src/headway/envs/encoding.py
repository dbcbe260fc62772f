"""What an environment needs to know of a game: its actions, and what a seat observes.

A game is played by decisions. Each is a number from 0 to `actions` - 1; a move of the game consists
of one or two of them. `envs/nextstation` and `envs/tickettoride` say what the numbers mean. A
`Batch` plays many games side by side on several threads; each thread has a slice of the games, so
that it finds them in the cache of its core.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headway.envs import checks
from headway.envs.checks import StartPoint
from headway.envs.episodes import (
    CURRENT,
    LAST,
    NEXT_STEP,
    NOTHING,
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
from headway.errors import InputError, whole
from headway.games import box
from headway.games.contract import Event, Game, Move, Seat, State
from headway.games.simulation import apart, seeded

OBSERVATIONS = ("board", "ahead")
NEXT_STATION, TICKET_TO_RIDE = "next-station", "ticket-to-ride"


class Field(NamedTuple):
    """A named part of an observation: elements `start` to `stop`, and what they say."""

    name: str
    start: int
    stop: int
    meaning: str


class Encoding(ABC):
    """The actions and observations of a game with map, seats and options chosen."""

    game: Game
    actions: int
    """The number of actions; the same in every position."""
    observation: str
    """The version of observations, `board-v1`: what they say never changes under one name."""
    size: int
    """The number of elements of an observation; each is an int8 from 0 to `highest`."""
    highest: int
    fields: tuple[Field, ...]
    private: frozenset[str] = frozenset()
    """The fields that only the observer knows; the others are public."""

    # Compiled games for one seat each
    setup: np.ndarray
    """What they have in common, as kernels know it."""
    episode: np.dtype[Any]
    """The record of a game; its first fields are `PROGRESS`."""
    scratch: np.dtype[Any]
    """The record of a thread's scratch memory."""
    words: np.dtype[Any]
    """The type in which kernels write observations."""
    longest: int
    """More than the most events of a game."""

    @abstractmethod
    def show(self, state: State, seat: Seat, chosen: int = NOTHING) -> Shown:
        """Returns what a seat observes, and 1 for each of its possible actions, else 0.

        Nothing hidden has an influence on it. `chosen` is the first decision of a turn that needs
        another one. For a seat that is no actor the mask has action 0 alone: it is never empty.
        """

    @abstractmethod
    def decisions(self, move: Move) -> tuple[int, ...]:
        """Returns the actions that make a legal move, in their order."""

    @abstractmethod
    def text(self, action: int) -> str:
        """Returns an action in words of the game's notation."""

    @abstractmethod
    def kernels(self) -> Any:
        """Returns the kernels of the episodes as native code."""

    @abstractmethod
    def state_of(self, episode: Any) -> State:
        """Returns a copy of the position of a compiled game."""

    @abstractmethod
    def load(self, episode: Any, state: State) -> None:
        """Lets a compiled game take over a position."""

    def batch(self, games: int, **settings: Any) -> Batch:
        """Returns games for one seat each, played in compiled code; see `Batch`."""
        return Batch(self, self.setup, games, **settings)

    def move(self, state: State, seat: Seat, chosen: int, action: int) -> Move | None:
        """Returns the legal move that these decisions make; None if another one follows.

        Raises `KeyError` if no legal move begins with them.
        """
        wanted = (action,) if chosen == NOTHING else (chosen, action)
        longer = False
        for move in state.legal(seat):
            decisions = self.decisions(move)
            if decisions == wanted:
                return move
            longer |= decisions[: len(wanted)] == wanted
        if not longer:
            raise KeyError(action)
        return None

    def possible(self, state: State, seat: Seat, chosen: int, action: int) -> int:
        """Returns the action, or the lowest possible one if it is not possible."""
        mask = self.show(state, seat, chosen).masks
        return action if 0 <= action < self.actions and mask[action] else int(mask.argmax())


def open_game(name: str, map_name: str | Path, seats: int, **options: bool) -> Game:
    """Returns a game by its name in records; the map is a name or a file."""
    return box(name).open(str(map_name), seats, {k: v for k, v in options.items() if v})


def encoding_of(game: Game, observation: str = "board") -> Encoding:
    """Returns the actions and observations of a game; see `OBSERVATIONS`."""
    if observation not in OBSERVATIONS:
        raise InputError("env.observation", observation=observation)
    from headway.envs.nextstation.episodes import NextStationEncoding
    from headway.envs.tickettoride.episodes import TicketToRideEncoding

    if game.box.name == NEXT_STATION:
        return NextStationEncoding(game, ahead=observation == "ahead")
    return TicketToRideEncoding(game)


# Games side by side


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
