"""The files of trained networks: one for each board and number of seats."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import numpy as np

from headway import settings
from headway.bots.tickettoride.network.network import SHAPES, Network
from headway.errors import InputError
from headway.files import write_whole
from headway.games.tickettoride.game import TicketToRide


def save(path: Path, net: Network, map_hash: str) -> None:
    """Writes a network to a file, in half precision."""
    buffer = BytesIO()
    halves = {name: layer.astype(np.float16) for name, layer in net._asdict().items()}
    np.savez_compressed(buffer, map_hash=np.array(map_hash), **halves)
    write_whole(path, buffer.getvalue())


def load(path: Path) -> tuple[Network, str]:
    """Reads a network from a file; also returns the hash of the board that it was trained for."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            net = Network(*(np.ascontiguousarray(data[k], np.float32) for k in Network._fields))
            map_hash = str(data["map_hash"])
    except (OSError, ValueError, KeyError, EOFError) as problem:
        raise InputError("format.network", file=path, reason=str(problem)) from problem
    if [layer.shape for layer in net] != list(SHAPES):
        raise InputError("format.network_shape", file=path)
    return net, map_hash


def file_name(map_name: str, seats: int) -> str:
    """Returns the file name of a board's network; there is one for each number of seats."""
    return f"{Path(map_name).stem}-{seats}-seats.npz"


def network_of(game: TicketToRide) -> Network | None:
    """Returns the network for a board and number of seats; the user's before the shipped one.

    Returns None for a board without a network, or with one for another version of it.
    """
    return _network_of(game.map, game.map_hash, game.seats)


@cache
def _network_of(map_name: str, map_hash: str, seats: int) -> Network | None:
    shipped = Path(str(files("headway.bots.tickettoride.network")))
    for folder in (settings.data_dir() / "networks", shipped):
        path = folder / file_name(map_name, seats)
        if path.exists():
            net, trained_for = load(path)
            if trained_for == map_hash:
                return net
    return None
