"""The result of each seat of a finished game, and whose result it is."""

from __future__ import annotations

import msgspec

from headway.server.table.events import MOVE
from headway.server.table.state import TableState


class Standing(msgspec.Struct, frozen=True):
    """A seat at the end: its place, and whose result it is (nobody's if several played it).

    `rated` is the contestant whose rating it moves: a guest, or `bot:` and a bot's name; one who
    `left` the seat to a bot comes last.
    """

    seat: int
    total: int
    place: int
    guest: str | None = None
    bot: str | None = None
    rated: str | None = None
    left: bool = False


def standings(state: TableState) -> list[Standing]:
    """Returns the standing of every seat of a finished game."""
    outcome = state.playing().outcome()
    assert outcome
    losers = [total for seat, total in enumerate(outcome.totals) if seat not in outcome.winners]
    result = []
    for seat, total in enumerate(outcome.totals):
        ahead = len(outcome.winners) + sum(other > total for other in losers)
        place = 1 if seat in outcome.winners else 1 + ahead
        result.append(_attributed(state, Standing(seat, total, place)))
    return result


def _attributed(state: TableState, standing: Standing) -> Standing:
    occupant = state.occupants[standing.seat]
    moves = [move for move in state.moves if move.seat == standing.seat and move.kind == MOVE]
    people = [move.guest for move in moves if move.guest]
    if occupant.bot:
        gone = occupant.former or (people[-1] if people else None)
        if gone:
            return msgspec.structs.replace(standing, rated=gone, left=True)
        return msgspec.structs.replace(standing, bot=occupant.bot, rated=f"bot:{occupant.bot}")
    alone = set(people) <= {occupant.guest}  # nobody else moved before
    if not alone or len(state.held_by(occupant.guest)) > 1:
        return standing
    return msgspec.structs.replace(standing, guest=occupant.guest, rated=occupant.guest)


def contest(state: TableState, result: list[Standing]) -> list[tuple[str, int]]:
    """Returns the contestants of a rated game, each with a rank; empty if the game is unrated.

    A game is rated if people met others or bots: not alone, not in training, and not at a screen
    where one guest holds several seats.
    """
    shared = any(len(state.held_by(who.guest)) > 1 for who in state.occupants if who.guest)
    if state.setup.training or shared:
        return []
    last = len(result) + 1
    ranks = [(standing.rated, last if standing.left else standing.place) for standing in result]
    rated = [(who, rank) for who, rank in ranks if who]
    people = {who for who, _ in rated if not who.startswith("bot:")}
    return rated if people and len(rated) > 1 else []
