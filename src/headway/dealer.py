"""The dealer: picks what chance deals from a seed, identically on every machine.

The generator is SHA-256 in counter mode. For a seed and the name of a deal (`card 1.3`), the
digests of `headway-deal/1|seed|name|0`, `…|1`, … are read as 256-bit numbers. The first one below
the largest multiple of n that is at most 2**256 gives a uniform number below n. No state is kept:
the deal depends on seed and name alone. So undo, restart and replay deal the same cards, and
options do not change other cards.
"""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from math import lcm

import msgspec

from headway.errors import InputError, whole_number
from headway.games.contract import Move, State

DEAL = "headway-deal/1"
WIDTH = 1 << 256
SEED_BITS = 128
"""Bits of a secret seed: nobody can try all of them to find the one that deals the cards seen."""
MOST_DIGITS = 100
SEED_TEXT = rf"^(0|-?[1-9][0-9]{{0,{MOST_DIGITS - 1}}})$"
"""A seed as text: the decimal digits that the dealer hashes."""
_LARGEST_JSON_NUMBER = (1 << 53) - 1
"""Programs that read JSON numbers as floats change larger ones."""


def new_seed() -> int:
    """Returns a secret seed."""
    return secrets.randbits(SEED_BITS)


def parse_seed(text: str) -> int:
    """Returns the seed that `seed_json` wrote as text; raises `InputError` for any other text."""
    if not re.match(SEED_TEXT, text, re.ASCII) or text.endswith("\n"):
        raise InputError("format.seed")
    return int(text)


def checked_seed(seed: object) -> int:
    """Returns a seed that a record can hold; text is parsed; raises `InputError` for all else."""
    if isinstance(seed, str):
        return parse_seed(seed)
    number = whole_number(seed)
    if number is None or abs(number) >= 10**MOST_DIGITS:
        raise InputError("format.seed")
    return number


def seed_json(seed: int) -> int | str:
    """Returns a seed for JSON: text, unless every program reads the number exactly."""
    return seed if abs(seed) <= _LARGEST_JSON_NUMBER else str(seed)


def below(seed: int, name: str, n: int) -> int:
    """Returns a uniform number from 0 to n - 1, derived from seed and name."""
    limit = WIDTH - WIDTH % n
    attempt = 0
    while True:
        text = f"{DEAL}|{seed}|{name}|{attempt}"
        number = int.from_bytes(sha256(text.encode()).digest())
        if number < limit:
            return number % n
        attempt += 1


def deal(seed: int, state: State) -> Move:
    """Returns the move of chance that a seed deals in a state."""
    outcomes = state.chance()
    whole = lcm(*(probability.denominator for _, probability in outcomes))
    number = below(seed, state.chance_name(), whole)
    for move, probability in outcomes:
        number -= probability.numerator * (whole // probability.denominator)
        if number < 0:
            return move
    raise AssertionError("probabilities of chance do not add up to 1")


class SeededDealer:
    """The dealer of one seed, for compiled replays (`contract.Dealer`)."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def deal(self, state: State) -> Move:
        return deal(self.seed, state)

    def below(self, name: str, n: int) -> int:
        return below(self.seed, name, n)


class Promise(msgspec.Struct, frozen=True):
    """The proof that a deal was fixed before the first card: a hash first, seed and salt later.

    The commitment is the SHA-256 of `headway-fair/1|seed|salt`. With it, `headway verify` checks
    after the game that no card was chosen during it.
    """

    commitment: str
    salt: str | None = None


def promise(seed: int, salt: str | None = None) -> Promise:
    """Returns a commitment to a seed with its salt; publish the salt after the game."""
    if salt is not None and not isinstance(salt, str):
        raise InputError("format.salt")
    salt = salt or secrets.token_hex(16)
    text = f"headway-fair/1|{seed}|{salt}"
    return Promise(sha256(text.encode()).hexdigest(), salt)
