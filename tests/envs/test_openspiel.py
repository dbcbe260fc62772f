"""The OpenSpiel games pass its own tests, and their playthroughs are committed."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.observation import make_observation

import headway
from headway.envs import openspiel_games
from headway.record import record_of

FOLDER = Path(__file__).parent / "playthroughs"
GAMES = [
    "headway_next_station(players=1,map=tokyo,special_stations=True)",
    "headway_next_station(players=2,powers=True,objectives=True)",
    "headway_ticket_to_ride(players=2,rewards=win)",
]
every_game = pytest.mark.parametrize("name", GAMES)


def played(game: Any, seed: int, actions: int = 10_000) -> Any:
    """A state after so many random actions."""
    generator, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal() and actions:
        state.apply_action(generator.choice(state.legal_actions()))
        actions -= 1
    return state


@every_game
def test_openspiel_finds_nothing_wrong(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@every_game
def test_copies_are_equal_and_independent(name: str) -> None:
    game = pyspiel.load_game(name)
    state = played(game, 1, 30)
    before = state.observation_string(0)
    copies = [
        state.clone(),
        pickle.loads(pickle.dumps(state)),
        game.deserialize_state(state.serialize()),
    ]
    for copy in copies:
        assert copy.history() == state.history()
        assert copy.observation_string(0) == before
        assert copy.legal_actions() == state.legal_actions()
        copy.apply_action(copy.legal_actions()[-1])
    assert state.observation_string(0) == before


@every_game
def test_the_returns_are_the_result_at_the_table(name: str) -> None:
    game = pyspiel.load_game(name)
    state = played(game, 2)
    outcome = headway.replay(record_of(game.coded.game, state.at.events)).outcome
    if "win" in name:
        assert [value == 1 for value in state.returns()] == [
            outcome.winners == (seat,) for seat in range(2)
        ]
    else:
        assert state.returns() == list(outcome.totals)


def test_observers_have_public_and_private_parts() -> None:
    game = pyspiel.load_game(GAMES[2])
    private, public = (
        make_observation(
            game,
            pyspiel.IIGObservationType(
                perfect_recall=False,
                public_info=public_info,
                private_info=pyspiel.PrivateInfoType.NONE
                if public_info
                else pyspiel.PrivateInfoType.SINGLE_PLAYER,
            ),
        )
        for public_info in (False, True)
    )
    assert "hand" in private.dict
    assert "display" in public.dict
    assert not set(private.dict) & set(public.dict)
    both = set(make_observation(game).dict)
    assert both == set(private.dict) | set(public.dict)
    state = played(game, 3, 40)
    public.set_from(state, 0)
    seen = public.tensor.copy()
    other = state.resample_from_infostate(1, random.Random(4).random)
    public.set_from(other, 0)
    assert public.tensor.tolist() == seen.tolist()
    assert other.information_state_string(1) == state.information_state_string(1)


def test_the_first_decision_of_a_turn_is_private() -> None:
    """With a power, a turn may have two decisions; others see neither before all have moved."""
    game = pyspiel.load_game(GAMES[1])
    public, private = (
        make_observation(
            game,
            pyspiel.IIGObservationType(
                perfect_recall=False, public_info=not own, private_info=own_or_none(own)
            ),
        )
        for own in (False, True)
    )
    state = played(game, 3, 12)
    seconds = 0
    while not state.is_terminal():
        seat, legal = state.current_player(), state.legal_actions()
        if seat >= 0:
            public.set_from(state, seat)
            before = public.tensor.copy(), public.string_from(state, seat)
            after = state.child(legal[-1])
            if after.current_player() == seat and after.at.chosen >= 0:
                seconds += 1
                public.set_from(after, seat)
                private.set_from(after, seat)
                assert public.tensor.tolist() == before[0].tolist()
                assert public.string_from(after, seat) == before[1]
                assert private.dict["chosen"].sum() == 2
                assert "chosen" not in public.dict
        state.apply_action(legal[-1])
    assert seconds


def own_or_none(own: bool) -> Any:
    kinds = pyspiel.PrivateInfoType
    return kinds.SINGLE_PLAYER if own else kinds.NONE


class Equal:
    """An evaluator that likes all moves the same."""

    def evaluate(self, state: Any) -> np.ndarray:
        return np.zeros(state.num_players())

    def prior(self, state: Any) -> list[tuple[int, float]]:
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


@pytest.mark.parametrize("name", GAMES[1:])
@pytest.mark.parametrize("observations", [True, False])
def test_its_search_plays_a_legal_game(name: str, observations: bool) -> None:
    """By default it tells positions apart by information states, beyond the real events."""
    game, generator = pyspiel.load_game(name), random.Random(5)
    numbers = np.random.RandomState(5)
    bot = ISMCTSBot(
        game,
        Equal(),
        uct_c=2.0,
        max_simulations=3 if observations else 8,
        random_state=numbers,
        use_observation_string=observations,
    )
    state, searched = game.new_initial_state(), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        if state.current_player() == 0 and len(legal) > 1 and (observations or searched < 12):
            action, searched = bot.step(state), searched + 1
            assert action in legal
        else:
            action = generator.choice(legal)
        state.apply_action(action)
    assert searched > 10


def test_a_sampled_state_is_remembered_by_what_seats_have_seen() -> None:
    game = pyspiel.load_game(GAMES[2])
    state = played(game, 3, 40)
    while state.current_player() != 0:
        state.apply_action(state.legal_actions()[0])
    with_record = headway.replay(headway.read(played(game, 3).record().json()))
    assert with_record.state.finished()
    sampled = state.resample_from_infostate(0, random.Random(1).random)
    again = sampled.resample_from_infostate(0, random.Random(2).random)
    for other in (sampled, again, sampled.clone(), pickle.loads(pickle.dumps(sampled))):
        assert other.information_state_string(0) == state.information_state_string(0)
        # Of the other seat's real past, only what everybody has seen is in it.
        public = [line.text for line in game.coded.game.log(state.at.events, headway.CHANCE)]
        assert other.information_state_string(1).startswith("\n".join(public))
        with pytest.raises(headway.InputError, match="no record"):
            other.record()
    before = sampled.information_state_string(0)
    copy = sampled.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert copy.information_state_string(0) != before
    assert sampled.information_state_string(0) == before


@pytest.mark.parametrize("params", [openspiel_games.STATION_PARAMS, openspiel_games.RIDE_PARAMS])
def test_the_parameters_are_checked(params: dict[str, Any]) -> None:
    name = "headway_next_station" if "powers" in params else "headway_ticket_to_ride"
    assert pyspiel.load_game(name).get_parameters() == params
    with pytest.raises(headway.HeadwayError):
        pyspiel.load_game(f"{name}(map=atlantis)")


PLAYTHROUGHS = ["headway_next_station", "headway_ticket_to_ride"]


def playthrough(name: str) -> str:
    # It loads SciPy, a fifth of what all tests load, and every process of pytest loads all tests.
    from open_spiel.python.algorithms import generate_playthrough

    text: str = generate_playthrough.playthrough(name, None, alsologtostdout=False, seed=7)
    return text


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_is_what_is_stored(name: str) -> None:
    """`python tests/envs/test_openspiel.py` renews them; explain the change in the commit."""
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


if __name__ == "__main__":
    for stored in PLAYTHROUGHS:
        (FOLDER / f"{stored}.txt").write_text(playthrough(stored), "utf-8")
