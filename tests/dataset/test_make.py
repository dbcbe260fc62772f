"""`headway data make` gives the same bytes however often it is interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dataset.data_sets import MONTH, content, rows_of, write

import headway
from headway.arena.job import open_job
from headway.dataset.make import GAMES_PER_PIECE, Plan, make

GAMES = 2 * GAMES_PER_PIECE + 10
WORDS = ["--bots", "random", "--games", str(GAMES), "--seed", "3", "--month", MONTH]


def start(data: Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "headway", "data", "make", *WORDS, "--cores", "1", "-o"]
    pipe = subprocess.PIPE
    return subprocess.Popen([*words, str(data)], stdout=pipe, stderr=pipe, text=True)


def test_a_killed_run_continues_and_gives_the_same_bytes(tmp_path: Path) -> None:
    data, whole = tmp_path / "killed", tmp_path / "whole"
    process = start(data)
    first = data / ".pieces" / "000000.jsonl"
    while not first.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)  # between two looks at the folder, not for a time to pass
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not (data / "SHA256SUMS").exists()
    process = start(data)
    out, error = process.communicate()
    assert (process.returncode, out) == (0, f"{GAMES} games in {data}.\n"), error
    assert not (data / ".pieces").exists()
    made = content(data)
    job = open_job("london", ["random"], seed=3)
    make(Plan(job, GAMES, "2027-01"), data)  # nothing is left to do, and the month is the first one
    assert content(data) == made
    write(whole, job, rows_of(job, GAMES))
    assert content(whole) == made


def test_a_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    """A real Ray on this machine, which ends with the command; two pieces of games."""
    games = GAMES_PER_PIECE + 3
    near, far = tmp_path / "near", tmp_path / "far"
    words = ["--bots", "random", "--games", str(games), "--month", MONTH, "--cluster", "-o"]
    done = subprocess.run(
        [sys.executable, "-m", "headway", "data", "make", *words, str(far)],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, f"{games} games in {far}.\n"), done.stderr
    job = open_job("london", ["random"])
    write(near, job, rows_of(job, games))
    assert content(far) == content(near)


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    job = open_job("london", ["random"])
    (tmp_path / "thesis.tex").write_text("mine", "utf-8")
    with pytest.raises(headway.InputError, match="not empty"):
        make(Plan(job, 5, MONTH), tmp_path)
    (tmp_path / "plan.json").write_bytes(b"{}")
    with pytest.raises(headway.InputError, match="another data set"):
        make(Plan(job, 5, MONTH), tmp_path)
