"""The prospects of a seat's tickets: done, possible or impossible, and the cheapest way.

They use the open board and the seat's own tickets only, so a view may contain them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from heapq import heappop, heappush
from typing import Literal

import msgspec

from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.rules.arrays import OVER, PlayerRecord, SharedRecord, board_record
from headway.games.tickettoride.rules.claims import closed

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
    links = _links(board)
    came: dict[int, tuple[int, int]] = {}
    queue = [(0, 0, start, -1, -1)]
    while queue:
        spaces, steps, place, route, before = heappop(queue)
        if place in came:
            continue
        came[place] = route, before
        if place == end:
            return spaces, _back(came, end)
        for i, other in links[place]:
            if costs[i] >= 0 and other not in came:
                heappush(queue, (spaces + costs[i], steps + 1, other, i, place))
    return 0, []


def _back(came: dict[int, tuple[int, int]], end: int) -> list[int]:
    way: list[int] = []
    route, before = came[end]
    while route >= 0:
        way.append(route)
        route, before = came[before]
    return way[::-1]
