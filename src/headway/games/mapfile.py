"""Reads map files: checks the type of values and collects every problem with its line.

A game derives its own `Draft`, which collects problems instead of stopping at the first and builds
a map only if there are none; a `MapReader` reads and loads maps with it.
"""

from __future__ import annotations

import math
import re
import tomllib
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from headway.errors import InputError, unknown
from headway.games.box import Box, Problem
from headway.i18n import is_language

Map = TypeVar("Map")

SHARED = {
    *("no_toml", "missing", "wrong_type", "no_words", "no_number"),
    *("wrong_format", "wrong_name", "unknown_key"),
}
"""Problems of all kinds of map files; their sentences are under `map` in the catalogue."""
MOST_NUMBER = 10_000
"""The largest whole number of a map file; the rules add and multiply in 64 bits."""


class Draft(ABC, Generic[Map]):
    """A map file that is being read: its text, the parsed TOML, and the problems."""

    texts: ClassVar[str]
    """The catalogue section with the sentences for this kind of file: `board`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data: dict[str, Any] = {}
        self.problems: list[Problem] = []

    @abstractmethod
    def build(self) -> Map | None:
        """Returns the map, None if there are problems."""

    def read(self) -> Map | None:
        """Parses the text as TOML and returns the map, None if there are problems."""
        try:
            self.data = tomllib.loads(self.text)
        except ValueError as error:  # also a number with thousands of digits
            match = re.search(r"line (\d+)", str(error))
            last = self.text.count("\n") + 1
            self.problem(int(match[1]) if match else last, "no_toml", reason=error)
            return None
        return self.build()

    def problem(self, line: int, key: str, **values: object) -> None:
        """Adds a problem once; `key` is its sentence in this kind of file's texts."""
        problem = Problem(line, f"{'map' if key in SHARED else self.texts}.{key}", values)
        if problem not in self.problems:
            self.problems.append(problem)

    def sorted_problems(self) -> list[Problem]:
        """Returns all problems in the order of their lines."""
        return sorted(self.problems, key=lambda problem: (problem.line, problem.key))

    def at_most(self, section: str, key: str, count: int, most: int, **values: object) -> None:
        """Adds a problem if a section has too many entries."""
        if count > most:
            self.problem(self.line(section), key, count=count, most=most, **values)

    def head(self, file_format: str, keys: set[str]) -> None:
        """Checks the keys that all map files have, and that the file has no unknown keys."""
        if self.take(str, "format", default="") != file_format:
            self.problem(self.line("format"), "wrong_format", format=file_format)
        name = self.take(str, "name")
        if name is not None and not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            self.problem(self.line("name"), "wrong_name", name=name)
        self.translations("title")
        self.translations("note", required=False)
        self.check_keys(self.data, {"format", "name", "title", "note", *keys})

    def check_keys(self, section: Any, keys: set[str], *path: str, named: bool = False) -> None:
        """Adds a problem for every unknown key of a section or of an entry in it.

        A `named` entry may also have any language as a key.
        """
        for key in sorted(set(section) - keys) if isinstance(section, dict) else ():
            if named and is_language(key):
                continue
            line = self.line(*path, key) if len(path) < 2 else self.line(*path)
            self.problem(line, "unknown_key", name=".".join((*path, key)))

    def line(self, *path: str) -> int:
        """Returns the line of a section or of a key in it, found by text search; 1 if unknown."""
        section, key = (path[0] if len(path) > 1 else None), path[-1]
        for place in ((section, key), (path[0], None), (None, path[0])):
            if place in self._lines:
                return self._lines[place]
        return 1

    @cached_property
    def _lines(self) -> dict[tuple[str | None, str | None], int]:
        """The line of each (section, key), of each (section, None), and of keys outside of all."""
        lines: dict[tuple[str | None, str | None], int] = {}
        inside: str | None = None
        for number, content in enumerate(self.text.splitlines(), 1):
            if header := re.match(r"\s*\[\s*([\w.]+)\s*\]", content):
                inside = header[1]
                lines.setdefault((inside, None), number)
            elif key := re.match(r'\s*(?:"([^"]*)"|([\w.-]+))\s*=', content):
                lines.setdefault((inside, key[1] or key[2]), number)
        return lines

    def take(self, kind: type, *path: str, default: Any = None) -> Any:
        """Returns the value of a key; if it is missing or of a wrong type, the default.

        Then it also adds a problem, unless a missing key has a default.
        """
        value: Any = self.data
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if value is None:
            if default is None:
                self.problem(self.line(*path), "missing", name=".".join(path))
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.problem(self.line(*path), "wrong_type", name=".".join(path), kind=kind.__name__)
            return default
        return value

    def translations(self, *path: str, required: bool = True) -> dict[str, str]:
        """Returns a text by language, in at least one."""
        value = self.take(dict, *path, default=None if required else {}) or {}
        texts = {lang: text for lang, text in value.items() if is_language(lang)}
        if not all(isinstance(text, str) and text for text in texts.values()) or (
            not texts and (value or required)
        ):
            self.problem(self.line(*path), "no_words", name=".".join(path))
        return {lang: str(text) for lang, text in texts.items()}

    def number(self, *path: str, least: int = 0) -> int:
        """Returns a whole number from `least` to `MOST_NUMBER`."""
        value: int | None = self.take(int, *path)
        if value is None or is_whole(value, least):
            return least if value is None else value
        self.no_number(value, least, *path)
        return least

    def no_number(self, value: object, least: int, *path: str) -> None:
        """Adds the problem that a value is no whole number from `least` to `MOST_NUMBER`."""
        values = {"name": ".".join(path), "value": value, "least": least, "most": MOST_NUMBER}
        self.problem(self.line(*path[:2]), "no_number", **values)


class MapReader(Generic[Map]):
    """Reads the maps of a game: the shipped ones, and those that users write."""

    def __init__(self, draft: type[Draft[Map]], box: Box) -> None:
        self._draft = draft
        self._box = box
        self._shipped: dict[str, Map] = {}

    def load(self, name: str) -> Map:
        """Returns a shipped map by name, or a map from a file by path (`./mine.toml`)."""
        if name in self._shipped:
            return self._shipped[name]
        if name not in self._box.maps and not name.endswith(".toml"):
            raise unknown("format.unknown_map", self._box.maps, map=name)
        found = self.read(self._box.map_text(name))
        if name in self._box.maps:
            self._shipped[name] = found
        return found

    def read(self, text: str) -> Map:
        """Returns the map that a text describes; raises `InputError` with the first problem."""
        draft = self._draft(text)
        found = draft.read()
        if found is None:
            first, *others = draft.sorted_problems()
            reason = first.sentence()
            raise InputError("map.refused", line=first.line, reason=reason, more=len(others))
        return found

    def check(self, text: str) -> list[Problem]:
        """Returns everything that is wrong with a map file, in the order of its lines."""
        draft = self._draft(text)
        draft.read()
        return draft.sorted_problems()


def is_number(value: object) -> bool:
    """Whether a value of TOML is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value: object, least: int = 0) -> bool:
    """Whether a value of TOML is a whole number from `least` to `MOST_NUMBER`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST_NUMBER


def is_point(value: object) -> bool:
    """Whether a value of TOML is a list of two finite numbers."""
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))


def unreached(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """Returns which of the places from 0 to count - 1 no links join to place 0."""
    near: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in links:
        near[a].add(b)
        near[b].add(a)
    reached, border = {0}, [0]
    while border:
        new = near[border.pop()] - reached
        reached |= new
        border += new
    return [place for place in range(count) if place not in reached]
