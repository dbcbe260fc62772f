"""`headway data make` gives the same bytes however often it is interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from dataset.data_sets import MONTH, content, rows_of, write
from support import preloaded

import headway
from headway.arena.job import open_job
from headway.dataset.make import GAMES_PER_PIECE, Plan, make
from headway.process_pool import WAITING_PER_WORKER

PIECES = 2 * WAITING_PER_WORKER + 2
"""More than wait for a process at a time, even when a run was interrupted after its first ones."""
GAMES = (PIECES - 1) * GAMES_PER_PIECE + 10
WORDS = ["--bots", "random", "--games", str(GAMES), "--seed", "3", "--month", MONTH]

KILLED = f"""
import os, signal, sys
from pathlib import Path
from headway.arena.job import open_job
from headway.dataset.make import Plan, make

def die(games):
    if games:
        os.kill(os.getpid(), signal.SIGKILL)

job = open_job("london", ["random"], seed=3)
make(Plan(job, {GAMES}, "{MONTH}"), Path(sys.argv[1]), on_games=die)
"""
"""The same work, killed as soon as the first piece is there."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the data set, its games played one after the other."""
    data = tmp_path_factory.mktemp("whole")
    job = open_job("london", ["random"], seed=3)
    write(data, job, rows_of(job, GAMES))
    return content(data)


def test_a_killed_run_continues_and_gives_the_same_bytes(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    data = tmp_path / "killed"
    killed = preloaded.run(data, program=KILLED)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert [piece.name for piece in (data / ".pieces").iterdir()] == ["000000.jsonl"]
    done = preloaded.run("data", "make", *WORDS, "--cores", "1", "-o", data)
    assert (done.returncode, done.stdout) == (0, f"{GAMES} games in {data}.\n"), done.stderr
    assert not (data / ".pieces").exists()
    assert content(data) == whole
    job = open_job("london", ["random"], seed=3)
    make(Plan(job, GAMES, "2027-01"), data)  # nothing is left to do, and the month is the first one
    assert content(data) == whole


INTERRUPTED = f"""
import logging, sys
from pathlib import Path
import msgspec, ray
from headway.arena.job import open_job
from headway.arena.job import on_cluster, play
from headway.cli.app import app
from headway.dataset.make import GAMES_PER_PIECE, Plan, make
from headway.errors import InputError

def stop(games):
    if games == 2 * GAMES_PER_PIECE:
        raise KeyboardInterrupt

ray.init(num_cpus=1, logging_level=logging.ERROR, log_to_driver=False)
data, job = Path(sys.argv[1]), open_job("london", ["random"], seed=3)
try:
    make(Plan(job, {GAMES}, "{MONTH}"), data, cluster=True, on_games=stop)
except KeyboardInterrupt:
    print(len(list((data / ".pieces").iterdir())))
app(["data", "make", *{WORDS}, "--cluster", "-o", str(data)], standalone_mode=False)
try:
    list(on_cluster(msgspec.structs.replace(job, bots=("nobody",)), [0], play))
except InputError as error:
    print(error.key)
"""


def test_an_interrupted_cluster_continues_and_gives_the_same_bytes(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    """A real Ray with one place for work, in a process of its own: it leaves nothing behind."""
    data = tmp_path / "far"
    program = [sys.executable, "-c", INTERRUPTED, str(data)]
    done = subprocess.run(program, capture_output=True, text=True)
    said = done.stdout.splitlines()[-3:]
    assert said == ["2", f"{GAMES} games in {data}.", "format.unknown_bot"], done.stderr
    assert content(data) == whole


def test_a_piece_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """It is no failure to write the data set."""
    job = open_job("london", ["random"])
    pieces = tmp_path / ".pieces"
    (pieces / "000000.jsonl").mkdir(parents=True)
    (tmp_path / "plan.json").write_bytes(msgspec.json.encode(Plan(job, 5, MONTH)))
    with pytest.raises(headway.InputError, match=r"000000\.jsonl cannot be read"):
        make(Plan(job, 5, MONTH), tmp_path)


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    job = open_job("london", ["random"])
    (tmp_path / "thesis.tex").write_text("mine", "utf-8")
    with pytest.raises(headway.InputError, match="not empty"):
        make(Plan(job, 5, MONTH), tmp_path)
    (tmp_path / "plan.json").write_bytes(b"{}")
    with pytest.raises(headway.InputError, match="another data set"):
        make(Plan(job, 5, MONTH), tmp_path)
