"""Every rule has a test that names it, and no test names a rule that does not exist.

The rules are listed in `rules/*.txt`, one file for each game, a line `NS-17 some words` for each
rule. A test names those that it covers: `@pytest.mark.rule("NS-17", "NS-18")`. The marks are read
from the sources, so it does not matter which tests are run, or by how many processes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LISTS = sorted(TESTS.joinpath("rules").glob("*.txt"))


def listed(path: Path) -> list[str]:
    """The ids of a list of rules."""
    lines = path.read_text("utf-8").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


@cache
def named() -> dict[str, list[str]]:
    """All ids that tests name, each with the tests that do."""
    by_rule: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for test, rule in marks(ast.parse(path.read_text("utf-8"), str(path))):
            by_rule.setdefault(rule, []).append(f"{path.relative_to(TESTS)}::{test}")
    return by_rule


def marks(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Pairs of a test and a rule that its decorators name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and is_rule(decorator.func):
                    for argument in decorator.args:
                        yield node.name, ast.literal_eval(argument)


def is_rule(function: ast.expr) -> bool:
    """Whether this is `pytest.mark.rule`."""
    return ast.unparse(function) == "pytest.mark.rule"


def test_marks_are_read_from_the_decorators_of_tests() -> None:
    source = (
        "@pytest.mark.rule('AB-01', 'AB-02')\n@pytest.mark.slow('AB-03')\ndef test_it(): ...\n"
        "@pytest.mark.rule('AB-04')\ndef no_test(): ...\n"
    )
    assert list(marks(ast.parse(source))) == [("test_it", "AB-01"), ("test_it", "AB-02")]


def test_there_are_lists() -> None:
    assert "next-station" in {path.stem for path in LISTS}


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_a_list_has_every_rule_once(path: Path) -> None:
    rules = listed(path)
    assert rules
    assert len(set(rules)) == len(rules)


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_rule_has_a_test(path: Path) -> None:
    missing = [rule for rule in listed(path) if rule not in named()]
    assert not missing, f"no test names {', '.join(missing)}"


def test_no_test_names_an_unknown_rule() -> None:
    known = {rule for path in LISTS for rule in listed(path)}
    unknown = {rule: tests for rule, tests in named().items() if rule not in known}
    assert not unknown
