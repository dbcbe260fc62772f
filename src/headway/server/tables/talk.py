"""What people say to each other at a table: phrases, reactions, and answers to an invitation.

Nothing of it is stored: who is connected hears it. There is no free text.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from headway.server.core.errors import conflict, forbidden
from headway.server.tables.setup import Persona
from headway.server.tables.state import TableState

Phrase = Literal[
    "hello", "luck", "well_played", "thanks", "sorry",
    "your_turn", "one_minute", "mind_the_gap", "close", "again",
]  # fmt: skip
Reaction = Literal[
    "thumb", "clap", "heart", "star", "laugh", "wow", "think", "sad", "cup", "bus",
]  # fmt: skip
Answer = Literal["learning", "not_now"]
"""What somebody says who has opened an invitation: learns the game first, or cannot come now."""
ANSWERS: tuple[str, ...] = get_args(Answer)


class NewWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say at a table."""

    what: Phrase | Reaction | Answer


class Said(msgspec.Struct, frozen=True, tag="said"):
    """Something that was said, by a seat or, to an invitation, by somebody without one (-1)."""

    what: Phrase | Reaction | Answer
    seat: int
    name: str
    face: str


def said_at(state: TableState, guest: str, persona: Persona, word: NewWord) -> Said:
    """Returns what a guest says; phrases are for who plays, answers for who is invited."""
    seat = next(iter(state.held_by(guest)), -1)
    if word.what in ANSWERS:
        if state.started is not None:
            raise conflict("server.begun")
    elif seat < 0:
        raise forbidden("server.not_at_table")
    return Said(word.what, seat, *persona)
