"""The dealer: picks what chance deals from a seed, identically on every machine.

The generator is SHA-256 in counter mode. For a seed and the name of a deal (`card 1.3`), the
digests of `headway-deal/1|seed|name|0`, `…|1`, … are read as 256-bit numbers. The first one below
the largest multiple of n that is at most 2**256 gives a uniform number below n. No state is kept:
the deal depends on seed and name alone. So undo, restart and replay deal the same cards, and
options do not change other cards.
"""

from __future__ import annotations

import hashlib
import secrets
from fractions import Fraction
from math import lcm

import msgspec

from headway.games.contract import Move, State

WIDTH = 1 << 256


def new_seed() -> int:
    """Returns a random seed that fits a JSON number exactly."""
    return secrets.randbits(53)


def below(seed: int, name: str, n: int) -> int:
    """Returns a uniform number from 0 to n - 1, derived from seed and name."""
    limit = WIDTH - WIDTH % n
    attempt = 0
    while True:
        text = f"headway-deal/1|{seed}|{name}|{attempt}"
        number = int.from_bytes(hashlib.sha256(text.encode()).digest())
        if number < limit:
            return number % n
        attempt += 1


def deal(seed: int, state: State) -> Move:
    """Returns the move of chance that a seed deals in a state."""
    outcomes = state.chance()
    whole = lcm(*(probability.denominator for _, probability in outcomes))
    number = Fraction(below(seed, state.chance_name(), whole), whole)
    for move, probability in outcomes:
        if number < probability:
            return move
        number -= probability
    raise AssertionError("probabilities of chance do not add up to 1")


class Promise(msgspec.Struct, frozen=True):
    """The proof that a deal was fixed before the first card: a hash first, seed and salt later.

    The commitment is the SHA-256 of `headway-fair/1|seed|salt`. With it, `headway verify` checks
    after the game that no card was chosen during it.
    """

    commitment: str
    salt: str | None = None


def promise(seed: int, salt: str | None = None) -> Promise:
    """Returns a commitment to a seed with its salt; publish the salt after the game."""
    salt = salt or secrets.token_hex(16)
    text = f"headway-fair/1|{seed}|{salt}"
    return Promise(hashlib.sha256(text.encode()).hexdigest(), salt)
