"""What every bot is, and what a bot that searches is besides."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple

from headway.errors import InputError
from headway.games.contract import Game, Move, View

Measure = Literal["score", "win"]

CLOCK_SHARE = 0.1
"""The part of a clock that a search takes for one move at the most: a bank is for many."""


class Budget(NamedTuple):
    """How long a search may take for a decision: seconds, simulations, or whichever ends first.

    The same simulations and the same seed give the same move; seconds do not promise that.
    """

    seconds: float | None = None
    simulations: int | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """`0.1s` is a time, `800` a number of simulations, `800/0.1s` both."""
        match = re.fullmatch(r"(\d{1,9})?/?(?:(\d+(?:\.\d+)?)s)?", text)
        simulations = int(match[1]) if match and match[1] else None
        seconds = float(match[2]) if match and match[2] else None
        budget = cls(seconds, simulations)
        if 0 in budget or budget == (None, None) or ("/" in text) != (None not in budget):
            raise InputError("format.budget", budget=text)
        return budget

    def __str__(self) -> str:
        time = None if self.seconds is None else f"{self.seconds:g}s"
        return "/".join(str(part) for part in (self.simulations, time) if part is not None)

    def within(self, clock: float | None) -> Budget:
        """The same budget, in a sane share of the time that a clock leaves."""
        if clock is None:
            return self
        share = max(clock, 0.0) * CLOCK_SHARE
        return self._replace(seconds=share if self.seconds is None else min(self.seconds, share))


class Appraisal(NamedTuple):
    """What a search thinks of a move: the value it expects, and how sure it is of that.

    By `measure` the value is the seat's final score, or its probability to win (a shared victory
    counts by its share); `error` is its standard error, `simulations` the games it rests on.
    """

    move: Move
    value: float
    error: float
    simulations: int
    measure: Measure


class Bot(ABC):
    """A player of a game; `generator` is all the randomness it has."""

    name: str
    games: ClassVar[tuple[str, ...]] = ()
    """The games that it plays, by their names in records; empty for all of them."""
    budget: Budget | None = None
    """What a decision may cost, unless somebody chooses; None for a bot that does not search."""
    compiled: ClassVar[bool] = False
    """Whether it runs as native code: then a server lets it wait until `warm_up` has made that."""

    def __init__(self, game: Game, generator: random.Random, budget: Budget | None = None) -> None:
        self.game = game
        self.generator = generator
        if budget is not None:
            self.budget = budget

    @abstractmethod
    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        """One of the legal moves; `clock` is the time left for it in seconds, if there is one."""

    @classmethod  # noqa: B027 (most have nothing to do)
    def warm_up(cls) -> None:
        """Compiles and loads what a first move would wait for; the server does it at its start."""


class Searcher(Bot):
    """A bot that looks ahead and can tell what it thinks of each move."""

    budget: Budget = Budget(seconds=1.0)
    compiled = True

    @property
    def tells_luck(self) -> bool:
        """Whether it can say what chance brought."""
        return False

    def luck(self, view: View) -> float:
        """What chance has brought to the seat in this turn, over what was to be expected.

        On average it is nought for every player, so that totals without it have the same mean
        and vary much less.
        """
        raise NotImplementedError

    @abstractmethod
    def appraise(self, view: View, legal: Sequence[Move], budget: Budget) -> list[Appraisal]:
        """The moves it looked at, the best first: never none, and each of them legal."""

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        if len(legal) == 1:
            return legal[0]
        return self.appraise(view, legal, self.budget.within(clock))[0].move
