"""A job: game, bots, options and seed of an arena; the first line of a results file.

Every game of a job has a number, which determines its line-up, deal and seating. So games can be
played in any order, on any machine, and repeated.
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
from headway.bots.user_code import in_file
from headway.errors import InputError
from headway.games import box, find
from headway.games.contract import Game
from headway.record import RULES

FORMAT = "headway-arena/1"


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that determines the games of a job; the same job gives the same games."""

    format: str = FORMAT
    game: str
    map: str
    map_hash: str
    rules: int
    seats: int
    options: tuple[str, ...] = ()
    bots: tuple[str, ...]
    files: dict[str, str] = {}
    """The SHA-256 of each bot file; a changed file makes another job."""
    seed: int = 0
    luck: bool = False
    """Whether luck is measured."""

    @property
    def contestants(self) -> tuple[str, ...]:
        """The bots by name; duplicates get a number."""
        before = [self.bots[:i].count(name) for i, name in enumerate(self.bots)]
        named = zip(self.bots, before, strict=True)
        return tuple(f"{name} ({n + 1})" if n else name for name, n in named)

    @property
    def solo(self) -> bool:
        """Whether every contestant plays alone, each deal once."""
        return self.seats == 1

    def open(self) -> Game:
        """Returns the game that is played."""
        return box(self.game).open(self.map, self.seats, dict.fromkeys(self.options, True))

    def numbers(self, games: int) -> range:
        """Returns the numbers of at least `games` games per line-up, in all seatings."""
        deals = -(-games // self.seats)
        return range(deals * self.seats * len(line_ups(len(self.bots), self.seats)))


class Match(NamedTuple):
    """One game of a job: its deal, and the contestant of each seat."""

    number: int
    deal: int
    seats: tuple[int, ...]


@cache
def line_ups(bots: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Returns all ways to choose the contestants of one game."""
    return tuple(combinations(range(bots), seats))


def match_of(job: Job, number: int) -> Match:
    """Returns the game with a number: line-ups change fastest, then the seats, then the deal."""
    choices = line_ups(len(job.bots), job.seats)
    rest, which = divmod(number, len(choices))
    deal, turn = divmod(rest, job.seats)
    chosen = choices[which]
    return Match(number, deal, chosen[turn:] + chosen[:turn])


def deal_seed(job: Job, deal: int) -> int:
    """Returns the seed of a deal, the same for all contestants."""
    return dealer.below(job.seed, f"arena deal {deal}", 1 << 53)


def bot_seed(job: Job, deal: int, contestant: int) -> int:
    """Returns the seed of a contestant, which does not depend on its opponents."""
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
    """Returns a job that can be played; raises `InputError` otherwise."""
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
    files = {path: _hash(path) for bot in chosen if in_file(bot) and (path := _path(bot))}
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
