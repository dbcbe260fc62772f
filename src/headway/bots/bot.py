"""The base classes of all bots and of bots that search, and simple bots for every game.

The simple bots serve as a fixed standard; weaker levels share their oversights.
"""

from __future__ import annotations

import random
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

from headway.errors import InputError
from headway.games.contract import Game, Move, View

Measure = Literal["score", "win"]

CLOCK_SHARE = 0.1
"""The largest part of a clock that a search uses for one move, because a bank lasts for many moves.
"""


class Budget(NamedTuple):
    """Limits a search for one decision by seconds, by simulations, or by both.

    The same seed and number of simulations give the same move; a limit in seconds does not.
    """

    seconds: float | None = None
    simulations: int | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Parses `0.1s` as seconds, `800` as simulations, and `800/0.1s` as both."""
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
        """Returns this budget, limited to a share of the time that a clock has left."""
        if clock is None:
            return self
        share = max(clock, 0.0) * CLOCK_SHARE
        return self._replace(seconds=share if self.seconds is None else min(self.seconds, share))


def shares(budget: Budget, most: int) -> Iterator[int]:
    """Yields the number of simulations to run next, at most `most`, until the budget is spent."""
    start, left = time.perf_counter(), budget.simulations
    while left is None or left > 0:
        share = most if left is None else min(most, left)
        yield share
        if left is not None:
            left -= share
        if budget.seconds is not None and time.perf_counter() - start >= budget.seconds:
            return


class Appraisal(NamedTuple):
    """A search's estimate for one move: the expected value and its standard error.

    With the measure "score" the value is the seat's final score, with "win" its probability to win
    (a shared victory counts as its share). `simulations` is the number of games behind the
    estimate.
    """

    move: Move
    value: float
    error: float
    simulations: int
    measure: Measure


class Bot(ABC):
    """Plays a game. All randomness comes from `generator`."""

    name: str
    games: ClassVar[tuple[str, ...]] = ()
    """The names of the games that it plays, as in records; empty for all games."""
    budget: Budget | None = None
    """The default budget for a decision; None for a bot that does not search."""
    rated: ClassVar[bool] = True
    """Whether games against it count for ratings; beating a bot without a plan shows no skill."""
    compiled: ClassVar[bool] = False
    """Whether it runs compiled code; the server lets it wait until `warm_up` has compiled it."""
    compile_seconds: ClassVar[float] = 12.0
    """How long that takes on a quiet machine, about; pages that wait show it as their progress."""

    def __init__(self, game: Game, generator: random.Random, budget: Budget | None = None) -> None:
        self.game = game
        self.generator = generator
        if budget is not None:
            self.budget = budget

    @abstractmethod
    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        """Returns one of the legal moves; `clock` is the time left for it in seconds, if any."""

    @classmethod  # noqa: B027 (most have nothing to do)
    def warm_up(cls) -> None:
        """Compiles and loads what the first move needs; the server calls it when it starts."""


class Searcher(Bot):
    """A bot that looks ahead and can say what it expects of each move."""

    budget: Budget = Budget(seconds=1.0)
    compiled = True
    tells_luck: ClassVar[bool] = False
    """Whether `luck` is available."""

    def luck(self, view: View) -> float:
        """Returns the points that this turn's card brought, compared with the average card.

        The expected value is zero for every player, so totals minus luck have the same mean and a
        smaller variance.
        """
        raise NotImplementedError

    @abstractmethod
    def appraise(self, view: View, legal: Sequence[Move], budget: Budget) -> list[Appraisal]:
        """Returns estimates for the moves considered, best first; at least one, all legal."""

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        if len(legal) == 1:
            return legal[0]
        return self.appraise(view, legal, self.budget.within(clock))[0].move


class RandomBot(Bot):
    """Chooses among all legal moves with equal probability."""

    name = "random"
    rated = False

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return self.generator.choice(legal)


class GreedyBot(Bot):
    """Chooses the move with the highest score if the game ended after it.

    Among equal moves it takes the first one that is not the first legal move, which is often a
    pass.
    """

    name = "greedy"

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        sampled = self.game.resample(view, self.generator)
        return max(legal, key=lambda move: (sampled.score_after(view.seat, move), move != legal[0]))


BOTS: tuple[type[Bot], ...] = (RandomBot, GreedyBot)


def overlook(legal: Sequence[Move], share: float, generator: random.Random) -> list[Move]:
    """Returns the legal moves without a random share of them; the first move always stays.

    The first legal move is the plainest one: a pass, or a card from the pile.
    """
    return [legal[0], *(move for move in legal[1:] if generator.random() >= share)]
