"""What an environment needs to know of a game: its actions, and what a seat observes.

A game is played by decisions. Each is a number from 0 to `actions` - 1; a move of the game consists
of one or two of them. `envs/nextstation` and `envs/tickettoride` say what the numbers mean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headway.envs.batch import Batch
from headway.envs.episodes import NOTHING, Shown
from headway.errors import InputError
from headway.games import box
from headway.games.contract import Game, Move, Seat, State

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
    from headway.envs.nextstation.encoding import NextStationEncoding
    from headway.envs.tickettoride.encoding import TicketToRideEncoding

    if game.box.name == NEXT_STATION:
        return NextStationEncoding(game, ahead=observation == "ahead")
    return TicketToRideEncoding(game)
