"""A game that is played through the contract, decision by decision.

For all its seats, or for one of them against any bots: for opponents that have no compiled policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from headway import dealer
from headway.bots import make_bot
from headway.envs import checks
from headway.envs.checks import StartPoint, deal_on
from headway.envs.encoding import Encoding, StepResult
from headway.envs.episodes import CHANGES, NOTHING, WINNING, Shown
from headway.games.contract import Event, Move, Seat, State


def rewards_of(
    state: State, rewarded: int, before: Sequence[int]
) -> tuple[list[float], Sequence[int]]:
    """Returns the reward of each seat, and the totals; `before` were those of the last reward."""
    totals = [int(score.total) for score in state.scores()]
    if rewarded == CHANGES:
        return [float(now - then) for now, then in zip(totals, before, strict=True)], totals
    outcome = state.outcome()
    if outcome is None:
        return [0.0 for _ in totals], totals
    if rewarded == WINNING:
        victory = 0.0 if len(outcome.winners) > 1 else 1.0
        seats = range(len(totals))
        return [victory if seat in outcome.winners else -1.0 for seat in seats], totals
    return [float(total) for total in totals], totals


class SeatsGame:
    """A game in progress; the seats that have to act decide, one decision at a time."""

    def __init__(self, encoding: Encoding, rewards: str = "score") -> None:
        self.encoding, self.game = encoding, encoding.game
        self.rewarded = checks.rewarded(rewards, encoding.game)
        self.start(0)

    def start(self, dealt: int, start: StartPoint | None = None) -> None:
        """Starts a game, from its beginning if nothing else is said; the seed `dealt` deals."""
        self.dealt = dealt
        self.chosen = [NOTHING] * self.game.seats
        self.totals: Sequence[int] = [0] * self.game.seats
        self.state, self.events = (start or StartPoint(self.game.start(), [])).dealt(dealt)

    def actors(self) -> list[Seat]:
        """Returns the seats that have to decide, in their order; empty when the game is over."""
        return sorted(self.state.actors())

    def show(self, seat: Seat) -> Shown:
        """Returns what a seat observes, and its possible actions."""
        return self.encoding.show(self.state, seat, self.chosen[seat])

    def decide(self, seat: Seat, action: int) -> bool:
        """Takes an action, or the lowest possible one instead; returns whether it was possible."""
        taken = self.encoding.possible(self.state, seat, self.chosen[seat], action)
        move = self.encoding.move(self.state, seat, self.chosen[seat], taken)
        self.chosen[seat] = taken if move is None else NOTHING
        if move is not None:
            self.play(seat, move)
        return taken == action

    def play(self, seat: Seat, move: Move) -> None:
        """Makes a legal move, and deals until seats have to act."""
        self.state.advance(seat, move)
        self.events.append((seat, move))
        deal_on(self.state, self.events, self.dealt)

    def rewards(self) -> list[float]:
        """Returns the reward of each seat since the last call."""
        rewards, self.totals = rewards_of(self.state, self.rewarded, self.totals)
        return rewards


class BotGame:
    """One seat against bots; behaves as a `Batch` of one game that is never reset by itself."""

    def __init__(
        self, encoding: Encoding, *, seat: Seat, opponents: Sequence[str], rewards: str
    ) -> None:
        self.seat, self.opponents = checks.checked_seat(seat, encoding.game), opponents
        self._game = SeatsGame(encoding, rewards)
        self._seed, self._episode = 0, 0

    def seed(self, place: int, seed: int) -> None:
        """Makes the games to come depend on a seed alone."""
        self._seed, self._episode = seed, 0

    def resume(self, starts: Mapping[int, StartPoint]) -> Shown:
        """Continues from where place 0 starts."""
        return self.begin(starts[0])

    def begin(self, start: StartPoint | None = None) -> Shown:
        """Starts a game, from its beginning if nothing else is said."""
        self._episode += 1
        seed = dealer.below(self._seed, f"episode {self._episode}", 1 << 62)
        self._game.start(seed, start)
        game, seats = self._game.game, self._game.game.seats
        others = [(self.seat + 1 + i) % seats for i in range(seats - 1)]
        self.bots = {
            other: make_bot(bot, game, seed + i, files=True)
            for i, (other, bot) in enumerate(zip(others, self.opponents, strict=True))
        }
        return self._let_others_play()

    def step(self, actions: np.ndarray) -> StepResult:
        """Takes an action, or the lowest possible one instead."""
        possible = self._game.decide(self.seat, int(actions[0]))
        shown, over = self._let_others_play(), self._game.state.finished()
        reward = self._game.rewards()[self.seat]
        return StepResult(
            shown, np.array([reward]), np.array([over]), np.array([not possible]), None
        )

    def _let_others_play(self) -> Shown:
        """Lets bots play until the seat has to decide; returns what it sees."""
        state = self._game.state
        while others := [seat for seat in self._game.actors() if seat != self.seat]:
            other = others[0]
            move = self.bots[other].choose(state.view(other), state.legal(other))
            state.check(other, move)
            self._game.play(other, move)
        shown = self._game.show(self.seat)
        return Shown(shown.observations[None], shown.masks[None])

    def events(self, place: int, *, last: bool = False) -> list[Event]:
        """Returns the events of the game."""
        return list(self._game.events)

    def state(self, place: int) -> State:
        """Returns a copy of the position."""
        return self._game.state.copy()

    def close(self) -> None:
        """Has nothing to end."""
