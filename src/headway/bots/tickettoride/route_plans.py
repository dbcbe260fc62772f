"""Plans: the routes that a player should take for its tickets, and their cost.

These kernels run compiled in the search. A plan uses what its player knows: its hand, its tickets
and the open board.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.games.kernel import BIT, NONE, Mask, kernel, lowest
from headway.games.tickettoride.board.board import MOST_LOCATIONS, MOST_ROUTES
from headway.games.tickettoride.rules.arrays import (
    BUS,
    GREY,
    MOST_KINDS,
    MOST_MOVES,
    NOT_YET,
    BoardRecord,
    PlayerRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.scoring import is_joined, join
from headway.games.tickettoride.rules.turns import closed

# One element of an array of these types.
PlanRecord = Any
WorkspaceRecord = Any

FAR = 1e9
"""The cost of a way that does not exist."""

HABITS = np.dtype(
    [
        ("claim", "f8"),  # cost of claiming a route, in turns
        ("card", "f8"),  # cost of a card that is missing
        ("bus", "f8"),  # cost of a bus
        ("point", "f8"),  # value of a point
        ("pace", "f8"),  # turns per bus, to estimate the length of the game
        ("slack", "f8"),  # turns that a plan may take longer than that estimate
        ("spare", "f8"),  # buses to keep when tickets are chosen, because routes get blocked
        ("over", "f8"),  # cost of using one of these
        ("effort", "f8"),  # cost of a turn when tickets are chosen
        ("quick", "f8"),  # as `card`, when there is no plan
        ("enough", "f8"),  # no more tickets once any player has fewer buses
    ],
    align=True,
)
"""The parameters of a player's planning."""

SENSIBLE = (3.0, 0.5, 0.1, 0.3, 1.0, 3.0, 5.0, 2.0, 0.8, 0.5, 14.0)
"""Tuned one at a time over 16,000 games each; several neighbours are as good."""

PLAN = np.dtype(
    [
        ("made", "i8"),
        ("tickets", "u8"),  # the tickets that the plan is for
        ("routes", "u8"),  # routes to take
        ("need", "i8", (MOST_KINDS,)),  # cards by colour for them; GREY: the longest grey route
    ],
    align=True,
)

WORKSPACE = np.dtype(
    [
        ("cost", "f8", (MOST_ROUTES,)),
        ("far", "f8", (MOST_LOCATIONS,)),
        ("by", "i8", (MOST_LOCATIONS,)),
        ("reach", "u8", (MOST_LOCATIONS,)),
        ("ahead", "u8", (MOST_LOCATIONS,)),  # as `reach`, with the planned routes
        ("moves", "i8", (MOST_MOVES,)),
    ],
    align=True,
)
"""Scratch memory."""


class PlannedGame(NamedTuple):
    """A game in progress, and what its seats plan with."""

    board: BoardRecord
    shared: SharedRecord
    players: Any
    habits: Any
    """By seat."""
    plans: Any
    """By seat."""
    workspace: WorkspaceRecord


def planned_game(board: BoardRecord, shared: SharedRecord, players: np.ndarray) -> PlannedGame:
    """Returns a position in which sensible players have made no plans yet."""
    seats = len(players)
    return PlannedGame(
        board=board,
        shared=shared,
        players=players,
        habits=np.array([SENSIBLE] * seats, HABITS),
        plans=np.zeros(seats, PLAN),
        workspace=np.zeros(1, WORKSPACE)[0],
    )


@kernel
def copy_game(shared: Any, players: Any, to_shared: Any, to_players: Any) -> None:
    """Copies a position; `to_shared` is an array of one."""
    to_shared[0] = shared
    for player in range(players.shape[0]):
        to_players[player] = players[player]


@kernel
def open_routes(board: BoardRecord, shared: SharedRecord, player: PlayerRecord) -> Mask:
    """Returns the routes that a player may still take and has enough buses for."""
    free = board["all_routes"] & ~(shared["routes"] | closed(board, shared, player))
    kept = NONE
    buses = int(player["buses"])
    while free != NONE:
        route = lowest(free)
        free &= ~BIT[route]
        if board["length"][route] <= buses:
            kept |= BIT[route]
    return kept


@kernel
def lacking(board: BoardRecord, player: PlayerRecord, route: int) -> int:
    """Returns the number of cards that a player still needs for a route."""
    hand, colour = player["hand"], int(board["colour"][route])
    have = 0
    if colour != GREY:
        have = int(hand[colour])
    else:
        for kind in range(1, int(board["kinds"])):
            have = max(have, int(hand[kind]))
    return max(0, int(board["length"][route]) - have - int(hand[BUS]))


@kernel
def weigh(game: PlannedGame, seat: int) -> None:
    """Writes the cost of every route for a seat, in turns; FAR if it cannot be taken."""
    board, player, habits = game.board, game.players[seat], game.habits[seat]
    cost, usable = game.workspace["cost"], open_routes(board, game.shared, player)
    for route in range(int(board["routes"])):
        cost[route] = FAR
        if player["routes"] & BIT[route] != NONE:
            cost[route] = 0.0
        elif usable & BIT[route] != NONE:
            length = int(board["length"][route])
            price = habits["claim"] + habits["card"] * lacking(board, player, route)
            price += habits["bus"] * length - habits["point"] * int(board["points"][route])
            cost[route] = max(0.05, price)


