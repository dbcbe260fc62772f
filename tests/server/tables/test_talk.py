"""Phrases at a table: who may say them, who hears them, and how often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
from server.services import ON_SQLITE, Ear, Server
from server.steps import key_of

Start = Callable[..., Server]


def said_to(ear: Ear) -> dict[str, Any]:
    """The next thing that somebody says."""
    while (message := ear.hear())["type"] != "said":
        pass
    return message


@ON_SQLITE
def test_everybody_at_the_table_hears_a_phrase(server: Server) -> None:
    ann, ben, eve = server.guest("Ann"), server.guest("Ben"), server.guest("Eve")
    table = ann.set_up("me", "open")
    refused = eve.post(f"tables/{table}/say", what="well_played")
    assert key_of(refused) == (403, "server.not_at_table")
    assert eve.post(f"tables/{table}/say", what="anything else").status_code == 400
    with ann.socket(table) as ear:
        ear.table()
        assert eve.post(f"tables/{table}/say", what="not_now").is_success
        said = said_to(ear)
        assert (said["what"], said["seat"], said["name"]) == ("not_now", -1, "Eve")
        ben.join(table)
        assert ben.post(f"tables/{table}/say", what="well_played").is_success
        said = said_to(ear)
        assert (said["what"], said["seat"], said["name"]) == ("well_played", 1, "Ben")
    assert key_of(eve.post(f"tables/{table}/say", what="learning")) == (409, "server.begun")


@ON_SQLITE
def test_nobody_talks_without_end(start: Start) -> None:
    server = start(HEADWAY_RATE_LIMIT=1)
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open")
    ben.join(table)
    answers = [ben.post(f"tables/{table}/say", what="again").status_code for _ in range(12)]
    assert answers[0] == 204
    assert httpx.codes.TOO_MANY_REQUESTS in answers
