"""The example that needs nothing but the tests' packages runs; `make examples` runs all of them."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_ismcts_plays_a_game() -> None:
    words = ["--simulations", "2", "--game", "headway_ticket_to_ride(players=2)"]
    command = [sys.executable, str(EXAMPLES / "openspiel_ismcts.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.split()) == 2


def test_make_examples_runs_every_example() -> None:
    (budgets,) = (
        ast.literal_eval(node.value)
        for node in ast.parse((EXAMPLES / "check.py").read_text("utf-8")).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "BUDGETS"
    )
    assert set(budgets) == {path.name for path in EXAMPLES.glob("*.py")} - {"check.py"}
