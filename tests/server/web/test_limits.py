"""Rate limits: what the documentation says of them, and whose passwords are checked next."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.own_loop import run

from headway.server.core.errors import RefusedError
from headway.server.web.limits import (
    LIMITS,
    MOST_PASSWORDS_WAITING,
    Limits,
)

HOSTING = Path(__file__).parents[3] / "docs/hosting/limits.md"


@pytest.mark.parametrize(
    ("kind", "row", "words"),
    [
        ("address", "requests", "for an address {burst}, then {second} a second"),
        ("guest", "requests", "for a guest {burst}, then {second} a second"),
        ("files", "requests for the files of the client", "{burst}, then {second} a second"),
        ("accounts", "new accounts", "of an address {burst}, then {minute} a minute"),
        ("wrong_passwords", "wrong passwords", "at an address {burst}, then {minute} a minute"),
        (
            "wrong_passwords_for_name_at_address",
            "wrong passwords",
            "for a name at one address {burst}, then {minute} a minute",
        ),
        ("wrong_passwords_for_name", "wrong passwords", "name {burst}, then {minute} a minute"),
    ],
)
def test_the_table_of_limits_is_true(kind: str, row: str, words: str) -> None:
    rate, burst = LIMITS[kind]
    text = words.format(burst=f"{burst:.0f}", second=f"{rate:.0f}", minute=f"{rate * 60:.0f}")
    lines = HOSTING.read_text("utf-8").splitlines()
    assert text in next(line for line in lines if line.startswith(f"| {row} |"))


def test_one_address_does_not_keep_others_from_signing_in() -> None:
    """However many passwords it sends, its next one waits until this one is checked."""

    async def check() -> None:
        limits, checked, end = Limits(1), asyncio.Semaphore(0), asyncio.Event()

        async def send(address: str) -> None:
            async with limits.password_try(address, "ann"):
                checked.release()
                await end.wait()

        many = [asyncio.create_task(send("crowd")) for _ in range(MOST_PASSWORDS_WAITING)]
        await checked.acquire()
        with pytest.raises(RefusedError, match="busy"):
            await send("crowd")
        other = asyncio.create_task(send("alone"))
        await checked.acquire()
        assert checked.locked()  # only one of the crowd has come in
        end.set()
        await asyncio.gather(*many, other)

    run(check())
