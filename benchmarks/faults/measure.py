"""Injects one fault after the other while people play; reports what was lost and what healed."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Iterator

from benchmarks.faults import rolling
from benchmarks.faults.faults import FAULTS, Fault
from benchmarks.faults.lab import Lab
from benchmarks.faults.workload import Ledger, audit, healed, play
from benchmarks.figure import Figure

PLAYERS = 6


class Result:
    """What a run showed: seconds to heal by fault, and acknowledged moves that are wrong."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {name: [] for name in FAULTS}
        self.acknowledged = self.unanswered = self.lost = self.doubled = 0

    @property
    def faults(self) -> int:
        """The number of faults."""
        return sum(map(len, self.seconds.values()))


async def _break(lab: Lab, fault: Fault, ledger: Ledger, chance: random.Random) -> float:
    """Injects a fault; returns the seconds from the end of its cause until every server works."""
    repaired = await asyncio.to_thread(fault, lab, chance)
    return await healed(ledger, repaired)


async def run(lab: Lab, number: int, seconds: float) -> Result:
    """Injects up to `number` faults within a time while people play."""
    chance, ledger, result = random.Random(1), Ledger(), Result()
    players = [asyncio.create_task(play(ledger, random.Random(n))) for n in range(PLAYERS)]
    began = time.monotonic()
    try:
        await healed(ledger, began)
        for name, fault in itertools.islice(itertools.cycle(FAULTS.items()), number):
            if time.monotonic() > began + seconds:
                break
            result.seconds[name].append(await _break(lab, fault, ledger, chance))
            for player in players:
                if player.done():
                    player.result()
    except asyncio.CancelledError:
        lab.closing.set()  # Ctrl-C: the thread of a fault ends soon, so the lab can be removed
        raise
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    result.acknowledged, result.unanswered = len(ledger.numbers), ledger.unanswered
    result.lost, result.doubled = await audit(ledger)
    return result


def figures(quick: bool, seconds: float = 3600.0) -> Iterator[Figure]:
    """200 faults of eight kinds, 16 in a short run, while six people play; then restarts."""
    with Lab.running() as lab:
        result = asyncio.run(run(lab, 16 if quick else 200, seconds))
    yield Figure("faults injected", result.faults, "", "≥ 200")
    yield Figure("faults: moves acknowledged", result.acknowledged, "", "")
    yield Figure("faults: moves sent again", result.unanswered, "", "")
    yield Figure("faults: acknowledged moves lost", result.lost, "", "0")
    yield Figure("faults: moves doubled", result.doubled, "", "0")
    for name, healing in result.seconds.items():
        if healing:
            healing.sort()
            yield Figure(f"{name}: half healed within", healing[len(healing) // 2], "s", "")
            yield Figure(f"{name}: all healed within", healing[-1], "s", "")
    yield from rolling.figures()
