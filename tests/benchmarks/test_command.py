"""`python -m benchmarks`: what it says, and what it does not begin unasked."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

from benchmarks.__main__ import arguments

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "benchmarks"]


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, cwd=ROOT, env=os.environ | variables
    )


def in_terminal(*words: str) -> tuple[subprocess.Popen[bytes], int]:
    """Starts the command in a terminal of its session; returns our side of it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    return process, ours


def test_help_has_an_example_that_the_command_understands() -> None:
    text = arguments().format_help()
    _, _, example = " ".join(text.split()).partition("Example: python -m benchmarks")
    assert arguments().parse_args(example.split()).output == Path("figures.json")
    assert example in run("--help", COLUMNS="200").stdout


def test_faults_are_not_begun_unasked() -> None:
    result = run("--faults")
    assert (result.returncode, result.stdout) == (2, "")
    assert "Add --yes" in result.stderr


def test_faults_are_not_begun_without_a_yes() -> None:
    process, ours = in_terminal("--faults")
    written = b""
    while b"[y/N]" not in written:
        written += os.read(ours, 1000)
    os.write(ours, b"\n")
    while b"Nothing was done." not in written:
        written += os.read(ours, 1000)
    assert process.wait(60) == 0
    os.close(ours)


def test_interrupted_command_ends_with_130() -> None:
    process, ours = in_terminal("--quick")
    written = os.read(ours, 1000)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all processes of the command
    while part := _read(ours):
        written += part
    os.close(ours)
    assert process.wait(60) == 130
    assert b"Traceback" not in written


def _read(terminal: int) -> bytes:
    """What comes next from a pseudo-terminal; nothing when its other side is closed."""
    try:
        return os.read(terminal, 1000)
    except OSError:
        return b""


def test_without_a_browser_the_page_is_not_measured(tmp_path: Path) -> None:
    result = run("--page", "--quick", PATH="", PLAYWRIGHT_BROWSERS_PATH=str(tmp_path))
    assert result.returncode == 0
    assert "no browser found" in result.stderr
    assert "Traceback" not in result.stderr
