"""Wrong use of environments gets one sentence and an error of the library; nothing is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest
from gymnasium import error

import headway.envs.openspiel_games
from headway.envs import ENVIRONMENTS
from headway.envs.agents import AgentBot
from headway.envs.encoding import encoding_of, open_game

NEXT_STATION, TICKET_TO_RIDE = ENVIRONMENTS
NAN = float("nan")
NO_ACTIONS: list[Any] = [
    NAN, 1.7, 1.0, True, np.True_, None, "1", -1, 10_000, 1 << 70, [1], np.array([1]),
    np.array([[1]]), np.array(1.5),
]  # fmt: skip
"""What is not one action."""
NO_SEEDS: list[Any] = [-1, 1.5, NAN, True, "1", np.float64(3)]
"""What is not one seed."""


def refused(call: Callable[[], Any], kind: type[Exception], sentence: str) -> None:
    """Checks that a call raises both our error and the library's, with one short sentence."""
    with pytest.raises(headway.InputError, match=sentence) as raised:
        call()
    assert isinstance(raised.value, kind)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_vector_refuses_what_are_no_actions_of_its_games(name: str) -> None:
    env: Any = gymnasium.make_vec(name, 64, threads=2)
    env.reset(seed=1)
    before = env._played.episodes.copy()
    for actions, sentence in [
        (np.zeros(3, np.int64), r"Each of 64 games needs one action.* not \(3,\)"),
        (np.zeros(5000, np.int64), r"not \(5000,\)"),
        (np.zeros((64, 1), np.int64), r"not \(64, 1\)"),
        (np.zeros((1, 64), np.int64), r"not \(1, 64\)"),
        (0, r"not \(\)"),
        ([[0], [0, 1]], r"not \[\[0\], \[0, 1\]\]"),
        (np.full(64, NAN), "whole numbers, not of the type float64"),
        (np.full(64, 1.7), "float64"),
        (np.zeros(64, np.bool_), "type bool"),
        (np.full(64, None), "type object"),
        (["a"] * 64, "whole numbers, not of the type"),
        (np.arange(64) - 1, "from 0 to [0-9]+, not -1"),
        (np.arange(64) + 100_000, "not 100000"),
        (np.full(64, 2**64 - 1, np.uint64), "not 18446744073709551615"),
    ]:
        refused(lambda a=actions: env.step(a), error.InvalidAction, sentence)  # type: ignore[misc]
    assert env._played.episodes.tobytes() == before.tobytes()


def test_a_vector_takes_whole_numbers_of_any_kind() -> None:
    envs: list[Any] = [gymnasium.make_vec(TICKET_TO_RIDE, 8, threads=2) for _ in range(5)]
    masks = [env.reset(seed=1)[0]["action_mask"] for env in envs]
    actions = masks[0].argmax(1)
    every_second = np.repeat(actions, 2)[::2]
    given = [actions, actions.tolist(), tuple(actions), actions.astype(np.uint16), every_second]
    shown = [env.step(one)[0] for env, one in zip(envs, given, strict=True)]
    for other in shown[1:]:
        assert (other["observation"] == shown[0]["observation"]).all()


def test_a_vector_refuses_wrong_seeds_and_masks() -> None:
    env: Any = gymnasium.make_vec(NEXT_STATION, 64)
    for seed in (*NO_SEEDS, [1.5] * 64, [True] * 64, [-1] * 64, ["1"] * 64):
        refused(lambda s=seed: env.reset(seed=s), error.Error, "A seed is a whole number")  # type: ignore[misc]
    for seed in ([1, 2], np.arange(65), []):
        refused(lambda s=seed: env.reset(seed=s), error.Error, "one for each of 64 games")  # type: ignore[misc]
    for mask in (np.ones(3, np.bool_), np.ones(64), np.zeros(64, np.bool_), [True] * 64):
        refused(
            lambda m=mask: env.reset(options={"reset_mask": m}),  # type: ignore[misc]
            headway.InputError,
            "array of 64 truth values",
        )


