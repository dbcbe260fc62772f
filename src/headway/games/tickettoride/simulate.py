"""Many games at native speed, on as many cores as wanted."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.errors import Unreadable
from headway.games.kernel import compiled
from headway.games.tickettoride import claims, playouts, scoring, supply, turns
from headway.games.tickettoride.board import MOST_LOCATIONS
from headway.games.tickettoride.layout import (
    MOST_MOVES,
    SCORE,
    blank_players,
    blank_table,
    board_record,
)

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide

POLICIES = ("random",)
CHUNK = 1024
"""Games that share a generator: what is played does not depend on the number of threads."""


def native() -> SimpleNamespace:
    """The rules of Ticket to Ride as native code."""
    return compiled(supply, claims, turns, scoring, playouts)


def simulate(
    game: TicketToRide,
    games: int,
    *,
    policy: str = "random",
    seed: int = 0,
    threads: int = 1,
    rules: Any = None,
) -> np.ndarray:
    """Deals and plays games, all seats at random; the totals by game and seat.

    The same seed gives the same games. `rules` is where the kernels are taken from: native code
    by default; the module `playouts` itself plays them interpreted.
    """
    if policy not in POLICIES:
        raise Unreadable("format.unknown_bot", bot=policy, known=", ".join(POLICIES))
    kernels = rules or native()
    totals = np.zeros((games, game.seats), np.int64)
    starts = range(0, games, CHUNK)

    def play(start: int) -> None:
        _chunk(game, kernels, f"{seed}|{start}", totals[start : start + CHUNK])

    if threads == 1:
        for start in starts:
            play(start)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, starts))
    return totals


def _chunk(game: TicketToRide, rules: Any, key: str, totals: np.ndarray) -> None:
    digest = hashlib.sha256(f"headway-simulate/1|{key}".encode()).digest()
    word = int.from_bytes(digest[:8]) | 1
    table, players = blank_table(game.board, game.seats), blank_players(game.board, game.seats)
    rules.play_games(
        board_record(game.board),
        table.copy(),
        players.copy(),
        table,
        players,
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(1, SCORE),
        np.zeros(MOST_LOCATIONS, np.uint64),
        np.array([word], np.uint64),
        totals,
    )
