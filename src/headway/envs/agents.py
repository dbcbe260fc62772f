"""Agents of others as bots: a Python object, or a process that speaks JSON lines; their scores.

An agent gets an observation and a mask and returns an action. As a bot it can play at any table.
"""

from __future__ import annotations

import random
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from statistics import fmean, stdev
from threading import Thread
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np

from headway.arena.job import Job, open_job, play
from headway.bots import Bot
from headway.bots.registry import failure, run_file
from headway.envs import checks
from headway.envs.encoding import Encoding, encoding_of
from headway.envs.episodes import NOTHING
from headway.errors import BotFailedError, InputError, unknown
from headway.games.contract import Move, View

ANSWER_SECONDS = 60.0
"""Seconds that a process has for an answer."""
GRACE_SECONDS = 5.0
"""Seconds that a process has to end before it is killed."""

Agent = Callable[[np.ndarray, np.ndarray], Any]
"""`agent(observation, action_mask)` returns an action; an impossible one counts as the lowest."""


class AgentBot(Bot):
    """Plays as an agent decides."""

    name = "agent"

    def __init__(self, encoding: Encoding, agent: Agent) -> None:
        super().__init__(encoding.game, random.Random(0))
        self.encoding, self.agent = encoding, agent

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        # Nothing that is sampled here has an influence on what the agent observes.
        state, chosen = self.game.resample(view, self.generator), NOTHING
        while True:
            shown = self.encoding.show(state, view.seat, chosen)
            answer = self.agent(shown.observations, shown.masks)
            try:
                wanted = checks.checked_action(answer, self.encoding.actions)
            except InputError:
                shown_answer = " ".join(str(answer).split())[:80]
                raise BotFailedError("agent.answer", answer=shown_answer) from None
            action = self.encoding.possible(state, view.seat, chosen, wanted)
            move = self.encoding.move(state, view.seat, chosen, action)
            if move is not None:
                return move
            chosen = action


def load_agent(spec: str) -> Agent:
    """Returns the agent of `FILE.py:NAME`: a function, or a class that is created and called."""
    path, _, name = spec.rpartition(":")
    try:
        thing = run_file(path)[name]
        agent = thing() if isinstance(thing, type) else thing
    except Exception as error:
        raise failure("agent.broken", error, path, agent=spec) from error
    if not callable(agent):
        raise BotFailedError("agent.no_agent", agent=spec)
    called: Agent = agent
    return called


class ProcessAgent:
    """Asks a process: a line of JSON with observation and mask, answered by one with the action."""

    def __init__(self, command: str, seconds: float = ANSWER_SECONDS) -> None:
        self.seconds, self.lines = seconds, SimpleQueue[bytes]()
        try:
            self.process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except (OSError, ValueError) as error:
            raise BotFailedError("agent.broken", agent=command, reason=error) from error
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        """Passes lines on, and nothing at the end; another thread can wait for a limited time."""
        assert self.process.stdout
        with suppress(ValueError):  # the pipe was closed
            while line := self.process.stdout.readline():
                self.lines.put(line)
        self.lines.put(b"")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            # What a process that has ended did not read is of no use.
            with suppress(OSError):
                if pipe:
                    pipe.close()

    def __call__(self, observation: np.ndarray, mask: np.ndarray) -> Any:
        question = {"observation": observation.tolist(), "action_mask": mask.tolist()}
        assert self.process.stdin
        try:
            self.process.stdin.write(msgspec.json.encode(question) + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise BotFailedError("agent.ended") from None
        try:
            line = self.lines.get(timeout=self.seconds)
        except Empty:
            raise BotFailedError("agent.silent", seconds=f"{self.seconds:g}") from None
        if not line:
            raise BotFailedError("agent.ended")
        try:
            return msgspec.json.decode(line)["action"]
        except (msgspec.DecodeError, KeyError, TypeError):
            answer = line.decode(errors="replace").strip()[:80]
            raise BotFailedError("agent.answer", answer=answer) from None


# Agents on fixed deals of the arena, so that their results can stand in one table


class Benchmark(NamedTuple):
    """Fixed deals: those that `headway arena` plays with this map and seed."""

    title: str
    map: str
    seed: int
    games: int
    opponent: str | None = None


BENCHMARKS = {
    "london": Benchmark("London", "london", 77, 1000),
    "tokyo": Benchmark("Tokyo", "tokyo", 77, 400),
    "ticket-to-ride": Benchmark("Ticket to Ride", "ticket-to-ride", 61, 1000, "driver"),
}


class AgentScore(NamedTuple):
    """The mean over all games with its standard error: points, or the share of games won."""

    name: str
    benchmark: Benchmark
    mean: float
    error: float
    games: int

    def row(self) -> str:
        """Returns the row of the table on the results page."""
        won = self.benchmark.opponent is not None
        value, error = (100 * self.mean, 100 * self.error) if won else (self.mean, self.error)
        result = f"{value:.1f} ± {error:.1f}{'%' if won else ''}"
        return f"| `{self.name}` | {self.benchmark.title} | {result} | {self.games:,} |"


def benchmark(name: str) -> Benchmark:
    """Returns a benchmark by name."""
    if name not in BENCHMARKS:
        raise unknown("agent.unknown", BENCHMARKS, name=name)
    return BENCHMARKS[name]


def encoding_for(chosen: Benchmark, observation: str) -> Encoding:
    """Returns the actions and observations that an agent of this benchmark gets."""
    return encoding_of(_job(chosen, "random").open(), observation)


def results(chosen: Benchmark, name: str, games: int, guest: Bot | None = None) -> Iterator[float]:
    """Plays the first games and yields each result: points, or 1 for a victory.

    Without a guest the name is that of a bot of `headway arena`.
    """
    job = _job(chosen, "random" if guest else name)
    sent = msgspec.json.encode(msgspec.structs.replace(job, bots=(name, *job.bots[1:])))
    for number in range(games):
        result = play(sent, number, guest)
        seat = result.bots.index(name)
        if chosen.opponent is None:
            yield float(result.totals[seat])
        else:
            yield 1 / len(result.winners) if seat in result.winners else 0.0


def score(chosen: Benchmark, name: str, played: Iterable[float]) -> AgentScore:
    """Returns the score of an agent from its results."""
    values = list(played)
    error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return AgentScore(name, chosen, fmean(values), error, len(values))


def _job(chosen: Benchmark, bot: str) -> Job:
    opponents = [] if chosen.opponent is None else [chosen.opponent]
    return open_job(chosen.map, [bot, *opponents], seed=chosen.seed)
