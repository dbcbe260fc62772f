"""The dealer: picks what chance deals, from a seed, the same on every machine for ever.

The generator is SHA-256 in counter mode. For a seed and the name of a deal (`card 1.3`), the
digests of `headway-deal/1|seed|name|0`, `…|1`, … are read as 256-bit numbers; the first one that is
below the largest multiple of n not above 2**256 gives a number below n that is exactly uniform.
No state is kept: what is dealt depends on seed and name alone, so undo, restart and replay deal
the same again, and options that are on or off do not change the other cards.
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
    """A seed that nobody can guess; it fits a JSON number that every reader keeps exact."""
    return secrets.randbits(53)


def below(seed: int, name: str, n: int) -> int:
    """A number from 0 to n - 1, uniform, made from seed and name."""
    limit = WIDTH - WIDTH % n
    attempt = 0
    while True:
        text = f"headway-deal/1|{seed}|{name}|{attempt}"
        number = int.from_bytes(hashlib.sha256(text.encode()).digest())
        if number < limit:
            return number % n
        attempt += 1


def deal(seed: int, state: State) -> Move:
    """What a seed deals in a state in which chance acts."""
    outcomes = state.chance()
    whole = lcm(*(probability.denominator for _, probability in outcomes))
    number = Fraction(below(seed, state.chance_name(), whole), whole)
    for move, probability in outcomes:
        if number < probability:
            return move
        number -= probability
    raise AssertionError("probabilities of chance do not add up to 1")


class Promise(msgspec.Struct, frozen=True):
    """The proof that a deal was fixed before the first card: a hash now, seed and salt later.

    The commitment is the SHA-256 of `headway-fair/1|seed|salt`. Whoever has seen it before the
    game can check afterwards, with `headway verify`, that no card was chosen on the way.
    """

    commitment: str
    salt: str | None = None


def promise(seed: int, salt: str | None = None) -> Promise:
    """A commitment to a seed, with its salt: publish the first at once, the second at the end."""
    salt = salt or secrets.token_hex(16)
    text = f"headway-fair/1|{seed}|{salt}"
    return Promise(hashlib.sha256(text.encode()).hexdigest(), salt)
