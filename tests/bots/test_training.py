"""Training: it learns, and an interruption costs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from headway.bots.nextstation.network import load
from headway.bots.nextstation.training import Course, Training
from headway.errors import Unreadable
from headway.games import box
from headway.games.nextstation.game import NextStation

COURSE = Course(learn=1600, study=8, modules=False, seed=1, threads=1)


@pytest.fixture(scope="module")
def london() -> NextStation:
    game = box("next-station").open("london")
    assert isinstance(game, NextStation)
    return game


def ticks() -> Iterator[float]:
    return count(0.0, 1.0)


def test_learns(london: NextStation, tmp_path: Path) -> None:
    training = Training(london, COURSE)
    means = [each.mean for each in training.run(50, ticks().__next__)]
    assert max(means[-3:]) > means[0] + 5
    training.finish(tmp_path / "own.npz", 3.0)
    found, known = load(tmp_path / "own.npz")
    assert known == london.map_hash
    assert np.allclose(found.network.first, training.net.first, atol=1e-3)


def test_goes_on_where_it_was(london: NextStation, tmp_path: Path) -> None:
    course = COURSE._replace(learn=160, study=16)
    whole = Training(london, course)
    list(whole.run(1e9, ticks().__next__))
    part = Training(london, course)
    for _ in part.run(0, ticks().__next__):
        if part.games > 80:
            break
    part.store(tmp_path / "state.npz")
    rest = Training(london, course)
    rest.take_up(tmp_path / "state.npz")
    list(rest.run(1e9, ticks().__next__))
    for one, other in zip(whole.net, rest.net, strict=True):
        assert (one == other).all()


def test_files_of_others_are_refused(london: NextStation, tmp_path: Path) -> None:
    state = tmp_path / "state.npz"
    Training(london, COURSE).store(state)
    with pytest.raises(Unreadable, match="another"):
        Training(london, COURSE._replace(seed=2)).take_up(state)
    state.write_bytes(b"nothing")
    with pytest.raises(Unreadable, match=r"state\.npz"):
        Training(london, COURSE).take_up(state)
    with pytest.raises(Unreadable, match=r"state\.npz"):
        load(state)
