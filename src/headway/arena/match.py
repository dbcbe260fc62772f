"""Plays one game of a job, in a worker process of the arena.

A guest is a bot that no spec can name. It plays as the first contestant.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec

from headway.arena.job import Job, bot_seed, deal_seed, match_of
from headway.bots import Bot, Searcher, luck_teller, make_bot
from headway.bots.user_code import ask_at, bot_failure
from headway.games.contract import Game, Move, Seat
from headway.table import Table, play_to_end


class Result(msgspec.Struct, frozen=True):
    """The result of one game by seat; a line of the results file.

    `cpu` is the processor time of all moves in seconds, `longest` that of the longest move. Only
    these two depend on the machine.
    """

    game: int
    deal: int
    bots: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    moves: tuple[int, ...]
    cpu: tuple[float, ...]
    longest: tuple[float, ...]
    luck: tuple[float, ...] = ()
    """The points that the cards brought compared with average cards, if the job measures luck."""


def warm_up(sent: bytes) -> None:
    """Compiles and loads what a job needs."""
    prepared(sent)


@lru_cache(maxsize=1)
def prepared(job: bytes, guest: Bot | None = None) -> tuple[Job, Game, Searcher | None]:
    """Returns the job, its game and its luck teller; compiles the bots, once per process."""
    opened = msgspec.json.decode(job, type=Job)
    game = opened.open()
    for bot_spec in opened.bots[1 if guest else 0 :]:
        bot = type(make_bot(bot_spec, game, 0, files=True))
        try:
            bot.warm_up()
        except Exception as error:
            raise bot_failure(bot_spec, bot, error) from error
    return opened, game, luck_teller(game) if opened.luck else None


class Measured(NamedTuple):
    """What is measured while a game is played, by seat: the time of each move, and luck."""

    spans: list[list[float]]
    luck: list[float]


def play_match(sent: bytes, number: int, guest: Bot | None = None) -> tuple[Table, Measured]:
    """Plays the game with this number of an encoded job; returns its table at the end."""
    job, game, teller = prepared(sent, guest)
    match = match_of(job, number)
    table = Table(game, seed=deal_seed(job, match.deal))
    bot_specs = [job.bots[contestant] for contestant in match.seats]
    bots = [
        guest
        if guest and contestant == 0
        else make_bot(job.bots[contestant], game, bot_seed(job, match.deal, contestant), files=True)
        for contestant in match.seats
    ]
    spans: list[list[float]] = [[] for _ in bots]
    luck = [0.0 for _ in bots] if teller else []

    def choose(seat: Seat) -> Move:
        if teller:
            luck[seat] += teller.luck(table.view(seat))
        move, seconds = ask_at(table, seat, bots[seat], bot_specs[seat])
        spans[seat].append(seconds)
        return move

    play_to_end(table, choose)
    return table, Measured(spans, luck)


def play(sent: bytes, number: int, guest: Bot | None = None) -> Result:
    """Returns the result of the game with this number of an encoded job."""
    table, (spans, luck) = play_match(sent, number, guest)
    job = prepared(sent, guest)[0]
    match = match_of(job, number)
    outcome = table.outcome()
    assert outcome
    return Result(
        game=number,
        deal=match.deal,
        bots=tuple(job.contestants[contestant] for contestant in match.seats),
        totals=outcome.totals,
        winners=outcome.winners,
        moves=tuple(map(len, spans)),
        cpu=tuple(round(sum(span), 6) for span in spans),
        longest=tuple(round(max(span, default=0.0), 6) for span in spans),
        luck=tuple(round(points, 3) for points in luck),
    )
