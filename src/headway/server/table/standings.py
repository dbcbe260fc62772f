"""How the seats of a finished game did, and to whom that counts."""

from __future__ import annotations

import msgspec

from headway.server.table.state import MOVE, Sitting


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


def standings(now: Sitting) -> list[Standing]:
    """All seats of a game that is over."""
    outcome = now.playing().outcome()
    assert outcome
    behind = [total for seat, total in enumerate(outcome.totals) if seat not in outcome.winners]
    found = []
    for seat, total in enumerate(outcome.totals):
        ahead = len(outcome.winners) + sum(other > total for other in behind)
        place = 1 if seat in outcome.winners else 1 + ahead
        found.append(_whose(now, Standing(seat, total, place)))
    return found


def _whose(now: Sitting, standing: Standing) -> Standing:
    chair = now.chairs[standing.seat]
    moves = [move for move in now.moves if move.seat == standing.seat and move.kind == MOVE]
    people = [move.guest for move in moves if move.guest]
    if chair.bot:
        gone = chair.former or (people[-1] if people else None)
        if gone:
            return msgspec.structs.replace(standing, rated=gone, left=True)
        return msgspec.structs.replace(standing, bot=chair.bot, rated=f"bot:{chair.bot}")
    alone = set(people) <= {chair.guest}  # nobody else moved before
    if not alone or len(now.held_by(chair.guest)) > 1:
        return standing
    return msgspec.structs.replace(standing, guest=chair.guest, rated=chair.guest)


def contest(now: Sitting, found: list[Standing]) -> list[tuple[str, int]]:
    """The contestants of a game that moves ratings, each with a rank; empty if it moves none.

    It moves them if people met others, or bots: nobody alone, no training, no screen at which one
    guest holds several seats.
    """
    shared = any(len(now.held_by(chair.guest)) > 1 for chair in now.chairs if chair.guest)
    if now.setup.training or shared:
        return []
    last = len(found) + 1
    ranks = [(each.rated, last if each.left else each.place) for each in found]
    rated = [(who, rank) for who, rank in ranks if who]
    people = {who for who, _ in rated if not who.startswith("bot:")}
    return rated if people and len(rated) > 1 else []
