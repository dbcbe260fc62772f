"""Ticket to Ride as a game of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, ClassVar

from headway.errors import InputError, RuleBroken
from headway.games.box import Box
from headway.games.choices import Choice, ChoiceValue, check_choices
from headway.games.contract import Game, Generator, Move, View
from headway.games.tickettoride import BOX
from headway.games.tickettoride.board.board import BUS_COLOURS
from headway.games.tickettoride.board.board_file import load_board
from headway.games.tickettoride.board.map_data import BoardData, board_data
from headway.games.tickettoride.moves import move_text, parse_move
from headway.games.tickettoride.rules import engine
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView, resample
from headway.i18n import in_language, say


class TicketToRide(Game):
    """Ticket to Ride on one board, for 2 to 4 seats."""

    box: ClassVar[Box] = BOX
    engine: ClassVar[ModuleType] = engine

    def __init__(self, map_name: str, seats: int, options: Mapping[str, bool]) -> None:
        self.board = load_board(map_name)
        self.map = self.board.name
        self.map_hash = self.board.hash
        least, most = self.board.seats
        if not least <= seats <= most:
            raise RuleBroken("TR-01", "broken.TR-01", seats=seats, least=least, most=most)
        self.seats = seats
        if options:
            raise InputError("format.no_option", option=min(options))
        self.options: Mapping[str, bool] = {}

    @property
    def bus_colours(self) -> tuple[str, ...]:
        """The colour of each seat's buses; seats without a choice take the first ones left."""
        chosen = self.chosen.get("buses") or [None] * self.seats
        left = iter(colour for colour in BUS_COLOURS if colour not in chosen)
        return tuple(colour or next(left) for colour in chosen)

    def choices(self) -> tuple[Choice, ...]:
        """Returns what the host may choose: who begins (TR-06), and the colours of the buses."""
        seats = tuple(ChoiceValue(seat, "choice.seat", (seat,)) for seat in range(self.seats))
        colours = tuple(ChoiceValue(colour, f"choice.bus.{colour}") for colour in BUS_COLOURS)
        buses = Choice("buses", colours, each_seat=True, default="choice.automatic")
        return (Choice("first", seats), buses)

    def _fixed_moves(self, chosen: Mapping[str, Any]) -> Mapping[str, list[Move]]:
        check_choices(self, chosen)
        return {"first": [chosen["first"]]} if "first" in chosen else {}

    def start(self) -> TicketToRideState:
        return TicketToRideState(self)

    def resample(self, view: View, generator: Generator) -> TicketToRideState:
        assert isinstance(view, TicketToRideView)
        return resample(self, view, generator)

    def parse_move(self, text: str) -> Move:
        return parse_move(self.board, text)

    def move_text(self, move: Move) -> str:
        return move_text(self.board, move)

    def map_data(self) -> BoardData:
        return board_data(self)

    def title(self, lang: str | None = None) -> str:
        return say("tickettoride.title", lang, board=in_language(self.board.title, lang))

    def note(self, lang: str | None = None) -> str:
        return in_language(self.board.note, lang)


def board_facts(name: str, lang: str | None = None) -> list[str]:
    """Describes a board: a text board and facts derived from its file."""
    from headway.games.tickettoride.presentation.board_text import text_board

    board = load_board(name)
    facts = {
        "locations": len(board.locations),
        "routes": len(board.routes),
        "doubles": sum(route.half == 1 for route in board.routes),
        "spaces": sum(route.length for route in board.routes),
        "tickets": len(board.tickets),
        "cards": sum(board.cards.values()),
    }
    lines = [text_board(board, {}, lang), say("board.facts", lang, **facts)]
    return lines + [note for note in [in_language(board.note, lang)] if note]
