"""Days by the server's zone; the time of events, which never goes back: nobody gains time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from headway.server.core.calendar import Calendar, SteadyTime
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


def at(hour: int, day: int = 28) -> float:
    return datetime(2026, 3, day, hour, 30, tzinfo=UTC).timestamp()


def test_days_begin_and_end_in_the_zone_of_the_server() -> None:
    evening = Calendar(zone="Europe/Paris", clock=lambda: at(23))
    assert (Calendar(clock=lambda: at(23)).today(), evening.today()) == ("2026-03-28", "2026-03-29")
    # Summer time begins that night: the day has 23 hours.
    assert evening.end_of("2026-03-28") == datetime(2026, 3, 28, 23, tzinfo=UTC).timestamp()
    assert evening.end_of("2026-03-29") == datetime(2026, 3, 29, 22, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("hours", "idle"),
    [((0, 24), range(24)), ((0, 0), []), ((22, 6), [*range(6), 22, 23]), ((2, 4), [2, 3])],
)
def test_hours_of_idle_work(hours: tuple[int, int], idle: list[int]) -> None:
    def idle_at(hour: int) -> bool:
        return Calendar("", "UTC", hours, lambda: at(hour)).idle_now()

    assert [hour for hour in range(24) if idle_at(hour)] == list(idle)
