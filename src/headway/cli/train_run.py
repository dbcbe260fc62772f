"""Trains a network with a progress bar; continues an interrupted training."""

from __future__ import annotations

import os
import time
from pathlib import Path

from headway import settings
from headway.bots.nextstation.network.network import file_name
from headway.bots.nextstation.training.training import Training, TrainingPlan
from headway.errors import InputError
from headway.games import find
from headway.games.nextstation.game import NextStation
from headway.i18n import say
from headway.progress import progress

PROGRESS_SECONDS = 5.0
"""Seconds between two updates of the progress bar and of the files."""


def train(map_name: str, plan: TrainingPlan, output: Path | None = None) -> Path:
    """Trains a network, or continues an interrupted training; returns the written file.

    A plan with no threads gets one for each core.
    """
    box, name = find(map_name)
    if box.name != NextStation.box.name:
        raise InputError("train.no_city", word=map_name)
    game = box.open(name)
    assert isinstance(game, NextStation)
    kind = "modules" if plan.modules else "plain"
    path = output or settings.data_dir() / "networks" / file_name(game.map, kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    state = path.with_suffix(".state")
    training = Training(game, plan._replace(threads=plan.threads or os.cpu_count() or 1))
    if state.exists():
        training.take_up(state)
    _run(training, state, path)
    state.unlink(missing_ok=True)
    return path


def _run(training: Training, state: Path, path: Path) -> None:
    whole = training.plan.learn + training.plan.study
    with progress(say("train.compiling"), whole) as show:
        show(training.games)
        for learned in training.run(PROGRESS_SECONDS, time.monotonic):
            mean, error = f"{learned.mean:.1f}", f"{learned.error:.2f}"
            show(learned.games, title=say("train.going", mean=mean, error=error))
            training.store(state)
            training.finish(path, learned.error)
