"""The notation: abbreviated moves, what chance deals as text, and the log as a seat sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headway.errors import InputError
from headway.games.contract import CHANCE, Event, Move, Seat
from headway.games.logbook import Logbook
from headway.games.nextstation.city.city import City
from headway.games.nextstation.moves import deal_text, move_text, parse_move, parts
from headway.games.nextstation.state import NextStationState

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation


_STATION = re.compile(r"[a-z][0-9]")
_APART = re.compile(r"(?<![a-z0-9])([=+]?[a-z][0-9])[\s,>-]+(?=[a-z][0-9](?![a-z0-9]))")


def shorthand(game: NextStation, text: str, legal: Sequence[Move]) -> list[Move]:
    """Returns the legal moves that an abbreviated text may mean.

    Examples are `a2` for `d2a2`, `joker a2` and `d2 a2`. If there is none, returns the nearest
    illegal move, whose error tells the reason; empty if the text means nothing.
    """
    city, tokens = game.city, _APART.sub(r"\1", text.lower()).split()
    tokens = [f"!{token}" if token in ("joker", "switch") else token for token in tokens]
    for token in tokens:
        if (name := _target(token)) and name not in city.station_named:
            raise InputError("format.station", station=name, city=city.title)
    pattern = re.compile(" ".join(map(_pattern, tokens)))
    moves = [move for move in legal if pattern.fullmatch(move_text(city, move))]
    return moves or _nearest(city, tokens, legal)


def _target(token: str) -> str | None:
    """Returns the station that a token names without the start of the section."""
    bare = token.lstrip("=+*")
    return bare if _STATION.fullmatch(bare) else None


def _pattern(token: str) -> str:
    """Returns a pattern for what a token may stand for in the notation."""
    if token.startswith("*"):
        return re.escape(token)
    if target := _target(token):
        sign = token.removesuffix(target)
        return (re.escape(sign) or "=?") + "[a-z][0-9]" + target
    return re.escape(token)


def _nearest(city: City, tokens: Sequence[str], legal: Sequence[Move]) -> list[Move]:
    """Returns the text with a missing start filled in, from a station where a section can start."""
    starts = [section[0] for section in (parts(move).section for move in legal) if section]
    ranked = sorted(dict.fromkeys(starts), key=lambda start: not _printed(city, start, tokens))
    filled = [
        " ".join(_fill(city.stations[start].name, token) for token in tokens) for start in ranked
    ]
    for candidate in filled or [" ".join(tokens)]:
        try:
            return [parse_move(city, candidate)]
        except InputError:
            continue
    return []


def _printed(city: City, start: int, tokens: Sequence[str]) -> bool:
    targets = [name for token in tokens if (name := _target(token)) and not token.startswith("*")]
    return any((start, city.station_named[name]) in city.section_between for name in targets)


def _fill(start: str, token: str) -> str:
    target = _target(token)
    if target is None or token.startswith("*"):
        return token
    return token.removesuffix(target) + start + target


def asked_move(state: NextStationState, seat: Seat, text: str) -> Move:
    """Returns the move that a seat asks about; a text says all of it."""
    return parse_move(state.game.city, text)


def chance_text(state: NextStationState, move: Move) -> str:
    """Returns what a move of chance deals as a line of text."""
    return deal_text(state.game.city, state.game.seats, state.chance_name(), move)


class NextStationLog(Logbook):
    """Other seats see a move when its turn is finished."""

    def add(self, state: NextStationState, event: Event) -> None:
        actor, move = event
        if actor == CHANCE:
            text = chance_text(state, move)
            self.note(event, text, text, CHANCE, waits=False)
            return
        text = state.game.move_text(move)
        self.note(event, text, text, actor, waits=True)
        if state.actors() == {actor}:
            self.show()
            self.turn += 1


logbook = NextStationLog
