"""Games side by side: what threads do, and that callers may keep what a step returned."""

from __future__ import annotations

import gc
import threading

import gymnasium
import numpy as np
import pytest

from headway.envs import ENVIRONMENTS
from headway.envs.batch import cuts
from headway.envs.threads import ThreadTeam


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


def test_every_game_belongs_to_one_thread() -> None:
    for games in (1, 2, 3, 5, 64, 1024):
        for threads in range(1, min(games, 9)):
            parts = cuts(games, threads)
            assert len(parts) == threads
            assert [game for part in parts for game in range(*part)] == list(range(games))


def test_a_team_works_in_all_its_threads_and_raises_what_one_raises() -> None:
    team, seen = ThreadTeam(3), {}
    team.run(lambda member: seen.update({member: threading.get_ident()}))
    assert set(seen) == {0, 1, 2}
    assert seen[0] == threading.get_ident()
    assert len(set(seen.values())) == 3

    def fail(member: int) -> None:
        if member == 2:
            raise ValueError("two")

    with pytest.raises(ValueError, match="two"):
        team.run(fail)
    team.run(seen.__delitem__)
    assert not seen


def test_the_threads_of_a_forgotten_team_end() -> None:
    before = set(threading.enumerate())
    team = ThreadTeam(2)
    team.run(lambda member: None)
    (thread,) = set(threading.enumerate()) - before
    del team
    gc.collect()
    thread.join(60)
    assert not thread.is_alive()