@kernel
def spread(board: BoardRecord, start: int, laid: Mask, workspace: WorkspaceRecord) -> None:
    """Writes the distance of all places from one, and the last route of each cheapest way."""
    cost, far, by = workspace["cost"], workspace["far"], workspace["by"]
    for place in range(int(board["locations"])):
        far[place] = FAR
        by[place] = -1
    far[start] = 0.0
    changed = True
    while changed:
        changed = False
        for route in range(int(board["routes"])):
            price = cost[route]
            if price >= FAR:
                continue
            if laid & BIT[route] != NONE:
                price = 0.0
            a, b = int(board["route_a"][route]), int(board["route_b"][route])
            if far[a] + price < far[b]:
                far[b] = far[a] + price
                by[b] = route
                changed = True
            elif far[b] + price < far[a]:
                far[a] = far[b] + price
                by[a] = route
                changed = True


@kernel
def way_back(
    board: BoardRecord, player: PlayerRecord, start: int, end: int, workspace: WorkspaceRecord
) -> Mask:
    """Returns the new routes of the way that `spread` found from the start to a place."""
    by = workspace["by"]
    way = NONE
    place = end
    while place != start:
        route = int(by[place])
        way |= BIT[route]
        place = int(board["route_a"][route]) + int(board["route_b"][route]) - place
    new: Mask = way & ~player["routes"]
    return new


@kernel
def sum_of(mask: Mask, numbers: Any) -> int:
    """Returns the sum of the whole numbers of those in a mask."""
    total = 0
    while mask != NONE:
        one = lowest(mask)
        mask &= ~BIT[one]
        total += int(numbers[one])
    return total


@kernel
def cost_of(routes: Mask, workspace: WorkspaceRecord) -> float:
    """Returns the cost of these routes, in turns."""
    total = 0.0
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        total += workspace["cost"][route]
    return total


@kernel
def unjoined(
    board: BoardRecord, player: PlayerRecord, tickets: Mask, workspace: WorkspaceRecord
) -> Mask:
    """Returns the tickets whose places are not connected yet."""
    reach = workspace["reach"]
    join(board, player["routes"], reach)
    open_tickets = NONE
    while tickets != NONE:
        ticket = lowest(tickets)
        tickets &= ~BIT[ticket]
        if not is_joined(board, reach, ticket):
            open_tickets |= BIT[ticket]
    return open_tickets


@kernel
def highest(mask: Mask, numbers: Any) -> int:
    """Returns the one of a mask with the highest number; the first one among equals."""
    best = lowest(mask)
    while mask != NONE:
        one = lowest(mask)
        mask &= ~BIT[one]
        if numbers[one] > numbers[best]:
            best = one
    return best


@kernel
def lay(
    board: BoardRecord, player: PlayerRecord, tickets: Mask, time: float, workspace: WorkspaceRecord
) -> tuple[Mask, int]:
    """Returns the routes to take for tickets, and the points of these tickets minus those given up.

    The ticket with the most points comes first; later ones reuse routes of earlier ones. A ticket
    is given up if buses or time do not last. Call `weigh` before.
    """
    laid = NONE
    points = 0
    while tickets != NONE:
        ticket = highest(tickets, board["ticket_points"])
        tickets &= ~BIT[ticket]
        a, b = int(board["ticket_a"][ticket]), int(board["ticket_b"][ticket])
        worth = int(board["ticket_points"][ticket])
        spread(board, a, laid, workspace)
        points -= worth
        if workspace["far"][b] < FAR:
            more = laid | way_back(board, player, a, b, workspace)
            fits = sum_of(more, board["length"]) <= int(player["buses"])
            if fits and cost_of(more, workspace) <= time:
                laid = more
                points += 2 * worth
    return laid, points


@kernel
def time_left(game: PlannedGame, seat: int) -> float:
    """Estimates the turns that a seat still has after this one."""
    if game.shared["turns_left"] != NOT_YET:
        return -1.0
    time, habits = FAR, game.habits[seat]
    for other in range(int(game.shared["seats"])):
        if other != seat:
            time = min(time, habits["pace"] * int(game.players[other]["buses"]) + habits["slack"])
    return time


@kernel
def make_plan(game: PlannedGame, seat: int, plan: PlanRecord) -> None:
    """Makes a seat's plan."""
    board, player, workspace = game.board, game.players[seat], game.workspace
    weigh(game, seat)
    tickets = unjoined(board, player, player["tickets"], workspace)
    routes, _ = lay(board, player, tickets, time_left(game, seat), workspace)
    plan["made"] = 1
    plan["tickets"] = player["tickets"]
    plan["routes"] = routes
    count_needs(board, plan)


@kernel
def count_needs(board: BoardRecord, plan: PlanRecord) -> None:
    """Counts the cards that the planned routes need."""
    need = plan["need"]
    for kind in range(int(board["kinds"])):
        need[kind] = 0
    routes = plan["routes"]
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        colour, length = int(board["colour"][route]), int(board["length"][route])
        if colour == GREY:
            need[GREY] = max(int(need[GREY]), length)
        else:
            need[colour] += length


@kernel
def renew_plan(game: PlannedGame, seat: int) -> None:
    """Makes a plan if there is none, if the tickets changed, or if a planned route was taken."""
    player, plan = game.players[seat], game.plans[seat]
    left = plan["routes"] & ~player["routes"]
    shut = game.shared["routes"] | closed(game.board, game.shared, player)
    if plan["made"] == 0 or plan["tickets"] != player["tickets"] or left & shut != NONE:
        make_plan(game, seat, plan)
    elif left != plan["routes"]:
        plan["routes"] = left
        count_needs(game.board, plan)
