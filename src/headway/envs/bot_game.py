"""One game for one seat against any bots, for opponents that have no compiled policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from headway import dealer
from headway.bots import make_bot
from headway.envs import checks
from headway.envs.batch import Shown, Step
from headway.envs.encoding import NOTHING, Encoding
from headway.envs.moments import Moment
from headway.envs.outcomes import rewards_of
from headway.games.contract import Event, Seat, State
from headway.table import Table


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
