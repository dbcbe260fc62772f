"""Broken records: refused by the library and by the command, each for its rule and at its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from games.nextstation import record_files
from reference.broken import BROKEN, Broken, Case
from support.preloaded import run

import headway


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_the_library_refuses_it(case: Case) -> None:
    broken = case.build()
    with pytest.raises(headway.HeadwayError) as refused:
        headway.replay(headway.read(broken.text))
    error = refused.value
    (many,) = headway.replay_many([broken.text])
    assert many.error
    assert (many.error.place, many.error.explain("en")) == (error.place, error.explain("en"))
    assert error.rule in case.rules
    if broken.place is not None:
        names = ("round", "turn", "seat")
        assert error.place == tuple(zip(names, broken.place, strict=True))
    for lang in ("en", "fr"):
        assert error.sentence(lang).endswith((".", "»"))
        assert error.explain(lang).count("\n") == 0


def file_name(number: int) -> str:
    return f"broken-{number}.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Broken]]:
    """All broken records as files."""
    path = tmp_path_factory.mktemp("broken")
    made = [case.build() for case in BROKEN]
    for number, broken in enumerate(made):
        path.joinpath(file_name(number)).write_text(broken.text, "utf-8")
    return path, made


def sentences(written: str) -> list[str]:
    """What a command wrote besides its progress."""
    return [line for line in written.splitlines() if not line.startswith("Replaying: ")]


def test_the_command_refuses_all_of_them_in_one_go(folder: tuple[Path, list[Broken]]) -> None:
    path, made = folder
    files = [path / file_name(number) for number in range(len(made))]
    good = record_files.FOLDER / "nl-05.json"
    result = run("replay", "--json", files[0], good, *files[1:])
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    [report] = result.stdout.splitlines()  # the good one among them
    assert json.loads(report) == record_files.expected("nl-05")
    lines = sentences(result.stderr)
    assert len(lines) == len(made) >= 25
    for file, line, case, broken in zip(files, lines, BROKEN, made, strict=True):
        where, *words = line.split(": ")
        assert where == str(file) or where.rpartition(":")[0] == str(file), case.name
        if broken.place is not None:
            place = "round {}, turn {}, seat {}".format(*broken.place)
            assert words[0] == place, case.name
        rule = next(word for word in words if not word.startswith("round "))
        assert rule in case.rules, case.name
        assert words[-1].strip(), case.name


@pytest.mark.parametrize(
    "name",
    [
        "empty file",
        "no JSON",
        "a list for a record",
        "a wrong symbol",
        "a third track",
        "five players",
    ],
)
def test_the_command_refuses_one_alone(name: str, folder: tuple[Path, list[Broken]]) -> None:
    path, _ = folder
    number = [case.name for case in BROKEN].index(name)
    result = run("replay", path / file_name(number))
    assert result.returncode == 2
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    assert any(f": {rule}: " in line for rule in BROKEN[number].rules)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = run("replay", tmp_path / "nothing.json")
    assert result.returncode == 2
    assert "nothing.json cannot be read" in result.stderr
    assert "Traceback" not in result.stderr


def test_good_games_leave_with_zero() -> None:
    names = record_files.names()
    result = run("replay", "--json", *(record_files.FOLDER / f"{n}.json" for n in names))
    assert (result.returncode, sentences(result.stderr)) == (0, [])
    reports = [json.loads(line) for line in result.stdout.splitlines()]
    assert reports == [record_files.expected(name) for name in names]
