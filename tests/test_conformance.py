"""Every game on the shelf keeps the contract: every map, number of seats and option."""

from __future__ import annotations

from contextlib import suppress
from itertools import cycle, islice, product

import pytest
from conformance import conform, records_tell_the_game, undone_moves_tell_nothing

from headway.errors import RuleBroken
from headway.games import boxes
from headway.games.box import Box
from headway.games.contract import Game


def games() -> list[Game]:
    """Every map with every set of options and with every number of seats, not all with all."""
    examples = []
    for box in boxes():
        for map_name in box.maps:
            for number, chosen in enumerate(sets_of_options(box, map_name)):
                seats = box.seats[number % len(box.seats)]
                examples.append(box.open(map_name, seats, chosen))
    return examples


def sets_of_options(box: Box, map_name: str) -> list[dict[str, bool]]:
    """The sets of options that the rules allow, in turn until each number of seats has one."""
    allowed = []
    for chosen in product((False, True), repeat=len(box.options)):
        options = dict(zip(box.options, chosen, strict=True))
        with suppress(RuleBroken):
            box.open(map_name, box.seats[0], options)
            allowed.append(options)
    return list(islice(cycle(allowed), max(len(allowed), len(box.seats))))


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
