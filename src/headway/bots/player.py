"""What every bot is."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from headway.games.contract import Game, Move, View


class Bot(ABC):
    """A player of a game; `generator` is all the randomness it has."""

    name: str
    games: ClassVar[tuple[str, ...]] = ()
    """The games that it plays, by their names in records; empty for all of them."""

    def __init__(self, game: Game, generator: random.Random) -> None:
        self.game = game
        self.generator = generator

    @abstractmethod
    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        """One of the legal moves; `clock` is the time left for it in seconds, if there is one."""
