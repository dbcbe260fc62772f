"""Where a request comes from: a client's network, also behind a proxy.

Limits count networks: an IPv4 address, or the /64 of an IPv6 address, because every customer of a
provider has at least a whole /64.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from headway.errors import InputError

IPV6_PREFIX_BITS = 64
PRIVATE_NETWORKS = (
    "127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
    "fe80::/10",
)  # fmt: skip
"""What `1` means as a proxy's networks: this machine and private networks."""

Networks = tuple[IPv4Network | IPv6Network, ...]


@lru_cache(maxsize=16)
def proxy_networks(text: str) -> Networks:
    """Returns the networks of `HEADWAY_TRUSTED_PROXY`, separated by commas; none for no proxy."""
    if text in ("", "0"):
        return ()
    parts = PRIVATE_NETWORKS if text == "1" else [part.strip() for part in text.split(",")]
    try:
        return tuple(ip_network(part) for part in parts)
    except ValueError:
        raise InputError("server.proxy_networks", value=text) from None


def is_proxy(address: str, networks: Networks) -> bool:
    """Tells whether an address belongs to a proxy's networks."""
    parsed = _parsed(address) if networks else None
    return parsed is not None and any(parsed in network for network in networks)


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Returns the network that counts as one client."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, IPV6_PREFIX_BITS), strict=False))
    return str(parsed) if parsed else address


def client_network(scope: Any, networks: Networks) -> str:
    """Returns the network of the client who asks.

    Only a proxy in one of the networks is believed. The last address of `X-Forwarded-For` is the
    one that the proxy added itself; what comes before it may be invented.
    """
    client = scope.get("client")
    peer = str(client[0]) if client else ""
    if is_proxy(peer, networks):
        sent = [value for name, value in scope["headers"] if name.lower() == b"x-forwarded-for"]
        last = b",".join(sent).decode("latin-1").rpartition(",")[2]
        forwarded = _without_port(last.strip())
        if _parsed(forwarded):
            return network_of(forwarded)
    return network_of(peer)


def _parsed(address: str) -> Any:
    """Returns an address, IPv4 also where it is written as IPv6; None if it is not one."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


def _without_port(text: str) -> str:
    """Returns the address in `1.2.3.4:5`, `[2001:db8::1]:5`, or an address without a port."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
