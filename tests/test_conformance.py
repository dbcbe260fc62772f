"""Every game on the shelf keeps the contract: all maps, numbers of seats and options."""

from __future__ import annotations

from itertools import product

import pytest
from conformance import conform, records_tell_the_game, undone_moves_tell_nothing

from headway.errors import RuleBroken
from headway.games import boxes
from headway.games.contract import Game


def games() -> list[Game]:
    examples = []
    for box in boxes():
        for name, seats in product(box.maps, box.seats):
            for chosen in product((False, True), repeat=len(box.options)):
                try:
                    options = dict(zip(box.options, chosen, strict=True))
                    examples.append(box.open(name, seats, options))
                except RuleBroken:
                    continue
    return examples


def name(game: Game) -> str:
    on = [option for option, enabled in game.options.items() if enabled]
    return "-".join([game.box.name, game.map, str(game.seats), *on])


@pytest.mark.parametrize("game", games(), ids=name)
def test_game_keeps_the_contract(game: Game) -> None:
    conform(game, seed=1)


@pytest.mark.parametrize("game", games(), ids=name)
def test_records_tell_the_game(game: Game) -> None:
    records_tell_the_game(game, seed=2)


@pytest.mark.parametrize("game", games(), ids=name)
def test_an_undone_move_tells_nothing(game: Game) -> None:
    undone_moves_tell_nothing(game, seed=3)
