"""Training of the value network of Ticket to Ride."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headway.bots import value_net
from headway.bots.tickettoride import training
from headway.bots.tickettoride.network import (
    FEATURES,
    MOVER,
    OTHER_SIZE,
    POINTS_PER_UNIT,
    SHAPES,
    add_rows,
    network_of,
    output,
    shapes,
)
from headway.bots.tickettoride.training import TablePlan, TableTrainer, for_more_seats
from headway.bots.value_net import Network, load, untrained, zeros
from headway.errors import InputError
from headway.games import find
from headway.games.tickettoride.game import TicketToRide

TINY = str(Path(__file__).parents[2] / "games" / "tickettoride" / "tiny.toml")


def tiny(seats: int = 2) -> TicketToRide:
    box, name = find(TINY)
    game = box.open(name, seats=seats)
    assert isinstance(game, TicketToRide)
    return game


def test_a_training_is_reproducible_and_writes_what_it_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (value_net, training):  # compiling takes longer than these games
        monkeypatch.setattr(module, "compiled", lambda kernels: kernels)
    plan = TablePlan(games=6, threads=1)
    first, second = (TableTrainer(tiny(), plan) for _ in range(2))
    (progress,) = first.run()
    assert progress.games == 6
    assert 0 < progress.share_error < 1
    list(second.run())
    for one, other in zip(first.net, second.net, strict=True):
        assert (one == other).all()
    first.finish(tmp_path / "tiny.npz")
    net, map_hash, _ = load(tmp_path / "tiny.npz", shapes)
    assert map_hash == tiny().map_hash
    assert np.allclose(net.third, first.net.third, atol=1e-3)
    changed = (first.net.first != untrained(SHAPES, plan.seed).first).any(axis=1)
    assert 10 < changed.sum() < changed.size
    assert np.allclose(net.first[changed], first.net.first[changed], atol=1e-3)
    assert not net.first[~changed].any()


def test_the_gradient_is_the_slope_of_the_error() -> None:
    generator = np.random.default_rng(4)
    net, grad, trajectory = untrained(SHAPES, 3), zeros(SHAPES), np.zeros(1, training.TRAJECTORY)[0]
    active = np.sort(generator.choice(FEATURES, 40, replace=False))
    trajectory["active"][1, 5, :40], trajectory["lengths"][1, 5] = active, 40
    training.learn(net, grad, trajectory, 1, 5, 0.8, 6.0)

    def error(changed: Network) -> float:
        sums, hidden = np.zeros_like(trajectory["sums"]), np.zeros_like(trajectory["hidden"])
        add_rows(changed, active, 0, 40, changed.first_bias, sums)
        share, lead = output(changed, sums, hidden)
        entropy = -0.8 * np.log(share) - 0.2 * np.log(1 - share)
        return float(entropy + training.LEAD_WEIGHT * ((lead - 6.0) / POINTS_PER_UNIT) ** 2 / 2)

    for layer, slopes in zip(net, grad, strict=True):
        places = np.argsort(-np.abs(slopes).reshape(-1))[:3]
        for place in places:
            flat, step = layer.reshape(-1), np.float32(1e-2)
            before = flat[place]
            flat[place] = before + step
            above = error(net)
            flat[place] = before - step
            below = error(net)
            flat[place] = before
            slope = (above - below) / (2 * step)
            assert slopes.reshape(-1)[place] == pytest.approx(slope, rel=0.05, abs=1e-3)


def test_further_opponents_start_like_the_first() -> None:
    net = untrained(SHAPES, 2)
    wider = for_more_seats(net)
    for start in range(0, MOVER, OTHER_SIZE):
        assert (wider.first[start : start + OTHER_SIZE] == net.first[:OTHER_SIZE]).all()
    assert (wider.first[MOVER:] == net.first[MOVER:]).all()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_network_comes_with_the_board(seats: int) -> None:
    box, name = find("ticket-to-ride")
    game = box.open(name, seats=seats)
    assert isinstance(game, TicketToRide)
    assert network_of(game)


def test_another_board_has_no_network() -> None:
    assert network_of(tiny()) is None


def test_a_broken_file_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "tiny-2-seats.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match=path.name):
        load(path, shapes)
