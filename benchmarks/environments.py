"""Measures the environments, and checks masks and vectors over many games.

Rates are steps per second of processor time, so other programs disturb them little. Environments of
others are measured in the same way where they are installed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

import gymnasium
import msgspec
import numpy as np
import pettingzoo
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

from benchmarks.figure import Figure, Measure
from headway.arena.job import open_job
from headway.dataset.columns import GameRow
from headway.dataset.folder import Partition, finish, verify, write_games
from headway.dataset.make import GAMES_PER_PIECE, play_piece
from headway.envs import ENVIRONMENTS
from headway.envs.encoding import Encoding
from headway.envs.episodes import NOTHING
from headway.envs.gymnasium_envs import SeatVectorEnv
from headway.games.contract import Seat, State

NEXT_STATION, TICKET_TO_RIDE = ENVIRONMENTS
GAMES = 1024
"""Games of a vector environment."""
MODULES: list[dict[str, bool]] = [
    {},
    {"powers": True, "objectives": True},
    {"special_stations": True},
]


def measures(quick: bool) -> list[Measure]:
    """Returns the measurements."""
    share = 10 if quick else 1
    return [
        partial(_vectors, 1000 // share),
        partial(_threads, 1000 // share),
        partial(_singles, 20_000 // share),
        partial(_others, 20_000 // share),
        partial(_data_sets, 10_000 // share),
        partial(_masks, 10_000 // (share * share)),
        partial(_equal, 1000 // share),
    ]


# Speed


def _vectors(steps: int) -> Iterator[Figure]:
    cases: list[tuple[str, str, dict[str, Any], str]] = [
        ("London", NEXT_STATION, {}, "> 1,500,000"),
        ("London with the evaluator's features", NEXT_STATION, {"observation": "ahead"}, ""),
        ("Tokyo with powers", NEXT_STATION, {"map": "tokyo", "powers": True}, ""),
        ("Ticket to Ride, random", TICKET_TO_RIDE, {"opponents": "random"}, "> 500,000"),
        ("Ticket to Ride, driver", TICKET_TO_RIDE, {"opponents": "driver"}, ""),
    ]
    for title, name, settings, target in cases:
        rate = _rate(name, steps, time.process_time, **settings)
        yield Figure(f"{title}: {GAMES} games, one core", rate, "steps/s", target)


def _threads(steps: int) -> Iterator[Figure]:
    """Compares the medians of runs in turn: this is no processor time, so others disturb it."""
    cases: list[tuple[str, str, dict[str, Any]]] = [
        ("London", NEXT_STATION, {}),
        ("Ticket to Ride, random", TICKET_TO_RIDE, {"opponents": "random"}),
    ]
    for title, name, settings in cases:
        runs = [
            [_rate(name, steps // 2, time.perf_counter, threads=n, **settings) for n in (1, 2)]
            for _ in range(5)
        ]
        one, two = (median(rates) for rates in zip(*runs, strict=True))
        yield Figure(f"{title}: two threads against one", two / one, "times", "")


def _rate(name: str, steps: int, clock: Callable[[], float], **settings: Any) -> float:
    """Returns the steps per second with random actions, which are not part of the time."""
    env = gymnasium.make_vec(name, GAMES, **settings)
    observation, _ = env.reset(seed=1)
    generator, spent = np.random.default_rng(1), 0.0
    numbers = [generator.random(observation["action_mask"].shape) for _ in range(4)]
    for step in range(steps):
        actions = (observation["action_mask"] * numbers[step % 4]).argmax(1)
        before = clock()
        observation, *_ = env.step(actions)
        spent += clock() - before
    env.close()
    return GAMES * steps / spent


def _singles(steps: int) -> Iterator[Figure]:
    for title, name, target in (
        ("London", NEXT_STATION, "> 50,000"),
        ("Ticket to Ride", TICKET_TO_RIDE, ""),
        ("CartPole of Gymnasium", "CartPole-v1", ""),
    ):
        env: Any = gymnasium.make(name).unwrapped
        env.reset(seed=1)
        before = time.process_time()
        for _ in range(steps):
            if env.step(0)[2]:
                env.reset()
        spent = time.process_time() - before
        yield Figure(f"{title}: single environment", steps / spent, "steps/s", target)


def _others(steps: int) -> Iterator[Figure]:
    """Measures environments of others, and all seats of ours as PettingZoo plays them."""
    cases = [("London, two seats", NEXT_STATION), ("Ticket to Ride, two seats", TICKET_TO_RIDE)]
    if find_spec("pygame"):
        cases.append(("tic-tac-toe", "classic/tictactoe-v3"))
    for title, name in cases:
        rate = _agents(name, steps // 20)
        yield Figure(f"{title}, by PettingZoo", rate, "steps/s", "")
    if find_spec("pyspiel"):
        yield _spiel(steps)
    if find_spec("envpool"):
        yield _envpool(steps // 20)
    if find_spec("pgx"):
        yield from _pgx(steps // 20)


def _agents(name: str, steps: int) -> float:
    env, generator = pettingzoo.make("aec", name), np.random.default_rng(1)
    env.reset(seed=1)
    before = time.process_time()
    for _ in range(steps):
        observation, _, over, _, _ = env.last()
        if over:
            env.reset()
        else:
            env.step(int(generator.choice(np.flatnonzero(observation["action_mask"]))))
    return steps / (time.process_time() - before)


def _spiel(steps: int) -> Figure:
    import pyspiel

    game, generator = pyspiel.load_game("backgammon"), np.random.default_rng(1)
    state, before = game.new_initial_state(), time.process_time()
    for _ in range(steps):
        if state.is_terminal():
            state = game.new_initial_state()
        legal = state.legal_actions()
        state.apply_action(legal[generator.integers(len(legal))])
    return Figure(
        "backgammon of OpenSpiel from Python", steps / (time.process_time() - before), "steps/s", ""
    )


def _envpool(steps: int) -> Figure:
    import envpool

    env: Any = envpool.make_gymnasium("CartPole-v1", num_envs=GAMES, num_threads=1)
    env.reset()
    actions, before = np.zeros(GAMES, np.int64), time.process_time()
    for _ in range(steps):
        env.step(actions)
    rate = GAMES * steps / (time.process_time() - before)
    return Figure(f"CartPole of EnvPool: {GAMES} games", rate, "steps/s", "")


def _pgx(steps: int) -> Iterator[Figure]:
    """Measures games of pgx, policy and autoreset compiled with the steps.

    A call plays one step, as ours do, or all of them, which is pgx at its best.
    """
    for title, name, calls, steps_per_call in (
        ("tic-tac-toe of pgx", "tic_tac_toe", steps, 1),
        ("tic-tac-toe of pgx, all steps in one call", "tic_tac_toe", 1, steps),
        ("backgammon of pgx, all steps in one call", "backgammon", 1, max(steps // 20, 1)),
    ):
        play = pgx_game(name, calls, steps_per_call)
        play()  # compiles it
        before = time.process_time()
        play()
        rate = GAMES * calls * steps_per_call / (time.process_time() - before)
        yield Figure(f"{title}: {GAMES} games", rate, "steps/s", "")


def pgx_game(name: str, calls: int, steps_per_call: int) -> Callable[[], None]:
    """Returns what plays a game of pgx, each step the lowest legal action, all at once."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    keys = jax.random.split(jax.random.PRNGKey(1), GAMES)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: Any, state: Any) -> Any:
        return step(state, state.legal_action_mask.argmax(1), keys)

    some = jax.jit(lambda state: jax.lax.fori_loop(0, steps_per_call, one, state))
    start = jax.vmap(env.init)(keys)

    def play() -> None:
        state = start
        for _ in range(calls):
            state = some(state)
        jax.block_until_ready(state)

    return play


