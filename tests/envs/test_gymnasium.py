"""The Gymnasium environments, single and vectorised."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from games.tickettoride.playing import TINY
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode

import headway
from headway.envs import ENVIRONMENTS
from headway.envs.gymnasium_envs import SeatEnv, SeatVectorEnv
from headway.games import box

NEXT_STATION, TICKET_TO_RIDE = ENVIRONMENTS
CHECKED: list[tuple[str, dict[str, Any]]] = [
    (NEXT_STATION, {}),
    (NEXT_STATION, {"map": "tokyo", "special_stations": True, "objectives": True}),
    (TICKET_TO_RIDE, {"rewards": "win"}),
    (TICKET_TO_RIDE, {"seats": 3, "opponents": ["random", "greedy"]}),
]


def make(name: str, **settings: Any) -> SeatEnv:
    env = gymnasium.make(name, **settings).unwrapped
    assert isinstance(env, SeatEnv)
    return env


def play(env: SeatEnv, seed: int | None = 1) -> tuple[list[float], list[int]]:
    """Plays an episode at random; rewards and actions."""
    generator = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    rewards, actions, over = list[float](), list[int](), False
    while not over:
        mask = observation["action_mask"]
        assert mask.tolist() == env.action_masks().tolist()
        actions.append(int(generator.choice(np.flatnonzero(mask))))
        observation, reward, over, truncated, info = env.step(np.int64(actions[-1]))
        assert info["action_mask"].tolist() == observation["action_mask"].tolist()
        assert (truncated, info["illegal"]) == (False, False)
        rewards.append(reward)
    return rewards, actions


@pytest.mark.parametrize(("name", "settings"), CHECKED)
def test_gymnasium_finds_nothing_to_criticise(name: str, settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, render_mode="svg", **settings).unwrapped)


@pytest.mark.parametrize(("name", "settings"), CHECKED)
def test_an_episode_is_a_record_that_replays(name: str, settings: dict[str, Any]) -> None:
    env = make(name, **settings)
    rewards, _ = play(env)
    replay = headway.replay(headway.read(env.record(["me"] * env.game.seats).json()))
    won = 1 if 0 in replay.outcome.winners else -1
    total = won if settings.get("rewards") == "win" else replay.outcome.totals[0]
    assert sum(rewards) == total
    assert replay.record.names


def test_a_map_of_one_s_own_file_is_played(tmp_path: Path) -> None:
    """A city that differs from London in a name and a district's fame, and a small board."""
    text = box("next-station").map_text("london").replace('name = "london"', 'name = "mine"')
    city = tmp_path / "mine.toml"
    city.write_text(text.replace("river = 2", "river = 3"), "utf-8")
    for name, file in ((NEXT_STATION, city), (TICKET_TO_RIDE, Path(TINY))):
        env = make(name, map=file)
        rewards, actions = play(env)
        record = env.record()
        assert record.map == file.stem
        record.folder = file.parent
        assert headway.replay(record).outcome.totals[0] == sum(rewards)
        envs = gymnasium.make_vec(name, 1, map=file, autoreset_mode="Disabled")
        envs.reset(seed=1)
        assert [float(envs.step(np.array([action]))[1][0]) for action in actions] == rewards


@pytest.mark.parametrize(("name", "settings"), [CHECKED[0], CHECKED[1], CHECKED[3]])
def test_a_game_starts_from_any_event_of_a_record(name: str, settings: dict[str, Any]) -> None:
    env = make(name, **settings)
    rewards, actions = play(env)
    record = env.record()
    events = headway.replay(record).events
    own = [number for number, (seat, _) in enumerate(events) if seat == 0]
    # From the last decision on nothing is left to chance.
    at = own[-1]
    env.reset(seed=5, options={"record": record, "event": at})
    _, reward, over, _, _ = env.step(np.int64(actions[-1]))
    assert over
    assert reward == sum(rewards)
    assert headway.replay(env.record()).events[: at + 1] == events[: at + 1]
    # In the middle, what was drawn before is kept and the rest is dealt again.
    observation, _ = env.reset(seed=5, options={"record": record.json().decode(), "event": own[5]})
    same, _ = env.reset(seed=5, options={"record": record, "event": own[5]})
    assert data_equivalence(observation, same, exact=True)
    assert env._played.events(0)[: own[5]] == events[: own[5]]
    first, _ = env.reset(options={"record": record})
    assert first["action_mask"].any()


@pytest.mark.parametrize(("name", "settings"), [CHECKED[1], (TICKET_TO_RIDE, {"seats": 3})])
def test_a_vector_environment_starts_from_a_record_as_single_ones_do(
    name: str, settings: dict[str, Any]
) -> None:
    env = make(name, **settings)
    play(env)
    options = {"record": env.record(), "event": 17}
    native: Any = gymnasium.make_vec(name, 4, **settings)
    singles: Any = gymnasium.make_vec(name, 4, "sync", **settings)
    shown = [envs.reset(seed=5, options=options) for envs in (native, singles)]
    assert data_equivalence(shown[0], shown[1], exact=True)
    for _ in range(3):
        actions = shown[0][0]["action_mask"].argmax(1)
        shown = [envs.step(actions) for envs in (native, singles)]
        assert data_equivalence(shown[0], shown[1], exact=True)
    some = options | {"reset_mask": np.array([True, False, True, False])}
    shown = [envs.reset(options=dict(some)) for envs in (native, singles)]
    assert data_equivalence(shown[0], shown[1], exact=True)
    first = [envs.reset(options={"record": options["record"]}) for envs in (native, singles)]
    assert data_equivalence(first[0], first[1], exact=True)


