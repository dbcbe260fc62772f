"""The modules of a game have what the contract says of them; the types are checked by mypy."""

from __future__ import annotations

from headway.games.contract import Notation, Presentation, Records
from headway.games.nextstation import notation as sheet_notation
from headway.games.nextstation import records as sheet_records
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.presentation import render as sheet_render
from headway.games.tickettoride import notation as board_notation
from headway.games.tickettoride import records as board_records
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.presentation import render as board_render

NOTATIONS: list[Notation] = [sheet_notation, board_notation]
RECORDS: list[Records] = [sheet_records, board_records]
PRESENTATIONS: list[Presentation] = [sheet_render, board_render]


def test_a_game_loads_its_own_modules() -> None:
    games = [NextStation("london", 2, {}), TicketToRide("london", 2, {})]
    assert [game.notation for game in games] == NOTATIONS
    assert [game.records for game in games] == RECORDS
    assert [game.presentation for game in games] == PRESENTATIONS