def _data_sets(games: int) -> Iterator[Figure]:
    """Measures `headway data verify` on different games that are repeated."""
    for title, name, bots in (
        ("London", "london", ["random"]),
        ("Ticket to Ride", "ticket-to-ride", ["planner", "planner"]),
    ):
        job = open_job(name, bots)
        _, lines = play_piece(GAMES_PER_PIECE, msgspec.json.encode(job), 0)
        rows = [msgspec.json.decode(line, type=GameRow) for line in lines.splitlines()]
        with tempfile.TemporaryDirectory() as scratch:
            data = Path(scratch)
            repeated = islice(cycle(rows), games)
            write_games(data, Partition(job.game, "2026-11"), repeated, {})
            finish(data, "bots")
            verify(data)  # compiles the replay
            before = time.process_time()
            verified, bad = verify(data)
            rate = verified / (time.process_time() - before)
        assert not bad
        yield Figure(f"{title}: headway data verify", rate, "games/s", "> 5,000")


# Proofs


def _masks(games: int) -> Iterator[Figure]:
    """Compares masks with `State.legal` in every position of random games."""
    cases: list[tuple[str, dict[str, Any]]] = [
        *((NEXT_STATION, {"map": city, **m}) for city in ("london", "tokyo") for m in MODULES),
        *((TICKET_TO_RIDE, {"seats": n, "opponents": "random"}) for n in (2, 3, 4)),
    ]
    wrong, checked = 0, 0
    for name, settings in cases:
        for one in _compared(name, games // len(cases) + 1, settings):
            wrong += not one
            checked += 1
    yield Figure(f"masks that differ, of {checked:,} in {games:,} games", wrong, "", "0")


def legal_mask(encoding: Encoding, state: State, seat: Seat, chosen: int) -> np.ndarray:
    """Returns the mask of an actor as `State.legal` has it: slow, to check the fast one."""
    mask = np.zeros(encoding.actions, np.int8)
    for move in state.legal(seat):
        first, *rest = encoding.decisions(move)
        if chosen == NOTHING:
            mask[first] = 1
        elif first == chosen and rest:
            mask[rest[0]] = 1
    return mask


def _compared(name: str, games: int, settings: dict[str, Any]) -> Iterator[bool]:
    env: Any = gymnasium.make(name, **settings).unwrapped
    generator = np.random.default_rng(games)
    for seed in range(games):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            mask = observation["action_mask"]
            chosen = int(env._played.episodes["chosen"][0])
            expected = legal_mask(env.encoding, env._played.state(0), env.seat, chosen)
            same = (mask == expected).all() and (mask == info["action_mask"]).all()
            yield bool(same and (mask == env.action_masks()).all() and mask.any())
            action = generator.choice(np.flatnonzero(mask))
            observation, _, over, _, info = env.step(action)


def _equal(places: int) -> Iterator[Figure]:
    """Compares a vector environment with single ones, step by step."""
    for mode in AutoresetMode:
        native = gymnasium.make_vec(NEXT_STATION, places, autoreset_mode=mode, threads=2)
        assert isinstance(native, SeatVectorEnv)
        singles = gymnasium.make_vec(
            NEXT_STATION, places, "sync", vector_kwargs={"autoreset_mode": mode}
        )
        wrong = int(not data_equivalence(native.reset(seed=1), singles.reset(seed=1), exact=True))
        over, generator = np.zeros(places, np.bool_), np.random.default_rng(1)
        for _ in range(100):
            if mode == AutoresetMode.DISABLED and over.any():
                for env in (native, singles):
                    env.reset(options={"reset_mask": over.copy()})
            actions = (native.action_masks() * generator.random(native._masks.shape)).argmax(1)
            ours, theirs = native.step(actions), singles.step(actions)
            over = ours[2]
            wrong += not data_equivalence(ours, theirs, exact=True)
        yield Figure(f"steps that differ from {places} single ones, {mode.value}", wrong, "", "0")
        native.close()
