"""What a host may choose instead of leaving it to chance, and what the choices have to fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from headway.errors import InputError

if TYPE_CHECKING:
    from headway.games.contract import Game


class ChoiceValue(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value that the host may choose: a word or a seat, and the catalogue key of its name.

    The text of the key may name the `seats` as `a` and `b`.
    """

    value: int | str
    key: str
    seats: tuple[int, ...] = ()


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the host may choose when a table is set up; `choice.NAME` is its title.

    With `each_seat` there is one value for each seat, all different, and None where the host does
    not choose. `default` is the catalogue key that says what happens without a choice.
    """

    name: str
    values: tuple[ChoiceValue, ...]
    each_seat: bool = False
    default: str = "choice.random"


def check_choices(game: Game, chosen: Mapping[str, Any]) -> None:
    """Refuses choices that are not among `Game.choices`."""
    choices = {choice.name: choice for choice in game.choices()}
    for part, value in chosen.items():
        if part not in choices:
            key = "choice.unknown" if choices else "choice.none"
            raise InputError(key, part=part, known=_listed(choices))
        choice = choices[part]
        values = [allowed.value for allowed in choice.values]
        count = game.seats if choice.each_seat else 1
        seat_values = value if choice.each_seat else [value]
        if not isinstance(seat_values, list) or len(seat_values) != count:
            raise InputError("choice.seats", part=part, seats=game.seats)
        for one in seat_values:
            # True is an int to Python, but not a seat.
            if one is not None and (isinstance(one, bool) or one not in values):
                raise InputError("choice.value", part=part, value=one, known=_listed(values))
        given = [one for one in seat_values if one is not None]
        if len(set(given)) < len(given):
            raise InputError("choice.twice", part=part)


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def seats_left(choices: Iterable[Choice], chosen: Mapping[str, Any], seats: list[int]) -> Any:
    """Returns what remains of a choice when only these seats are left, renumbered from 0.

    `choices` are those of the smaller game; an int in a choice is a seat.
    """
    left: dict[str, Any] = {}
    for choice in choices:
        value = chosen.get(choice.name)
        if choice.each_seat and value is not None:
            value = [value[seat] for seat in seats]
        elif isinstance(value, int):
            value = seats.index(value) if value in seats else None
        allowed = choice.each_seat or value in [one.value for one in choice.values]
        if value is not None and allowed:
            left[choice.name] = value
    return left
