"""The upper levels at Ticket to Ride: one that follows its plan, and two that look ahead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headway.bots.player import Bot, Budget
from headway.bots.tickettoride.plans import DESK, HABITS, PLAN, SENSIBLE
from headway.bots.tickettoride.searcher import TicketSearcher, native
from headway.games.contract import Move, View
from headway.games.tickettoride.layout import board_record
from headway.games.tickettoride.state import TicketToRideState


class Commuter(Bot):
    """Follows a good plan for its tickets, and does not look ahead."""

    name = "commuter"
    games = ("ticket-to-ride",)

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        world = self.game.resample(view, self.generator)
        assert isinstance(world, TicketToRideState)
        return int(
            native().sensible(
                board_record(world.game.board),
                world.table,
                world.players,
                view.seat,
                np.zeros(view.seats, PLAN),
                np.array([SENSIBLE], HABITS)[0],
                np.zeros(1, DESK)[0],
            )
        )


class Driver(TicketSearcher):
    """Looks ahead a little, in few worlds."""

    name = "driver"
    budget = Budget(simulations=150)


class Expert(TicketSearcher):
    """Looks ahead in thousands of worlds."""

    name = "expert"
    budget = Budget(seconds=0.5)
