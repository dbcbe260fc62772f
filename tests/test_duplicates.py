"""No two places in the sources share ten or more identical lines, styles included."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED_LINES = 10
FOLDERS = ("src", "benchmarks", "client/src")
KINDS = (".py", ".ts", ".svelte", ".css")
IMPORT = re.compile(
    r"^[ \t]*(?:from [\w.]+ import (?:\([^)]*\)|.*)|import [\w.]+$"  # Python
    r"|(?:import|export)\b[^;'\"()]* from '.*'|import '.*')",  # TypeScript
    re.MULTILINE,
)
Line = tuple[int, str]


def sources() -> list[str]:
    """The files that git tracks; what the build makes is not among them."""
    listed = subprocess.check_output(["git", "ls-files", "--", *FOLDERS], cwd=ROOT, text=True)
    return [name for name in listed.splitlines() if name.endswith(KINDS)]


def lines(name: str) -> list[Line]:
    """The lines of a file but blank ones and imports, numbered, without their indentation."""
    text = (ROOT / name).read_text("utf-8")
    text = IMPORT.sub(lambda statement: "\n" * statement[0].count("\n"), text)
    return [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]


def repeated(files: dict[str, list[Line]]) -> Iterator[str]:
    """Every run of lines that stands in two places, as the places where it begins."""
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, content in files.items():
        for i in range(len(content) - SHARED_LINES + 1):
            run = content[i : i + SHARED_LINES]
            places[tuple(text for _, text in run)].append(f"{name}:{run[0][0]}")
    return (" ~ ".join(copies) for copies in places.values() if len(copies) > 1)


def test_the_search_finds_a_repetition() -> None:
    twice = [(n, f"line {n}") for n in range(SHARED_LINES)]
    assert list(repeated({"a": twice, "b": twice})) == ["a:0 ~ b:0"]
    assert list(repeated({"a": twice, "b": twice[1:]})) == []


def test_no_two_places_are_the_same() -> None:
    files = {name: lines(name) for name in sources()}
    assert len(files) > 200
    assert list(repeated(files)) == []
