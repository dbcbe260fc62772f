"""Free words at a table: who may write and read them, reports, and what goes with an account."""

from __future__ import annotations

from typing import Any

from server.services import ON_SQLITE, Guest, Server
from server.steps import claim, key_of
from sqlalchemy import select
from support.own_loop import run

from headway.server.core.database import Database, open_engine
from headway.server.core.schema import REMARKS, REPORTS

RUDE = "You play like a bus without wheels"


def write(guest: Guest, table: str, text: str) -> Any:
    return guest.post(f"tables/{table}/remarks", text=text)


def read(guest: Guest, table: str) -> list[str]:
    return [one["text"] for one in guest.ok(guest.http.get(f"/api/tables/{table}/remarks"))]


def stored(server: Server, rows: Any, table: str) -> list[Any]:
    async def look() -> list[Any]:
        database = Database(open_engine(server.backing.database))
        try:
            return list(await database.rows(select(rows).where(rows.c.table_id == table)))
        finally:
            await database.close()

    return run(look())


def test_who_plays_writes_and_reads_where_the_host_allows_it(server: Server) -> None:
    ann, ben, eve = server.guest("Ann"), server.guest("Ben"), server.guest("Eve")
    closed = ann.set_up("me", "open")
    assert key_of(write(ann, closed, "Hello")) == (409, "server.no_chat")
    table = ann.set_up("me", "open", chat=True)
    assert ann.see(table)["chat"]
    ben.join(table)
    with ann.socket(table) as player, eve.socket(table) as watcher:
        player.table()
        watcher.table()
        for text in (" ", "x" * 201):
            assert key_of(write(ben, table, text)) == (400, "server.remark_length")
        remark = ben.ok(write(ben, table, " Hello\n\u202ethere "))
        assert (remark["text"], remark["name"], remark["seat"]) == ("Hello there", "Ben", 1)
        assert player.wait(lambda message: message["type"] == "remark") == remark
        # Who only watches hears the phrase that follows, and nothing before it.
        ben.post(f"tables/{table}/say", what="hello")
        watcher.wait(lambda message: message["type"] == "said")
        assert not any(message["type"] == "remark" for message in watcher.heard)
    assert key_of(write(eve, table, "Me too")) == (403, "server.not_at_table")
    answer = eve.http.get(f"/api/tables/{table}/remarks")
    assert key_of(answer) == (403, "server.not_at_table")
    # Who has left reads on, but writes no more.
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    assert read(ben, table) == ["Hello there"]
    assert write(ben, table, "Still here").status_code == 403


def test_nobody_hears_whom_they_avoid(server: Server) -> None:
    """Who is muted does not notice; who is blocked hears nothing of the other either."""
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", chat=True)
    ben.join(table)
    ann.ok(ann.post(f"tables/{table}/seats/1/avoid", how="mute"))
    with ann.socket(table) as hers, ben.socket(table) as his:
        hers.table()
        his.table()
        write(ben, table, RUDE)
        ben.post(f"tables/{table}/say", what="again")
        ann.post(f"tables/{table}/say", what="thanks")
        his.wait(lambda message: message.get("what") == "thanks")
        hers.wait(lambda message: message.get("what") == "thanks")
        told = [[m["type"] for m in ear.heard if m["type"] != "table"] for ear in (hers, his)]
        assert told == [["said"], ["remark", "said", "said"]]
        assert (read(ann, table), read(ben, table)) == ([], [RUDE])
        ann.ok(ann.post(f"tables/{table}/seats/1/avoid", how="block"))
        write(ann, table, "Not for Ben")
        assert (read(ann, table), read(ben, table)) == (["Not for Ben"], [RUDE])


@ON_SQLITE
def test_a_report_goes_with_the_account_of_its_writer(server: Server) -> None:
    ann, ben, eve = server.guest("Ann"), server.guest("Ben"), server.guest("Eve")
    table = ann.set_up("me", "open", chat=True)
    ben.join(table)
    number = ben.ok(write(ben, table, RUDE))["id"]
    place = f"tables/{table}/remarks/{number}/report"
    for stranger in (eve, ben):  # nobody reports themselves
        assert key_of(stranger.post(place)) == (404, "server.no_remark")
    for _ in range(2):
        assert ann.post(place).status_code == 204
    (report,) = stored(server, REPORTS, table)
    assert (report.text, report.name, report.seat, report.handled) == (RUDE, "Ben", 1, None)
    claim(ben, "Ben Rude")
    (report,) = stored(server, REPORTS, table)
    assert report.other == ben.ok(ben.http.get("/api/me"))["id"]
    write(ann, table, "Bye")
    ben.ok(ben.post("account/delete", password="a long password"))
    assert stored(server, REPORTS, table) == []
    assert [row.text for row in stored(server, REMARKS, table)] == ["Bye"]


def test_nobody_writes_without_end(start: Any) -> None:
    server = start(HEADWAY_RATE_LIMIT=1)
    ann = server.guest("Ann")
    table = ann.set_up("me", "open", chat=True)
    answers = [write(ann, table, "again").status_code for _ in range(12)]
    assert (answers[0], answers[-1]) == (201, 429)
