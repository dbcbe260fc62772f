"""The time of events never goes back, so nobody gains time on a clock."""

from __future__ import annotations

from headway.server.core.calendar import SteadyTime
from headway.server.tables.clocks import Clock, RunningClock


class Machine:
    """A machine whose clock somebody sets."""

    def __init__(self) -> None:
        self.wall, self.monotonic = 1_000_000.0, 50.0

    def run(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds

    def time(self) -> SteadyTime:
        return SteadyTime(lambda: self.wall, lambda: self.monotonic)


def test_time_runs_on_when_the_clock_is_set_back() -> None:
    machine = Machine()
    time = machine.time()
    machine.run(10)
    assert time() == 1_000_010
    machine.wall -= 3600
    assert time() == 1_000_010
    machine.run(5)
    assert time() == 1_000_015


def test_time_follows_a_clock_that_is_set_forward() -> None:
    machine = Machine()
    time = machine.time()
    machine.wall += 3600
    assert time() == 1_003_600
    machine.run(1)
    assert time() == 1_003_601


def test_a_clock_set_back_does_not_lengthen_a_bank() -> None:
    clock = RunningClock(Clock("bank", seconds=60, increment=0))
    clock.ask([0], 1000.0, 1)
    clock.move(0, 400.0)
    clock.ask([0], 1000.0, 2)
    assert clock.ends(0) == 1060.0
