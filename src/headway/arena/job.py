"""A job: who plays what against whom, on which deals; the head of a file of results.

A game of a job has a number, from which everything about it follows: line-up, deal, and who sits
where. So games can be played in any order, on any machine, and again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import msgspec

from headway import dealer
from headway.bots import luck_teller, make_bot
from headway.errors import InputError
from headway.games import box, find
from headway.games.contract import Game
from headway.record import RULES

FORMAT = "headway-arena/1"


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides how the games of a job go; the same job gives the same games."""

    format: str = FORMAT
    game: str
    map: str
    map_hash: str
    rules: int
    seats: int
    options: tuple[str, ...] = ()
    bots: tuple[str, ...]
    files: dict[str, str] = {}
    """The SHA-256 of each file that a bot comes from: another file is another job."""
    seed: int = 0
    luck: bool = False
    """Whether luck is told apart."""

    @property
    def contestants(self) -> tuple[str, ...]:
        """The bots by name, with a number from the second of the same name on."""
        before = [self.bots[:i].count(name) for i, name in enumerate(self.bots)]
        named = zip(self.bots, before, strict=True)
        return tuple(f"{name} ({n + 1})" if n else name for name, n in named)

    @property
    def solo(self) -> bool:
        """Whether everybody plays alone, each deal once for every contestant."""
        return self.seats == 1

    def open(self) -> Game:
        """The game that is played."""
        return box(self.game).open(self.map, self.seats, dict.fromkeys(self.options, True))

    def numbers(self, games: int) -> range:
        """The games to play for so many of each line-up, whole rotations of the seats."""
        deals = -(-games // self.seats)
        return range(deals * self.seats * len(line_ups(len(self.bots), self.seats)))


class Match(NamedTuple):
    """One game of a job: its deal, and which contestant has which seat."""

    number: int
    deal: int
    seats: tuple[int, ...]


@cache
def line_ups(bots: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """All ways to choose the contestants of one game."""
    return tuple(combinations(range(bots), seats))


def match_of(job: Job, number: int) -> Match:
    """The game with a number: line-ups change fastest, then the seats, then the deal."""
    choices = line_ups(len(job.bots), job.seats)
    rest, which = divmod(number, len(choices))
    deal, turn = divmod(rest, job.seats)
    chosen = choices[which]
    return Match(number, deal, chosen[turn:] + chosen[:turn])


def deal_seed(job: Job, deal: int) -> int:
    """The seed of a deal, the same for everybody."""
    return dealer.below(job.seed, f"arena deal {deal}", 1 << 53)


def bot_seed(job: Job, deal: int, contestant: int) -> int:
    """The seed of a contestant's own randomness; who else plays does not matter."""
    return dealer.below(job.seed, f"arena bot {deal} {job.contestants[contestant]}", 1 << 63)


def open_job(
    map_name: str,
    bots: Iterable[str],
    *,
    seats: int = 0,
    options: Iterable[str] = (),
    seed: int = 0,
    luck: bool = False,
) -> Job:
    """A job that can be played; a sentence for everything that cannot."""
    game_box, name = find(map_name)
    chosen = tuple(bots)
    seats = seats or game_box.seats.start
    if len(chosen) < seats:
        raise InputError("arena.few_bots", bots=len(chosen), seats=seats)
    game = game_box.open(name, seats, dict.fromkeys(options, True))
    for bot in chosen:
        make_bot(bot, game, 0, files=True)
    if luck and not luck_teller(game):
        raise InputError("arena.no_luck", map=map_name)
    options_on = tuple(sorted(option for option, on in game.options.items() if on))
    files = {path: _hash(path) for bot in chosen if ".py:" in bot and (path := _path(bot))}
    return Job(
        game=game_box.name,
        map=name,
        map_hash=game.map_hash,
        rules=RULES,
        seats=seats,
        options=options_on,
        bots=chosen,
        files=dict(sorted(files.items())),
        seed=seed,
        luck=luck,
    )


def _path(bot: str) -> str:
    return bot.rpartition(":")[0]


def _hash(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
