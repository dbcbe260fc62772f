"""What a package carries: nothing in it needs the tools of the tests."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"


def imports(file: Path) -> set[str]:
    """The packages that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_nothing_that_ships_imports_playwright() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    kept = [ROOT / folder for folder in wheel["targets"]["wheel"]["exclude"]]
    users = {file for file in SOURCE.rglob("*.py") if "playwright" in imports(file)}
    assert users, "the measurements of the page are gone"
    for file in users:
        assert any(folder in file.parents for folder in kept), file
