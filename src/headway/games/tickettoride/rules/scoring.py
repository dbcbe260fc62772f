"""Scoring: tickets, districts and the total (TR-12, TR-17, TR-18)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from heapq import heappop, heappush
from typing import Any, Literal

import msgspec
import numpy as np

from headway.games.kernel import BIT, NONE, Mask, kernel, lowest
from headway.games.tickettoride.board.board import MOST_LOCATIONS, Board, Ticket
from headway.games.tickettoride.rules.arrays import (
    OVER,
    SCORE,
    BoardRecord,
    PlayerRecord,
    ScoreRecord,
    SharedRecord,
    board_record,
)
from headway.games.tickettoride.rules.turns import closed


@kernel
def join(board: BoardRecord, routes: Mask, reach: Any) -> None:
    """Writes into `reach`, for each location, the mask of all locations connected to it."""
    for place in range(int(board["locations"])):
        reach[place] = BIT[place]
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        a, b = int(board["route_a"][route]), int(board["route_b"][route])
        both = reach[a] | reach[b]
        if reach[a] != both:
            left = both
            while left != NONE:
                place = lowest(left)
                left &= ~BIT[place]
                reach[place] = both


@kernel
def is_joined(board: BoardRecord, reach: Any, ticket: int) -> bool:
    """Whether the places of a ticket are connected (TR-17)."""
    a, b = int(board["ticket_a"][ticket]), int(board["ticket_b"][ticket])
    return bool(reach[a] & BIT[b] != NONE)


@kernel
def joined_districts(board: BoardRecord, reach: Any) -> tuple[Mask, int]:
    """Returns the districts whose places are all connected, and their points (TR-18)."""
    joined, points = NONE, 0
    for i in range(int(board["districts"])):
        # The way may lead through places of other districts (ruling).
        if board["district"][i] & ~reach[int(board["district_first"][i])] == NONE:
            joined |= BIT[i]
            points += int(board["district_points"][i])
    return joined, points


@kernel
def score(board: BoardRecord, player: PlayerRecord, reach: Any, score_record: ScoreRecord) -> int:
    """Writes a player's score as if the game ended now into `score_record`; returns the total.

    `reach` is scratch memory: a mask for each location.
    """
    join(board, player["routes"], reach)
    tickets, completed, done = 0, 0, NONE
    left = player["tickets"]
    while left != NONE:
        ticket = lowest(left)
        left &= ~BIT[ticket]
        points = int(board["ticket_points"][ticket])
        if is_joined(board, reach, ticket):
            tickets += points
            completed += 1
            done |= BIT[ticket]
        else:
            tickets -= points
    joined, districts = joined_districts(board, reach)
    total = int(player["points"]) + tickets + districts
    score_record["routes"], score_record["tickets"] = player["points"], tickets
    score_record["districts"], score_record["total"] = districts, total
    score_record["completed"], score_record["completed_tickets"] = completed, done
    score_record["joined_districts"] = joined
    return total


class TicketScore(msgspec.Struct, frozen=True):
    """A kept ticket: its points are won if its places are connected, otherwise lost (TR-17)."""

    name: str
    points: int
    completed: bool
    worth: int
    """The points with their sign."""


class TicketToRideScore(msgspec.Struct, frozen=True):
    """A seat's score as if the game ended now; at the end it is the final score."""

    routes: int
    tickets: int
    districts: int
    total: int
    completed: int
    """The number of completed tickets, which breaks ties (TR-19)."""
    each_ticket: tuple[TicketScore, ...]
    each_district: tuple[int, ...]
    """The numbers of the districts whose places are all connected."""

    @property
    def rank(self) -> tuple[int, int]:
        """Compares players; the greater one is better (TR-19)."""
        return self.total, self.completed


