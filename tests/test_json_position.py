"""Lines of values in JSON texts, as errors in records name them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headway.record import Key, line_of_path

RECORDS = sorted((Path(__file__).parent / "records").glob("*/*.json"))


def leaves(value: Any, path: tuple[Key, ...] = ()) -> Iterator[tuple[tuple[Key, ...], Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from leaves(part, (*path, i))
    else:
        yield path, value


@pytest.mark.parametrize("path", RECORDS[::7], ids=lambda path: path.stem)
def test_every_value_of_a_record(path: Path) -> None:
    """With each value on a line of its own, lines come in the order of the values."""
    data = json.loads(path.read_text())
    spread = json.dumps(data, indent=1)
    lines = spread.splitlines()
    numbers = [line_of_path(spread, place) for place, _ in leaves(data)]
    assert numbers == sorted(set(numbers))
    for line, (_, value) in zip(numbers, leaves(data), strict=True):
        assert json.dumps(value) in lines[line - 1]
    written = path.read_text().splitlines()
    for place, value in leaves(data):
        assert json.dumps(value) in written[line_of_path(path.read_text(), place) - 1]


def test_what_is_not_there_is_shown_at_what_stands_before() -> None:
    text = '{\n"a": [\n 1,\n [2, 3]\n],\n"b": "x: [\\"{"\n}'
    assert line_of_path(text, ["a", 0]) == 3
    assert line_of_path(text, ["a", 1, 9]) == 4
    assert line_of_path(text, ["a", 9]) == 4
    assert line_of_path(text, ["b"]) == 6
    assert line_of_path(text, ["c"]) == 1
    assert line_of_path("", ["a"]) == 1
