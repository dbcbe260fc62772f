"""The history of figures: what counts as worse than the last run."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.figure import Figure
from benchmarks.history import Entry, Run, append, begin, load, worse
from benchmarks.run import NONE_WORSE
from benchmarks.run import run as measure


def run(*figures: Figure, quick: bool = False, cores: int = 2) -> list[Entry]:
    return Run("2026-01-01T00:00:00+00:00", "abc1234", 0.5, cores, quick).entries(figures)


def speed(value: float, spread: float = 0.0) -> Figure:
    return Figure("speed", value, "games/s", "", spread)


@pytest.mark.parametrize(
    ("unit", "target", "more_is_better"),
    [
        ("games/s", "> 1,000", True),
        ("records/s", "", True),
        ("times", "> 1.8", True),
        ("", "≥ 200", True),
        ("ms", "< 50", False),
        ("s", "", False),
        ("MB", "flat", False),
        ("", "<= 30", False),
        ("points", "", None),
    ],
)
def test_target_or_unit_tell_which_side_is_worse(
    unit: str, target: str, more_is_better: bool | None
) -> None:
    before = run(Figure("a figure", 100, unit, target))
    fell, rose = (run(Figure("a figure", value, unit, target)) for value in (50, 200))
    assert bool(worse(before, fell)) == (more_is_better is True)
    assert bool(worse(before, rose)) == (more_is_better is False)


def test_a_figure_may_differ_by_its_spread() -> None:
    assert not worse(run(speed(100)), run(speed(96)))
    (figure,) = worse(run(speed(100)), run(speed(90)))
    assert (figure.last.value, figure.current.value, figure.spread) == (100, 90, 0.05)
    assert figure.change == pytest.approx(-0.1)


def test_the_spread_is_that_of_either_run_or_between_earlier_runs() -> None:
    assert not worse(run(speed(100, spread=0.2)), run(speed(90)))
    assert not worse(run(speed(100)), run(speed(90, spread=0.2)))
    assert not worse([*run(speed(85)), *run(speed(100))], run(speed(90)))
    older = [entry for value in (50, 100, 100, 100, 100, 100, 100) for entry in run(speed(value))]
    assert worse(older, run(speed(90)))


def test_only_runs_of_the_same_kind_are_compared() -> None:
    assert not worse([], run(speed(1)))
    assert not worse(run(speed(100), quick=True), run(speed(50)))
    assert not worse(run(speed(100), cores=8), run(speed(50)))
    assert not worse(run(Figure("other", 100, "games/s", "")), run(speed(50)))
    history = [*run(speed(100)), *run(speed(50)), *run(speed(300), quick=True)]
    assert not worse(history, run(speed(49)))


def test_a_figure_that_should_be_nought_is_worse_with_any_value() -> None:
    lost = [run(Figure("moves lost", value, "", "0")) for value in (0, 1)]
    assert [bool(worse(lost[0], now)) for now in lost] == [False, True]


def test_the_file_grows_and_forgives_a_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "bench" / "history.jsonl"
    assert load(path) == []
    append(path, run(speed(100)))
    with path.open("ab") as file:
        file.write(b'{"date": "2026-01\n')
    append(path, run(speed(90, spread=0.01)))
    assert load(path) == [*run(speed(100)), *run(speed(90, spread=0.01))]


def test_the_command_tells_what_got_worse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, values = tmp_path / "history.jsonl", iter([100.0, 98.0, 50.0])
    printed = []
    for _ in range(3):
        measure([lambda: iter([speed(next(values))])], quick=True, output=None, history=path)
        printed.append(capsys.readouterr().out)
    assert [NONE_WORSE in text for text in printed] == [True, True, False]
    assert "-49%" in printed[2]
    assert [entry.value for entry in load(path)] == [100, 98, 50]


def test_a_run_knows_its_circumstances() -> None:
    now = begin(quick=True)
    assert now.quick
    assert now.cores >= 1
    assert now.load >= 0
    assert now.date.startswith("20")
