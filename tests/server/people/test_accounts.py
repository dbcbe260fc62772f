"""Accounts: claimed by a guest, used on several devices, deleted with all that they know."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from argon2 import PasswordHasher
from server.services import ON_SQLITE, PATIENT, Backing, Guest, Server, play_out, until
from server.steps import PASSWORD, became, claim, key_of, sign_in, whole_database
from support.own_loop import run

from benchmarks.attacks import copy_table
from headway.server.core.calendar import Calendar
from headway.server.core.database import Database, open_engine
from headway.server.core.errors import RefusedError
from headway.server.core.migrations import upgrade
from headway.server.people.accounts import Accounts
from headway.server.people.guests import Guests
from headway.server.people.store import TABLES_PER_HANDOVER, AccountStore
from headway.server.tables.authority import TableAuthority
from headway.server.tables.store import TableStore

Start = Callable[..., Server]


def me(guest: Guest) -> Any:
    return guest.ok(guest.http.get("/api/me"))


def test_claimed_on_one_device_and_used_on_another(server: Server) -> None:
    phone, laptop = server.guest("Nina"), server.guest()
    alone = phone.set_up("me")
    phone.move(alone, 0)
    claim(phone, "Nina of Nice")
    token = phone.ok(phone.post("tokens", name="bot"))["token"]
    assert me(phone)["account"]
    assert phone.see(alone)["seats"][0]["mine"]
    phone.move(alone, 0)
    here = laptop.set_up("me")
    laptop.move(here, 0)
    sign_in(laptop, "nina OF  nice")
    assert me(laptop) == me(phone)
    assert {table["id"] for table in laptop.http.get("/api/tables?which=mine").json()} == {
        alone,
        here,
    }
    laptop.move(alone, 0)
    phone.move(here, 0)  # what the laptop's guest had begun came along
    with httpx.Client(
        base_url=server.url, headers={"authorization": f"Bearer {token}"}, **PATIENT
    ) as bot:
        assert bot.get("/api/me").json()["id"] == phone.id
        answer = bot.post("/api/account/delete", json={"password": PASSWORD})
        assert key_of(answer) == (403, "server.token_account")


def test_cookie_of_the_guest_is_worth_nothing_afterwards(server: Server) -> None:
    guest = server.guest()
    table = guest.set_up("me")
    stolen = dict(guest.http.cookies)
    claim(guest, "Careful")
    assert guest.http.cookies["headway"] != stolen["headway"]
    with httpx.Client(base_url=server.url, cookies=stolen, **PATIENT) as thief:
        assert not thief.get(f"/api/tables/{table}").json()["seats"][0]["mine"]
        assert not thief.get("/api/me").json()["account"]


def test_signing_out_ends_the_session(server: Server) -> None:
    guest = claim(server.guest(), "Leaving")
    account, kept = guest.id, dict(guest.http.cookies)
    became(guest, guest.http.delete("/api/account/session"))
    assert not me(guest)["account"]
    with httpx.Client(base_url=server.url, cookies=kept, **PATIENT) as again:
        assert again.get("/api/me").json()["id"] not in (account, guest.id)


def test_changing_the_password_signs_other_devices_out(server: Server) -> None:
    one = claim(server.guest(), "Anxious")
    two = sign_in(server.guest(), "Anxious")
    table = one.set_up("me", "greedy")
    account = one.id
    with two.socket(table) as ear:
        assert ear.table()["seats"][0]["mine"]
        wrong = one.post("account/password", old="not the password", new="another one")
        assert key_of(wrong) == (403, "server.wrong_password")
        became(one, one.post("account/password", old=PASSWORD, new="another password"))
        with pytest.raises(Exception, match=r"1000|1005|1006|close"):
            ear.wait(lambda message: False)
    assert me(one)["id"] == account
    assert me(two)["id"] != account
    assert key_of(server.guest().post("account/session", name="Anxious", password=PASSWORD)) == (
        403,
        "server.sign_in",
    )
    sign_in(two, "Anxious", "another password")


@pytest.mark.parametrize("name", ["Zoë", "zoë", "ＺＯË", "Zoe\u0308", " ZOË "])
def test_names_that_read_the_same_are_one(server: Server, name: str) -> None:
    claim_first = server.guest().post("account", name="Zoë", password=PASSWORD)
    assert claim_first.status_code in (201, 409)
    answer = server.guest().post("account", name=name, password=PASSWORD)
    assert key_of(answer) == (409, "server.name_taken")


def test_two_claim_a_name_at_once(server: Server) -> None:
    guests = [server.guest() for _ in range(4)]

    def work(guest: Guest) -> int:
        return guest.post("account", name="Popular", password=PASSWORD).status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(work, guests)) == [201, 409, 409, 409]


@pytest.mark.parametrize(
    ("name", "password", "key"),
    [
        ("Somebody", "seven77", "server.password"),
        ("a/b", PASSWORD, "server.account_name"),
        ("..", PASSWORD, "server.account_name"),
        ("½", PASSWORD, "server.account_name"),
        ("", PASSWORD, "server.no_name"),
    ],
)
def test_what_cannot_be_claimed(server: Server, name: str, password: str, key: str) -> None:
    assert key_of(server.guest().post("account", name=name, password=password)) == (400, key)


def test_an_account_is_renamed_and_claims_nothing_more(server: Server) -> None:
    claim(server.guest(), "Occupied")
    guest = claim(server.guest(), "Before")
    assert key_of(guest.http.patch("/api/me", json={"name": "occupied"}))[0] == 409
    assert guest.ok(guest.http.patch("/api/me", json={"name": "After"}))["name"] == "After"
    assert server.guest().http.get("/api/people/before").status_code == 404
    assert server.guest().http.get("/api/people/after").json()["name"] == "After"
    assert key_of(guest.post("account", name="More", password=PASSWORD))[0] == 409


def test_a_guest_cannot_pass_for_an_account(server: Server) -> None:
    owner = claim(server.guest(), "Original")
    guest = server.guest()
    assert key_of(guest.http.patch("/api/me", json={"name": "ORIGINAL"})) == (
        409,
        "server.name_taken",
    )
    table = owner.set_up("me", "open", "open")
    refused = guest.post(f"tables/{table}/join", seat=1, name="original")
    assert key_of(refused) == (409, "server.name_taken")
    joined = guest.post(f"tables/{table}/join", seat=1, name="Another").json()
    assert [seat["name"] for seat in joined["seats"][:2]] == ["Original", "Another"]


def test_unknown_name_and_wrong_password_look_the_same(server: Server) -> None:
    claim(server.guest(), "Secretive")
    guest = server.guest()
    answers = [
        guest.post("account/session", name=name, password="a wrong password")
        for name in ("Secretive", "Nobody at all")
    ]
    assert key_of(answers[0]) == (403, "server.sign_in")
    assert answers[0].text == answers[1].text


class CountingHasher(PasswordHasher):
    """Hashes as ever, and notes how many passwords it has checked."""

    checked = 0

    def verify(self, hashed: str | bytes, password: str | bytes) -> Literal[True]:
        self.checked += 1
        return super().verify(hashed, password)


def test_unknown_name_takes_the_same_work(backing: Backing) -> None:
    async def check() -> None:
        store = TableStore(Database(open_engine(backing.database)), Calendar())
        await upgrade(store.database.engine)
        guests = Guests(store.database, b"secret")
        accounts = Accounts(AccountStore(store.database), guests, TableAuthority(store))
        nobody = await accounts._hash_of_nobody()
        assert not PasswordHasher().check_needs_rehash(nobody), "hosts do not hash as cheaply"
        accounts._hasher = hasher = CountingHasher()
        await accounts.claim(guests.new(), "Working Wanda", PASSWORD)
        for count, name in enumerate(("Working Wanda", "Nobody at all"), 1):
            with pytest.raises(RefusedError):
                await accounts.sign_in(guests.new(), name, "a wrong password")
            assert hasher.checked == count
        await store.database.close()

    run(check())


def test_only_wrong_passwords_count(start: Start) -> None:
    """With a fifth of the limits, two wrong passwords for a name are the most at an address."""
    server = start(HEADWAY_RATE_LIMIT=0.2)
    owner = claim(server.guest(), "Target")

    def tried(password: str) -> int:
        return server.guest().post("account/session", name="target", password=password).status_code

    assert [tried(PASSWORD) for _ in range(3)] == [200] * 3
    assert owner.post("account/password", old=PASSWORD, new="short").status_code == 400
    assert [tried(f"guess {n} guess") for n in range(3)] == [403, 403, 429]
    answer = server.guest().post("account/session", name="target", password=PASSWORD)
    assert answer.status_code == 429  # else the answer would tell which password is right
    assert int(answer.headers["retry-after"]) > 0


@ON_SQLITE
def test_a_room_of_forty_gets_in_at_once(start: Start) -> None:
    server = start(HEADWAY_RATE_LIMIT=1)
    phones = [server.guest() for _ in range(40)]
    laptops = [server.guest() for _ in range(40)]
    names = [f"Player {n}" for n in range(40)]

    def sign_up(guest: Guest, name: str) -> int:
        return guest.post("account", name=name, password=PASSWORD).status_code

    def enter(guest: Guest, name: str) -> int:
        return guest.post("account/session", name=name, password=PASSWORD).status_code

    with ThreadPoolExecutor(40) as pool:
        assert list(pool.map(sign_up, phones, names)) == [201] * 40
        assert list(pool.map(enter, laptops, names)) == [200] * 40


def test_deleted_with_everything(server: Server, backing: Backing) -> None:
    early, other = server.guest("Early Vera"), server.guest("Otto")
    guest = early.id
    passed = other.set_up("me", "open", "open")
    early.join(passed, seat=1)  # joined and left before the name is claimed
    early.ok(early.post(f"tables/{passed}/leave", seat=1))
    abandoned = other.set_up("open", "open")
    early.join(abandoned)
    early.ok(early.post(f"tables/{abandoned}/leave", seat=0))
    gone = claim(early, "Vanishing Vera")
    alone = gone.set_up("me", "greedy")
    play_out(alone, {0: gone})
    finished = gone.set_up("me", "open")
    other.join(finished)
    play_out(finished, {0: gone, 1: other})
    for table in (alone, finished):  # its record has names, and it knows who asked
        gone.ok(gone.post(f"tables/{table}/review"))
    running = other.set_up("me", "open")
    gone.join(running)
    gone.move(running, 1)
    waiting = other.set_up("me", "open", "open")
    gone.join(waiting, seat=1)
    left = gone.set_up("me", "open", "open")
    other.join(left, seat=1)
    gone.ok(gone.post(f"tables/{left}/leave", seat=0))
    token = gone.ok(gone.post("tokens", name="of Vera"))["token"]
    account, cookies = gone.id, dict(gone.http.cookies)
    wrong = gone.post("account/delete", password="not the password")
    assert key_of(wrong) == (403, "server.wrong_password")
    became(gone, gone.post("account/delete", password=PASSWORD))
    assert not me(gone)["account"]
    assert other.http.get(f"/api/tables/{alone}").status_code == 404
    assert other.see(finished)["outcome"]
    assert [seat["name"] for seat in other.see(finished)["seats"]] == ["", "Otto"]
    assert other.http.get(f"/api/tables/{finished}/replay").status_code == 200
    assert other.see(running)["seats"][1]["kind"] == "bot"
    play_out(running, {0: other})
    assert [seat["kind"] for seat in other.see(waiting)["seats"]] == ["person", "open", "open"]
    assert server.guest().http.get("/api/people/Vanishing%20Vera").status_code == 404
    with httpx.Client(
        base_url=server.url, headers={"authorization": f"Bearer {token}"}, **PATIENT
    ) as bot:
        assert bot.get("/api/me").status_code == 401
    with httpx.Client(base_url=server.url, cookies=cookies, **PATIENT) as old:
        assert old.get("/api/me").json()["id"] != account
    kept = whole_database(backing)
    assert "Otto" in kept
    assert "Vera" not in kept
    assert account not in kept
    assert guest not in kept
    assert other.see(passed)["seats"][0]["mine"]
    assert other.see(abandoned)["number"]
    claim(server.guest(), "Vanishing Vera")  # the name is free again


def test_people_go_on_playing_while_somebody_signs_in(server: Server) -> None:
    """Seats change their owner between two moves of others, and no move is lost."""
    guest, other = server.guest("Ann"), server.guest("Otto")
    tables = [guest.set_up("me", "open") for _ in range(4)]
    for table in tables:
        other.join(table)
    with ThreadPoolExecutor(5) as pool:
        moves = [pool.submit(other.move, table, 1, "pass") for table in tables]
        claim(guest, "Ann the Quick")
        for move in moves:
            move.result()
    for table in tables:
        guest.move(table, 0, "pass")
        until(lambda table=table: len(moves_at(other, table)) == 2)  # type: ignore[misc]


def moves_at(guest: Guest, table: str) -> list[Any]:
    return [line for line in guest.see(table)["log"] if line["seat"] >= 0]


@pytest.mark.parametrize("backing", ["postgresql"], indirect=True, scope="module")
def test_every_process_knows_at_once(start: Start) -> None:
    """A socket at another process learns whose seat it is, and a session ends everywhere."""
    here, there = start(), start()
    guest, other = here.guest("Ann"), there.guest("Otto")
    table = guest.set_up("me", "open")
    other.join(table)
    with other.socket(table) as ear:
        number = ear.table()["number"]
        claim(guest, "Ann in Arles")
        ear.table(lambda seen: seen["number"] > number)
        guest.moved_to(there).move(table, 0, "pass")
        ear.table(lambda seen: seen["number"] > number + 1)
        twin = sign_in(there.guest(), "ann in arles")
        became(guest, guest.post("account/password", old=PASSWORD, new="another password"))
        assert me(twin)["id"] != guest.id
        became(guest, guest.moved_to(here).post("account/delete", password="another password"))
        assert ear.table(lambda seen: seen["seats"][0]["kind"] == "bot")


def test_tables_are_handed_over_in_batches_and_after_a_crash(tmp_path: Path) -> None:
    """More tables than one transaction rewrites; then a process that ended before it had all."""
    file = tmp_path / "tables.sqlite"
    server = Server(Backing("sqlite", f"sqlite:///{file}", ""), tmp_path)
    ann = server.guest("Ann")
    old = ann.id
    copy_table(file, ann.set_up("me"), 2 * TABLES_PER_HANDOVER + 5, "a")
    claim(ann, "Ann of the batches")
    assert owners(file) == {ann.id: 2 * TABLES_PER_HANDOVER + 6}
    server.kill()
    with sqlite3.connect(file) as database:
        database.execute("UPDATE tables SET host = ? WHERE id LIKE 'a%'", (old,))
        database.execute("UPDATE seats SET guest = ? WHERE table_id LIKE 'a%'", (old,))
        database.execute("INSERT INTO handovers VALUES (?, ?)", (old, ann.id))
    database.close()
    server.start()
    until(lambda: set(owners(file)) == {ann.id})
    server.stop()


def test_an_account_is_forgotten_in_batches_and_after_a_crash(tmp_path: Path) -> None:
    """More tables than one transaction forgets; then a process that ended before it had all."""
    file = tmp_path / "tables.sqlite"
    server = Server(Backing("sqlite", f"sqlite:///{file}", ""), tmp_path)
    ann, ben = server.guest("Ann"), server.guest("Ben")
    claim(ann, "Ann who leaves")
    shared = ann.set_up("me", "open")
    ben.join(shared)
    alone = ann.set_up("me")
    copy_table(file, alone, 2 * TABLES_PER_HANDOVER + 5, "a")
    server.kill()
    with sqlite3.connect(file) as database:
        for rows in ("sessions", "accounts", "guests WHERE name LIKE 'Ann%'"):
            database.execute(f"DELETE FROM {rows}")
        database.execute("INSERT INTO handovers VALUES (?, '')", (ann.id,))
    database.close()
    server.start()
    until(lambda: ann.id not in whole_database(server.backing))
    kept = whole_database(server.backing)
    assert shared in kept
    assert alone not in kept
    server.stop()


def test_deleted_while_tables_are_still_handed_over(tmp_path: Path) -> None:
    """A second device deletes the account while the first one still claims it."""
    file = tmp_path / "handed.sqlite"
    server = Server(Backing("sqlite", f"sqlite:///{file}", ""), tmp_path)
    ann = server.guest("Ann")
    old, table = ann.id, ann.set_up("me")
    claim(ann, "Ann in a hurry")
    with sqlite3.connect(file) as database:
        database.execute("UPDATE tables SET host = ? WHERE id = ?", (old, table))
        database.execute("UPDATE seats SET guest = ? WHERE table_id = ?", (old, table))
        database.execute("INSERT INTO handovers VALUES (?, ?)", (old, ann.id))
    database.close()
    became(ann, ann.post("account/delete", password=PASSWORD))
    kept = whole_database(server.backing)
    assert old not in kept
    assert table not in kept
    server.stop()


def owners(file: Path) -> dict[str, int]:
    """How many tables each guest has, as host and at a seat."""
    with sqlite3.connect(file) as database:
        query = "SELECT host, guest FROM tables JOIN seats ON id = table_id"
        pairs = Counter(database.execute(query).fetchall())
    database.close()
    assert all(host == guest for host, guest in pairs)
    return {host: count for (host, _), count in pairs.items()}


def test_a_guest_opts_out_of_open_data_and_the_account_keeps_to_it(server: Server) -> None:
    guest = server.guest()
    assert me(guest)["sharing"] == "pseudonym"
    assert key_of(decide(guest, "named")) == (409, "server.no_account")
    assert guest.ok(decide(guest, "none"))["sharing"] == "none"
    claim(guest, "Olga of Oslo")
    assert me(guest)["sharing"] == "none"
    assert guest.ok(decide(guest, "named"))["sharing"] == "named"
    assert decide(guest, "loudly").status_code == 400
    token = guest.ok(guest.post("tokens", name="bot"))["token"]
    with httpx.Client(
        base_url=server.url, headers={"authorization": f"Bearer {token}"}, **PATIENT
    ) as bot:
        answer = bot.put("/api/me/sharing", json={"sharing": "none"})
    assert key_of(answer) == (403, "server.token_account")


def decide(guest: Guest, choice: str) -> httpx.Response:
    return guest.http.put("/api/me/sharing", json={"sharing": choice})
