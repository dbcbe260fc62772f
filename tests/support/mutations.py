"""Near-valid input: good files with a few things wrong, as people and attackers make them."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]
ODD: list[Any] = [
    None, True, False, 0, -1, 1, 5, 99, 2**31, 2**53 + 1, 2**63, 2**64, 10**30, 1.5, 1e300,
    "", " ", "\0", "pass", "a0b0", "'", "\x1b[2J", "\u202e", "ﷺ" * 12, "x" * 5000, "٣", "²",
    [], [[]], [None], {}, {"a": {}}, ["pass"], [[["pass"]]],
]  # fmt: skip


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yields the path of every value inside a value."""
    yield path
    inside: Any = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, part in inside:
        yield from paths(part, (*path, key))


def mutated(value: Any, chance: random.Random, times: int = 1) -> Any:
    """Returns a copy of a JSON value with a few things changed."""
    value = copy.deepcopy(value)
    for _ in range(times):
        target = chance.choice([path for path in paths(value) if path] or [()])
        if target:
            _change(value, target, chance)
    return value


def _change(value: Any, target: Path, chance: random.Random) -> None:
    donor = chance.choice(list(paths(value)))
    borrowed = copy.deepcopy(_at(value, donor))
    parent, key = _at(value, target[:-1]), target[-1]
    match chance.randrange(6):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, list):
            parent.insert(int(key), copy.deepcopy(parent[int(key)]))
        case 2 if isinstance(parent, list):
            chance.shuffle(parent)
        case 3:
            parent[key] = borrowed
        case 4 if isinstance(parent[key], str):
            parent[key] = misspelt(parent[key], chance)
        case _:
            parent[key] = chance.choice(ODD)


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def misspelt(text: str, chance: random.Random) -> str:
    """Returns a text with one character removed, doubled, replaced or added."""
    at = chance.randrange(len(text) + 1)
    odd = chance.choice("\0\x1b\u200b\u0301ﷺé0:,-'\"\\ =[]{}\n\u202e\ud7ff\U0001f600")
    return chance.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + odd + text[at + 1 :],
            text[:at] + odd + text[at:],
            text[:at] + text[at : at + 1] + text[at:],
        ]
    )


def mutated_text(text: str, chance: random.Random) -> str:
    """Returns the text of a file with a line, a number or some characters changed."""
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines[at] = lines[chance.randrange(len(lines))]
        case 3:
            odd = json.dumps(chance.choice(ODD))
            lines[at] = re.sub(r"\d+|\"[^\"]*\"|\[.*\]", lambda _: odd, lines[at], count=1)
        case 4:
            return text[: chance.randrange(len(text))]
        case _:
            lines[at] = misspelt(lines[at], chance)
    return "".join(lines)
