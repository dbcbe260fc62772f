"""Where a server listens, and how it stops: it drains.

A server that is asked to end says at `/health/ready` that it is not ready, and stops to listen. It
closes its sockets in waves, so that their pages do not all come back at once, and finishes the
requests that it has. Other processes that share its listening socket take what comes next.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import math
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from headway.errors import InputError
from headway.settings import ServerSettings

SOCKETS_PER_WAVE = 50
"""Sockets closed at once; more if they would else take more than `MOST_WAVES`."""
WAVE_SECONDS = 0.1
MOST_WAVES = 25
SOCKET_MODE = 0o660
"""Who may connect to a Unix socket: the server's user and its group, to which the proxy belongs."""


def bind(settings: ServerSettings) -> list[socket.socket]:
    """Returns a socket for each address of the host, or the Unix socket.

    Explains an address that cannot be used. Nobody can connect before the server listens.
    """
    if settings.socket:
        return [_unix_socket(Path(settings.socket))]
    host, port = settings.host, settings.port
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


def _unix_socket(path: Path) -> socket.socket:
    """Returns a Unix socket; one that an ended server has left is replaced."""
    try:
        with contextlib.ExitStack() as stack:
            bound = stack.enter_context(socket.socket(socket.AF_UNIX))
            with contextlib.suppress(FileNotFoundError):
                if not stat.S_ISSOCK(path.stat().st_mode) or _listens(path):
                    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
                path.unlink()
            bound.bind(str(path))
            path.chmod(SOCKET_MODE)
            stack.pop_all()
            return bound
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("server.socket", path=path, reason=reason) from None


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


class ListeningServer(uvicorn.Server):
    """A server that tells when it listens, and drains when it is asked to end."""

    def __init__(
        self,
        config: uvicorn.Config,
        on_listening: Callable[[], None],
        on_drain: Callable[[], None],
        drain_seconds: float,
    ) -> None:
        super().__init__(config)
        self.on_listening = on_listening
        self.on_drain = on_drain
        self.drain_seconds = drain_seconds

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

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drains: is not ready, waits for the proxy, listens no more, closes what is open."""
        self.on_drain()
        await asyncio.sleep(self.drain_seconds)
        for server in self.servers:
            server.close()
        connections = self.server_state.connections
        open_sockets = [one for one in connections if isinstance(one, WebSocketsSansIOProtocol)]
        size = max(SOCKETS_PER_WAVE, math.ceil(len(open_sockets) / MOST_WAVES))
        for start in range(0, len(open_sockets), size):
            for connection in open_sockets[start : start + size]:
                connection.shutdown()
            await asyncio.sleep(WAVE_SECONDS)
        await super().shutdown(sockets)
