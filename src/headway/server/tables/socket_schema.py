"""Messages over the socket of a table: news from the server, a ping from the client."""

from __future__ import annotations

import msgspec

from headway.server.web.schema import ErrorBody


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Asks whether the server is there."""


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """Answers a ping, and says from time to time that the server is there."""


PONG = msgspec.json.encode(Pong())
"""The answer as it is sent; every socket also brings it from time to time, unasked."""


class RefusedMessage(msgspec.Struct, frozen=True, tag="refused"):
    """Says why a message was not understood."""

    error: ErrorBody
