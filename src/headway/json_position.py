"""Where in a JSON text a value stands, so that an error can be shown in its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Key = str | int
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s{}\[\],:"]+|[{}\[\],:]')


def line_of(text: str, path: Sequence[Key]) -> int:
    """The line, from 1, of the value at a path; if there is none, of the nearest one before it.

    The text is expected to be JSON; of one that is not, the answer is a guess.
    """
    target, best, line = tuple(path), 0, 1
    for path_here, at in _values(text):
        if len(path_here) >= best and _leads_to(path_here, target[: len(path_here)]):
            best, line = len(path_here), text.count("\n", 0, at) + 1
    return line


def _leads_to(path: tuple[Key, ...], target: tuple[Key, ...]) -> bool:
    """Whether a path is the one that is wanted, or of an earlier element of the same list."""
    if path == target or not path or len(path) != len(target):
        return path == target
    last, meant = path[-1], target[-1]
    earlier = isinstance(last, int) and isinstance(meant, int) and last < meant
    return earlier and path[:-1] == target[:-1]


def _values(text: str) -> Iterator[tuple[tuple[Key, ...], int]]:
    """Every value of a text, in order: its path and where it begins."""
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
