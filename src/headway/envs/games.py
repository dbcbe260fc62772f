"""Opens a game for environments."""

from __future__ import annotations

from pathlib import Path

from headway.envs.encoding import Encoding
from headway.envs.nextstation.encoding import NextStationEncoding
from headway.envs.tickettoride.encoding import TicketToRideEncoding
from headway.errors import InputError
from headway.games import box
from headway.games.contract import Game

OBSERVATIONS = ("board", "ahead")
NEXT_STATION, TICKET_TO_RIDE = "next-station", "ticket-to-ride"


def open_game(name: str, map_name: str | Path, seats: int, **options: bool) -> Game:
    """Returns a game by its name in records; the map is a name or a file."""
    return box(name).open(str(map_name), seats, {k: v for k, v in options.items() if v})


def encoding_of(game: Game, observation: str = "board") -> Encoding:
    """Returns the actions and observations of a game; see `OBSERVATIONS`."""
    if observation not in OBSERVATIONS:
        raise InputError("env.observation", observation=observation)
    if game.box.name == NEXT_STATION:
        return NextStationEncoding(game, ahead=observation == "ahead")
    return TicketToRideEncoding(game)
