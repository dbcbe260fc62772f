"""The levels of Ticket to Ride, and the planner, a reasonable opponent for beginners.

The planner looks for cheap ways to connect its tickets, collects the cards for them, takes routes
as soon as it can pay, and draws more tickets when it has connected all and has buses left. It never
takes a route only to block somebody.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import permutations
from typing import ClassVar

from headway.bots.bot import Appraisal, Bot, Budget, Searcher, overlook
from headway.bots.tickettoride.beliefs import SEARCH, Belief
from headway.bots.tickettoride.network import network_of
from headway.bots.tickettoride.route_plans import planned_game
from headway.bots.tickettoride.trials import MoveTrials, native, worth_trying
from headway.games.contract import Move, View
from headway.games.tickettoride.board.board import BUS_CARD, GREY_ROUTE, Board, Ticket
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.moves import claim_parts, keep_mask, parse_move, what
from headway.games.tickettoride.rules.arrays import CLAIM_MOVE, TAKE_PILE, TICKETS, board_record
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView
from headway.table import Table

SPARE_BUSES = 3
"""Buses that a plan keeps, because routes get blocked."""
FEWEST_BUSES_FOR_TICKETS = 6
"""No more tickets once any player has fewer buses than this."""


class PlannerBot(Bot):
    """Connects its tickets on cheap routes and blocks nobody."""

    name = "planner"
    games = ("ticket-to-ride",)

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        assert isinstance(self.game, TicketToRide)
        assert isinstance(view, TicketToRideView)
        turn = PlannedTurn(self.game.board, view)
        if view.phase in ("opening", "keep"):
            return max(legal, key=lambda move: turn.worth_keeping(keep_mask(move)))
        if view.taken == 0:
            claims = [move for move in legal if what(move) == CLAIM_MOVE]
            move = turn.claim(claims)
            if move is not None:
                return move
            if TICKETS in legal and turn.wants_tickets():
                return TICKETS
        return turn.card(legal)


class PlannedTurn:
    """A view with the planner's conclusions from it."""

    def __init__(self, board: Board, view: TicketToRideView) -> None:
        self.board = board
        self.view = view
        self.taken = view.owners(board)
        self.own_routes = {i for i, seat in self.taken.items() if seat == view.seat}
        self.buses = view.buses[view.seat]
        self.hand = Counter(view.hand)

    # Ways

    @cached_property
    def costs(self) -> dict[int, int]:
        """The cost of every usable route; zero for the seat's own routes."""
        shut = {*self.taken, *(self.board.route_named[name] for name in self.view.closed)}
        free = {i: r.length for i, r in enumerate(self.board.routes) if i not in shut}
        return free | dict.fromkeys(self.own_routes, 0)

    def way(self, ticket: Ticket, laid: Iterable[int]) -> tuple[int, list[int]] | None:
        """Returns the cheapest way for a ticket and its new routes; `laid` routes are free."""
        costs = self.costs | dict.fromkeys(laid, 0)
        near: dict[int, list[int]] = {}
        for i in costs:
            for end in (self.board.routes[i].a, self.board.routes[i].b):
                near.setdefault(end, []).append(i)
        border: list[tuple[int, int, list[int]]] = [(0, ticket.a, [])]
        done: set[int] = set()
        while border:
            cost, here, path = heapq.heappop(border)
            if here == ticket.b:
                return cost, [i for i in path if costs[i]]
            if here in done:
                continue
            done.add(here)
            for i in near.get(here, []):
                route = self.board.routes[i]
                there = route.a if route.b == here else route.b
                heapq.heappush(border, (cost + costs[i], there, [*path, i]))
        return None

    def plan(self, tickets: Sequence[Ticket]) -> tuple[int, list[int]]:
        """Returns the points of these tickets, minus those given up, and the routes to take.

        Each ticket may reuse the routes of earlier ones. For up to three tickets all orders are
        tried; more are taken by their points.
        """
        if len(tickets) > 3:
            return self._laid(sorted(tickets, key=lambda t: -t.points))
        return max(
            (self._laid(order) for order in permutations(tickets)),
            key=lambda plan: (plan[0], -self._length(plan[1])),
        )

    def _laid(self, tickets: Sequence[Ticket]) -> tuple[int, list[int]]:
        points, routes = 0, list[int]()
        for ticket in tickets:
            way = self.way(ticket, routes)
            if way and self._length(routes) + way[0] <= self.buses:
                points += ticket.points
                routes += way[1]
            else:
                points -= ticket.points
        return points, routes

    def _length(self, routes: Iterable[int]) -> int:
        return sum(self.board.routes[i].length for i in routes)

    def _open(self) -> list[Ticket]:
        sheet = self.view.own_score
        assert sheet
        names = [ticket.name for ticket in sheet.each_ticket if not ticket.completed]
        return [self.board.tickets[self.board.ticket_named[name]] for name in names]

    @cached_property
    def goal(self) -> list[int]:
        """The routes that the open tickets need."""
        return self.plan(self._open())[1]

    # Tickets

    def worth_keeping(self, mask: int) -> float:
        """Returns the value of keeping the offered tickets of a mask; buses cost a little."""
        offered = [name for i, name in enumerate(self.view.offered) if mask >> i & 1]
        tickets = [self.board.tickets[self.board.ticket_named[name]] for name in offered]
        points, routes = self.plan([*self._open(), *tickets])
        over = self._length(routes) - (self.buses - SPARE_BUSES)
        return points - 0.5 * self._length(routes) - 4 * max(over, 0)

    def wants_tickets(self) -> bool:
        """Whether all tickets are connected and there is time for more."""
        if self.goal or self.view.turns_left is not None:
            return False
        return min(self.view.buses) >= FEWEST_BUSES_FOR_TICKETS

    # Routes

    def claim(self, claims: Sequence[Move]) -> Move | None:
        """Returns the best route to take now: a planned one, or the most points without a plan."""
        planned = [move for move in claims if claim_parts(move).route in self.goal]
        late = self.view.turns_left is not None
        if planned:
            return max(planned, key=self._dear)
        if late or (claims and not self.goal and not self.wants_tickets()):
            return max(claims, key=self._dear, default=None)
        return None

    def _dear(self, move: Move) -> tuple[int, int, int]:
        """Sorts claims: long routes first, then few buses, then cards that the plan can spare."""
        route, kind, buses = claim_parts(move)
        left = self.hand[self.board.kinds[kind]] - self._needs[self.board.kinds[kind]]
        return self.board.routes[route].length, -buses, left

    # Cards

    @cached_property
    def _needs(self) -> Counter[str]:
        """The number of cards of each colour that the plan's coloured routes need."""
        needs: Counter[str] = Counter()
        for i in self.goal:
            if self.board.routes[i].colour != GREY_ROUTE:
                needs[self.board.routes[i].colour] += self.board.routes[i].length
        return needs

    def _lacks(self, colour: str) -> int:
        """Returns how much a card of a colour helps its routes, or the longest grey one."""
        lack = self._needs[colour] - self.hand[colour]
        if lack > 0:
            return 10 + lack
        grey = [r.length for r in map(self.board.routes.__getitem__, self.goal or self.costs)
                if r.colour == GREY_ROUTE]  # fmt: skip
        spare = self.hand[colour] - self._needs[colour]
        return 1 + spare if grey and spare < max(grey) else 0

    def card(self, legal: Sequence[Move]) -> Move:
        """Returns the face-up card that helps most, a bus if none does, else the pile."""
        shown = {kind for kind in self.view.display if kind}
        useful = [kind for kind in shown - {BUS_CARD} if self._lacks(kind) > 1]
        moves = [parse_move(self.board, f"take {kind}") for kind in sorted(useful)]
        helping = [move for move in moves if move in legal]
        if helping:
            return max(helping, key=lambda move: self._lacks(self.board.kinds[move - 1]))
        bus = parse_move(self.board, f"take {BUS_CARD}")
        if bus in legal:
            return bus
        return TAKE_PILE if TAKE_PILE in legal else legal[0]


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