def test_places_without_a_seed_play_different_games() -> None:
    env: Any = gymnasium.make_vec(TICKET_TO_RIDE, 16)
    observations, _ = env.reset(seed=[7] + [None] * 15)
    assert len({row.tobytes() for row in observations["observation"]}) > 12
    same, _ = gymnasium.make_vec(TICKET_TO_RIDE, 2).reset(seed=np.array([7, 8]))  # type: ignore[arg-type]
    assert (same["observation"][0] == observations["observation"][0]).all()
    one, _ = gymnasium.make_vec(TICKET_TO_RIDE, 2).reset(seed=np.int64(7))  # type: ignore[arg-type]
    assert (one["observation"] == same["observation"]).all()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"num_envs": 0}, "num_envs must be 1 or more, not 0"),
        ({"num_envs": 2.5}, "num_envs must be a whole number, not 2.5"),
        ({"num_envs": True}, "num_envs must be a whole number, not True"),
        ({"threads": -1}, "threads must be 1 or more, not -1"),
        ({"threads": 0}, "threads must be 1 or more"),
        ({"threads": 1.5}, "threads must be a whole number"),
        ({"seat": 2}, "There is no seat 2"),
        ({"seat": -1}, "There is no seat -1"),
        ({"seats": 2.0}, "seats must be a whole number"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(headway.InputError, match=sentence):
        gymnasium.make_vec(TICKET_TO_RIDE, **({"num_envs": 2} | settings))
    if "seat" in settings:
        for opponents in ("driver", "greedy"):
            with pytest.raises(headway.InputError, match=sentence):
                gymnasium.make(TICKET_TO_RIDE, opponents=opponents, **settings)


@pytest.mark.parametrize(
    ("name", "settings"), [(NEXT_STATION, {}), (TICKET_TO_RIDE, {"opponents": "greedy"})]
)
def test_a_single_environment_refuses_wrong_use(name: str, settings: dict[str, Any]) -> None:
    env: Any = gymnasium.make(name, **settings).unwrapped
    refused(lambda: env.step(0), error.ResetNeeded, "Call reset first")
    for seed in NO_SEEDS:
        refused(lambda s=seed: env.reset(seed=s), error.Error, "A seed is a whole number")  # type: ignore[misc]
    env.reset(seed=np.int64(1))
    before = env._played.state(0).dump()
    for action in NO_ACTIONS:
        refused(lambda a=action: env.step(a), error.InvalidAction, "An action is a whole number")  # type: ignore[misc]
    assert env._played.state(0).dump() == before
    over = False
    while not over:
        over = env.step(np.array(env.action_masks().argmax()))[2]
    refused(lambda: env.step(0), error.ResetNeeded, "Call reset first")
    env.close()
    refused(lambda: env.step(0), error.ClosedEnvironmentError, "closed")
    refused(lambda: env.reset(), error.ClosedEnvironmentError, "closed")


def test_a_vector_before_its_reset_and_after_its_end() -> None:
    env: Any = gymnasium.make_vec(NEXT_STATION, 2, threads=2)
    refused(lambda: env.step([0, 0]), error.ResetNeeded, "Call reset first")
    env.reset(seed=1)
    env.step([0, 0])
    env.close()
    refused(lambda: env.step([0, 0]), error.ClosedEnvironmentError, "closed")
    refused(lambda: env.reset(seed=1), error.ClosedEnvironmentError, "closed")


@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_pettingzoo_refuses_wrong_use(kind: str) -> None:
    env: Any = pettingzoo.make(kind, NEXT_STATION, seats=2).unwrapped

    def step(action: Any) -> None:
        env.step(action if kind == "aec" else {"seat_0": 0, "seat_1": action})

    refused(lambda: step(0), error.ResetNeeded, "Call reset first")
    for seed in NO_SEEDS:
        refused(lambda s=seed: env.reset(seed=s), error.Error, "A seed is a whole number")  # type: ignore[misc]
    env.reset(seed=1)
    before = env.played.state.dump()
    for action in NO_ACTIONS:
        refused(lambda a=action: step(a), error.InvalidAction, "An action is a whole number")  # type: ignore[misc]
    if kind == "parallel":
        for actions in ({"seat_0": 0}, {"seat_0": 0, "seat_1": 0, "seat_2": 0}, [0, 0], {}):
            refused(
                lambda a=actions: env.step(a),  # type: ignore[misc]
                error.InvalidAction,
                "These agents need one action each: seat_0, seat_1",
            )
    assert env.played.state.dump() == before
    step(0)
    env.close()
    refused(lambda: step(0), error.ClosedEnvironmentError, "closed")
    refused(lambda: env.reset(), error.ClosedEnvironmentError, "closed")


def test_openspiel_refuses_what_is_not_possible() -> None:
    game = pyspiel.load_game("headway_next_station(players=2)")
    state = game.new_initial_state()
    refused(lambda: state.apply_action(99), pyspiel.SpielError, "Action 99 .* is not possible")
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    history, before = state.history(), state.at.state.dump()
    for action in (-2, 10_000):
        refused(lambda a=action: state.apply_action(a), pyspiel.SpielError, "from 0 to 155")  # type: ignore[misc]
    impossible = next(i for i in range(156) if i not in state.legal_actions())
    refused(lambda: state.apply_action(impossible), pyspiel.SpielError, "is not possible here")
    assert (state.history(), state.at.state.dump()) == (history, before)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    refused(lambda: state.apply_action(0), pyspiel.SpielError, "no game to play")
    for wrong in ("rewards=points", "players=7"):
        with pytest.raises(headway.HeadwayError):
            pyspiel.load_game(f"headway_next_station({wrong})")


def test_an_agent_that_is_scored_answers_with_an_action() -> None:
    game = open_game("next-station", "london", 1)
    table = headway.Table(game, seed=1)
    for answer in NO_ACTIONS:
        bot = AgentBot(encoding_of(game), lambda observation, mask, a=answer: a)  # type: ignore[misc]
        refused(
            lambda b=bot: b.choose(table.view(0), table.state.legal(0)),  # type: ignore[misc]
            headway.InputError,
            "The agent must answer with an action",
        )


# Illegal actions are counted


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_illegal_actions_of_an_episode_are_counted(mode: str) -> None:
    env: Any = gymnasium.make_vec(NEXT_STATION, 3, autoreset_mode=mode)
    observation, info = env.reset(seed=1)
    assert info["illegal_actions"].tolist() == [0, 0, 0]
    counts, before, ended = [0, 0, 0], [False] * 3, 0
    for step in range(80):
        mask = observation["action_mask"]
        wrong = np.array([step % 3 == 0, False, True])
        actions = np.where(wrong, (mask == 0).argmax(1), mask.argmax(1))
        observation, _, over, _, info = env.step(actions)
        for place in range(3):
            if mode == "NextStep" and before[place]:
                counts[place] = 0
            else:
                counts[place] += wrong[place]
            same = mode == "SameStep" and over[place]
            told = info["final_info"] if same else info
            assert told["illegal_actions"][place] == counts[place]
            if same:
                assert info["illegal_actions"][place] == 0
                counts[place] = 0
        before, ended = over.tolist(), ended + int(over.sum())
        if mode == "Disabled" and over.any():
            observation, info = env.reset(options={"reset_mask": over})
            counts = [0 if ended else n for n, ended in zip(counts, over.tolist(), strict=True)]
            assert info["illegal_actions"].tolist() == [0, 0, 0]
    assert ended >= 3


def test_illegal_actions_of_one_seat_or_all_are_counted() -> None:
    single: Any = gymnasium.make(TICKET_TO_RIDE).unwrapped
    observation, info = single.reset(seed=1)
    counts = [info["illegal_actions"]]
    for wrong in (True, False, True):
        mask = observation["action_mask"]
        observation, *_, info = single.step((mask == wrong ^ 1).argmax())
        counts.append(info["illegal_actions"])
    assert counts == [0, 1, 1, 2]
    assert single.reset()[1]["illegal_actions"] == 0
    for kind in ("aec", "parallel"):
        env: Any = pettingzoo.make(kind, NEXT_STATION, seats=2).unwrapped
        shown = env.reset(seed=1)
        impossible = (env.observe("seat_0")["action_mask"] == 0).argmax()
        if kind == "aec":
            env.step(impossible)
            env.step(0)
            infos = env.infos
        else:
            infos = env.step({"seat_0": impossible, "seat_1": 0})[4]
        assert [infos[f"seat_{i}"]["illegal_actions"] for i in (0, 1)] == [1, 0]
        env.reset()
        assert shown is None or shown[1]["seat_0"]["illegal_actions"] == 0
