"""Ticket to Ride for environments: actions, observations and compiled games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from headway.bots.tickettoride.route_plans import HABITS, SENSIBLE
from headway.envs import checks
from headway.envs.batch import Batch
from headway.envs.encoding import Encoding
from headway.envs.episodes import NOTHING, Shown
from headway.envs.tickettoride import episodes
from headway.envs.tickettoride.actions import all_moves, numbers, place
from headway.envs.tickettoride.episodes import EPISODE, SCRATCH, SETUP
from headway.envs.tickettoride.observation import HIGHEST, PRIVATE, VERSION, fields, offers
from headway.errors import InputError
from headway.games.contract import Game, Move, Seat, State
from headway.games.kernel import compiled
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import blank_players, blank_shared, board_record
from headway.games.tickettoride.state import TicketToRideState

POLICIES = {"random": episodes.RANDOM, "driver": episodes.DRIVER}
"""The bots that play in compiled code."""


@cache
def native() -> Any:
    """Returns the kernels as native code."""
    return compiled(episodes)


class TicketToRideEncoding(Encoding):
    """Decisions and observations of Ticket to Ride; `actions.py` lists the actions."""

    observation, highest = f"board-v{VERSION}", HIGHEST
    private = PRIVATE

    def __init__(self, game: Game) -> None:
        assert isinstance(game, TicketToRide)
        self.game: TicketToRide = game
        self.moves = all_moves(game.board)
        self.table = numbers(self.moves)
        self.actions = len(self.moves)
        self.fields = fields(game.board, game.seats)
        self.size = self.fields[-1].stop
        self.setup = np.zeros(1, SETUP)
        self.setup["board"], self.setup["offers"] = board_record(game.board), offers(game.board)
        self.setup["blank_shared"] = blank_shared(game.board, game.seats)
        self.setup["blank_player"] = blank_players(game.board, 1)
        self.setup["seats"], self.setup["actions"] = game.seats, self.actions
        self.setup["moves"][0, : self.actions] = self.moves
        self.setup["action_at"] = self.table
        self._scratch = np.zeros(1, SCRATCH)[0]

    def show(self, state: State, seat: Seat, chosen: int = NOTHING) -> Shown:
        assert isinstance(state, TicketToRideState)
        observation = np.empty((1, self.size), np.int8)
        mask = np.empty((1, self.actions), np.int8)
        native().show_seat(
            self.setup[0], self._scratch, state.shared, state.players, seat,
            seat in state.actors(), Shown(observation, mask), 0,
        )  # fmt: skip
        return Shown(observation[0], mask[0])

    def decisions(self, move: Move) -> tuple[int, ...]:
        return (int(self.table[place(move)]),)

    def text(self, action: int) -> str:
        return self.game.move_text(int(self.moves[action]))

    def batch(self, games: int, **settings: Any) -> TicketToRideBatch:
        return TicketToRideBatch(self, games, **settings)


class TicketToRideBatch(Batch):
    """Games of Ticket to Ride for one seat against bots."""

    observed = np.dtype(np.int8)
    longest = 2047
    episode, scratch = EPISODE, SCRATCH

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
        seat = checks.checked_seat(seat, game)
        super().__init__(game, games, encoding.actions, encoding.setup, **settings)
        unknown = [bot for bot in opponents if bot not in POLICIES]
        if unknown:
            raise InputError("format.unknown_bot", bot=unknown[0], known=", ".join(POLICIES))
        for i, bot in enumerate(opponents):
            self.setup["policies"][0, (seat + 1 + i) % game.seats] = POLICIES[bot]
        self.setup["seat"], self.setup["habits"] = seat, np.array([SENSIBLE], HABITS)

    def kernels(self) -> Any:
        return native()

    def state(self, place: int) -> State:
        episode = self.episodes[place]
        players = episode["players"][: self.game.seats]
        return self.game.load(episode["shared"].tobytes() + players.tobytes())

    def _load(self, place: int, state: State) -> None:
        assert isinstance(state, TicketToRideState)
        episode = self.episodes[place]
        episode["shared"], episode["players"][: self.game.seats] = state.shared, state.players
