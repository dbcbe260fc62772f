"""What the lobby's socket brings, and how somebody asks to be paired."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from headway.server.core.fields import Word
from headway.server.tables.clocks import Clock
from headway.server.tables.view import ListedTable


class NewSeek(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom I look for: the game, one of its maps or any, and the clock."""

    game: Word
    map: Annotated[str, Meta(max_length=40)] = ""
    clock: Clock = Clock()


class Seek(msgspec.Struct, frozen=True):
    """What I look for and since when; others who look for the same game wait in `others`."""

    game: str
    map: str
    clock: Clock
    asked: float


class LobbyNews(msgspec.Struct, frozen=True, tag="lobby"):
    """What is new in the lobby; the first message has all of it.

    `here` counts the people at this server, `seeking` those who look for each game. `open` tables
    have a free seat, `running` ones can be watched. `mine` counts the changes of my own tables.
    `seek` is what I look for; `paired` is the table that was found.
    """

    here: int | UnsetType = UNSET
    seeking: dict[str, int] | UnsetType = UNSET
    open: list[ListedTable] | UnsetType = UNSET
    running: list[ListedTable] | UnsetType = UNSET
    mine: int | UnsetType = UNSET
    seek: Seek | UnsetType | None = UNSET
    paired: str | UnsetType = UNSET
