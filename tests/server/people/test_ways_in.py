"""Ways in without a password: the recovery code, and the link to a second device."""

from __future__ import annotations

import json
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from server.services import ON_SQLITE, Server
from server.steps import PASSWORD, became, claim, key_of, sign_in
from sqlalchemy import insert
from support.own_loop import run

from headway.server.core.codes import as_text
from headway.server.core.database import Database, open_engine
from headway.server.core.errors import RefusedError
from headway.server.core.migrations import upgrade
from headway.server.core.schema import ACCOUNTS, PASSKEYS
from headway.server.people import ways_in
from headway.server.people.accounts import _recovery_key, new_recovery_code
from headway.server.people.ways_in import MOST_PASSKEYS, OneTimeSecrets, Passkeys, Site


class NamedAccount(NamedTuple):
    """What a passkey is made for."""

    guest: str
    name: str


def test_a_recovery_code_works_once(server: Server) -> None:
    phone = server.guest()
    answer = phone.ok(phone.post("account", name="Forgetful", password=PASSWORD))
    code, token = answer["recovery"], phone.ok(phone.post("tokens", name="bot"))["token"]
    found = {"name": "forgetful", "password": "another password"}
    laptop = server.guest()
    wrong = laptop.post("account/recover", code=new_recovery_code(), **found)
    assert key_of(wrong) == (403, "server.recovery")
    nobody = laptop.post("account/recover", code=code, name="Nobody", password="another password")
    assert key_of(nobody) == (403, "server.recovery")
    as_typed = code.lower().replace("-", " ")
    after = laptop.ok(laptop.post("account/recover", code=as_typed, **found))
    assert (after["id"], after["account"]) == (answer["id"], True)
    assert not phone.ok(phone.http.get("/api/me"))["account"]  # signed out
    program = phone.http.get("/api/me", headers={"authorization": f"Bearer {token}"})
    assert key_of(program) == (401, "server.token")
    again = server.guest().post("account/recover", code=code, **found)
    assert key_of(again) == (403, "server.recovery")
    sign_in(phone, "Forgetful", "another password")
    following = phone.ok(phone.post("account/recovery", password="another password"))["recovery"]
    assert following != after["recovery"]
    late = server.guest().post("account/recover", code=after["recovery"], **found)
    assert key_of(late) == (403, "server.recovery")
    became(phone, phone.post("account/recover", code=following, **found))


def test_codes_are_read_as_people_type_them() -> None:
    code = new_recovery_code()
    assert len(code) == 24
    for typed in (code, code.lower(), code.replace("-", ""), f" {code} "):
        assert _recovery_key(typed) == code


def test_a_link_signs_one_device_in(server: Server) -> None:
    phone = claim(server.guest(), "Both")
    laptop, thief = server.guest(), server.guest()
    table = laptop.set_up("me")
    origin = {"origin": server.url}
    link = phone.ok(phone.http.post("/api/account/device", headers=origin))["link"]
    address, _, code = link.partition("#")
    assert address == f"{server.url}/device"
    assert laptop.ok(laptop.post("account/device/whose", code=code)) == {"name": "Both"}
    became(laptop, laptop.post("account/session/device", code=code))
    assert laptop.id == phone.id
    assert phone.see(table)["seats"][0]["mine"]  # came along
    for path in ("account/device/whose", "account/session/device"):
        for used in (code, "x", "A" * 43):
            assert key_of(thief.post(path, code=used)) == (403, "server.device_code")
    assert key_of(thief.http.post("/api/account/device", headers=origin)) == (
        409,
        "server.no_account",
    )


@ON_SQLITE
def test_codes_cannot_be_guessed_for_long(start: object, server: Server) -> None:
    del start
    limited = Server(server.backing, server.log.parent, HEADWAY_RATE_LIMIT=1)
    try:
        guest = limited.guest()
        claim(limited.guest(), "Device")
        found = {"name": "Anybody", "password": PASSWORD}
        for path, body in {
            "account/session/device": {"code": "A" * 43},
            "account/recover": {"code": "BCDF", **found},
        }.items():
            codes = [guest.post(path, **body).status_code for _ in range(12)]
            assert codes[0] == 403
            assert codes[-1] == 429
        sign_in(limited.guest(), "Device")  # another's codes are not an account's passwords
    finally:
        limited.stop()


def test_passkeys_begun_at_once_are_no_more_than_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a device signs is taken as right here; tests of the page have a real one."""
    made, account = map(str, count()), NamedAccount("ann", "Ann")
    monkeypatch.setattr(ways_in, "_registered", lambda *_: (next(made), b"key", 0))

    async def work() -> None:
        database = Database(open_engine(f"sqlite:///{tmp_path / 'tables.sqlite'}"))
        await upgrade(database.engine)
        values = {"key": "ann", "name": "Ann", "password": "", "created": 0.0}
        await database.change(insert(ACCOUNTS).values(guest="ann", **values))
        passkeys, site = Passkeys(database, OneTimeSecrets(database)), Site("h", "https://h")
        begun = [await passkeys.registration(account, site) for _ in range(MOST_PASSKEYS)]
        row = {"guest": "ann", "public_key": b"", "count": 0, "name": "", "created": 0.0}
        await database.change(insert(PASSKEYS).values(id="one before", **row))
        for number, options in enumerate(begun, 1):
            client = as_text(json.dumps({"challenge": options["challenge"]}).encode())
            credential = {"response": {"clientDataJSON": client}}
            most = pytest.raises(RefusedError, match="passkeys")
            with most if number == MOST_PASSKEYS else nullcontext():
                await passkeys.register("ann", "", credential, site)
        assert len(await passkeys.list("ann")) == MOST_PASSKEYS
        await database.close()

    run(work())
