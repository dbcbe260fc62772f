"""A seat's score as a value (TR-12, TR-17, TR-18)."""

from __future__ import annotations

import msgspec
import numpy as np

from headway.games.kernel import BIT, NONE
from headway.games.tickettoride.board.board import MOST_LOCATIONS, Board, Ticket
from headway.games.tickettoride.rules.arrays import SCORE, PlayerRecord, board_record
from headway.games.tickettoride.rules.scoring import score


class TicketScore(msgspec.Struct, frozen=True):
    """A kept ticket: its points are won if its places are connected, otherwise lost (TR-17)."""

    name: str
    points: int
    completed: bool
    worth: int
    """The points with their sign."""


class TicketToRideScore(msgspec.Struct, frozen=True):
    """A seat's score as if the game ended now; at the end it is the final score."""

    routes: int
    tickets: int
    districts: int
    total: int
    completed: int
    """The number of completed tickets, which breaks ties (TR-19)."""
    each_ticket: tuple[TicketScore, ...]
    each_district: tuple[int, ...]
    """The numbers of the districts whose places are all connected."""

    @property
    def rank(self) -> tuple[int, int]:
        """Compares players; the greater one is better (TR-19)."""
        return self.total, self.completed


def score_sheet(board: Board, player: PlayerRecord) -> TicketToRideScore:
    """Returns the current score of a player."""
    score_record = np.zeros(1, SCORE)[0]
    score(board_record(board), player, np.zeros(MOST_LOCATIONS, np.uint64), score_record)
    return TicketToRideScore(
        routes=int(score_record["routes"]),
        tickets=int(score_record["tickets"]),
        districts=int(score_record["districts"]),
        total=int(score_record["total"]),
        completed=int(score_record["completed"]),
        each_ticket=tuple(
            _ticket_score(ticket, bool(score_record["completed_tickets"] & BIT[i]))
            for i, ticket in enumerate(board.tickets)
            if player["tickets"] & BIT[i] != NONE
        ),
        each_district=tuple(
            district.number
            for i, district in enumerate(board.districts)
            if score_record["joined_districts"] & BIT[i] != NONE
        ),
    )


def _ticket_score(ticket: Ticket, completed: bool) -> TicketScore:
    points = ticket.points
    return TicketScore(ticket.name, points, completed, points if completed else -points)
