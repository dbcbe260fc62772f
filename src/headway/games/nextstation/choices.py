"""What the host may choose at set-up: first pencils, the place of the spare, the controller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from headway.errors import InputError, RuleBroken
from headway.games.contract import Choice, ChoiceValue, Move, Seat, check_choices
from headway.games.nextstation.record_format import WrittenDeal
from headway.games.nextstation.rules import deals
from headway.games.nextstation.rules.arrays import ROUNDS

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation

WHOLE_PARTS = {"objectives": "objectives", "powers": "powers", "special": "special_stations"}
"""Parts that only a program may choose, as a record's deal writes them, and their modules."""


def choices(game: NextStation) -> tuple[Choice, ...]:
    """Returns what a host may choose: NS-02 (spare), NS-03 (pencils), NS-05 (controller)."""
    if game.seats == 1:
        return ()
    colours = tuple(ChoiceValue(c, f"colour.{c}") for c in game.city.colours)
    seats = tuple(ChoiceValue(seat, "choice.seat", (seat,)) for seat in range(game.seats))
    gaps = tuple(ChoiceValue(seat, "choice.between", (seat, (seat + 1) % 3)) for seat in range(3))
    left = tuple(ChoiceValue(c, f"choice.left.{c}", (0,)) for c in game.city.colours)
    spares = {2: (Choice("spare", left),), 3: (Choice("spare", gaps),)}
    return (
        Choice("pencils", colours, each_seat=True),
        *spares.get(game.seats, ()),
        Choice("controller", seats, default="choice.automatic"),
    )


def fixed_moves(game: NextStation, chosen: Mapping[str, Any]) -> dict[str, list[Move]]:
    """Returns the moves of chance that agree with what was chosen, by the name of the deal."""
    whole = {part for part, module in WHOLE_PARTS.items() if game.options[module]}
    if _is_ring(chosen.get("pencils")):
        whole.add("pencils")
    check_choices(game, {part: value for part, value in chosen.items() if part not in whole})
    deal, fixed = WrittenDeal(game, dict(chosen)), dict[str, list[Move]]()
    if "pencils" in chosen and "pencils" in whole:
        fixed["pencils"] = [deal.pencils()]
    elif "pencils" in chosen or "spare" in chosen:
        fixed["pencils"] = _rings(game, chosen.get("pencils"), chosen.get("spare"))
    if "objectives" in chosen:
        fixed["objectives"] = [deal.objectives()]
    if "powers" in chosen:
        fixed["powers"] = [deal.powers()]
    if "special" in chosen:
        pairs = [deal.special(r) for r in range(ROUNDS)]
        fixed |= {f"special {r + 1}": [pair] for r, pair in enumerate(pairs)}
        if any(
            len(set(cards)) < ROUNDS for cards in zip(*(divmod(p, 8) for p in pairs), strict=True)
        ):
            raise RuleBroken("SP-01", "broken.special_dealt")
    return fixed


def _is_ring(pencils: Any) -> bool:
    """Whether pencils are written for all rounds, as in a record's deal."""
    return isinstance(pencils, list) and any(isinstance(row, list) for row in pencils)


def _rings(
    game: NextStation, first: list[str | None] | None, spare: Seat | str | None
) -> list[Move]:
    """Returns the deals of pencils with these first ones and this place of a spare.

    With three seats it lies to the left of this seat; with two it is the one to the left of seat 0.
    """
    colours = game.city.colours
    pencils = [None if c is None else colours.index(c) for c in first or [None] * game.seats]
    agreeing = [
        move
        for move, ring in enumerate(deals.rings(game.seats))
        if all(c in (None, row[0]) for c, row in zip(pencils, ring, strict=True))
        and (spare is None or spare == _spare(game, ring))
    ]
    if not agreeing:
        raise InputError("choice.spare_taken", value=spare)
    return agreeing


def _spare(game: NextStation, ring: deals.Ring) -> Seat | str:
    if game.seats == 3:
        return deals.spare_after(ring)
    return game.city.colours[ring[1][1]]  # seat 1 takes it up in the second round
