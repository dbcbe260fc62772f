"""What `web/protocol.py` uses of uvicorn beyond its documented interface still exists."""

from __future__ import annotations

import ast
import inspect

import pytest
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from headway.server.web.protocol import HttpConnection, SocketConnection


def names(connection: type, *, kept: bool) -> set[str]:
    """The attributes of `self` that a class sets (kept), or those that it reads and calls."""
    nodes = ast.walk(ast.parse(inspect.getsource(connection)))
    mine = [n for n in nodes if isinstance(n, ast.Attribute) and ast.unparse(n.value) == "self"]
    return {n.attr for n in mine if isinstance(n.ctx, ast.Store) == kept}


@pytest.mark.parametrize(
    ("ours", "theirs", "some"),
    [
        (HttpConnection, HttpToolsProtocol, {"cycle", "headers", "transport"}),
        (SocketConnection, WebSocketsSansIOProtocol, {"close_sent", "request", "writable"}),
    ],
)
def test_uvicorn_has_what_we_use(ours: type, theirs: type, some: set[str]) -> None:
    used = names(ours, kept=False) - names(ours, kept=True) - vars(ours).keys()
    used -= set(ours.__annotations__)
    assert some <= used
    assert used <= names(theirs, kept=True) | set(dir(theirs))


def test_methods_that_we_extend_exist() -> None:
    """Uvicorn calls them; one that it renames would never run."""
    assert {
        name
        for ours, theirs in (
            (HttpConnection, HttpToolsProtocol),
            (SocketConnection, WebSocketsSansIOProtocol),
        )
        for name in vars(ours)
        if f"super().{name}(" in inspect.getsource(ours) and not hasattr(theirs, name)
    } == set()
    assert hasattr(WebSocketsSansIOProtocol, "start_keepalive")  # replaced, not extended


def test_uvicorn_words_the_codes_that_refuse() -> None:
    assert {400, 408, 429, 431, 503} <= set(STATUS_LINE)
