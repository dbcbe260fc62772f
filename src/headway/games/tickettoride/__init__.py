"""Ticket to Ride: the rules, the boards and their presentation."""

from headway.games.tickettoride.box import BOX

__all__ = ["BOX"]