def score_sheet(board: Board, player: PlayerRecord) -> TicketToRideScore:
    """Returns the current score of a player."""
    score_record = np.zeros(1, SCORE)[0]
    score(board_record(board), player, np.zeros(MOST_LOCATIONS, np.uint64), score_record)
    return TicketToRideScore(
        routes=int(score_record["routes"]),
        tickets=int(score_record["tickets"]),
        districts=int(score_record["districts"]),
        total=int(score_record["total"]),
        completed=int(score_record["completed"]),
        each_ticket=tuple(
            _ticket_score(ticket, bool(score_record["completed_tickets"] & BIT[i]))
            for i, ticket in enumerate(board.tickets)
            if player["tickets"] & BIT[i] != NONE
        ),
        each_district=tuple(
            district.number
            for i, district in enumerate(board.districts)
            if score_record["joined_districts"] & BIT[i] != NONE
        ),
    )


def joined_places(board: Board, player: PlayerRecord) -> tuple[int, ...]:
    """Returns how many places of each district a player has connected, at most."""
    record, reach = board_record(board), np.zeros(MOST_LOCATIONS, np.uint64)
    join(record, player["routes"], reach)
    nets = {int(mask) for mask in reach[: len(board.locations)]}
    counts = []
    for i in range(len(board.districts)):
        most = max((net & int(record["district"][i])).bit_count() for net in nets)
        counts.append(most if most > 1 else 0)
    return tuple(counts)


def _ticket_score(ticket: Ticket, completed: bool) -> TicketScore:
    points = ticket.points
    return TicketScore(ticket.name, points, completed, points if completed else -points)


Links = tuple[tuple[tuple[int, int], ...], ...]


class Prospect(msgspec.Struct, frozen=True):
    """A ticket that a seat holds or may keep, and what it takes to complete it."""

    name: str
    state: Literal["done", "possible", "impossible"]
    spaces: int
    """Spaces still to be claimed on the cheapest way, each for a card and a bus."""
    way: tuple[str, ...]
    """The routes of that way, including the seat's own; empty if there is no way."""


@cache
def _links(board: Board) -> Links:
    """Returns by location the routes that leave it, each with its other end."""
    links: list[list[tuple[int, int]]] = [[] for _ in board.locations]
    for i, route in enumerate(board.routes):
        links[route.a].append((i, route.b))
        links[route.b].append((i, route.a))
    return tuple(map(tuple, links))


def prospects(
    board: Board, shared: SharedRecord, player: PlayerRecord, tickets: Iterable[int]
) -> tuple[Prospect, ...]:
    """Returns the prospects of these tickets for a player, in their order."""
    own_routes = int(player["routes"])
    shut = int(closed(board_record(board), shared, player))
    free = ~(int(shared["routes"]) | shut)
    costs = [
        0 if own_routes >> i & 1 else route.length if free >> i & 1 else -1
        for i, route in enumerate(board.routes)
    ]
    buses = 0 if shared["phase"] == OVER else int(player["buses"])
    return tuple(_prospect(board, costs, buses, ticket) for ticket in tickets)


def _prospect(board: Board, costs: Sequence[int], buses: int, ticket: int) -> Prospect:
    one = board.tickets[ticket]
    spaces, way = cheapest(board, costs, one.a, one.b)
    names = tuple(board.routes[i].name for i in way)
    if way and spaces == 0:
        return Prospect(one.name, "done", 0, names)
    if way and spaces <= buses:
        return Prospect(one.name, "possible", spaces, names)
    return Prospect(one.name, "impossible", spaces, names)


def cheapest(board: Board, costs: Sequence[int], start: int, end: int) -> tuple[int, list[int]]:
    """Returns the way with the fewest spaces to claim, then with the fewest routes.

    `costs` are spaces by route, -1 for a route that cannot be used.
    """
    links, reached = _links(board), set[int]()
    queue: list[tuple[int, int, int, int, int, list[int]]] = [(0, 0, start, -1, -1, [])]
    while queue:
        spaces, steps, place, _, _, way = heappop(queue)
        if place == end:
            return spaces, way
        if place in reached:
            continue
        reached.add(place)
        for i, other in links[place]:
            if costs[i] >= 0 and other not in reached:
                heappush(queue, (spaces + costs[i], steps + 1, other, i, place, [*way, i]))
    return 0, []
