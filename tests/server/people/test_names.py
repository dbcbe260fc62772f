"""Names: nobody passes for somebody else by a name that looks the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.services import Server
from server.steps import claim, key_of

from headway.errors import HeadwayError
from headway.server.core.fields import NAME_LENGTH
from headway.server.people.accounts import good_password
from headway.server.people.names import (
    clean_name,
    is_one_script,
    is_reserved,
    look_alike,
    skeleton,
    without_ignorable,
)

TAKEN = (409, "server.name_taken")
SCRIPTS = (400, "server.name_scripts")
CYRILLIC_A = "\u0430"
INVISIBLE = ["\u200b", "\u00ad", "\u2060", "\u115f", "\u3164", "\ufe0f", "\u034f", "\U000e0041"]


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("Iris", "lris"),  # an l for the I
        ("Emma", "Ernma"),
        ("B0B", "BOB"),
        ("paul", "\u0440\u0430\u03c5l"),  # all of it in other scripts
        ("O’Hara", "O'Hara"),
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),  # all Cyrillic, so of one script
        ("Zoë", "ZOË"),
    ],
)
def test_look_alikes_have_the_same_look(name: str, twin: str) -> None:
    assert look_alike(name, twin)


@pytest.mark.parametrize(
    ("name", "other"), [("Lan", "Ian"), ("Ali", "All"), ("Zoë", "Zoé"), ("Ann", "Anne")]
)
def test_other_names_look_different(name: str, other: str) -> None:
    assert not look_alike(name, other)


@pytest.mark.parametrize("char", INVISIBLE)
def test_invisible_characters_are_dropped(char: str) -> None:
    assert clean_name(f"An{char}na") == "Anna"
    with pytest.raises(HeadwayError):
        clean_name(char)


def test_one_script() -> None:
    for name in ("Zoë 2", "Ελένη", "Łódź-Ærø", "山田タロー", "김철수金", "Дмитрий O'".rstrip("O'")):
        assert is_one_script(name), name
    for name in ("Ann Ελένη", f"{CYRILLIC_A}nn", "Анна A", "한ひ"):
        assert not is_one_script(name), name


@given(st.text(max_size=60))
def test_any_name_is_cleaned_or_refused(name: str) -> None:
    try:
        tidy = clean_name(name)
    except HeadwayError:
        return
    assert clean_name(tidy) == tidy == unicodedata.normalize("NFC", tidy)
    assert tidy == without_ignorable(tidy)
    assert 0 < len(tidy) <= NAME_LENGTH
    assert skeleton(skeleton(tidy)) == skeleton(tidy)


def test_nobody_takes_a_name_that_looks_like_an_accounts(server: Server) -> None:
    """The attacks: by renaming, joining, claiming, and naming a seat of a new table."""
    claim(server.guest(), "Scope of Iris")
    guest, other = server.guest(), server.guest("Other")
    table = other.set_up("me", "open")
    for twin in ("Scope of lris", "SCOPE  OF IRIS", "Sc\u200bope of Iris", "Ｓcope of Iris"):
        assert key_of(guest.http.patch("/api/me", json={"name": twin})) == TAKEN, twin
        assert key_of(guest.post(f"tables/{table}/join", name=twin)) == TAKEN, twin
        assert key_of(guest.post("account", name=twin, password="a long password")) == TAKEN, twin
        body = {"game": "next-station", "map": "london"}
        for seat in ({"kind": "me"}, {"kind": "bot", "bot": "greedy"}):
            seats = [{"kind": "me"}, seat | {"name": twin}]
            assert key_of(guest.post("tables", **body, seats=seats)) == TAKEN, twin
    mixed = "Sc\u043epe of Iris"  # a Cyrillic o
    assert key_of(guest.http.patch("/api/me", json={"name": mixed})) == SCRIPTS


@pytest.mark.parametrize("name", ["\ufdfa" * 40, "\u0344" * 30, "\U0001d160" * 20, "a" * 41])
def test_names_are_measured_when_they_are_normalised(server: Server, name: str) -> None:
    """The attack: a name that fits until it is normalised, and then no longer into its column."""
    guest = server.guest()
    too_long = (400, "server.name_long")
    assert key_of(guest.http.patch("/api/me", json={"name": name})) == too_long
    assert key_of(guest.post("account", name=name, password="a long password")) == too_long
    long_in_pieces = unicodedata.normalize("NFD", "é" * 40)
    assert guest.ok(guest.http.patch("/api/me", json={"name": long_in_pieces}))["name"] == "é" * 40


def test_a_guests_name_gives_way_to_an_account(server: Server) -> None:
    guest, other = server.guest("First Come"), server.guest("Otto")
    table = guest.set_up("me", "open")
    elsewhere = other.set_up("me", "open", "open")
    guest.join(elsewhere, name="First Corne")  # looks the same
    owner = claim(server.guest(), "First Come")
    assert guest.ok(guest.http.get("/api/me"))["name"].startswith("Guest ")
    for place, seat in ((table, 0), (elsewhere, 1)):
        assert [guest.see(place)["seats"][seat][key] for key in ("name", "mine")] == ["", True]
    assert other.see(elsewhere)["seats"][0]["name"] == "Otto"
    assert owner.ok(owner.http.get("/api/me"))["name"] == "First Come"
    owner.ok(owner.http.patch("/api/me", json={"name": "Otto"}))
    assert other.see(elsewhere)["seats"][0]["name"] == ""
    other.join(table)
    guest.move(table, 0)


RESERVED = (
    "Headway", "headway team", "Head-way", "HEADWAY 2", "Driver", "Expert", "expert 2",
    "Conducteur", "Au hasard", "greedy",
)  # fmt: skip


def test_bots_and_the_product_have_their_names(server: Server) -> None:
    """For accounts, guests and seats; in both languages, and for what looks like them."""
    assert is_reserved("Exp\u0435rt")
    guest = server.guest()
    for name in RESERVED:
        assert key_of(guest.post("account", name=name, password="a long password")) == TAKEN, name
        assert key_of(guest.http.patch("/api/me", json={"name": name})) == TAKEN, name


def test_names_with_such_words_in_them_are_free() -> None:
    for name in ("Driver Ann", "Expertise", "Randomness", "Heady Way", "Ann"):
        assert not is_reserved(name), name


def test_accents_are_not_stacked() -> None:
    for name in ("Zoë", "Nguyễn Thị Ánh", "שָׁלוֹם", "नमस्ते", "e\u0302\u0323\u0308"):
        assert clean_name(name)
    for name in ("Z" + "".join(map(chr, range(0x300, 0x304))), "Zo\u0308\u0308e"):
        with pytest.raises(HeadwayError) as refused:
            clean_name(name)
        assert refused.value.key == "server.name_accents"


GUESSED = (
    "password", "Password1!", "12345678", "AZERTYUIOP", "motdepasse2026", "zzzzzzzzz",
    "Zoe of Zurich", "zoe of zurich 7", "zoeofzurich", "headway2026",
)  # fmt: skip


@pytest.mark.parametrize("password", GUESSED)
def test_passwords_that_anybody_would_try_are_refused(password: str) -> None:
    with pytest.raises(HeadwayError) as refused:
        good_password(password, "Zoe of Zurich")
    assert refused.value.key == "server.password_common"


def test_other_passwords_are_taken() -> None:
    for password in ("a long password", "correct horse", "passwords are dull", "tr4nsp0rt.maps"):
        assert good_password(password, "Zoe") == password
