"""The tourist at Ticket to Ride: plans its ways well, and overlooks much on the board."""

from __future__ import annotations

from collections.abc import Sequence

from headway.bots.mistakes import overlook
from headway.bots.tickettoride.planner import PlannerBot
from headway.games.contract import Move, View

OVERLOOKED = 0.4


class Tourist(PlannerBot):
    """Joins its tickets, but often overlooks a card or a route that it could have taken."""

    name = "tourist"

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return super().choose(view, overlook(legal, OVERLOOKED, self.generator), clock)
