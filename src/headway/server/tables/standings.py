"""The result of each seat of a finished game, whose result it is, and who is rated against whom."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from headway.bots.registry import is_rated, split
from headway.server.tables.events import MOVE
from headway.server.tables.state import TableState

BOT_PREFIX = "bot:"


class SeatResult(msgspec.Struct, frozen=True):
    """A seat at the end: its place, and whose result it is (nobody's if several played it).

    `rated` is the contestant whose rating it moves: a guest, or `bot:` and a bot's name; one who
    has `left` the seat comes last.
    """

    seat: int
    total: int
    place: int
    guest: str | None = None
    bot: str | None = None
    rated: str | None = None
    left: bool = False


class RatedContest(NamedTuple):
    """Contestants who are rated against each other, each with a rank, and whose ratings move."""

    seats: list[tuple[str, int]]
    moving: frozenset[str]


def standings(state: TableState) -> list[SeatResult]:
    """Returns the standing of every seat of a finished game."""
    outcome = state.playing().outcome()
    assert outcome
    losers = [total for seat, total in enumerate(outcome.totals) if seat not in outcome.winners]
    result = []
    for seat, total in enumerate(outcome.totals):
        ahead = len(outcome.winners) + sum(other > total for other in losers)
        place = 1 if seat in outcome.winners else 1 + ahead
        result.append(_attributed(state, SeatResult(seat, total, place)))
    return result


def _attributed(state: TableState, standing: SeatResult) -> SeatResult:
    occupant = state.occupants[standing.seat]
    movers = [
        move.guest for move in state.moves if move.seat == standing.seat and move.kind == MOVE
    ]
    people = [guest for guest in movers if guest]
    if occupant.guest is None:
        gone = occupant.former or (people[-1] if people else None)
        if gone:
            return msgspec.structs.replace(standing, rated=gone, left=True)
        rated = f"{BOT_PREFIX}{occupant.bot}" if _is_rated(state, occupant.bot) else None
        return msgspec.structs.replace(standing, bot=occupant.bot, rated=rated)
    alone = set(movers) <= {occupant.guest}  # neither a bot nor anybody else moved there
    if not alone or len(state.held_by(occupant.guest)) > 1:
        return standing
    return msgspec.structs.replace(standing, guest=occupant.guest, rated=occupant.guest)


def _is_rated(state: TableState, bot: str | None) -> bool:
    return bot is not None and is_rated(split(bot)[0], state.setup.game)


def contests(
    state: TableState,
    result: list[SeatResult],
    accounts: Collection[str],
    settled: Collection[str],
) -> list[RatedContest]:
    """Returns the contests of a game: of settled accounts and bots, of each new account, of guests.

    Nothing that guests or new accounts do moves another's rating, because anybody can be several
    of them. A new account is rated against bots and settled accounts. Unrated are training, deals
    of the day, and tables where one guest holds several seats.
    """
    shared = any(len(state.held_by(who.guest)) > 1 for who in state.occupants if who.guest)
    if state.setup.training or state.setup.day or shared:
        return []
    last = len(result) + 1
    ranks = [(standing.rated, last if standing.left else standing.place) for standing in result]
    rated = [(who, rank) for who, rank in ranks if who]
    bots = {who for who, _ in rated if who.startswith(BOT_PREFIX)}
    members = {who for who, _ in rated if who in accounts}
    guests = {who for who, _ in rated} - bots - members
    known = members & set(settled)
    sides = [(known, known | bots), (guests, guests)]
    sides += [(known | {new}, {new}) for new in sorted(members - known)]
    held = [
        RatedContest(
            [(who, rank) for who, rank in rated if who in bots | people], frozenset(moving)
        )
        for people, moving in sides
        if people
    ]
    return [contest for contest in held if len(contest.seats) > 1]
