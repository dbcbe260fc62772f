"""Fields that come from outside: how long a text may be, how many a list may have."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

NAME_LENGTH = 40
MOVE_LENGTH = 200
REMARK_LENGTH = 200
RECORD_LENGTH = 40_000
MOST_WRITTEN = 400
"""Deals of a paper game, and moves of one of its sheets."""
MOST_SEATS = 8

Name = Annotated[str, Meta(max_length=4 * NAME_LENGTH)]
"""A name as somebody types it; `clean_name` measures it when it is normalised."""
Face = Annotated[str, Meta(pattern=r"^[0-9]{5}$")]
"""What a person looks like: five digits, which the client draws."""
RemarkText = Annotated[str, Meta(min_length=1, max_length=4 * REMARK_LENGTH)]
"""A remark as somebody types it, measured like a name."""
Word = Annotated[str, Meta(min_length=1, max_length=40)]
MoveText = Annotated[str, Meta(min_length=1, max_length=MOVE_LENGTH)]
ClientId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Password = Annotated[str, Meta(max_length=200)]
