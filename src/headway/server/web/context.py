"""The context of a request: who asks, from where, in which language.

Where a request comes from is a client's network, also behind a proxy. Limits count networks: an
IPv4 address, or the /64 of an IPv6 address, because every customer of a provider has at least a
whole /64.
"""

from __future__ import annotations

import secrets
import time
from functools import cached_property, lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import parse_qs

from litestar.connection import ASGIConnection

from headway.errors import InputError
from headway.i18n import SOURCE, match
from headway.server.core import metrics
from headway.server.core.log import request_line
from headway.server.core.workers import Owners
from headway.settings import ServerSettings

IPV6_PREFIX_BITS = 64
PRIVATE_NETWORKS = (
    "127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
    "fe80::/10",
)  # fmt: skip
"""What `1` means as a proxy's networks: this machine and private networks."""

UNIX_PEER = "unix"
"""The peer of a Unix socket: only a proxy on this machine can connect to it."""
Networks = tuple[IPv4Network | IPv6Network, ...]
COOKIE = "headway"
SECURE_COOKIE = "__Host-headway"
"""Over HTTPS: browsers take a cookie of this name from the very host alone, and only with HTTPS."""
SECURE_COOKIE_IN_FOLDER = "__Secure-headway"
"""The same for a folder of a host, to which the cookie's path restricts it."""
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
ANONYMOUS_PATHS = (
    "/health", "/metrics", "/assets/", "/icons/", "/manifest", "/worker.js", "/schema",
    "/robots.txt", "/favicon.ico", "/.well-known/", "/api/calendar/",
)  # fmt: skip
"""Paths at which nobody becomes a guest; requests for them do not count against a guest."""
MOST_HEADER_CHARACTERS = 4096


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
    if address == UNIX_PEER:
        return True
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
    peer = peer_of(scope.get("client"), scope.get("server"))
    if is_proxy(peer, networks):
        sent = [value for name, value in scope["headers"] if name.lower() == b"x-forwarded-for"]
        last = b",".join(sent).decode("latin-1").rpartition(",")[2]
        forwarded = _without_port(last.strip())
        if _parsed(forwarded):
            return network_of(forwarded)
    return network_of(peer)


def peer_of(client: Any, own: Any) -> str:
    """Returns the address of the other side of a connection, of two host-port pairs."""
    return str(client[0]) if client else UNIX_PEER if own and own[1] is None else ""


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


