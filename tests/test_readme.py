"""The README's example works as printed."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_readme_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWAY_LANG", "en")
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_the_readme_says_what_to_type_after_make() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for words in (".venv/bin/headway --help", "source .venv/bin/activate"):
        assert words in text


def test_nothing_is_installed_from_an_index_that_does_not_have_it() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.*")]
    sources = [file for end in ("py", "toml") for file in (ROOT / "src").rglob(f"*.{end}")]
    for file in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *pages, *sources]:
        assert not re.search(r"headway\[|pip install headway", file.read_text("utf-8")), file


@pytest.mark.parametrize("command", ["play", "test", "check", "bench"])
def test_make_explains_its_commands(command: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert any(line.startswith(f"{command}:") and "## " in line for line in makefile.splitlines())


def test_ci_runs_the_test_command_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    does = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert does == ["make test"]
