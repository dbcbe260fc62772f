"""A bot of a user that fails: a sentence, and the traceback of its own file alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.preloaded import run

FAILING = """\
import json
import headway

class Choosing(headway.Bot):
    def choose(self, view, legal, clock=None):
        return json.loads("no JSON")

class Made(headway.Bot):
    def __init__(self, *given):
        super().__init__(*given)
        json.loads("no JSON")
    def choose(self, view, legal, clock=None):
        return legal[0]

class Warm(headway.Bot):
    @classmethod
    def warm_up(cls):
        json.loads("no JSON")
    def choose(self, view, legal, clock=None):
        return legal[0]

def act(observation, action_mask):
    return json.loads("no JSON")
"""
ARENA = ["arena", "--games", "1", "--bots"]
DATA = ["data", "make", "--games", "1", "--output", "games", "--bots"]


@pytest.mark.parametrize(
    ("command", "name", "line"),
    [
        (ARENA, "Choosing", 6),
        (ARENA, "Made", 11),
        (ARENA, "Warm", 18),
        (DATA, "Choosing", 6),
        (["score", "london", "--games", "1"], "act", 23),
        (["play", "london", "--bots"], "Choosing", 6),
    ],
)
def test_failing_code_is_shown_with_file_and_line(
    command: list[str], name: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FAILING)
    result = run(*command, f"./mine.py:{name}", stdin="\n\npass\n")
    assert result.returncode == 2, result
    _, said, rest = result.stderr.partition(f"The bot ./mine.py:{name} failed: JSONDecodeError: ")
    assert said, result.stderr
    _, heading, *frames = rest.splitlines()
    assert heading == "Traceback (most recent call last):"
    places = [text.strip() for text in frames if text.startswith("  File ")]
    assert len(places) == 1
    assert places[0].startswith(f'File "./mine.py", line {line}, in ')
    assert frames[-1].startswith("json.decoder.JSONDecodeError: ")


def test_a_file_that_cannot_be_loaded_is_shown_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("import headway\nclass Mine(headway.Bot:\n")
    for command in (ARENA, ["score", "london"]):
        result = run(*command, f"{file}:Mine")
        assert result.returncode == 2
        assert f'File "{file}", line 2\n' in result.stderr
        assert "registry" not in result.stderr
    result = run(*ARENA, f"{tmp_path}/nowhere.py:Mine")
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
