"""The port of a server: bound before anything else starts, and listened on when all is ready."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable

import uvicorn

from headway.errors import InputError


def bind(host: str, port: int) -> list[socket.socket]:
    """Returns a socket for each address of the host; explains a port that cannot be used.

    Nobody can connect before the server listens.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        return [_bound(family, address) for family, _, _, _, address in dict.fromkeys(found)]
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("server.port", host=host, port=port, reason=reason) from None


def _bound(family: socket.AddressFamily, address: object) -> socket.socket:
    with contextlib.ExitStack() as stack:
        bound = stack.enter_context(socket.socket(family))
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(address)  # type: ignore[arg-type]
        stack.pop_all()
        return bound


class ListeningServer(uvicorn.Server):
    """A server that tells when it listens."""

    def __init__(self, config: uvicorn.Config, on_listening: Callable[[], None]) -> None:
        super().__init__(config)
        self.on_listening = on_listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts the application, listens, and tells so; explains a port that others took first."""
        try:
            await super().startup(sockets)
        except OSError as error:
            await self.lifespan.shutdown()
            address = sockets[0].getsockname() if sockets else ("", 0)
            values = {"host": address[0], "port": address[1], "reason": error.strerror}
            raise InputError("server.port", **values) from None
        self.on_listening()
