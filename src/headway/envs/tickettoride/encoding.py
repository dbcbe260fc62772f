"""Ticket to Ride for environments: actions, observations and compiled games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from headway.bots.tickettoride.route_plans import HABITS, PLAN, SENSIBLE, WORKSPACE
from headway.bots.tickettoride.trials import TALLY
from headway.envs.batch import Batch, Shown
from headway.envs.encoding import NOTHING, Encoding
from headway.envs.tickettoride import episodes
from headway.envs.tickettoride.actions import all_moves, numbers, place
from headway.envs.tickettoride.observation import HIGHEST, PRIVATE, fields, offers
from headway.errors import InputError
from headway.games.contract import Game, Move, Seat, State
from headway.games.kernel import compiled
from headway.games.simulation import apart
from headway.games.tickettoride.board.board import MOST_LOCATIONS
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import (
    MOST_MOVES,
    SCORE,
    blank_players,
    blank_shared,
    board_record,
)
from headway.games.tickettoride.state import TicketToRideState

POLICIES = {"random": episodes.RANDOM, "driver": episodes.DRIVER}
"""The bots that play in compiled code."""


@cache
def native() -> Any:
    """Returns the kernels as native code."""
    return compiled(episodes)


class TicketToRideEncoding(Encoding):
    """Decisions and observations of Ticket to Ride; `actions.py` lists the actions."""

    highest = HIGHEST
    private = PRIVATE

    def __init__(self, game: Game) -> None:
        assert isinstance(game, TicketToRide)
        self.game: TicketToRide = game
        self.board = board_record(game.board)
        self.moves = all_moves(game.board)
        self.table = numbers(self.moves)
        self.actions = len(self.moves)
        self.fields = fields(game.board, game.seats)
        self.size = self.fields[-1].stop
        self.offers = offers(game.board)
        self._scratch = scratch()

    def show(self, state: State, seat: Seat, chosen: int = NOTHING) -> Shown:
        assert isinstance(state, TicketToRideState)
        shown = Shown(np.empty((1, self.size), np.int8), np.empty((1, self.actions), np.int8))
        native().show_seat(
            self.board, state.shared, state.players, seat, seat in state.actors(), self.offers,
            self.table, *self._scratch, *shown, 0,
        )  # fmt: skip
        return Shown(*(array[0] for array in shown))

    def decisions(self, move: Move) -> tuple[int, ...]:
        return (int(self.table[place(move)]),)

    def text(self, action: int) -> str:
        return self.game.move_text(int(self.moves[action]))

    def batch(self, games: int, **settings: Any) -> TicketToRideBatch:
        return TicketToRideBatch(self, games, **settings)


def scratch() -> tuple[np.ndarray, ...]:
    """Returns scratch memory for one thread: moves, connections, a score."""
    return apart(MOST_MOVES, np.int64), apart(MOST_LOCATIONS, np.uint64), apart(1, SCORE)


class TicketToRideBatch(Batch):
    """Games of Ticket to Ride for one seat against bots."""

    observed = np.dtype(np.int8)
    longest = 2047

    def __init__(
        self,
        encoding: TicketToRideEncoding,
        games: int,
        *,
        seat: Seat = 0,
        opponents: Sequence[str] = ("driver",),
        **settings: Any,
    ) -> None:
        game, self.width = encoding.game, encoding.size
        super().__init__(game, games, encoding.actions, **settings)
        unknown = [bot for bot in opponents if bot not in POLICIES]
        if unknown:
            raise InputError("format.unknown_bot", bot=unknown[0], known=", ".join(POLICIES))
        policies = np.zeros(game.seats, np.int64)
        for i, bot in enumerate(opponents):
            policies[(seat + 1 + i) % game.seats] = POLICIES[bot]
        shared, players = (
            blank_shared(game.board, game.seats),
            blank_players(game.board, game.seats),
        )
        self.shared = np.zeros(games, shared.dtype)
        self.players = np.zeros((games, game.seats), players.dtype)
        fixed = (
            encoding.board, seat, encoding.offers, encoding.table, encoding.moves, policies, shared,
            players, np.array([SENSIBLE], HABITS),
        )  # fmt: skip
        arrays = (self.rows, self.shared, self.players, self.generators, self.logs, self.last_logs)
        memory = (*fixed, *arrays, self.autoreset, self.rewarded)
        self._memory = [
            (
                *memory, *cut, *scratch(), apart(game.seats, PLAN), apart(1, WORKSPACE),
                apart(1, TALLY), apart(game.seats, players.dtype), apart(1, np.uint64),
            )
            for cut in self.cuts
        ]  # fmt: skip

    def _step(self, part: int, actions: np.ndarray, shown: Shown, results: np.ndarray) -> None:
        native().step_games(*self._memory[part], actions, *shown, results)

    def state(self, place: int) -> State:
        return self.game.load(self.shared[place].tobytes() + self.players[place].tobytes())

    def _load(self, place: int, state: State) -> None:
        assert isinstance(state, TicketToRideState)
        self.shared[place], self.players[place] = state.shared, state.players
