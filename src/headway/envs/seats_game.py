"""A game that is played through the contract, decision by decision.

For all its seats, or for one of them against any bots: for opponents that have no compiled policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from headway import dealer
from headway.bots import make_bot
from headway.envs import checks
from headway.envs.batch import Shown, Step
from headway.envs.encoding import NOTHING, Encoding
from headway.envs.episodes import CHANGES, WINNING
from headway.envs.moments import Moment, deal_on, record_of
from headway.games.contract import Event, Seat, State
from headway.record import Record
from headway.table import Table


def rewards_of(state: State, seat: Seat, rewarded: int, before: int) -> tuple[float, int]:
    """Returns the reward of a seat, and its total; `before` was the total after the last reward."""
    total = int(state.scores()[seat].total)
    if rewarded == CHANGES:
        return float(total - before), total
    outcome = state.outcome()
    if outcome is None:
        return 0.0, total
    if rewarded == WINNING:
        shared = len(outcome.winners) > 1
        return (0.0 if shared else 1.0) if seat in outcome.winners else -1.0, total
    return float(total), total


class SeatsGame:
    """A game in progress; the seats that have to act decide, one decision at a time."""

    def __init__(self, encoding: Encoding, rewards: str = "score") -> None:
        self.encoding, self.game = encoding, encoding.game
        self.rewarded = checks.rewarded(rewards, encoding.game)
        self.start(0)

    def start(self, seed: int) -> None:
        """Starts a game that depends on a seed alone."""
        self.seed, self.events = seed, list[Event]()
        self.state: State = self.game.start()
        self.chosen = [NOTHING] * self.game.seats
        self.totals = [0] * self.game.seats
        deal_on(self.state, self.events, seed)

    def resume(self, moment: Moment, seed: int) -> None:
        """Continues from a moment; the seed deals what comes then."""
        self.start(seed)
        self.state, self.events = moment.dealt(seed)

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
            self.state.advance(seat, move)
            self.events.append((seat, move))
            deal_on(self.state, self.events, self.seed)
        return taken == action

    def rewards(self) -> list[float]:
        """Returns the reward of each seat since the last call."""
        pairs = [
            rewards_of(self.state, seat, self.rewarded, before)
            for seat, before in enumerate(self.totals)
        ]
        self.totals = [total for _, total in pairs]
        return [reward for reward, _ in pairs]

    def record(self) -> Record:
        """Returns the game so far as a record."""
        return record_of(self.game, self.events)


class BotGame:
    """Behaves as a `Batch` of one game that is never reset by itself."""

    def __init__(
        self, encoding: Encoding, *, seat: Seat, opponents: Sequence[str], rewards: str
    ) -> None:
        self.encoding, self.game = encoding, encoding.game
        self.seat = checks.checked_seat(seat, encoding.game)
        self.opponents, self.rewards = opponents, checks.rewarded(rewards, encoding.game)
        self._seed, self._episode = 0, 0
        self.begin()

    def seed(self, place: int, seed: int) -> None:
        """Makes the games to come depend on a seed alone."""
        self._seed, self._episode = seed, 0

    def begin(self) -> Shown:
        """Starts a game."""
        self._episode += 1
        table = Table(self.game, seed=dealer.below(self._seed, f"episode {self._episode}", 1 << 62))
        return self._play(table)

    def resume(self, moments: Mapping[int, Moment]) -> Shown:
        """Continues from the moment of place 0."""
        self._episode += 1
        table = Table(self.game, seed=dealer.below(self._seed, f"episode {self._episode}", 1 << 62))
        table.state, table.events = moments[0]
        return self._play(table)

    def _play(self, table: Table) -> Shown:
        self.table, self.chosen, self.total = table, NOTHING, 0
        others = [(self.seat + 1 + i) % table.seats for i in range(table.seats - 1)]
        self.bots = {
            other: make_bot(bot, self.game, table.seed + i, files=True)
            for i, (other, bot) in enumerate(zip(others, self.opponents, strict=True))
        }
        self._let_others_play()
        return self._shown()

    def step(self, actions: np.ndarray) -> Step:
        """Takes an action, or the lowest possible one instead."""
        table, seat = self.table, self.seat
        wanted = int(actions[0])
        action = self.encoding.possible(table.state, seat, self.chosen, wanted)
        move = self.encoding.move(table.state, seat, self.chosen, action)
        self.chosen = action if move is None else NOTHING
        if move is not None:
            table.play(seat, move)
            self._let_others_play()
        reward, self.total = rewards_of(table.state, seat, self.rewards, self.total)
        return Step(
            self._shown(),
            np.array([reward]),
            np.array([table.finished()]),
            np.array([action != wanted]),
            None,
        )

    def _let_others_play(self) -> None:
        table = self.table
        while others := [s for s in table.actors() if s != self.seat]:
            other = others[0]
            legal = table.state.legal(other)
            table.play(other, self.bots[other].choose(table.view(other), legal))

    def _shown(self) -> Shown:
        shown = self.encoding.show(self.table.state, self.seat, self.chosen)
        return Shown(shown.observations[None], shown.masks[None])

    def events(self, place: int, *, last: bool = False) -> list[Event]:
        """Returns the events of the game."""
        return list(self.table.events)

    def state(self, place: int) -> State:
        """Returns a copy of the position."""
        return self.table.state.copy()

    def close(self) -> None:
        """Has nothing to end."""
