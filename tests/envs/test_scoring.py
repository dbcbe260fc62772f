"""Agents of others on fixed deals."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from headway.arena.job import open_job, play
from headway.cli.arena import score_row
from headway.envs.agents import BENCHMARKS, ProcessAgent, results, score
from headway.errors import InputError

FUNCTION = """
def act(observation, action_mask):
    return len(action_mask) - 1 - action_mask[::-1].argmax()

class Agent:
    def __call__(self, observation, action_mask):
        return act(observation, action_mask)

def infinite(observation, action_mask):
    return float("inf")

def rows(observation, action_mask):
    return "[0 1]\\n[2 3]"

number = 7
"""
PROCESS = """
import json, sys
for line in sys.stdin:
    mask = json.loads(line)["action_mask"]
    print(json.dumps({"action": len(mask) - 1 - mask[::-1].index(1)}), flush=True)
"""


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_deals_are_those_of_the_arena(name: str) -> None:
    chosen = BENCHMARKS[name]
    bots = ["random"] if chosen.opponent is None else ["random", chosen.opponent]
    job = open_job(chosen.map, bots, seed=chosen.seed)
    values = []
    for number in range(2):
        result = play(msgspec.json.encode(job), number)
        seat = result.bots.index("random")
        won = 1 / len(result.winners) if seat in result.winners else 0
        values.append(result.totals[seat] if chosen.opponent is None else won)
    assert list(results(chosen, "random", 2)) == values


def test_an_agent_is_a_function_a_class_or_a_process(tmp_path: Path) -> None:
    file, program = tmp_path / "agent.py", tmp_path / "program.py"
    file.write_text(FUNCTION)
    program.write_text(PROCESS)
    rows = [
        score_row("london", f"{file}:act", False, "board", 2, "highest"),
        score_row("london", f"{file}:Agent", False, "ahead", 2, "highest"),
        score_row("london", f"{sys.executable} {program}", True, "board", 2, "highest"),
    ]
    assert len(set(rows)) == 1
    assert rows[0].startswith("| `highest` | London | ")
    assert rows[0].endswith(" | 2 |")
    assert "0.0 ± 0.0" not in rows[0]


def test_wrong_agents_are_refused_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(FUNCTION)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("print('hello', flush=True)")
    for benchmark, agent, process, sentence in [
        ("paris", "random", False, "known are london, tokyo, ticket-to-ride"),
        ("london", f"{file}:missing", False, "cannot be started: KeyError"),
        ("london", f"{file}:number", False, "cannot be called"),
        ("london", "./no-such-program", True, "cannot be started"),
        ("london", f"{sys.executable} {wrong}", True, "not with: hello"),
        ("london", f"{sys.executable} -c pass", True, "has ended"),
        ("london", f"{file}:infinite", False, "not with: inf"),
        ("london", f"{file}:rows", False, "not with: .0 1. .2 3.$"),
    ]:
        with pytest.raises(InputError, match=sentence):
            score_row(benchmark, agent, process, "board", 1, "")


def test_a_process_that_never_answers_is_given_up() -> None:
    command = shlex.join([sys.executable, "-c", "import time; time.sleep(1e6)"])
    agent = ProcessAgent(command, seconds=0.1)
    with agent, pytest.raises(InputError, match=r"not answered for 0\.1 seconds"):
        agent(np.zeros(2, np.int8), np.ones(2, np.int8))
    assert agent.process.returncode is not None


def test_the_row_says_points_or_games_won() -> None:
    assert score(BENCHMARKS["tokyo"], "me", [1.0, 3.0]).row() == "| `me` | Tokyo | 2.0 ± 1.0 | 2 |"
    row = score(BENCHMARKS["ticket-to-ride"], "me", [1.0, 0.0]).row()
    assert row == "| `me` | Ticket to Ride | 50.0 ± 50.0% | 2 |"
