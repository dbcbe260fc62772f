"""The seeds of tables: too many to try all, written so that every program reads them exactly."""

from __future__ import annotations

import pytest
from server.services import ON_SQLITE, Server, play_out

from headway import record

SEARCHABLE = 1 << 100
"""A search through this many seeds ends in no lifetime; one through 2**53 of them does."""


@ON_SQLITE
def test_nobody_can_try_all_seeds(server: Server) -> None:
    """The attack: deal from every seed until the cards are those that the table shows."""
    ann = server.guest("Ann")
    seeds = []
    for _ in range(3):
        table = ann.set_up("me")
        end = play_out(table, {0: ann}, pick=0)
        assert isinstance(end["fair"]["seed"], str)
        seeds.append(int(end["fair"]["seed"]))
        written = record.read(ann.http.get(f"/api/tables/{table}/record").content)
        assert record.verify(written).record.seed == seeds[-1]
    assert max(seeds) > SEARCHABLE


@ON_SQLITE
@pytest.mark.parametrize(
    ("chosen", "written"), [(7, 7), ("7", 7), (str(2**127), str(2**127)), ("0", 0)]
)
def test_a_chosen_seed_stays_as_it_is(
    server: Server, chosen: int | str, written: int | str
) -> None:
    ann = server.guest("Ann")
    table = ann.set_up("me", training=True, seed=chosen)
    assert play_out(table, {0: ann}, pick=0)["fair"]["seed"] == written


@ON_SQLITE
@pytest.mark.parametrize("chosen", ["", "x", "07", "1" * 60, -1, 2**53, 1.5])
def test_what_is_no_seed_is_refused(server: Server, chosen: object) -> None:
    ann = server.guest("Ann")
    body = {"game": "next-station", "map": "london", "seats": [{"kind": "me"}]}
    assert ann.post("tables", **body, training=True, seed=chosen).status_code == 400
