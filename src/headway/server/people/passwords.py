"""Which passwords an account may have: not short ones, nor those that anybody would try first."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from headway.server.core.errors import invalid
from headway.server.people.names import name_key

SHORTEST_PASSWORD = 8
_TAIL = "0123456789!?.,-_*#@$ "
"""What people put behind a word to make it a password."""


def good_password(password: str, name: str) -> str:
    """Returns the password of an account with this name; refuses one that is easily guessed."""
    if len(password) < SHORTEST_PASSWORD:
        raise invalid("server.password", least=SHORTEST_PASSWORD)
    key = name_key(password)
    word, own = key.rstrip(_TAIL), name_key(name)
    guesses = {*common_passwords(), own, own.rstrip(_TAIL), "".join(own.split())}
    if len(set(key)) == 1 or key in guesses or word in guesses:
        raise invalid("server.password_common")
    return password


@cache
def common_passwords() -> frozenset[str]:
    """Returns the passwords, and the words in them, that are tried first."""
    text = files("headway.server.people").joinpath("common_passwords.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if line[:1] != "#" for word in line.split())
