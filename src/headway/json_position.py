"""Finds the line of a value in a JSON text, for errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Key = str | int
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s{}\[\],:"]+|[{}\[\],:]')


def line_of(text: str, path: Sequence[Key]) -> int:
    """Returns the line, from 1, of the value at a path, or of the nearest value before it.

    For a text that is not JSON, the result is a guess.
    """
    target, best, line = tuple(path), 0, 1
    for path_here, at in _values(text):
        if len(path_here) >= best and _leads_to(path_here, target[: len(path_here)]):
            best, line = len(path_here), text.count("\n", 0, at) + 1
    return line


def _leads_to(path: tuple[Key, ...], target: tuple[Key, ...]) -> bool:
    """Whether a path is the target, or an earlier element of the same list."""
    if path == target or not path or len(path) != len(target):
        return path == target
    last, meant = path[-1], target[-1]
    earlier = isinstance(last, int) and isinstance(meant, int) and last < meant
    return earlier and path[:-1] == target[:-1]


def _values(text: str) -> Iterator[tuple[tuple[Key, ...], int]]:
    """Yields every value of a text in order: its path and its offset."""
    path: list[Key] = []
    kinds: list[str] = []
    key: Key = ""
    named = False
    for token in _TOKEN.finditer(text):
        token_text = token.group()
        if token_text in "}]":
            if kinds:
                kinds.pop()
                key = path.pop() if path else ""
        elif token_text == ",":
            named = False
            if kinds and kinds[-1] == "[" and isinstance(key, int):
                key += 1
        elif token_text == ":":
            named = True
        elif kinds and kinds[-1] == "{" and not named:
            key = token_text[1:-1]
        else:
            here = (*path, key) if kinds else ()
            yield here, token.start()
            if token_text in "{[":
                if kinds:
                    path.append(key)
                kinds.append(token_text)
                key, named = (0 if token_text == "[" else ""), False
