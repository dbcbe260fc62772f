"""The README's example works as printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_readme_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWAY_LANG", "en")
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


@pytest.mark.parametrize("command", ["play", "test", "check", "bench"])
def test_make_explains_its_commands(command: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert any(line.startswith(f"{command}:") and "## " in line for line in makefile.splitlines())


def test_ci_runs_the_test_command_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    does = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert does == ["make test"]
