"""Checks of what callers give to environments before anything is played, records included.

The errors are `InputError`, and what Gymnasium raises in the same case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium.error
import msgspec
import numpy as np

from headway import dealer
from headway.envs.episodes import REWARDS
from headway.errors import InputError, shown, whole_number
from headway.games.contract import CHANCE, Event, Game, Seat, State
from headway.record import Record, load, read, steps

ILLEGAL = ("replace", "raise")
"""What may happen with an illegal action."""


class ActionError(InputError, gymnasium.error.InvalidAction):
    """Something that is not an action, or an action that is not legal."""


class SeedError(InputError, gymnasium.error.Error):
    """Something that is not a seed, or a wrong number of seeds."""


class ResetNeededError(InputError, gymnasium.error.ResetNeeded):
    """A step without a game to play."""


class ClosedError(InputError, gymnasium.error.ClosedEnvironmentError):
    """A step or reset of an environment that is closed."""


# Settings


def rewarded(rewards: str, game: Game) -> int:
    """Returns the number of what is rewarded, if it can be in this game."""
    if rewards not in REWARDS or (rewards == "win" and game.seats == 1):
        raise InputError("env.rewards", rewards=rewards, known=", ".join(REWARDS))
    return REWARDS.index(rewards)


def checked_seat(seat: Any, game: Game) -> Seat:
    """Returns a seat of the game."""
    number = whole_number(seat)
    if number is None or number not in range(game.seats):
        raise InputError("turn.no_seat", seat=shown(seat), seats=game.seats)
    return number


def raises(illegal: str) -> bool:
    """Returns whether an illegal action raises an error."""
    if illegal not in ILLEGAL:
        raise InputError("env.illegal_choice", illegal=illegal)
    return illegal == "raise"


def check_ready(closed: bool, playing: bool = True) -> None:
    """Raises if an environment is closed, or if it has to be reset before a step."""
    if closed:
        raise ClosedError("env.closed")
    if not playing:
        raise ResetNeededError("env.reset_first")


# Actions


def checked_action(value: Any, actions: int) -> int:
    """Returns one action; raises unless it is a whole number from 0 to `actions` - 1."""
    number = whole_number(value)
    if number is None or not 0 <= number < actions:
        raise ActionError("env.action", last=actions - 1, action=shown(value))
    return number


def checked_actions(values: Any, games: int, actions: int) -> np.ndarray:
    """Returns an action for each game, as compiled code reads them."""
    try:
        given = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise ActionError("env.actions", games=games, given=shown(values)) from None
    if given.shape != (games,):
        raise ActionError("env.actions", games=games, given=given.shape)
    if given.dtype.kind not in "iu":
        raise ActionError("env.actions_kind", kind=given.dtype)
    if given.min() < 0 or given.max() >= actions:
        wrong = given[(given < 0) | (given >= actions)][0]
        raise ActionError("env.action", last=actions - 1, action=str(wrong))
    return np.ascontiguousarray(given, np.int64)


def checked_agents_actions(
    given: Mapping[str, Any], agents: Iterable[str], actions: int
) -> dict[str, int]:
    """Returns the action of each agent; raises if one is missing or not an agent."""
    wanted = list(agents)
    if not isinstance(given, Mapping) or set(given) != set(wanted):
        named = list(given) if isinstance(given, Mapping) else given
        raise ActionError("env.agents", agents=", ".join(wanted), given=shown(named))
    return {agent: checked_action(action, actions) for agent, action in given.items()}


# Resets


def checked_seed(seed: Any) -> int:
    """Returns a seed; raises unless it is a whole number from 0 on."""
    number = whole_number(seed)
    if number is None or number < 0:
        raise SeedError("env.seed", seed=shown(seed))
    return number


def checked_seeds(seed: int | Sequence[int | None] | None, games: int) -> list[int | None]:
    """Returns a seed for each game; one seed is for the first, the next have those that follow."""
    if seed is None:
        return [None] * games
    if isinstance(seed, list | tuple | np.ndarray):
        if len(seed) != games:
            raise SeedError("env.seeds", games=games, given=len(seed))
        return [None if one is None else checked_seed(one) for one in seed]
    first = checked_seed(seed)
    return [first + i for i in range(games)]


def checked_places(mask: Any, games: int) -> np.ndarray:
    """Returns which games are reset; raises unless it is an array of one truth for each game."""
    fits = isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (games,)
    if not fits or not mask.any():
        raise InputError("env.reset_mask", games=games)
    places: np.ndarray = mask
    return places


# Records to start from


def opened(record: Record | Mapping[str, Any] | Path | str) -> Record:
    """Returns a record that is given as such, as data, as a file, or as JSON."""
    if isinstance(record, Record):
        return record
    if isinstance(record, Mapping):
        return read(msgspec.json.encode(record))
    return read(record) if isinstance(record, str) and record.lstrip()[:1] == "{" else load(record)


class StartPoint(NamedTuple):
    """A position, and the events that led to it."""

    state: State
    events: list[Event]

    def dealt(self, seed: int) -> StartPoint:
        """Returns a copy in which a seat has to act: what chance has to deal, the seed deals."""
        copy = StartPoint(self.state.copy(), list(self.events))
        deal_on(copy.state, copy.events, seed)
        return copy


def start_point(game: Game, options: Mapping[str, Any], seat: Seat | None = None) -> StartPoint:
    """Returns the position that `options` of a reset name: a `record`, and an `event` of it.

    Without a number it is the first decision of the seat, or of any seat. Raises `InputError` if
    the record is of another game or has no decision there.
    """
    record, event = opened(options["record"]), options.get("event")
    if record.open().map_hash != game.map_hash or (record.seats, record.options) != (
        game.seats,
        dict(game.options),
    ):
        raise InputError("env.other_game", game=game.box.name, map=game.map)
    state, events = game.start(), list[Event]()
    left = steps(record)
    while not state.finished() and len(events) != event:
        if event is None and (
            seat in state.actors() if seat is not None else CHANCE not in state.actors()
        ):
            break
        step = next(left, None)
        if step is None:
            break
        state.advance(*step.event)
        events.append(step.event)
    if state.finished() or event not in (None, len(events)):
        raise InputError("env.event", event=event, events=len(events))
    return StartPoint(state, events)


def deal_on(state: State, events: list[Event], seed: int) -> None:
    """Deals by a seed until a seat has to act; adds the events."""
    while CHANCE in state.actors():
        events.append((CHANCE, dealer.deal(seed, state)))
        state.advance(*events[-1])
