"""Ticket to Ride: the rules, the boards and their presentation."""

from __future__ import annotations

from pathlib import Path

from headway.games.contract import Box, BoxParts

FORMAT = "headway-board/1"
"""The format of a board's file."""
FOLDER = Path(__file__).parent / "board"
MAPS = tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))
"""The names of the shipped boards."""
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
    maps=MAPS,
    default_map="london",
    aliases=("tickettoride",),
    map_format=FORMAT,
    map_folder=FOLDER,
    map_command="board",
    parts=_parts,
    opponent="commuter",
)
