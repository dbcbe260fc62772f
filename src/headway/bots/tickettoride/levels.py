"""The levels at Ticket to Ride, from one who overlooks much to one who looks far ahead."""

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

OVERLOOKED = 0.6


class Tourist(PlannerBot):
    """Joins its tickets, but mostly overlooks the card or the route that it could have taken."""

    name = "tourist"

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return super().choose(view, overlook(legal, OVERLOOKED, self.generator), clock)


class Commuter(PlannerBot):
    """The planner: joins its tickets on cheap ways, and blocks nobody."""

    name = "commuter"


class Driver(Bot):
    """Knows what a turn, a card and a point are worth, but does not look ahead.

    It is the player that the expert sees in every seat of its worlds (`policy`).
    """

    name = "driver"
    games = ("ticket-to-ride",)
    compiled = True

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        world = self.game.resample(view, self.generator)
        assert isinstance(world, TicketToRideState)
        return int(
            native().sensible(
                board_record(world.game.board),
                world.shared,
                world.players,
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
    """Looks ahead in thousands of worlds."""

    name = "expert"
    budget = Budget(seconds=1.0)
