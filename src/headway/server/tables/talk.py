"""What people say to each other at a table: phrases, reactions, and answers to an invitation.

Nothing of that is stored: who is connected hears it. Free text is only at tables whose hosts allow
it, and `people/chat.py` keeps it.
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
Answer = Literal["looking", "learning", "not_now"]
"""What somebody does who is asked to a table: looks at the invitation, learns the game first, or
cannot come now."""
ANSWERS: tuple[str, ...] = get_args(Answer)


class NewWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say at a table."""

    what: Phrase | Reaction | Answer


class Said(msgspec.Struct, frozen=True, tag="said"):
    """Something that was said, by a seat or, to an invitation, by somebody without one (-1).

    Who has a seat answers the invitation to a rematch.
    """

    what: Phrase | Reaction | Answer
    seat: int
    name: str
    face: str


class Remark(msgspec.Struct, frozen=True, tag="remark"):
    """What a player wrote to the others."""

    id: int
    seat: int
    name: str
    text: str
    at: float


def said_at(state: TableState, guest: str, persona: Persona, word: NewWord) -> Said:
    """Returns what a guest says; phrases are for who plays, answers for who is invited."""
    seat = next(iter(state.held_by(guest)), -1)
    if seat < 0 and word.what not in ANSWERS:
        raise forbidden("server.not_at_table")
    if seat < 0 and state.started is not None:
        raise conflict("server.begun")
    return Said(word.what, seat, *persona)
