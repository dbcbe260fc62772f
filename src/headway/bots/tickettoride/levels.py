"""The levels of Ticket to Ride."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from headway.bots.bot import Bot, Budget
from headway.bots.mistakes import overlook
from headway.bots.tickettoride.planner_bot import PlannerBot
from headway.bots.tickettoride.route_plans import HABITS, PLAN, SENSIBLE, WORKSPACE
from headway.bots.tickettoride.searcher import TicketSearcher, native
from headway.games.contract import Move, View
from headway.games.tickettoride.rules.arrays import board_record
from headway.games.tickettoride.state import TicketToRideState
from headway.table import Table

OVERLOOKED_SHARE = 0.6


class Tourist(PlannerBot):
    """Connects its tickets, but overlooks most cards and routes that it could take."""

    name = "tourist"

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return super().choose(view, overlook(legal, OVERLOOKED_SHARE, self.generator), clock)


class Commuter(PlannerBot):
    """Connects its tickets on cheap routes and blocks nobody; the same as the planner."""

    name = "commuter"


class Driver(Bot):
    """Weighs turns, cards and points, but does not search.

    The expert's playouts use it for every seat (`playout_policy.py`).
    """

    name = "driver"
    games = ("ticket-to-ride",)
    compiled = True
    compile_seconds = 6.0

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        sampled = self.game.resample(view, self.generator)
        assert isinstance(sampled, TicketToRideState)
        return int(
            native().sensible(
                board_record(sampled.game.board),
                sampled.shared,
                sampled.players,
                view.seat,
                np.zeros(view.seats, PLAN),
                np.array([SENSIBLE], HABITS)[0],
                np.zeros(1, WORKSPACE)[0],
            )
        )

    @classmethod
    def warm_up(cls) -> None:
        table = Table(cls.games[0], seats=2, seed=0)
        cls(table.game, random.Random(0)).choose(table.view(0), table.state.legal(0))


class Expert(TicketSearcher):
    """Tries its moves on determinizations, with a value network where the board has one."""

    name = "expert"
    budget = Budget(seconds=0.1)
