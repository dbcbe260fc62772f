"""What lies in scratch memory decides nothing.

Every scenario runs as usual, and again with ones and with random bytes in all scratch memory
before each call of native code. Where a call plays several games or samples, it is then one call
for each of them, so that nothing passes from one to the next.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from support.scratch_memory import KERNELS, Bytes, Filled, filled

import headway
from benchmarks import review_training
from benchmarks.beliefs import hand_of
from benchmarks.perfect_information import best_fair, numbered_deal
from benchmarks.review_training import ReviewTrainer, learn_self_play, play_after_weak_moves
from headway.bots import value_net
from headway.bots.bot import Budget
from headway.bots.nextstation import analysis
from headway.bots.nextstation.perfect_information import best_line
from headway.bots.nextstation.training import SheetPlan, SheetTrainer
from headway.bots.tickettoride import training as table_training
from headway.bots.tickettoride.network import network_of
from headway.bots.tickettoride.playout_policy import result_of
from headway.bots.tickettoride.training import TablePlan, TableTrainer, learn_games
from headway.bots.tickettoride.trials import (
    MoveTrials,
    PositionTrials,
    worth_trying,
)
from headway.envs import ENVIRONMENTS
from headway.games import find
from headway.games.contract import Game
from headway.games.kernel import compiled
from headway.games.nextstation.game import NextStation
from headway.games.simulation import seeded
from headway.games.tickettoride.state import TicketToRideState
from headway.record import replay_many
from headway.reviews.job import ReviewJob

PACKAGE = Path(headway.__file__).parent
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
TINY = Path(__file__).parent / "games" / "tickettoride" / "tiny.toml"
ALL_MODULES = {"objectives": True, "powers": True}
NEXT_STATION, TICKET_TO_RIDE = ENVIRONMENTS


def own_map(folder: Path, file: str, old: str, new: str) -> str:
    """A map that has no network, because it is not the one of the box."""
    path, text = folder / "own.toml", (PACKAGE / "games" / file).read_text()
    path.write_text(text.replace('name = "london"', 'name = "own"').replace(old, new, 1))
    return str(path)


def own_city(folder: Path) -> str:
    return own_map(folder, "nextstation/city/london.toml", "river = 2", "river = 3")


def own_board(folder: Path) -> str:
    return own_map(folder, "tickettoride/board/london.toml", "buses = 17", "buses = 9")


def opened(name: str, seats: int = 1, **options: bool) -> Game:
    box, map_name = find(name)
    return box.open(map_name, seats, options)


def played(game: Game, *bots: str, seed: int = 1) -> headway.Table:
    table = headway.Table(game, seed=seed)
    players = [headway.make_bot(bot, game, seed + k) for k, bot in enumerate(bots)]
    headway.play_out(table, players)
    return table


def last_turns(game: Game, seeds: int) -> Iterator[TicketToRideState]:
    """Positions of games of drivers in which the seat to act has one turn left."""
    for seed in range(seeds):
        table = headway.Table(game, seed=seed)
        bots = [headway.make_bot("driver", game, seed) for _ in range(table.seats)]
        while actors := table.actors():
            state = table.state
            assert isinstance(state, TicketToRideState)
            if state.shared["turns_left"] >= 0:
                yield state.copy()
            seat = actors[0]
            table.play(seat, bots[seat].choose(table.view(seat), state.legal(seat)))


# Scenarios: `pieces` asks for one call for each game or sample


def simulated(_: Path, pieces: bool) -> Any:
    def totals(game: Game, policy: str, games: int = 6) -> Any:
        out, generator = np.zeros((games, game.seats), np.int64), seeded("7|0")
        for start in range(0, games, 1 if pieces else games):
            part = out[start : start + (1 if pieces else games)]
            work = game.engine.new_workspace(game)
            compiled(game.engine).play_games(work, game.engine.POLICIES[policy], generator, part)
        return out.tolist()

    modules = {"objectives": True, "special_stations": True}
    games = [opened("london", 2), opened("tokyo", 1, **modules), opened("london", 4, powers=True)]
    sheets = [totals(g, p) for g in games for p in ("random", "greedy")]
    tables = [totals(opened("ticket-to-ride", n), "random") for n in (2, 4)]
    return sheets, tables


def replayed(_: Path, pieces: bool) -> Any:
    games = [
        opened("london", 3), opened("tokyo", 2, special_stations=True),
        opened("london", 1, **ALL_MODULES), opened("ticket-to-ride", 2),
        opened("ticket-to-ride", 4),
    ]  # fmt: skip
    tables = [played(game, *["random"] * game.seats, seed=3) for game in games]
    return [result._asdict() for result in replay_many(table.record() for table in tables)]


def drivers(_: Path, pieces: bool) -> Any:
    games = [opened("london", 1), opened("tokyo", 2, **ALL_MODULES), opened("ticket-to-ride", 3)]
    return [played(game, *["driver"] * game.seats).events for game in games]


def sheet_experts(folder: Path, pieces: bool) -> Any:
    rough = opened(own_city(folder), 2)
    return [
        played(opened("london", 2), "expert@20", "commuter").events,
        played(opened("tokyo", 1, special_stations=True), "expert@8").events,
        _appraised(rough),
        _luck(opened("london", 1, special_stations=True)),
    ]


def _appraised(game: Game) -> list[Any]:
    """What a bot says of the moves of a first turn."""
    table = headway.Table(game, seed=2)
    bot: Any = headway.make_bot("expert", game, 5)
    return list(bot.appraise(table.view(0), table.state.legal(0), Budget(simulations=64)))


def _luck(game: Game) -> list[float]:
    table, luck = headway.Table(game, seed=2), []
    bot: Any = headway.make_bot("expert", game, 5)
    for _ in range(4):
        luck.append(bot.luck(table.view(0)))
        table.play(0, table.state.legal(0)[-1])
    return luck


def trials(folder: Path, pieces: bool) -> Any:
    """Trials without a network, also from positions in which seats have their last turn."""
    game, found = opened(own_board(folder), 2), []
    assert network_of(game) is None  # type: ignore[arg-type]
    for state in list(last_turns(game, 3)):
        (seat,) = state.actors()
        moves = worth_trying(state.legal(seat))
        tried = MoveTrials(state, seat, moves, random.Random(3))
        for samples in [1] * 6 if pieces else [6]:
            tried.run(samples)
        found.append(tried.tallies.tolist())
    return found, played(opened(str(TINY), 3), "expert@40", "driver", "random").events


def trials_ahead(_: Path, pieces: bool) -> Any:
    game, found = opened("ticket-to-ride", 2), []
    net = network_of(game)  # type: ignore[arg-type]
    assert net
    for state in [*list(last_turns(game, 1))[:2], headway.Table(game, seed=3).state]:
        assert isinstance(state, TicketToRideState)
        seat = min(state.actors())
        moves = worth_trying(state.legal(seat))
        tried = MoveTrials(state, seat, moves, random.Random(3), net=net)
        for samples in [1] * 4 if pieces else [4]:
            tried.run(samples)
        found.append(tried.tallies.tolist())
    return found, played(opened("ticket-to-ride", 3), "expert@12", "driver", "expert@12").events


def sheet_reviews(folder: Path, pieces: bool) -> Any:
    mine = played(opened(own_city(folder)), "random").record()
    mine.folder = folder
    powers = played(opened("london", 2, powers=True), "random", "driver").record()
    special = played(opened("tokyo", 1, special_stations=True), "greedy").record()
    return _looks(powers, 4, 9), _looks(special, 4, 5), _looks(mine, 2, 12)


def _looks(record: headway.Record, budget: int, every: int) -> list[Any]:
    """Some tasks of a review, among them the last one."""
    job = ReviewJob(record, budget=budget)
    return [job.do(task) for task in job.tasks()[::-every]]


def table_reviews(folder: Path, pieces: bool) -> Any:
    game, found = opened(own_board(folder), 2), list[Any]()
    for state in list(last_turns(game, 2)):
        (seat,) = state.actors()
        looked = PositionTrials([state, state], seat, "key")
        for samples in [1] * 6 if pieces else [6]:
            looked.run(samples)
        work = looked.workspace
        found.append((work.shares.tolist(), work.margins.tolist(), work.fits.tolist()))
        found.append([hand.tolist() for hand in hand_of(state, seat, 1 - seat)[:2]])
    two = played(opened("ticket-to-ride", 2), "driver", "planner").record()
    four = played(opened("ticket-to-ride", 4), *["driver", "planner"] * 2).record()
    return found, _looks(two, 8, 6), _looks(four, 8, 24)


def known_deals(_: Path, pieces: bool) -> Any:
    game = opened("london", 1, powers=True)
    assert isinstance(game, NextStation)
    deal = numbered_deal(game, 3)
    return best_line(game, deal, 4), best_fair(game, deal, 2, 4), deal.decks.tolist()


def sheet_trainings(_: Path, pieces: bool) -> Any:
    """Both ways of learning, of games with all modules."""
    game = opened("london")
    assert isinstance(game, NextStation)
    plan = SheetPlan(learn=4, study=2, modules=True, seed=1, threads=1)
    training: Any = SheetTrainer(game, plan)
    generator, kernels, lesson = seeded("train"), training._kernels, training._lesson
    common = training._workspaces[0], training.grads[0], training._trajectories[0]
    for games in [1] * 8 if pieces else [8]:
        part = lesson._replace(games=games, explore=5, trace=0.7)
        kernels.learn_games(*common, part, generator)
    for games in [1] * 2 if pieces else [2]:
        part = lesson._replace(games=games, explore=5, trace=0.5, margin=4.0)
        kernels.study_games(*common, training._trees[0], part, generator)
    tally = training._trajectories[0]["tally"].tolist()
    for weights, grad, mean, square in zip(
        training.net, training.grads[0], training.mean, training.square, strict=True
    ):
        training._adam(*(x.reshape(-1) for x in (weights, grad, mean, square)), 0.1, 1.0)
    return tally, [layer.tobytes() for layer in training.net]


def vectors(_: Path, pieces: bool) -> Any:
    """Whole games of many places: in a vector of all of them, or in one for each."""
    cases: list[tuple[str, dict[str, Any]]] = [
        (NEXT_STATION, {"autoreset_mode": "SameStep", "powers": True}),
        (NEXT_STATION, {"map": "tokyo", "special_stations": True, "observation": "ahead"}),
        (TICKET_TO_RIDE, {"autoreset_mode": "SameStep", "rewards": "win", "seats": 3}),
        (TICKET_TO_RIDE, {"seats": 4, "seat": 2}),
    ]
    return [_steps(name, settings, 8, pieces) for name, settings in cases]


def _steps(name: str, settings: dict[str, Any], games: int, pieces: bool) -> list[Any]:
    places = [1] * games if pieces else [games]
    envs: list[Any] = [gymnasium.make_vec(name, n, **settings) for n in places]
    shown = [env.reset(seed=5 + i)[0] for i, env in enumerate(envs)]
    found, worth = (
        list[Any](),
        np.arange(1, 1 + envs[0].single_action_space.n),
    )  # the highest possible one
    for _ in range(60):
        steps = [
            env.step((observation["action_mask"] * worth).argmax(1))
            for env, observation in zip(envs, shown, strict=True)
        ]
        shown = [step[0] for step in steps]
        parts = [
            (*step[0].values(), *step[1:3], step[4]["illegal"], step[4]["action_mask"])
            for step in steps
        ]
        found.append([np.concatenate(part).tobytes() for part in zip(*parts, strict=True)])
        finals = [o for step in steps for o in step[4].get("final_obs", [None] * len(step[1]))]
        found.append([None if o is None else o["observation"].tobytes() for o in finals])
    return found


def seats(_: Path, pieces: bool) -> Any:
    """Environments for all seats, which ask native code what a seat sees."""
    found = []
    for name in ENVIRONMENTS:
        env: Any = pettingzoo.make("aec", name, seats=3)
        env.reset(seed=4)
        for _step in range(60):
            observation, reward, over, _cut, info = env.last()
            mask = info["action_mask"].tobytes()
            found.append([observation["observation"].tobytes(), reward, mask])
            env.step(None if over else observation["action_mask"].nonzero()[0][-1])
    return found


SCENARIOS: dict[Callable[[Path, bool], Any], str] = {
    simulated: "games.nextstation.rules.engine.play_games "
    "games.tickettoride.rules.engine.play_games",
    replayed: "games.nextstation.rules.engine.replay games.tickettoride.rules.engine.replay",
    drivers: "bots.nextstation.evaluator.value_after bots.tickettoride.playout_policy.sensible",
    sheet_experts: "bots.nextstation.tree.search bots.nextstation.evaluator.value_after "
    "bots.nextstation.evaluator.endings",
    trials: "bots.tickettoride.trials.try_moves bots.tickettoride.beliefs.weigh_tickets "
    "bots.tickettoride.playout_policy.sensible",
    trials_ahead: "bots.tickettoride.trials.try_moves_ahead "
    "bots.tickettoride.playout_policy.sensible",
    sheet_reviews: "bots.nextstation.tree.search bots.nextstation.evaluator.value_after "
    "bots.nextstation.evaluator.endings bots.nextstation.evaluator.candidates "
    "games.nextstation.rules.engine.reveal_next "
    "bots.nextstation.perfect_information.follow bots.nextstation.perfect_information.narrow",
    table_reviews: "reviews.tickettoride.worth.worth_at "
    "reviews.tickettoride.worth.worth_by_kind reviews.tickettoride.worth.worths_of_moves "
    "bots.tickettoride.beliefs.weigh_tickets "
    "bots.tickettoride.trials.try_positions bots.tickettoride.playout_policy.sensible",
    known_deals: "games.nextstation.rules.engine.deal_setup "
    "games.nextstation.rules.engine.shuffled games.nextstation.rules.engine.reveal_next "
    "bots.nextstation.perfect_information.follow "
    "benchmarks.perfect_information.follow_fairly "
    "bots.nextstation.perfect_information.narrow",
    sheet_trainings: "bots.nextstation.training.learn_games "
    "bots.nextstation.training.study_games bots.value_net.adam",
    vectors: "envs.nextstation.episodes.step_games envs.tickettoride.episodes.step_games",
    seats: "envs.nextstation.episodes.show_seat envs.tickettoride.episodes.show_seat",
}
"""Each with the native code that it calls."""
INTERPRETED = {
    "bots.tickettoride.training.learn_games",
    "bots.tickettoride.playout_policy.result_of",
    "benchmarks.review_training.learn_self_play",
    "benchmarks.review_training.play_after_weak_moves",
}
"""What tests run as Python, because compiling it takes too long."""


def fillings() -> list[Bytes]:
    return [lambda n: b"\xff" * n, np.random.default_rng(25).bytes]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_what_lies_in_scratch_memory_decides_nothing(
    scenario: Callable[[Path, bool], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "TREE_NODES", 160)
    usual = scenario(tmp_path, False)
    for source in fillings():
        with filled(source) as called:
            assert _same(scenario(tmp_path, True), usual)
        assert called == set(SCENARIOS[scenario].split())


def _same(found: Any, usual: Any) -> bool:
    """Compares by bytes, because what is no number equals nothing."""
    return repr(found) == repr(usual)


def test_what_lies_in_scratch_memory_teaches_nothing_at_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (value_net, table_training):
        monkeypatch.setattr(module, "compiled", lambda kernels: kernels)
    box, name = find(str(TINY))
    game, nets = box.open(name, 2), []
    for source in fillings():
        training: Any = TableTrainer(game, TablePlan(games=4, threads=1))  # type: ignore[arg-type]
        training._learn_games = Filled(learn_games, source, called := set[str]())
        list(training.run())
        assert called == {"bots.tickettoride.training.learn_games"}
        nets.append([layer.tobytes() for layer in training.net])
    assert nets[0] == nets[1]


def test_what_lies_in_scratch_memory_teaches_nothing_in_reviews(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (value_net, review_training):
        monkeypatch.setattr(module, "compiled", lambda kernels: kernels)
    monkeypatch.setattr(review_training, "GAMES_PER_STEP", 1)
    monkeypatch.setattr(ReviewTrainer, "games_per_step", 1)
    box, name = find(str(TINY))
    game, found = box.open(name, 2), []
    for source in fillings():
        training: Any = ReviewTrainer(game, TablePlan(games=2, threads=1))  # type: ignore[arg-type]
        called = set[str]()
        training._learn_games = Filled(learn_self_play, source, called)
        list(training.run())
        (valuer,), (record,) = training._valuers, training._trajectories
        Filled(play_after_weak_moves, source, called)(
            valuer, training._play, record, seeded("played")
        )
        players, workspace = record["players"][:2], valuer.game.workspace
        given = valuer.game.board, players, 0, workspace, record["score"]
        shares = Filled(result_of, source, called)(*given)
        assert called == INTERPRETED - {"bots.tickettoride.training.learn_games"}
        found.append((shares, [layer.tobytes() for layer in training.net]))
    assert found[0] == found[1]


NATIVE = re.compile(r"(compiled\(.*\)|_?native\(\)|(\w+\.)?_?kernels(\(\))?)$")
"""Expressions that stand for native code."""


def called_from_python() -> set[str]:
    """The names of all kernels that the package or a benchmark asks native code for."""
    paths = [path for folder in (PACKAGE, BENCHMARKS) for path in folder.rglob("*.py")]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    kernels = {
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(one) == "kernel" for one in node.decorator_list)
    }
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    return {a.attr for a in attributes if NATIVE.match(ast.unparse(a.value))} & kernels


def test_every_kernel_that_python_calls_is_in_a_scenario() -> None:
    tested = {name for names in SCENARIOS.values() for name in names.split()} | INTERPRETED
    assert tested == set(KERNELS)
    assert called_from_python() == {name.rpartition(".")[2] for name in KERNELS}
