"""The best that a deal holds when all its cards are known: how much is left for players to find.

For benchmarks only. A beam of the sheets that look best goes through the game; the wider it is, the
nearer to the best result that exists. What it finds is a line that could really have been drawn.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.candidates import candidates
from headway.bots.nextstation.eye import Eye
from headway.bots.nextstation.network import Network
from headway.bots.nextstation.rollouts import Desk, new_desk, value_after
from headway.bots.nextstation.search import node_key
from headway.games.kernel import Mask, Record, compiled, kernel
from headway.games.nextstation import playouts
from headway.games.nextstation.building import legal_moves, play
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.layout import OVER, REVEAL, ROUNDS, SHEET, new_sheets
from headway.games.nextstation.playouts import DECK
from headway.games.xorshift import seeded


class Beam(NamedTuple):
    """The sheets of a turn, and those that may follow them."""

    sheets: Any
    next: Any
    parents: Any
    moves: Any
    values: Any
    keys: Any


def new_beam(width: int) -> Beam:
    """Room for a beam of so many sheets."""
    most = width * 64
    return Beam(
        sheets=np.zeros(width, SHEET),
        next=np.zeros(width, SHEET),
        parents=np.zeros(most, np.int64),
        moves=np.zeros(most, np.int64),
        values=np.zeros(most),
        keys=np.zeros(width, np.uint64),
    )


@kernel
def follow(city: Record, net: Network, trained: bool, desk: Desk, beam: Beam, n: int) -> int:
    """Lists what may follow the first n sheets of the beam in the desk's turn; how much it is."""
    found, most = 0, beam.values.shape[0]
    for i in range(n):
        desk.sheets[0] = beam.sheets[i]
        count = legal_moves(city, desk.shared[0], desk.sheets, 0, desk.moves)
        count = candidates(city, desk.shared[0], desk.sheets[0], desk.moves, count)
        for k in range(count):
            if found < most:
                move = int(desk.moves[k])
                beam.parents[found], beam.moves[found] = i, move
                beam.values[found] = value_after(city, net, trained, desk, move, k == 0)
                found += 1
    return found


@kernel
def narrow(city: Record, desk: Desk, beam: Beam, order: Any) -> int:
    """Makes the best that follow the new beam, each sheet once; how many they are."""
    kept, width = 0, beam.sheets.shape[0]
    for place in range(order.shape[0]):
        if kept == width:
            break
        i = order[place]
        beam.next[kept] = beam.sheets[beam.parents[i]]
        play(city, desk.shared[0], beam.next[kept], int(beam.moves[i]))
        key = node_key(beam.next[kept], desk.shared[0]["shown"], int(desk.shared[0]["round"]))
        if not _known(beam.keys, kept, key):
            beam.keys[kept] = key
            kept += 1
    for i in range(kept):
        beam.sheets[i] = beam.next[i]
    return kept


@kernel
def _known(keys: Any, n: int, key: Mask) -> bool:
    found = False
    for i in range(n):
        found = found or keys[i] == key
    return found


class Deal(NamedTuple):
    """What is known beforehand: the table as it is set, and the deck of each round."""

    shared: np.ndarray
    decks: np.ndarray


def deal(game: NextStation, number: int) -> Deal:
    """A deal by its number."""
    kernels, generator = _native(), seeded(f"hindsight|{game.map}|{number}")
    shared = np.zeros(1, game.start().shared.dtype)
    shared[0] = game.start().shared
    room = np.zeros(16, np.int64)
    kernels.deal_setup(Eye(game).city, shared[0], generator, room)
    decks = np.tile(np.arange(DECK), (ROUNDS, 1))
    for deck in decks:
        kernels.shuffle(generator, deck, DECK)
    return Deal(shared, decks)


def best_known(game: NextStation, dealt: Deal, width: int) -> int:
    """The best total that a beam of a width finds on a deal; width 1 looks at no card ahead."""
    kernels, eye, desk, beam = _native(), Eye(game), new_desk(), new_beam(width)
    desk.shared[0] = dealt.shared[0]
    table = desk.shared[0]
    table["phase"] = REVEAL
    beam.sheets[0], n, drawn = new_sheets(game.city, 1)[0], 1, 0
    while True:
        table["phase"] = REVEAL
        drawn = 0 if table["turn"] == 0 else drawn
        while table["phase"] == REVEAL:
            kernels.reveal(table, int(dealt.decks[int(table["round"]), drawn]))
            drawn += 1
        found = kernels.follow(eye.city, eye.network, eye.trained, desk, beam, n)
        order = np.argsort(-beam.values[:found], kind="stable")
        n = int(kernels.narrow(eye.city, desk, beam, order))
        best = float(beam.values[order[0]])
        for i in range(n):
            desk.shared[1] = table
            kernels.end_turn(desk.shared[1], beam.sheets[i : i + 1])
        desk.shared[0] = desk.shared[1]
        if table["phase"] == OVER:
            return int(best)


def _native() -> Any:
    return compiled(sys.modules[__name__], playouts)
