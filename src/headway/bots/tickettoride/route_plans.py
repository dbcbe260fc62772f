"""Plans: which routes a player should take for its tickets, and what they still cost.

Kernels, like the rules: they run compiled in the search. A plan is made from what its player
knows, its own hand and tickets and the open board, never from another hand.
"""

from __future__ import annotations

from typing import Any

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
from headway.games.tickettoride.rules.claims import closed
from headway.games.tickettoride.rules.scoring import join

# One element of an array of these types.
HabitsRecord = Any
PlanRecord = Any
WorkspaceRecord = Any

FAR = 1e9
"""The cost of a way that does not exist."""

HABITS = np.dtype(
    [
        ("claim", "f8"),  # what taking a route costs by itself, in turns or so
        ("card", "f8"),  # what a card costs that is not in the hand
        ("bus", "f8"),  # what a bus costs that is laid
        ("point", "f8"),  # what a point of a route is worth
        ("pace", "f8"),  # turns that a player needs for a bus, to guess how long the game lasts
        ("slack", "f8"),  # turns that a plan may take longer than that
        ("spare", "f8"),  # buses to keep when tickets are chosen: ways get blocked
        ("over", "f8"),  # what a bus beyond those costs
        ("effort", "f8"),  # what a turn costs when tickets are chosen
        ("quick", "f8"),  # as `card`, when there is no plan and only points count
        ("enough", "f8"),  # when somebody has fewer buses, no more tickets
    ],
    align=True,
)
"""How a player plans, in numbers."""

SENSIBLE = (3.0, 0.5, 0.1, 0.3, 1.0, 3.0, 5.0, 2.0, 0.8, 0.5, 14.0)
"""Found by changing one at a time, 16,000 games each; several neighbours are as good."""

PLAN = np.dtype(
    [
        ("made", "i8"),
        ("tickets", "u8"),  # those that the plan was made for
        ("routes", "u8"),  # routes to take
        ("need", "i8", (MOST_KINDS,)),  # cards of each colour for them; GREY: the longest grey one
    ],
    align=True,
)

WORKSPACE = np.dtype(
    [
        ("cost", "f8", (MOST_ROUTES,)),
        ("far", "f8", (MOST_LOCATIONS,)),
        ("by", "i8", (MOST_LOCATIONS,)),
        ("reach", "u8", (MOST_LOCATIONS,)),
        ("moves", "i8", (MOST_MOVES,)),
    ],
    align=True,
)
"""Room to work in."""


@kernel
def open_routes(board: BoardRecord, shared: SharedRecord, player: PlayerRecord) -> Mask:
    """The routes that a player may still take, as far as buses go."""
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
    """The cards that a player still needs to pay for a route."""
    hand, colour = player["hand"], int(board["colour"][route])
    have = 0
    if colour != GREY:
        have = int(hand[colour])
    else:
        for kind in range(1, int(board["kinds"])):
            have = max(have, int(hand[kind]))
    return max(0, int(board["length"][route]) - have - int(hand[BUS]))


@kernel
def weigh(
    board: BoardRecord,
    shared: SharedRecord,
    player: PlayerRecord,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
) -> None:
    """Writes what every route costs the player, in turns; FAR if it cannot be taken."""
    cost = workspace["cost"]
    usable = open_routes(board, shared, player)
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
    """Writes how far all places are from one, and the last route of the cheapest way to each."""
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
    """The routes of the way that `spread` found from the start to a place, but for the own."""
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
def length_of(board: BoardRecord, routes: Mask) -> int:
    """The spaces of all these routes."""
    spaces = 0
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        spaces += int(board["length"][route])
    return spaces


@kernel
def cost_of(routes: Mask, workspace: WorkspaceRecord) -> float:
    """What all these routes cost, in turns."""
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
    """The tickets whose places are not joined yet."""
    reach = workspace["reach"]
    join(board, player["routes"], reach)
    open_tickets = NONE
    while tickets != NONE:
        ticket = lowest(tickets)
        tickets &= ~BIT[ticket]
        if reach[int(board["ticket_a"][ticket])] & BIT[int(board["ticket_b"][ticket])] == NONE:
            open_tickets |= BIT[ticket]
    return open_tickets


@kernel
def dearest(board: BoardRecord, tickets: Mask) -> int:
    """The ticket worth most among some."""
    best = lowest(tickets)
    while tickets != NONE:
        ticket = lowest(tickets)
        tickets &= ~BIT[ticket]
        if board["ticket_points"][ticket] > board["ticket_points"][best]:
            best = ticket
    return best


@kernel
def lay(
    board: BoardRecord, player: PlayerRecord, tickets: Mask, time: float, workspace: WorkspaceRecord
) -> tuple[Mask, int]:
    """The routes to take for some tickets, and the points of those tickets, less those given up.

    The dearest comes first; each is laid on top of the ways before. A ticket for which buses or
    time do not last is given up. `weigh` comes before.
    """
    laid = NONE
    points = 0
    while tickets != NONE:
        ticket = dearest(board, tickets)
        tickets &= ~BIT[ticket]
        a, b = int(board["ticket_a"][ticket]), int(board["ticket_b"][ticket])
        worth = int(board["ticket_points"][ticket])
        spread(board, a, laid, workspace)
        points -= worth
        if workspace["far"][b] < FAR:
            more = laid | way_back(board, player, a, b, workspace)
            fits = length_of(board, more) <= int(player["buses"])
            if fits and cost_of(more, workspace) <= time:
                laid = more
                points += 2 * worth
    return laid, points


@kernel
def time_left(shared: SharedRecord, players: Any, seat: int, habits: HabitsRecord) -> float:
    """A guess at the turns that a player still has after this one."""
    if shared["turns_left"] != NOT_YET:
        return -1.0
    time = FAR
    for other in range(int(shared["seats"])):
        if other != seat:
            time = min(time, habits["pace"] * int(players[other]["buses"]) + habits["slack"])
    return time


@kernel
def make_plan(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
    plan: PlanRecord,
) -> None:
    """Makes a player's plan anew."""
    player = players[seat]
    weigh(board, shared, player, habits, workspace)
    tickets = unjoined(board, player, player["tickets"], workspace)
    routes, _ = lay(board, player, tickets, time_left(shared, players, seat, habits), workspace)
    plan["made"] = 1
    plan["tickets"] = player["tickets"]
    plan["routes"] = routes
    count_needs(board, plan)


@kernel
def count_needs(board: BoardRecord, plan: PlanRecord) -> None:
    """Counts the cards that the wanted routes ask for."""
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
def renew_plan(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
    plan: PlanRecord,
) -> None:
    """Makes a plan anew if there is none yet, or if something came between."""
    player = players[seat]
    left = plan["routes"] & ~player["routes"]
    shut = shared["routes"] | closed(board, shared, player)
    if plan["made"] == 0 or plan["tickets"] != player["tickets"] or left & shut != NONE:
        make_plan(board, shared, players, seat, habits, workspace, plan)
    elif left != plan["routes"]:
        plan["routes"] = left
        count_needs(board, plan)
