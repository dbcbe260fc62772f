"""Training: it learns, and an interruption costs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from headway.bots.nextstation import network, training
from headway.bots.nextstation.network import shapes, untrained
from headway.bots.nextstation.training import SheetPlan, SheetTrainer
from headway.bots.value_net import load, zeros
from headway.errors import InputError
from headway.games import box
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.observation import FEATURE_WORDS

PLAN = SheetPlan(learn=1600, study=8, modules=False, seed=1, threads=1)


@pytest.fixture(scope="module")
def london() -> NextStation:
    game = box("next-station").open("london")
    assert isinstance(game, NextStation)
    return game


def ticks() -> Iterator[float]:
    return count(0.0, 1.0)


def test_learns(london: NextStation, tmp_path: Path) -> None:
    trainer = SheetTrainer(london, PLAN)
    means = [progress.mean for progress in trainer.run(50, ticks().__next__)]
    assert max(means[-3:]) > means[0] + 5
    trainer.finish(tmp_path / "own.npz", 3.0)
    trained = load(tmp_path / "own.npz", shapes)
    assert (trained.map_hash, trained.error) == (london.map_hash, 3.0)
    came_up = trainer.square.first.any(axis=1)
    assert 100 < came_up.sum() < came_up.size
    first = trained.network.first
    assert np.allclose(first[came_up], trainer.net.first[came_up], atol=1e-3)
    assert not first[~came_up].any()


def test_gradient_is_the_slope_of_the_squared_error() -> None:
    generator = np.random.default_rng(4)
    net, grad, trajectory = untrained(3, 8), zeros(shapes(8)), np.zeros(1, training.TRAJECTORY)[0]
    trajectory["bits"][0] = generator.integers(0, 1 << 63, FEATURE_WORDS, np.uint64)
    trajectory["bits"][0] &= generator.integers(0, 1 << 63, FEATURE_WORDS, np.uint64)
    trajectory["rounds"][0] = 2
    net.second_bias[:] = generator.normal(0, 1, net.second_bias.shape)

    def value() -> float:
        network.refresh(net, trajectory["bits"][0], trajectory["sums"])
        return network.output(net, 2, trajectory["sums"], trajectory["hidden"])

    def error() -> float:
        return 0.5 * ((value() - goal) / float(network.POINTS_PER_UNIT)) ** 2

    goal = value() + 7.0  # beyond 20 points an error counts no more
    training.learn(net, grad, trajectory, 0, goal)
    checked = 0
    for layer, slopes in zip(net, grad, strict=True):
        for place in map(tuple, np.argwhere(slopes)[:: max(np.count_nonzero(slopes) // 5, 1)]):
            was = layer[place]
            layer[place] = was + 0.001
            above = error()
            layer[place] = was - 0.001
            below = error()
            layer[place] = was
            assert slopes[place] == pytest.approx((above - below) / 0.002, rel=0.05, abs=0.01)
            checked += 1
    assert checked > 20


def test_goes_on_where_it_was(london: NextStation, tmp_path: Path) -> None:
    plan = PLAN._replace(learn=160, study=16)
    whole = SheetTrainer(london, plan)
    list(whole.run(1e9, ticks().__next__))
    part = SheetTrainer(london, plan)
    for now in part.run(0, ticks().__next__):
        # As `headway train` does it: a network is there at any time, and changes nothing.
        part.finish(tmp_path / "network.npz", now.error)
        if part.games > 80:
            break
    part.store(tmp_path / "state.npz")
    rest = SheetTrainer(london, plan)
    rest.take_up(tmp_path / "state.npz")
    list(rest.run(1e9, ticks().__next__))
    for one, other in zip(whole.net, rest.net, strict=True):
        assert (one == other).all()


def test_files_of_others_are_refused(london: NextStation, tmp_path: Path) -> None:
    state = tmp_path / "state.npz"
    SheetTrainer(london, PLAN).store(state)
    with pytest.raises(InputError, match="another"):
        SheetTrainer(london, PLAN._replace(seed=2)).take_up(state)
    state.write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"state\.npz"):
        SheetTrainer(london, PLAN).take_up(state)
    with pytest.raises(InputError, match=r"state\.npz"):
        load(state, shapes)
