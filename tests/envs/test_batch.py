"""Games side by side: what threads do, and that callers may keep what a step returned."""

from __future__ import annotations

import gc
import threading
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from headway.envs import ENVIRONMENTS


def test_what_a_caller_keeps_is_never_written_again() -> None:
    for name in ENVIRONMENTS:
        env = gymnasium.make_vec(name, 3, autoreset_mode="SameStep")
        observation, info = env.reset(seed=1)
        held, copies = [], []
        for step in range(60):
            actions = observation["action_mask"].argmax(1)
            observation, reward, over, _, info = env.step(actions)
            arrays = [*observation.values(), reward, over, info["illegal"], info["action_mask"]]
            if step % 3 == 0:
                held.append(arrays)
                copies.append([array.copy() for array in arrays])
        for arrays, copied in zip(held, copies, strict=True):
            for array, copy in zip(arrays, copied, strict=True):
                assert array.tolist() == copy.tolist()


def test_masks_that_a_caller_changes_are_no_others() -> None:
    env = gymnasium.make_vec(next(iter(ENVIRONMENTS)), 2)
    observation, info = env.reset(seed=1)
    kept = env.unwrapped.action_masks()  # type: ignore[attr-defined]
    for _ in range(2):
        observation["action_mask"][:] = 7
        assert info["action_mask"].max() == 1
        info["action_mask"][:] = 9
        assert env.unwrapped.action_masks().tolist() == kept.tolist()  # type: ignore[attr-defined]
        observation, *_, info = env.step(np.zeros(2, np.int64))
        kept = env.unwrapped.action_masks()  # type: ignore[attr-defined]


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("games", [1, 5, 64])
def test_every_game_is_in_one_slice(games: int, threads: int) -> None:
    played = gymnasium.make_vec(next(iter(ENVIRONMENTS)), games, threads=threads)._played  # type: ignore[attr-defined]
    slices = [range(first, stop) for _, first, stop in played._slices]
    assert [game for part in slices for game in part] == list(range(games))
    assert len(slices) == min(threads, games)
    assert max(map(len, slices)) - min(map(len, slices)) <= 1


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_games_do_not_depend_on_the_number_of_threads(name: str) -> None:
    envs: list[Any] = [gymnasium.make_vec(name, 70, threads=threads) for threads in (1, 2, 5)]
    shown = [env.reset(seed=2) for env in envs]
    for _ in range(60):
        for other in shown[1:]:
            assert data_equivalence(other, shown[0], exact=True)
        actions = shown[0][0]["action_mask"].argmax(1)
        shown = [env.step(actions) for env in envs]


def test_a_caller_alone_needs_no_thread() -> None:
    before = set(threading.enumerate())
    env = gymnasium.make_vec(next(iter(ENVIRONMENTS)), 8)
    env.reset(seed=1)
    env.step(np.zeros(8, np.int64))
    assert set(threading.enumerate()) == before


def test_the_threads_of_a_forgotten_environment_end() -> None:
    before = set(threading.enumerate())
    env = gymnasium.make_vec(next(iter(ENVIRONMENTS)), 8, threads=2)
    observation, _ = env.reset(seed=1)
    env.step(observation["action_mask"].argmax(1))
    (thread,) = set(threading.enumerate()) - before
    del env, observation
    gc.collect()
    thread.join(60)
    assert not thread.is_alive()
