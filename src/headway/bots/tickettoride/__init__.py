"""Bots for Ticket to Ride: levels from weakest to strongest, and the planner."""

from __future__ import annotations

from headway.bots.bot import Bot
from headway.bots.tickettoride.levels import (
    TicketCommuter,
    TicketDriver,
    TicketExpert,
    TicketTourist,
)
from headway.bots.tickettoride.planner_bot import PlannerBot

BOTS: tuple[type[Bot], ...] = (
    TicketTourist,
    TicketCommuter,
    TicketDriver,
    TicketExpert,
    PlannerBot,
)
