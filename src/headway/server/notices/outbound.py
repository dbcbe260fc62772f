"""Requests to addresses that strangers choose: https only, and never into a private network.

A name is resolved once, each of its addresses is checked, and the connection goes to the address
that was checked: a name that changes its address meanwhile changes nothing. No redirect is
followed.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from headway.server.core.errors import invalid
from headway.server.web.context import Networks

SECONDS = 3.0
"""How long a request may take, from the name to the answer."""
URL_LENGTH = 500
HEAD_BYTES = 16_384
NAMES_AT_ONCE = 4
"""Threads that resolve names: slow ones hold up no other work of the process."""
_TRANSLATED = tuple(map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
"""IPv6 addresses that stand for IPv4 ones, also for private ones."""

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Returns the addresses of a host."""


class Target(NamedTuple):
    """The parts of an https address."""

    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The host and the port, as the request names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 443 else f"{host}:{self.port}"


class UnreachableError(Exception):
    """Nobody answered in time, or not in HTTP."""


def target_of(url: str) -> Target:
    """Returns the parts of an https address; refuses any other."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port or 443
    except (ValueError, UnicodeError):
        raise invalid("call.url") from None
    path = parts.path or "/"
    path += f"?{parts.query}" if parts.query else ""
    plain = path.isascii() and path.isprintable() and " " not in path
    if parts.scheme != "https" or not host or parts.username is not None or not plain:
        raise invalid("call.url")
    return Target(host, port, path)


def is_public(address: Address) -> bool:
    """Tells whether an address is one of the public internet, also if it stands for another."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return is_public(address.ipv4_mapped)
        if any(address in network for network in _TRANSLATED):
            return False
    return address.is_global and not address.is_multicast


class Outbound:
    """Sends requests; `allowed` are networks of the host's own that they may go to as well."""

    def __init__(self, allowed: Networks = (), resolve: Resolve | None = None) -> None:
        self.allowed = allowed
        self.resolve = resolve or self._resolve
        self._threads = ThreadPoolExecutor(NAMES_AT_ONCE, "names")

    def close(self) -> None:
        """Ends the threads that resolve names."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def check(self, url: str) -> None:
        """Refuses an address that nothing may be sent to."""
        try:
            async with asyncio.timeout(SECONDS):
                await self._address(target_of(url))
        except (OSError, UnicodeError, TimeoutError):
            raise invalid("call.no_host") from None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Posts a body; returns the status of the answer, which is not read any further."""
        target = target_of(url)
        try:
            async with asyncio.timeout(SECONDS):
                address = await self._address(target)
                return await self._exchange(target, address, headers, body)
        except (OSError, ValueError, TimeoutError, EOFError, asyncio.LimitOverrunError) as error:
            raise UnreachableError(type(error).__name__) from None

    async def _address(self, target: Target) -> str:
        """Returns an address of the host; refuses a host with any address that is not public."""
        found = [ip_address(text) for text in await self.resolve(target.host, target.port)]
        for address in found:
            own = getattr(address, "ipv4_mapped", None) or address
            if not is_public(address) and not any(own in network for network in self.allowed):
                raise invalid("call.private")
        if not found:
            raise OSError("no address")
        return str(found[0])

    async def _resolve(self, host: str, port: int) -> list[str]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(
            self._threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        )
        return [str(address[0]).partition("%")[0] for *_, address in found]

    async def _exchange(
        self, target: Target, address: str, headers: Mapping[str, str], body: bytes
    ) -> int:
        reader, writer = await asyncio.open_connection(
            address, target.port, ssl=self._trust, server_hostname=target.host, limit=HEAD_BYTES
        )
        try:
            ours = {"host": target.authority, "content-length": str(len(body))}
            ours |= {"connection": "close", "user-agent": "Headway"}
            lines = [f"POST {target.path} HTTP/1.1"]
            lines += [f"{name}: {value}" for name, value in (ours | dict(headers)).items()]
            writer.write("\r\n".join([*lines, "", ""]).encode("ascii") + body)
            await writer.drain()
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                version, status, *_ = head.split(None, 2)
                if not version.startswith(b"HTTP/1."):
                    raise ValueError(version)
                if int(status) >= 200:
                    return int(status)
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                writer.transport.abort()

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """The authorities that this machine trusts; `SSL_CERT_FILE` names others."""
        return ssl.create_default_context()
