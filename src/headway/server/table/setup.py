"""What a host asks for when a table is set up."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from headway.server.fields import MOST_SEATS, Name, Word
from headway.server.table.clocks import Clock


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit there: me (several times at one screen), a bot, or whoever comes."""

    kind: Literal["me", "bot", "open"]
    bot: Word | None = None
    name: Name | None = None


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up. A seed can be chosen in training games only."""

    game: Word
    map: Word
    seats: Annotated[list[NewSeat], Meta(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[dict[Word, bool], Meta(max_length=16)] = {}
    clock: Clock = Clock()
    training: bool = False
    public: bool = False
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)] | None = None
