"""The two networks of a board that reviews choose and value with, trained apart."""

from __future__ import annotations

from pathlib import Path

from headway.bots.value_net import Network, network_for
from headway.games.tickettoride.game import TicketToRide
from headway.reviews.tickettoride.features import SHAPES

Networks = tuple[Network, Network]


def shapes(_: int) -> Network:
    """Returns the shape of each layer; all networks have the same width."""
    return SHAPES


def file_name(map_name: str, seats: int, number: int) -> str:
    """Returns the file name of one of the two networks of a board for a number of seats."""
    return f"{Path(map_name).stem}-{seats}-seats-{number}.npz"


def networks_of(game: TicketToRide) -> Networks | None:
    """Returns the networks for a board and a number of seats, if there are both."""
    names = (file_name(game.map, game.seats, number) for number in (1, 2))
    first, second = (network_for(__package__, name, game.map_hash, shapes) for name in names)
    return (first.network, second.network) if first and second else None
