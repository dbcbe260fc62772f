"""What a package carries: nothing in it needs the tools of the tests."""

from __future__ import annotations

import tomllib
from pathlib import Path

from imports import imports

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"


def test_nothing_that_ships_imports_playwright() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    kept = [ROOT / folder for folder in wheel["targets"]["wheel"]["exclude"]]
    users = {file for file in SOURCE.rglob("*.py") if "playwright" in imports(file)}
    assert users, "the measurements of the page are gone"
    for file in users:
        assert any(folder in file.parents for folder in kept), file
