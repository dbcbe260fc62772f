"""The PettingZoo environments pass its own tests."""

from __future__ import annotations

import random
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import pytest
from games.tickettoride.playing import TINY
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

import headway
from headway.envs import ENVIRONMENTS, pettingzoo_envs
from headway.envs.gymnasium_envs import MODES
from headway.envs.pettingzoo_envs import SeatsAEC, SeatsParallel

CASES: list[tuple[str, dict[str, Any]]] = [
    ("next_station", {"seats": 1}),
    ("next_station", {"seats": 2, "powers": True, "objectives": True}),
    ("next_station", {"seats": 4, "map": "tokyo", "special_stations": True}),
    ("ticket_to_ride", {"seats": 3, "rewards": "win"}),
    ("ticket_to_ride", {"seats": 2, "map": TINY}),
]
every_case = pytest.mark.parametrize(("name", "settings"), CASES)


def maker(name: str, settings: dict[str, Any]) -> Any:
    return partial(getattr(pettingzoo_envs, name), **settings)


@every_case
def test_one_after_the_other(name: str, settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A mask makes the observation a dict; PettingZoo's own games with masks are excepted too.
        warnings.filterwarnings("ignore", "Observation space for each agent probably")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(maker(name, settings)(), num_cycles=40)
        seed_test(maker(name, settings), num_cycles=10)


@every_case
def test_all_at_once(name: str, settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(maker(f"{name}_parallel", settings)(), num_cycles=40)
        parallel_seed_test(maker(f"{name}_parallel", settings), num_cycles=10)


def test_the_pictures() -> None:
    """`render_test` draws in all declared modes, and knows what pixels and text are."""
    for name in ("next_station", "ticket_to_ride"):
        assert maker(name, {})().metadata["render_modes"] == MODES
        render_test(maker(name, {}), {"svg": lambda picture: picture.startswith("<svg")})


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_they_are_in_the_registry(name: str) -> None:
    env = pettingzoo.make("aec", name, seats=3)
    assert isinstance(env.unwrapped, SeatsAEC)
    assert env.possible_agents == ["seat_0", "seat_1", "seat_2"]
    assert isinstance(pettingzoo.make("parallel", name).unwrapped, SeatsParallel)


@every_case
def test_both_kinds_play_the_same_game_and_write_it_down(
    name: str, settings: dict[str, Any]
) -> None:
    parallel, env = maker(f"{name}_parallel", settings)(), maker(name, settings)()
    observations, _ = parallel.reset(seed=3)
    env.reset(seed=3)
    generator, returns = random.Random(1), dict.fromkeys(env.agents, 0.0)
    waiting: dict[str, list[int]] = {agent: [] for agent in env.agents}
    while parallel.agents:
        actions = {
            agent: generator.choice(np.flatnonzero(seen["action_mask"]).tolist())
            for agent, seen in observations.items()
        }
        for seat in parallel.played.actors():
            waiting[f"seat_{seat}"].append(actions[f"seat_{seat}"])
        while waiting[agent := env.agent_selection]:
            assert env.infos[agent]["action_mask"].tolist() == env.action_masks(agent).tolist()
            env.step(waiting[agent].pop(0))
        observations, rewards, *_ = parallel.step(actions)
        for agent, reward in rewards.items():
            returns[agent] += reward
    record = headway.read(env.record().json())
    record.folder = Path(TINY).parent  # where a map file of one's own is searched
    outcome = headway.replay(record).outcome
    assert env.record() == parallel.record()
    if settings.get("rewards") == "win":
        assert {returns[f"seat_{seat}"] for seat in outcome.winners} <= {0.0, 1.0}
    else:
        assert tuple(returns.values()) == outcome.totals
    for _ in env.agent_iter():
        assert env.last()[2]
        env.step(None)
    assert not env.agents


@pytest.mark.parametrize(("name", "settings"), CASES[1:4])
def test_a_game_starts_from_a_recorded_moment(name: str, settings: dict[str, Any]) -> None:
    env, parallel = maker(name, settings)(), maker(f"{name}_parallel", settings)()
    env.reset(seed=3)
    while not env.played.state.finished():
        env.step(env.observe(env.agent_selection)["action_mask"].argmax())
    record = headway.read(env.record().json())
    events = headway.replay(record).events
    at = [number for number, (seat, _) in enumerate(events) if seat >= 0][-8]
    moments: list[dict[str, Any]] = [
        {"record": record, "event": at},
        {"record": record.json().decode()},
    ]
    for options in moments:
        env.reset(seed=1, options=options)
        parallel.reset(seed=1, options=options)
        start = options.get("event", len(env.played.events))
        assert env.played.events[:start] == events[:start]
        assert env.agent_selection == f"seat_{min(env.played.actors())}"
        assert parallel.played.events == env.played.events
    with pytest.raises(headway.InputError, match="no decision after event 9999"):
        env.reset(options={"record": record, "event": 9999})