class RequestContext:
    """A request or a socket that opens, with everything the middleware found out about it."""

    def __init__(self, scope: Any, settings: ServerSettings) -> None:
        self.scope = scope
        self.id = secrets.token_hex(8).encode()
        self.status = 0
        self.guest = ""
        self.new_guest = False
        self.stranger = False
        """Whether the guest has no account on a server that lets nobody else in."""
        self.session = ""
        """The cookie of a session that began with this request."""
        self.send: Any = None
        """Sends messages over a socket, without the application's layers."""
        self.method: str = scope.get("method", "GET")
        self.path: str = scope["path"]
        self.anonymous = self.path.startswith(ANONYMOUS_PATHS)
        self._headers: dict[str, str] = {
            n.decode("latin-1").lower(): v.decode("latin-1") for n, v in scope["headers"]
        }
        networks = proxy_networks(settings.trusted_proxy)
        self.address = client_network(scope, networks)
        self.trusted = is_proxy(self.address.partition("/")[0], settings.trusted_networks)
        """Whether it comes from many people behind one address."""
        self._by_proxy = is_proxy(peer_of(scope.get("client"), scope.get("server")), networks)
        self.ignored_forwarding = "x-forwarded-for" in self._headers and not self._by_proxy
        """Whether a proxy that is not trusted said where the request comes from."""
        self.secure = self._is_secure(settings)
        self.cookie_name = _cookie_name(self.secure, settings.folder)
        self.cookie = _cookie(self.header("cookie"), self.cookie_name)
        kind, _, token = self.header("authorization").partition(" ")
        self.token = token.strip() if kind.lower() == "bearer" else None
        self._began = time.perf_counter()

    @cached_property
    def lang(self) -> str:
        """The language of the answer."""
        query = self.scope.get("query_string", b"").decode("latin-1")
        return language_of(self.header("accept-language"), query)

    @property
    def owners(self) -> Owners:
        """On whose account long work is done: all requests without a cookie are one guest's."""
        return self.address, f"new at {self.address}" if self.new_guest else self.guest

    def become(self, guest: str, session: str = "") -> None:
        """Makes the person behind this request another guest: an account, or a new guest."""
        self.guest, self.session, self.new_guest = guest, session, not session

    def forget_headers(self) -> None:
        """Frees the headers of a socket that has opened: it may stay for hours."""
        assert self.lang  # read from the headers now, and kept
        self._headers, self.scope["headers"] = {}, []

    def header(self, name: str) -> str:
        """Returns a header of the request, empty if it is missing."""
        return self._headers.get(name, "")

    @property
    def has_body(self) -> bool:
        """Whether something follows the head of the request."""
        length = self.header("content-length")
        return length not in ("", "0") or self.header("transfer-encoding") != ""

    @property
    def media_type(self) -> str:
        """What the body is said to be, without its parameters."""
        return self.header("content-type").partition(";")[0].strip().lower()

    def _is_secure(self, settings: ServerSettings) -> bool:
        """Whether the browser uses HTTPS, as the settings, the socket or a trusted proxy say."""
        said = self.header("x-forwarded-proto").strip().lower() if self._by_proxy else ""
        schemes = {settings.origin.partition(":")[0], self.scope.get("scheme"), said}
        return not schemes.isdisjoint({"https", "wss"})

    def from_own_page(self, origin: str) -> bool:
        """Tells whether the request's `Origin` is ours: the chosen one, else the request's host."""
        sent = self.header("origin")
        if origin:
            return sent == origin.rstrip("/")
        host = sent.partition("://")[2]
        return bool(host) and host == self.header("host")

    def cross_site(self, origin: str) -> bool:
        """Tells whether a browser sent this from a page that is not ours.

        Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`. Programs send neither.
        """
        site = self.header("sec-fetch-site")
        if site:
            return site not in ("same-origin", "none") and not self.from_own_page(origin)
        return bool(self.header("origin")) and not self.from_own_page(origin)

    def _whose(self) -> dict[str, str]:
        """Returns the table and the guest of a request: by them a host traces abuse."""
        parameters = self.scope.get("path_params") or {}
        table = parameters.get("table") or parameters.get("table_id")
        whose = {"table": str(table)[:16] if table else "", "guest": self.guest}
        return {name: value for name, value in whose.items() if value and not self.anonymous}

    def log(self) -> None:
        """Writes one line and counts; no query, body, cookie, name or address is in it."""
        seconds = time.perf_counter() - self._began
        kind, status = self.scope["type"], self.status or 101
        metrics.requests(kind, status).inc()
        if kind == "http":
            metrics.REQUEST_SECONDS.observe(seconds)
        if self.path.startswith("/health"):  # asked every few seconds, and nobody reads it
            return
        request_line(
            id=self.id.decode(),
            kind=kind,
            **self._whose(),
            method=self.method,
            route=self.scope.get("path_template") or "other",
            status=status,
            ms=round(seconds * 1000, 1),
        )


def context_of(connection: ASGIConnection[Any, Any, Any, Any]) -> RequestContext:
    """Returns the context that the middleware left with a request or socket."""
    context: RequestContext = connection.scope["state"]["context"]
    return context


def language_of(accept: str, query: str) -> str:
    """Returns the language of an answer: `?lang=`, else the best of `Accept-Language`."""
    if chosen := match(parse_qs(query).get("lang", [""])[0]):
        return chosen
    weighted = []
    for part in accept[:200].split(","):
        name, _, quality = part.strip().partition(";q=")
        try:
            weighted.append((-float(quality or 1), name))
        except ValueError:
            continue
    ordered = [match(name) for _, name in sorted(weighted, key=lambda pair: pair[0])]
    return next((lang for lang in ordered if lang), SOURCE)


def _cookie_name(secure: bool, folder: str) -> str:
    if not secure:
        return COOKIE
    return SECURE_COOKIE_IN_FOLDER if folder else SECURE_COOKIE


def _cookie(header: str, name: str) -> str:
    """Returns the value of a cookie; of several the last."""
    parts = header[:MOST_HEADER_CHARACTERS].split(";")
    cookies = dict(part.strip().partition("=")[::2] for part in parts)
    return cookies.get(name, "")
