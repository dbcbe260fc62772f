"""What a move is worth by difference is what the score of the whole sheet says."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from headway.games.contract import CHANCE, Move
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import parts
from headway.games.nextstation.rules.arrays import SCORE, city_record
from headway.games.nextstation.rules.building import play, trial_sheets
from headway.games.nextstation.rules.scoring import score, standing, worth
from headway.games.nextstation.state import NextStationState


def positions(game: NextStation, seed: int) -> Iterator[NextStationState]:
    """The turns of a game of random moves."""
    rng, state = random.Random(seed), game.start()
    while actors := state.actors():
        if CHANCE not in actors:
            yield state
        for seat in sorted(actors):
            legal = state.legal(seat)
            # A section rather than a pass, so that lines become long and meet.
            state.apply(seat, rng.choice(legal[seat != CHANCE and len(legal) > 1 :]))


def totals_after(state: NextStationState, moves: list[Move]) -> list[int]:
    city, after = city_record(state.game.city), []
    for move in moves:
        sheet = trial_sheets(state.sheets[0])[0]
        play(city, state.shared, sheet, move)
        after.append(score(city, state.shared, sheet, np.zeros(1, SCORE)[0]))
    return after


@pytest.mark.rule("NS-22", "NS-24")
@pytest.mark.parametrize("city", ["london", "tokyo"])
@pytest.mark.parametrize("option", [None, "powers", "special_stations"])
def test_moves_differ_in_worth_as_in_score(city: str, option: str | None) -> None:
    game = NextStation(city, 1, {option: True} if option else {})
    record, rng = city_record(game.city), random.Random(5)
    seconds = circles = 0
    for seed in range(4):
        for state in positions(game, seed):
            legal = state.legal(0)
            moves = [0, *rng.sample(legal[1:], min(8, len(legal) - 1))]
            now = standing(record, state.sheets[0], int(state.shared["round"]))
            differences = {
                total - worth(record, now, move)
                for move, total in zip(moves, totals_after(state, moves), strict=True)
            }
            assert len(differences) == 1
            seconds += sum(parts(move).second is not None for move in moves)
            circles += sum(parts(move).circle is not None for move in moves)
    assert (seconds > 0) == (circles > 0) == (option is not None)
