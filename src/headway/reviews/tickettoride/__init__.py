"""Reviews of Ticket to Ride."""

from __future__ import annotations

from headway.reviews.tickettoride.tables import TableReviewer

REVIEWER = TableReviewer
