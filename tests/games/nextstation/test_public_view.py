"""The public part of a view, which one process sends to another."""

from __future__ import annotations

import random

import msgspec
import pytest

from headway.games.contract import CHANCE
from headway.games.nextstation.view import NextStationView
from headway.table import Table


@pytest.mark.parametrize("city", ["london", "tokyo"])
def test_a_sent_public_view_gives_the_same_views(city: str) -> None:
    rng, table = random.Random(3), Table(city, seats=3, seed=3, objectives=True)
    while table.actors():
        seat = rng.choice(table.actors())
        table.play(seat, rng.choice(table.legal(seat)))
        public = table.state.public_view()
        assert public == table.view(CHANCE)  # what a spectator may know, and nothing else
        there = table.game.load(table.state.dump())
        sent = msgspec.json.decode(msgspec.json.encode(public), type=NextStationView)
        there.take_public_view(sent)
        assert [there.view(s) for s in range(CHANCE, 3)] == [
            table.view(s) for s in range(CHANCE, 3)
        ]
