"""Games side by side: what threads do, and that callers may keep what a step returned."""

from __future__ import annotations

import gc
import random
import threading
from queue import SimpleQueue
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from headway.envs import ENVIRONMENTS
from headway.envs.episodes import Outputs
from headway.envs.teamwork import (
    CHUNK,
    CHUNKS,
    DONE,
    NO_CHUNK,
    all_done,
    give_order,
    new_team,
    take_chunk,
)
from headway.envs.threads import WorkerThreads


def test_what_a_caller_keeps_is_never_written_again() -> None:
    """Arrays that nobody holds are used again; those of every third step are held here."""
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
@pytest.mark.parametrize("games", [1, 5, 64, 1000])
def test_every_game_is_taken_once_in_whatever_order_threads_come(games: int, threads: int) -> None:
    team, generator = new_team(games, threads), random.Random(games)
    out = Outputs(*(np.zeros(1) for _ in Outputs._fields))
    for _ in range(3):
        assert take_chunk(team, 0) == NO_CHUNK
        give_order(team, np.zeros(1, np.int64), out)
        taken = list[int]()
        while (chunk := take_chunk(team, generator.randrange(threads))) != NO_CHUNK:
            first = chunk * int(team[CHUNK])
            taken += range(first, min(first + int(team[CHUNK]), games))
            assert not all_done(team, 1)
            team[DONE] += 1
        assert sorted(taken) == list(range(games))
        assert all_done(team, 1)


def test_a_thread_takes_its_share_first() -> None:
    team = new_team(640, 2)
    give_order(team, np.zeros(1, np.int64), Outputs(*(np.zeros(1) for _ in Outputs._fields)))
    chunks = int(team[CHUNKS])
    taken = [take_chunk(team, 1) for _ in range(chunks)]
    half = chunks // 2
    assert taken == [*range(half, chunks), *range(half)]


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_games_do_not_depend_on_the_number_of_threads(name: str) -> None:
    envs: list[Any] = [gymnasium.make_vec(name, 70, threads=threads) for threads in (1, 2, 5)]
    shown = [env.reset(seed=2) for env in envs]
    for step in range(60):
        for other in shown[1:]:
            assert data_equivalence(other, shown[0], exact=True)
        if step == 40:  # the caller goes on without the others
            envs[1]._played.close()
        actions = shown[0][0]["action_mask"].argmax(1)
        shown = [env.step(actions) for env in envs]


def test_threads_work_when_they_are_woken_and_sleep_again() -> None:
    called, go_on = SimpleQueue[int](), SimpleQueue[bool]()

    def work() -> None:
        called.put(threading.get_ident())
        go_on.get()

    workers = WorkerThreads([work, work])
    workers.wake()
    idents = {called.get(), called.get()}
    assert len(idents) == 2
    assert threading.get_ident() not in idents
    workers.wake()  # nobody sleeps
    for _ in range(2):
        go_on.put(True)
    while not all(workers._asleep):
        threading.Event().wait(0.001)
    assert called.empty()
    workers.wake()
    assert {called.get(), called.get()} == idents
    for _ in range(2):
        go_on.put(True)


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
