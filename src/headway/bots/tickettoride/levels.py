"""The levels of Ticket to Ride."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar

from headway.bots.bot import Appraisal, Bot, Budget, Searcher, overlook
from headway.bots.tickettoride.beliefs import SEARCH, Belief
from headway.bots.tickettoride.network import network_of
from headway.bots.tickettoride.planner_bot import PlannerBot
from headway.bots.tickettoride.route_plans import planned_game
from headway.bots.tickettoride.trials import MoveTrials, native, worth_trying
from headway.games.contract import Move, View
from headway.games.tickettoride.rules.arrays import board_record
from headway.games.tickettoride.state import TicketToRideState
from headway.table import Table

OVERLOOKED_SHARE = 0.6


class TicketTourist(PlannerBot):
    """Connects its tickets, but overlooks most cards and routes that it could take."""

    name = "tourist"

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return super().choose(view, overlook(legal, OVERLOOKED_SHARE, self.generator), clock)


class TicketCommuter(PlannerBot):
    """Connects its tickets on cheap routes and blocks nobody; the same as the planner."""

    name = "commuter"


class TicketDriver(Bot):
    """Weighs turns, cards and points, but does not search.

    The expert's playouts use it for every seat (`playout_policy.py`).
    """

    name = "driver"
    games = ("ticket-to-ride",)
    compiled = True
    compile_seconds = 6.0

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        sampled = self.game.resample(view, self.generator)
        assert isinstance(sampled, TicketToRideState)
        board = board_record(sampled.game.board)
        game = planned_game(board, sampled.shared, sampled.players)
        return int(native().sensible(game, view.seat))

    @classmethod
    def warm_up(cls) -> None:
        table = Table(cls.games[0], seats=2, seed=0)
        cls(table.game, random.Random(0)).choose(table.view(0), table.state.legal(0))


class TicketExpert(Searcher):
    """Tries its moves in determinizations that its seat cannot tell from the real state.

    Hidden cards are dealt uniformly, tickets of others by the routes that they took. With a network
    for the board, the network plays all seats some turns ahead and values the positions. Without
    one, all seats play to the end of the game by `playout_policy.py`.
    """

    name = "expert"
    games = ("ticket-to-ride",)
    budget = Budget(seconds=0.1)
    belief: ClassVar[Belief] = SEARCH

    def appraise(self, view: View, legal: Sequence[Move], budget: Budget) -> list[Appraisal]:
        position = self.game.resample(view, self.generator)
        assert isinstance(position, TicketToRideState)
        moves, net = worth_trying(legal), network_of(position.game)
        trials = MoveTrials(position, view.seat, moves, self.generator, net=net, belief=self.belief)
        return [trials.appraisal(i) for i in trials.halve(budget)]

    @classmethod
    def warm_up(cls) -> None:
        table = Table(cls.games[0], seats=2, seed=0)
        bot = cls(table.game, random.Random(0))
        bot.appraise(table.view(0), table.state.legal(0), Budget(simulations=1))
