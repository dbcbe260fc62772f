"""A game for all its seats, decision by decision, for environments with several agents."""

from __future__ import annotations

from headway.envs import checks
from headway.envs.batch import Shown
from headway.envs.encoding import NOTHING, Encoding
from headway.envs.moments import Moment, deal_on, record_of
from headway.envs.outcomes import rewards_of
from headway.games.contract import Event, Seat, State
from headway.record import Record


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
