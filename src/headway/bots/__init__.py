"""Bots: programs that choose moves from a view, never from the state."""

from __future__ import annotations

from collections.abc import Sequence

from headway.bots.bot import Appraisal, Bot, Budget, Searcher
from headway.bots.registry import bots_of, explain, find_bot, luck_teller, make_bot
from headway.errors import InputError
from headway.table import Table, play_to_end

__all__ = [
    "Appraisal",
    "Bot",
    "Budget",
    "Searcher",
    "bots_of",
    "explain",
    "find_bot",
    "luck_teller",
    "make_bot",
    "play_out",
]


def play_out(table: Table, players: Sequence[Bot]) -> None:
    """Plays a table to its end with one bot for each seat."""
    if len(players) != table.seats:
        raise InputError("format.players", seats=table.seats, given=len(players))
    play_to_end(table, lambda seat: players[seat].choose(table.view(seat), table.state.legal(seat)))
