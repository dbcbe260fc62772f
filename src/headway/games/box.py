"""A box: what is known of a game before its map, seats and options are chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from headway.errors import InputError, shown, whole
from headway.files import read_text
from headway.games.contract import Game, MapData, View
from headway.i18n import say


@dataclass(frozen=True)
class Problem:
    """A problem in a map file: its line (from 1) and a text of the catalogue."""

    line: int
    key: str
    values: Mapping[str, object]

    def sentence(self, lang: str | None = None) -> str:
        """Returns the description of the problem."""
        return say(self.key, lang, **self.values)


class BoxParts(NamedTuple):
    """What a box needs of its game's rules and presentation, which take time to load."""

    opener: Any
    """`opener(map, seats, options) -> Game`; raises an error that says what is wrong."""
    check_map: Callable[[str], list[Problem]]
    map_facts: Callable[[str, str | None], list[str]]
    view: type[View]
    map_data: type[MapData]


@dataclass(frozen=True)
class Box:
    """A game before its map, seats and options are chosen."""

    name: str
    """The game's name in records: `next-station`."""
    seats: range
    options: tuple[str, ...]
    default_map: str
    aliases: tuple[str, ...]
    """Other names that `headway play` accepts."""
    map_command: str
    """The command for its maps: `headway city check`."""
    map_format: str
    """The `format` of its map files."""
    map_folder: Path
    """The folder of the shipped maps' files."""
    opponent: str
    """The bot that fills the seats of a table with too few players."""
    parts: Callable[[], BoxParts]
    """Loads the game; everything else in a box is there without its rules."""
    never_together: tuple[tuple[str, str], ...] = ()
    """Pairs of options that exclude each other."""
    on_paper: bool = False
    """Whether it is played with pencils on sheets that do not interact.

    Such a game can be printed (`Presentation.blank_sheet`) and entered sheet by sheet (`paper.py`).
    """

    @cached_property
    def maps(self) -> tuple[str, ...]:
        """The names of the shipped maps."""
        return tuple(sorted(file.stem for file in self.map_folder.glob("*.toml")))

    @property
    def view(self) -> type[View]:
        """The class of its views."""
        return self.parts().view

    @property
    def map_data(self) -> type[MapData]:
        """The class of its map data."""
        return self.parts().map_data

    def check_map(self, text: str) -> list[Problem]:
        """Returns everything that is wrong with a map file's text."""
        return self.parts().check_map(text)

    def map_text(self, map: str) -> str:  # noqa: A002 (a public keyword)
        """Returns the file of a map: a shipped one by its name, another one by its path."""
        return read_text(self.map_folder / f"{map}.toml" if map in self.maps else Path(map))

    def map_facts(self, map: str, lang: str | None = None) -> list[str]:  # noqa: A002
        """Describes a map in a few lines of text."""
        return self.parts().map_facts(map, lang)

    def open(
        self,
        map: str,  # noqa: A002 (a public keyword)
        seats: int = 1,
        options: Mapping[str, bool] | None = None,
    ) -> Game:
        """Returns the game with this map, seats and options."""
        seats, options = whole("seats", seats), options or {}
        for name, value in options.items():
            if not isinstance(value, bool):
                raise InputError("format.option_value", option=name, given=shown(value))
        game: Game = self.parts().opener(map, seats, dict(options))
        return game
