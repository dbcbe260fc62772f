"""Turns of played games, for tests that tie what a bot computes to the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import headway
from headway.bots import make_bot
from headway.bots.nextstation.evaluator import SoloGame, solo_games
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.state import NextStationState


class Turn(NamedTuple):
    """A state in which seat 0 has to move, and its game for one."""

    state: NextStationState
    solo_game: SoloGame


def turns(
    name: str, seed: int, *modules: str, seats: int = 1, bot: str = "greedy"
) -> Iterator[Turn]:
    """Yields every turn of a game that bots play."""
    game = NextStation(name, seats, dict.fromkeys(modules, True))
    table = headway.Table(game, seed=seed)
    bots = [make_bot(bot, game, seed + seat) for seat in range(seats)]
    while actors := table.actors():
        assert isinstance(table.state, NextStationState)
        yield Turn(table.state, solo_games(game, table.view(0), random.Random(0))[0])
        for seat in actors:
            table.play(seat, bots[seat].choose(table.view(seat), table.state.legal(seat)))