def test_an_unfinished_game_is_continued_from_its_record() -> None:
    env = make(NEXT_STATION)
    observation, _ = env.reset(seed=4)
    for _ in range(9):
        observation, *_ = env.step(observation["action_mask"].argmax())
    record = env.record()
    events = len(env._played.events(0))
    again, _ = env.reset(options={"record": record, "event": events})
    assert data_equivalence(again, observation, exact=True)


def test_impossible_moments_are_refused() -> None:
    env = make(NEXT_STATION)
    play(env)
    record = env.record()
    with pytest.raises(headway.InputError, match="no decision after event 999"):
        env.reset(options={"record": record, "event": 999})
    with pytest.raises(headway.InputError, match="another game"):
        make(NEXT_STATION, map="tokyo").reset(options={"record": record})


def test_an_impossible_action_is_the_lowest_possible_one() -> None:
    env, twin = make(NEXT_STATION), make(NEXT_STATION, illegal="raise")
    first, _ = env.reset(seed=3)
    twin.reset(seed=3)
    impossible = int(np.flatnonzero(first["action_mask"] == 0)[-1])
    with pytest.raises(headway.InputError, match=f"Action {impossible} "):
        twin.step(np.int64(impossible))
    *after, info = env.step(np.int64(impossible))
    assert info.pop("illegal")
    *expected, good = twin.step(np.int64(first["action_mask"].argmax()))
    assert not good.pop("illegal")
    assert data_equivalence(after, expected, exact=True)
    with pytest.raises(headway.InputError, match="replace"):
        make(NEXT_STATION, illegal="ignore")


def test_every_mode_of_rendering() -> None:
    for name in ENVIRONMENTS:
        pictures = []
        for mode in SeatEnv.metadata["render_modes"]:
            env = make(name, render_mode=mode)
            env.reset(seed=1)
            pictures.append(env.render())
        pixels, text, svg = pictures
        assert pixels.dtype == np.uint8
        assert pixels.shape[2] == 3
        assert len(text.splitlines()) > 8
        assert svg.startswith("<svg")


VECTORS = [
    (NEXT_STATION, {"powers": True}),
    (TICKET_TO_RIDE, {"opponents": "random"}),
]


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(("name", "settings"), VECTORS)
def test_the_vector_environment_is_many_single_ones(
    name: str, settings: dict[str, Any], mode: AutoresetMode
) -> None:
    places, generator = 5, np.random.default_rng(1)
    native: Any = gymnasium.make_vec(name, places, autoreset_mode=mode, threads=2, **settings)
    singles: Any = gymnasium.make_vec(
        name, places, "sync", vector_kwargs={"autoreset_mode": mode}, **settings
    )
    assert isinstance(native.unwrapped, SeatVectorEnv)
    assert native.observation_space == singles.observation_space
    assert data_equivalence(native.reset(seed=7), singles.reset(seed=7), exact=True)
    over, ended = np.zeros(places, np.bool_), 0
    for _ in range(110):
        if mode == AutoresetMode.DISABLED and over.any():
            again = [env.reset(options={"reset_mask": over}) for env in (native, singles)]
            assert data_equivalence(again[0], again[1], exact=True)
        actions = generator.integers(native.encoding.actions, size=places)
        masks = native.action_masks()
        actions = np.where(generator.random(places) < 0.1, actions, masks.argmax(1))
        result = native.step(actions)
        assert data_equivalence(result, singles.step(actions), exact=True)
        over = result[2]
        ended += int(over.sum())
    assert ended
    native.close()
    singles.close()


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_records_of_a_vector_environment(mode: str) -> None:
    """The last game of a place is kept while the next one is played."""
    settings: dict[str, Any] = {"powers": True, "objectives": True, "records": True}
    env = gymnasium.make_vec(NEXT_STATION, 3, autoreset_mode=mode, **settings)
    assert isinstance(env, SeatVectorEnv)
    env.reset(seed=1)
    totals = np.zeros(3)
    over = np.zeros(3, np.bool_)
    worth = np.arange(1, env.encoding.actions + 1)
    while not over.all():
        _, rewards, ended, _, _ = env.step((env.action_masks() * worth).argmax(1))
        totals += np.where(over, 0, rewards)
        over |= ended
    env.step((env.action_masks() * worth).argmax(1))
    for place in range(3):
        assert headway.replay(env.record(place)).outcome.totals == (totals[place],)


def test_wrong_use_of_a_vector_environment_is_refused() -> None:
    env = gymnasium.make_vec(NEXT_STATION, 2, illegal="raise", autoreset_mode="Disabled")
    env.reset(seed=1)
    with pytest.raises(headway.InputError, match="Action 155"):
        env.step(np.array([0, 155]))
    while not env.step(np.zeros(2, np.int64))[2].any():
        pass
    with pytest.raises(headway.InputError, match="reset them first"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(headway.InputError, match="expert"):
        gymnasium.make_vec(TICKET_TO_RIDE, 2, opponents="expert")
    with pytest.raises(headway.InputError, match="needs 2 opponents, not 1"):
        make(TICKET_TO_RIDE, seats=3, opponents=["random"])
