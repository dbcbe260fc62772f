"""Messages over the socket of a table."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from headway.server.fields import ClientId, MoveText, SeatNumber
from headway.server.http.schema.errors import ErrorBody
from headway.server.play.messages import Online, TableNow


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Is anybody there?"""


class SocketMove(msgspec.Struct, frozen=True, tag="move"):
    """A move over the socket, as `NewMove`."""

    seat: SeatNumber
    move: MoveText
    client_id: ClientId
    number: Annotated[int, Meta(ge=0)] | None = None


FromClient = Ping | SocketMove


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """Yes."""


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The move is in the table's record."""

    client_id: str
    number: int


class RefusedMove(msgspec.Struct, frozen=True, tag="refused"):
    """A message that came to nothing, and why."""

    error: ErrorBody
    client_id: str | UnsetType = UNSET


FromServer = TableNow | Online | Pong | Done | RefusedMove
