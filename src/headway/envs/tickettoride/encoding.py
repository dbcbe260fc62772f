"""Ticket to Ride for environments: actions, observations and compiled games."""

from __future__ import annotations

from collections.abc import Sequence
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


class TicketToRideEncoding(Encoding):
    """Decisions and observations of Ticket to Ride; `actions.py` lists the actions."""

    observation, highest = f"board-v{VERSION}", HIGHEST
    private = PRIVATE
    episode, scratch, words, longest = EPISODE, SCRATCH, np.dtype(np.int8), 2047

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
        shown = Shown(np.empty(self.size, np.int8), np.empty(self.actions, np.int8))
        self.kernels().show_seat(
            self.setup[0], self._scratch, state.shared, state.players, seat,
            seat in state.actors(), *shown,
        )  # fmt: skip
        return shown

    def decisions(self, move: Move) -> tuple[int, ...]:
        return (int(self.table[place(move)]),)

    def text(self, action: int) -> str:
        return self.game.move_text(int(self.moves[action]))

    def kernels(self) -> Any:
        return compiled(episodes)

    def state_of(self, episode: Any) -> State:
        players = episode["players"][: self.game.seats]
        return self.game.load(episode["shared"].tobytes() + players.tobytes())

    def load(self, episode: Any, state: State) -> None:
        assert isinstance(state, TicketToRideState)
        episode["shared"], episode["players"][: self.game.seats] = state.shared, state.players

    def batch(
        self,
        games: int,
        *,
        seat: Seat = 0,
        opponents: Sequence[str] = ("driver",),
        **settings: Any,
    ) -> Batch:
        """Returns games for one seat against bots, which are among `POLICIES`."""
        setup, seats = self.setup.copy(), self.game.seats
        setup["seat"] = seat = checks.checked_seat(seat, self.game)
        setup["habits"] = np.array([SENSIBLE], HABITS)
        for i, bot in enumerate(opponents):
            if bot not in POLICIES:
                raise InputError("env.native", bot=bot, known=", ".join(POLICIES))
            setup["policies"][0, (seat + 1 + i) % seats] = POLICIES[bot]
        return Batch(self, setup, games, **settings)
