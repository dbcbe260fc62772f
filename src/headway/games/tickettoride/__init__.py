"""Ticket to Ride: the rules, the boards and their presentation."""

from __future__ import annotations

from pathlib import Path

from headway.games.box import Box, BoxParts

SEATS = range(2, 5)


def _parts() -> BoxParts:
    from headway.games.tickettoride.board.board_file import check_board
    from headway.games.tickettoride.board.map_data import BoardData
    from headway.games.tickettoride.game import TicketToRide, board_facts
    from headway.games.tickettoride.view import TicketToRideView

    return BoxParts(TicketToRide, check_board, board_facts, TicketToRideView, BoardData)


BOX = Box(
    name="ticket-to-ride",
    seats=SEATS,
    options=(),
    default_map="london",
    aliases=("tickettoride",),
    map_format="headway-board/1",
    map_folder=Path(__file__).parent / "board",
    map_command="board",
    parts=_parts,
    opponent="commuter",
)
