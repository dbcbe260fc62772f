"""`headway admin`: what operators do reaches every process, tables in memory and open sockets."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.commands import done, headway, refused
from server.services import ON_SQLITE, Backing, Guest, Server, until
from server.steps import PASSWORD, claim, key_of, sign_in
from sqlalchemy import Connection, create_engine, insert, text
from support.own_loop import run

from headway.server.admin.operator import waste
from headway.server.admin.people import find, known_of, people
from headway.server.core.database import open_engine
from headway.server.core.schema import ANSWERS, AVOIDED, GUESTS, METADATA, WEBHOOKS
from headway.server.people.names import looks
from headway.server.people.store import OWNED

Start = Callable[..., Server]
Admin = Callable[..., str]
WASTE = "tables", "guests", "reviews", "reports"


@pytest.fixture
def admin(backing: Backing) -> Admin:
    """Runs `headway admin`; returns what it prints."""
    return lambda *words: done(headway(backing, "admin", *words)).stdout


@pytest.fixture
def servers(start: Start, backing: Backing) -> list[Server]:
    """All processes of a server: with SQLite one."""
    return [start() for _ in range(2 if backing.channels else 1)]


def test_a_deleted_table_is_gone_in_every_process(servers: list[Server], admin: Admin) -> None:
    ann = servers[0].guest("Ann")
    table = ann.set_up("me", "greedy")
    watchers = [server.guest() for server in servers]
    with watchers[-1].socket(table) as ear:
        assert ear.table()["id"] == table
        admin("tables", "delete", table, "--yes")
        with pytest.raises(Exception, match=r"1000|1005|1006|44|close"):
            ear.wait(lambda message: False)
    for guest in (ann, *watchers):
        answer = guest.http.get(f"/api/tables/{table}")
        assert key_of(answer) == (404, "server.no_table")
    assert key_of(ann.try_move(table, 0, "pass")) == (404, "server.no_table")
    refused(headway(servers[0].backing, "admin", "tables", "end", table, "--yes"), table)
    for server in servers:
        assert server.errors() == []


def test_an_ended_table_stands_still(servers: list[Server], admin: Admin) -> None:
    ann, ben = servers[0].guest("Ann"), servers[-1].guest("Ben")
    table = ann.set_up("me", "open")
    ben.join(table)
    ann.move(table, 0)
    with ben.socket(table) as ear:
        ear.table()
        assert "Ann" in admin("tables", "list", "--phase", "running")
        assert json.loads(admin("tables", "end", table, "--yes", "--json")) == {"id": table}
        ended = ear.wait(lambda message: message.get("table", {}).get("ended"))
        assert ended["table"]["legal"] == {"1": []}
    assert key_of(ben.try_move(table, 1, "pass")) == (409, "server.ended")
    assert not ben.see(table)["finished"]
    assert json.loads(admin("tables", "show", table, "--json"))["phase"] == "ended"


def test_banned_people_look_on_only(servers: list[Server], admin: Admin) -> None:
    claim(rude := servers[0].guest(), "Rude")
    ann = servers[-1].guest("Ann")
    table = ann.set_up("me", "open")
    rude.join(table)
    with rude.socket(table) as ear:
        ear.table()
        banned = json.loads(
            admin("people", "ban", "rude", "--for", "7d", "--reason", "Insults.", "--yes", "--json")
        )
        assert (banned["id"], banned["name"]) == (rude.id, "Rude")
        assert banned["until"] > time.time() + 6 * 86_400
        with pytest.raises(Exception, match=r"1000|1005|1006|close"):
            ear.wait(lambda message: False)
    for server in servers:
        answer = until(partial(refused_as_banned, rude.moved_to(server), table))
        assert "Insults." in answer.json()["error"]["sentence"]
    seat = ann.see(table)["seats"][1]
    assert seat["bot"]  # nobody waits for them
    assert rude.see(table)["number"] >= 2
    shown = json.loads(admin("people", "list", "--banned", "--json"))
    assert [person["name"] for person in shown] == ["Rude"]
    admin("people", "unban", "Rude")
    until(lambda: rude.post("tokens", name="x").status_code == 201)


def refused_as_banned(guest: Guest, table: str) -> httpx.Response | None:
    answer = guest.try_move(table, 1, "pass")
    return answer if key_of(answer) == (403, "server.banned_until") else None


def test_accounts_are_helped(servers: list[Server], admin: Admin, tmp_path: Path) -> None:
    claim(nina := servers[0].guest(), "Nina")
    table = nina.set_up("me")
    fresh = json.loads(admin("people", "password", "nina", "--generate", "--json"))["password"]
    assert not me(nina)["account"]
    wrong = servers[-1].guest().post("account/session", name="Nina", password=PASSWORD)
    assert key_of(wrong) == (403, "server.sign_in")
    sign_in(nina, "Nina", fresh)
    other = servers[0].guest("Nora")
    sat = other.set_up("me", "open")
    renamed = json.loads(admin("people", "rename", "Nina", "Nora", "--json"))
    assert renamed == {"id": nina.id, "name": "Nora", "before": "Nina"}
    assert (me(nina)["name"], nina.see(table)["seats"][0]["name"]) == ("Nora", "Nora")
    assert other.see(sat)["seats"][0]["name"] != "Nora"  # the name is an account's now
    admin("people", "export", "Nora", tmp_path / "nora.json")
    known = json.loads((tmp_path / "nora.json").read_text())
    assert [row["id"] for row in known["tables"]] == [table]
    assert json.loads(admin("people", "sign-out", "Nora", "--json"))["ended"] == 1
    assert not me(nina)["account"]
    admin("people", "delete", "Nora", "--yes")
    assert key_of(nina.http.get(f"/api/tables/{table}")) == (404, "server.no_table")
    acts = json.loads(admin("log", "--json"))
    mine = [act["act"] for act in acts if act["subject"] == known["person"]["id"]]
    assert mine == [
        "person.delete", "person.sign_out", "export", "person.rename", "person.password",
    ]  # fmt: skip
    assert all(act["operator"] and act["at"] for act in acts)
    assert [act["number"] for act in acts] == list(range(len(acts), 0, -1))


def test_a_notice_reaches_everybody(servers: list[Server], admin: Admin) -> None:
    guests = [server.guest() for server in servers]
    table = guests[0].set_up("me")
    with guests[-1].socket(table) as ear:
        ear.table()
        admin("notice", "set", "Maintenance at 22:00", "--for", "2h")
        news = ear.wait(lambda message: message.get("notice"))
    for guest in guests:
        answer = until(partial(noticed, guest))
        assert answer["number"] == news["notice"]
        assert answer["text"] == "Maintenance at 22:00"
        assert guest.http.get("/api/me").headers["headway-notice"] == str(news["notice"])
    admin("notice", "clear")
    for guest in guests:
        until(partial(unnoticed, guest))


def noticed(guest: Guest) -> Any:
    notice = guest.ok(guest.http.get("/api/operator/notice"))
    return notice if notice["number"] else None


def unnoticed(guest: Guest) -> bool:
    return not noticed(guest)


def me(guest: Guest) -> Any:
    return guest.ok(guest.http.get("/api/me"))


def test_reports(admin: Admin, servers: list[Server]) -> None:
    ann, ben = servers[0].guest("Ann"), servers[-1].guest("Ben")
    table = ann.set_up("me", "open", chat=True)
    ben.join(table)
    remarks = f"tables/{table}/remarks"
    number = ben.ok(ben.post(remarks, text="Go home by bus"))["id"]
    assert ann.post(f"{remarks}/{number}/report").status_code == 204
    (report,) = json.loads(admin("reports", "list", "--json"))
    assert (report["other"], report["text"], report["handled"]) == (ben.id, "Go home by bus", None)
    assert ben.id in admin("reports", "show", report["id"])
    handled = json.loads(admin("reports", "handle", report["id"], "--remove", "--json"))
    assert handled == {"id": report["id"], "removed": True}
    assert json.loads(admin("reports", "list", "--json")) == []
    assert len(json.loads(admin("reports", "list", "--all", "--json"))) == 1
    assert ann.ok(ann.http.get(f"/api/{remarks}")) == []
    assert json.loads(admin("log", "--json"))[0]["act"] == "report.handle"


@ON_SQLITE
def test_one_sentence_for_what_is_wrong(backing: Backing, servers: list[Server]) -> None:
    servers[0].guest("Twin")
    servers[0].guest("Twin")
    for words, said in {
        ("people", "show", "nobody at all"): "nobody at all",
        ("people", "show", "Twin"): "Several",
        ("people", "password", "Twin", "--generate"): "Several",
        ("tables", "show", "nowhere"): "nowhere",
        ("tables", "delete", "nowhere", "--yes"): "nowhere",
        ("notice", "set", "x", "--for", "soon"): "soon",
        ("notice", "set", " "): "characters",
        ("invitations", "revoke", "12345678"): "12345678",
        ("reports", "show", "77"): "77",
        ("people", "unban", "Twin"): "Several",
    }.items():
        refused(headway(backing, "admin", *words), said)
    table = servers[0].guest().set_up("me")
    refused(headway(backing, "admin", "tables", "delete", table), "--yes")


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    nowhere = Backing("sqlite", f"sqlite:///{tmp_path / 'none.sqlite'}", "")
    refused(headway(nowhere, "admin", "people", "list"), "none.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_housekeeping(backing: Backing, servers: list[Server], admin: Admin) -> None:
    old, new = servers[0].guest("Long Gone"), servers[0].guest("Newcomer")
    never, kept = old.set_up("me", "open"), new.set_up("me", "open")
    played = old.set_up("me")
    account = claim(servers[0].guest(), "Old Friend").id
    year = time.time() - 400 * 86_400
    long_ago = {
        "events": f"at = {year}",
        "tables": f"changed = {year}, created = {year}",
    }
    for table, change in long_ago.items():
        key = "id" if table == "tables" else "table_id"
        execute(backing, f"UPDATE {table} SET {change} WHERE {key} IN ('{never}', '{played}')")
    execute(backing, f"UPDATE guests SET created = {year} WHERE id IN ('{old.id}', '{account}')")
    execute(
        backing,
        "INSERT INTO reviews (key, engine, owner, asked, record, holder, lease, done, total,"
        f" failed, finished, content) VALUES ('sent', 'x', 'me', {year}, '', '', 0, 0, 0, 0,"
        " true, '')",
    )
    for handled in ("NULL", f"{time.time()}", f"{year}"):
        execute(
            backing,
            "INSERT INTO reports (guest, other, name, table_id, seat, text, said, at, handled)"
            f" VALUES ('a', 'b', 'Ben', '{kept}', 1, 'Rude', {year}, {year}, {handled})",
        )
    dry = json.loads(admin("housekeeping", "--dry-run", "--json"))
    assert [dry[kind] for kind in WASTE] == [1, 1, 1, 1]
    assert old.see(played)["seats"][0]["mine"]
    done_for = json.loads(admin("housekeeping", "--yes", "--json"))
    assert [done_for[kind] for kind in WASTE] == [1, 1, 1, 1]
    left = json.loads(admin("reports", "list", "--all", "--json"))
    assert [report["table_id"] for report in left].count(kept) == 2
    assert done_for["after"] > 0
    for table in (never, played):
        assert key_of(old.http.get(f"/api/tables/{table}")) == (404, "server.no_table")
    assert new.see(kept)["seats"][0]["mine"]
    again = json.loads(admin("housekeeping", "--dry-run", "--json"))
    assert [again[kind] for kind in WASTE] == [0, 0, 0, 0]
    done(headway(backing, "doctor"))


def execute(backing: Backing, statement: str) -> None:
    async def work() -> None:
        engine = open_engine(backing.database)
        async with engine.begin() as connection:
            await connection.execute(text(statement))
        await engine.dispose()

    run(work())


@pytest.fixture
def connection() -> Iterator[Connection]:
    """An empty database in memory."""
    with create_engine("sqlite://").begin() as connection:
        METADATA.create_all(connection)
        yield connection


def named(connection: Connection, guest: str, name: str, created: float = 0.0) -> None:
    values = {"id": guest, "name": name, "created": created, **looks(name)._asdict()}
    connection.execute(insert(GUESTS).values(**values))


def test_small_letters_find_a_name(connection: Connection) -> None:
    named(connection, "emile", "Émile Zola")
    named(connection, "zoe", "Zoe")
    for search, found in {"émi": ["emile"], "ZOL": ["emile"], "zo": ["emile", "zoe"]}.items():
        listed = people(connection, search=search, banned=False, most=9)
        assert sorted(one.id for one in listed) == found


def test_who_solves_puzzles_is_not_gone(connection: Connection) -> None:
    now = time.time()
    for guest, answered in {"solver": now - 86_400, "gone": now - 380 * 86_400}.items():
        named(connection, guest, guest, now - 400 * 86_400)
        row = {"guest": guest, "puzzle": "p", "at": answered, "solved": True}
        connection.execute(insert(ANSWERS).values(**row))
    assert waste(connection, now).guests == ["gone"]


def test_nothing_about_a_person_is_forgotten(connection: Connection) -> None:
    """Every column that names somebody is deleted with an account, or leads to a nameless one."""
    names = {"guest", "other", "owner", "who", "host", "former"}
    personal = {c for table in METADATA.sorted_tables for c in table.c if c.name in names}
    personal.add(GUESTS.c.id)
    handed_over = {f"{column.table.name}.{column.name}" for column in personal - set(OWNED)}
    assert handed_over == {
        "events.guest", "handovers.guest", "results.guest", "seats.former", "seats.guest",
        "tables.host",
    }  # fmt: skip
    named(connection, "ann", "Ann")
    avoided = {"how": "mute", "name": "Somebody"}
    connection.execute(insert(AVOIDED).values(guest="ann", other="ben", **avoided))
    connection.execute(insert(AVOIDED).values(guest="ben", other="ann", **avoided))
    hook = {"url": "https://ann.example", "secret": "of-the-hook", "lang": "en", "failures": 0}
    connection.execute(insert(WEBHOOKS).values(guest="ann", **hook))
    known = known_of(connection, find(connection, "ann"))
    assert {column.table.name for column in personal} - {"handovers", "seats"} <= set(known)
    assert [row["other"] for row in known["avoided"]] == ["ben"]
    assert known["webhooks"][0]["url"] == "https://ann.example"
    assert "of-the-hook" not in repr(known)
