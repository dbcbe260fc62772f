"""Bots for Ticket to Ride: levels from weakest to strongest, and the planner."""

from __future__ import annotations

from headway.bots.bot import Bot
from headway.bots.tickettoride.levels import (
    PlannerBot,
    TicketCommuter,
    TicketDriver,
    TicketExpert,
    TicketTourist,
)

BOTS: tuple[type[Bot], ...] = (
    TicketTourist,
    TicketCommuter,
    TicketDriver,
    TicketExpert,
    PlannerBot,
)
