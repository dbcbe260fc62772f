"""The door: what strangers may ask for where `HEADWAY_ENTRY` keeps them out.

A stranger is a guest without an account. Every route and every socket is closed to strangers unless
it says `opt=ANYBODY`: the page, its files, texts and rules, health, and the ways to an account.
"""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from headway.server.core.errors import forbidden
from headway.server.web.context import context_of

ANYBODY = {"anybody": True}
"""Marks a route, or a controller's, that strangers may use too."""


async def refuse_strangers(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuses a stranger at a route that is not for everybody."""
    if context_of(connection).stranger and not handler.opt.get("anybody"):
        raise forbidden("server.stranger")
