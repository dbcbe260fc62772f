"""The engine against the referee: fresh random games, and every move that somebody might try."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest
from games.nextstation.record_files import MODULES
from reference import referee

import headway
from headway.games.contract import CHANCE
from headway.games.nextstation.state import NextStationState
from headway.record import steps

GAMES = [
    (city, modules, number)
    for number, (city, modules, _) in enumerate(product(("london", "tokyo"), MODULES, range(4)))
]

# Both names are right: the referee names the power or effect that a start off the line used, the
# engine the switch that it counts as; and where nothing is printed, no second track can be laid.
ALSO = {"NS-08": {"PW-05", "SP-03"}, "NS-12": {"NT-03"}, "NT-02": {"NT-03"}}


def random_game(city: str, modules: tuple[str, ...], number: int) -> referee.Record:
    generator = random.Random(f"{city} {modules} {number}")
    options = dict.fromkeys(modules, True)
    seats = 1 + number % 4
    return referee.random_record(generator, city, seats, options, all_cards=number % 2 == 0)


def before_each_turn(record: referee.Record) -> list[NextStationState]:
    """The engine's positions before the first seat moves in a turn."""
    states = []
    for step in steps(headway.read(json.dumps(record))):
        if step.event[0] == 0:
            assert isinstance(step.state, NextStationState)
            states.append(step.state.copy())
    return states


@pytest.mark.parametrize(("city", "modules", "number"), GAMES)
def test_random_games(city: str, modules: tuple[str, ...], number: int) -> None:
    record = random_game(city, modules, number)
    report = headway.replay(headway.read(json.dumps(record))).report()
    assert report == referee.judge(record).as_json()
    positions = referee.positions(record)
    for state, (position, _) in zip(before_each_turn(record), positions, strict=True):
        for seat in range(record["seats"]):
            ours = [state.game.move_text(move) for move in state.legal(seat)]
            theirs = referee.moves(position, seat)
            assert len(set(ours)) == len(ours) == len(theirs)
            assert set(ours) == set(theirs)
            assert ours[0] == "pass"


@pytest.mark.parametrize(("city", "modules", "number"), GAMES[::4])
def test_both_refuse_the_same_moves_for_the_same_rule(
    city: str, modules: tuple[str, ...], number: int
) -> None:
    record = random_game(city, modules, number)
    generator = random.Random(number)
    refused = 0
    for state, (position, _) in zip(
        before_each_turn(record), referee.positions(record), strict=True
    ):
        for _ in range(40):
            text = attempt(generator, position)
            faults = referee.faults(position, 0, text)
            broken = rule_broken(state, text)
            assert (broken is None) == (not faults), text
            assert broken is None or ({broken} | ALSO.get(broken, set())) & set(faults), text
            refused += broken is not None
    assert refused > 100


def attempt(generator: random.Random, position: referee.Position) -> str:
    """A move that somebody might try: often along the line, rarely legal."""
    here, line = position.city, position.line(0)
    near = sorted(line.stations | {line.departure})
    stations = sorted(here.stations)

    def section(starts: list[referee.Point]) -> str:
        start = generator.choice(starts)
        wide = generator.random() < 0.2
        return str(
            referee.Step(start, generator.choice(stations if wide else here.neighbours(start)))
        )

    def sometimes(text: str, chance: float = 0.25) -> str:
        return text if generator.random() < chance else ""

    first = section(near if generator.random() < 0.9 else stations)
    prefix = sometimes(generator.choice(["!joker ", "!switch ", "~ "]))
    text = prefix + sometimes("=") + first
    if generator.random() < 0.1:
        text = "pass"
    text += sometimes(" +" + section([*near, referee.point_of(first[2:])]))
    return text + sometimes(" *" + referee.name_of(generator.choice([*near, stations[7]])))


def rule_broken(state: NextStationState, text: str) -> str | None:
    try:
        state.check(0, state.game.parse_move(text))
    except headway.HeadwayError as error:
        return error.rule
    return None


def test_chance_deals_every_card_that_the_referee_knows() -> None:
    game = headway.Table("london", seed=1).game
    state = game.start()
    state.apply(CHANCE, 0)
    assert {game.notation.chance_text(state, m) for m in state.legal(CHANCE)} == {
        f"card {card}" for card in referee.CARDS
    }
