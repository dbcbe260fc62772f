"""The value network: a seat's share of the victory and its lead in points, from its features.

The features are what a seat knows after its move, as numbers of inputs: its own cards and tickets
and the open table. `others_features` do not depend on the seat's move, `network_features` change
with routes and tickets, `hand_features` with cards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headway.bots.tickettoride.route_plans import PlannedGame, PlanRecord, sum_of
from headway.bots.value_net import Head, Network, network_for, output_of, think
from headway.games.kernel import BIT, NONE, Mask, count, kernel, lowest
from headway.games.tickettoride.board.board import (
    MOST_DISPLAY,
    MOST_DISTRICTS,
    MOST_ROUTES,
    MOST_TICKETS,
)
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import (
    BUS,
    GREY,
    MOST_KINDS,
    OPENING,
    BoardRecord,
)
from headway.games.tickettoride.rules.scoring import is_joined, join, joined_districts
from headway.games.tickettoride.rules.turns import payable

# What comes next for the seat.
OTHERS_TURN, OWN_CARD, OWN_TICKETS, LAST_TURN_LEFT, NO_TURN_LEFT = range(5)

STEPS = 24
"""Values of a counted feature, from 0; the last one stands for all larger numbers."""
FEW = 8
"""The same where numbers are small."""

# Others: the first number of each feature, for each seat after the own one.
OTHER_ROUTES = 0
OTHER_JOINED = OTHER_ROUTES + MOST_ROUTES
OTHER_OPEN = OTHER_JOINED + MOST_TICKETS
OTHER_BUSES = OTHER_OPEN + MOST_KINDS * FEW
OTHER_HAND = OTHER_BUSES + STEPS
OTHER_TICKETS = OTHER_HAND + STEPS
OTHER_POINTS = OTHER_TICKETS + FEW
OTHER_SIZE = OTHER_POINTS + STEPS
OTHERS = 3
MOVER = OTHERS * OTHER_SIZE

# Routes and tickets of the seat.
ROUTES = MOVER + FEW
PLANNED = ROUTES + MOST_ROUTES
TICKETS = PLANNED + MOST_ROUTES
DISTRICTS = TICKETS + 3 * MOST_TICKETS
BUSES = DISTRICTS + 2 * FEW * MOST_DISTRICTS
LENGTH = BUSES + STEPS
SPARE = LENGTH + STEPS
NOW = SPARE + STEPS
PROSPECT = NOW + 5 * 2 * STEPS
LEAD = PROSPECT + 2 * STEPS

# Cards.
HAND = LEAD + 2 * STEPS
HAND_SIZE = HAND + MOST_KINDS * FEW
LACK = HAND_SIZE + STEPS
ALL_LACK = LACK + MOST_KINDS * FEW
TURNS = ALL_LACK + STEPS
RACE = TURNS + STEPS
READY = RACE + STEPS * STEPS
DISPLAY = READY + MOST_ROUTES
HELPFUL = DISPLAY + 2 * MOST_KINDS * FEW
NEXT = HELPFUL + 2 * MOST_KINDS
FEATURES = NEXT + FEW

MOST_ACTIVE = (
    OTHERS * (MOST_TICKETS + MOST_KINDS + 4)  # each other seat: joined tickets, open cards, numbers
    + 2 * MOST_ROUTES  # a route is one seat's or planned; a planned one may be ready as well
    + MOST_TICKETS
    + 2 * MOST_DISTRICTS
    + 3 * MOST_KINDS
    + MOST_DISPLAY  # kinds that help
    + 5  # numbers of the seat's network
    + 6  # numbers of its hand
    + 1  # who moves first, or what another seat does (in reviews)
)
"""The most features that can be active at once, on any board."""


@kernel
def step(first: int, number: int, steps: int) -> int:
    """Returns the feature that stands for a number."""
    return first + min(max(number, 0), steps - 1)


@kernel
def put_mask(mask: Mask, first: int, out: Any, n: int) -> int:
    """Appends a feature for each one of a mask; returns the new length."""
    while mask != NONE:
        one = lowest(mask)
        mask &= ~BIT[one]
        out[n] = first + one
        n += 1
    return n


@kernel
def others_features(game: PlannedGame, seat: int, out: Any) -> tuple[int, int, int]:
    """Writes the features of the other seats; returns their number.

    Also returns the most open points and the fewest buses of these seats.
    """
    board, shared, reach = game.board, game.shared, game.workspace["reach"]
    seats, n, most, fewest = int(shared["seats"]), 0, 0, STEPS
    for away in range(1, seats):
        other = game.players[(seat + away) % seats]
        first = (away - 1) * OTHER_SIZE
        n = put_mask(other["routes"], first + OTHER_ROUTES, out, n)
        join(board, other["routes"], reach)
        for ticket in range(int(board["tickets"])):
            if is_joined(board, reach, ticket):
                out[n] = first + OTHER_JOINED + ticket
                n += 1
        cards = 0
        for kind in range(int(board["kinds"])):
            cards += int(other["hand"][kind])
            out[n] = step(first + OTHER_OPEN + kind * FEW, int(other["open"][kind]), FEW)
            n += 1
        points = int(other["points"]) + joined_districts(board, reach)[1]
        buses = int(other["buses"])
        most, fewest = max(most, points), min(fewest, buses)
        out[n] = step(first + OTHER_BUSES, buses, STEPS)
        out[n + 1] = step(first + OTHER_HAND, cards, STEPS)
        tickets = count(other["tickets"]) + int(shared["offers"][(seat + away) % seats])
        out[n + 2] = step(first + OTHER_TICKETS, tickets, FEW)
        out[n + 3] = step(first + OTHER_POINTS, points // 2, STEPS)
        n += 4
    if shared["phase"] == OPENING:
        out[n] = MOVER + (int(shared["first"]) - seat + seats) % seats
        n += 1
    return n, most, fewest


@kernel
def ticket_features(
    board: BoardRecord, tickets: Mask, reach: Any, ahead: Any, out: Any, n: int
) -> tuple[int, int, int]:
    """Appends a feature for each ticket; returns the new length, points now and with the plan."""
    now, later = 0, 0
    while tickets != NONE:
        ticket = lowest(tickets)
        tickets &= ~BIT[ticket]
        points = int(board["ticket_points"][ticket])
        state = 2
        if is_joined(board, reach, ticket):
            state = 0
            now += points
            later += points
        else:
            now -= points
            if is_joined(board, ahead, ticket):
                state = 1
                later += points
            else:
                later -= points
        out[n] = TICKETS + 3 * ticket + state
        n += 1
    return n, now, later


@kernel
def district_features(board: BoardRecord, first: int, reach: Any, out: Any, n: int) -> int:
    """Appends the number of separate parts of each district; returns the new length."""
    for i in range(int(board["districts"])):
        left, parts = board["district"][i], 0
        while left != NONE:
            left &= ~reach[lowest(left)]
            parts += 1
        out[n] = step(first + i * FEW, parts - 1, FEW)
        n += 1
    return n


@kernel
def network_features(
    game: PlannedGame, seat: int, planned: Mask, most: int, out: Any, n: int
) -> tuple[int, int]:
    """Appends the features of routes, plan and tickets; returns the new length and the lead now.

    `most` are the points of the best other seat.
    """
    board, player = game.board, game.players[seat]
    reach, ahead = game.workspace["reach"], game.workspace["ahead"]
    join(board, player["routes"], reach)
    join(board, player["routes"] | planned, ahead)
    n = put_mask(player["routes"], ROUTES, out, n)
    n = put_mask(planned, PLANNED, out, n)
    n, with_tickets, with_plan = ticket_features(board, player["tickets"], reach, ahead, out, n)
    n = district_features(board, DISTRICTS, reach, out, n)
    n = district_features(board, DISTRICTS + FEW * MOST_DISTRICTS, ahead, out, n)
    now = int(player["points"]) + with_tickets + joined_districts(board, reach)[1]
    later = int(player["points"]) + with_plan + joined_districts(board, ahead)[1]
    later += sum_of(planned, board["points"])
    buses, length = int(player["buses"]), sum_of(planned, board["length"])
    out[n] = step(BUSES, buses, STEPS)
    out[n + 1] = step(LENGTH, length, STEPS)
    out[n + 2] = step(SPARE, buses - length, STEPS)
    out[n + 3] = step(PROSPECT, later // 2 + STEPS // 2, 2 * STEPS)
    out[n + 4] = step(LEAD, (later - most) // 2 + STEPS // 2, 2 * STEPS)
    return n + 5, now - most


@kernel
def lacking_cards(board: BoardRecord, hand: Any, plan: PlanRecord, left: Any) -> int:
    """Returns the cards that a hand still needs for its plan; `left` is scratch memory."""
    lack = 0
    for kind in range(1, int(board["kinds"])):
        over = int(hand[kind]) - int(plan["need"][kind])
        left[kind] = max(over, 0)
        lack += max(-over, 0)
    routes = plan["routes"]
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        if board["colour"][route] == GREY:
            best = 1
            for kind in range(2, int(board["kinds"])):
                if left[kind] > left[best]:
                    best = kind
            used = min(int(left[best]), int(board["length"][route]))
            left[best] -= used
            lack += int(board["length"][route]) - used
    return max(0, lack - int(hand[BUS]))


class Race(NamedTuple):
    """How a seat stands against the others, and what comes next for it."""

    fewest: int
    """The fewest buses of the others."""
    lead: int
    following: int


@kernel
def hand_features(
    game: PlannedGame, seat: int, plan: PlanRecord, race: Race, out: Any, n: int
) -> int:
    """Appends the features of cards and turns; returns the new length."""
    board, shared, player = game.board, game.shared, game.players[seat]
    hand, need, shown = player["hand"], plan["need"], game.workspace["moves"]
    own = 1 if race.following == OWN_CARD else 0
    for kind in range(int(board["kinds"])):
        shown[kind] = 0
    for slot in range(int(board["display"])):
        if shared["display"][slot] >= 0:
            shown[int(shared["display"][slot])] += 1
    cards = 0
    for kind in range(int(board["kinds"])):
        cards += int(hand[kind])
        out[n] = step(HAND + kind * FEW, int(hand[kind]), FEW)
        lack = int(need[kind]) - int(hand[kind])
        out[n + 1] = step(LACK + kind * FEW, lack, FEW)
        out[n + 2] = step(DISPLAY + (own * MOST_KINDS + kind) * FEW, int(shown[kind]), FEW)
        n += 3
        if shown[kind] > 0 and kind > 0 and lack > 0:
            out[n] = HELPFUL + own * MOST_KINDS + kind
            n += 1
    lack = lacking_cards(board, hand, plan, shown)
    turns = count(plan["routes"]) + (lack + 1) // 2
    out[n] = step(HAND_SIZE, cards, STEPS)
    out[n + 1] = step(ALL_LACK, lack, STEPS)
    out[n + 2] = step(TURNS, turns, STEPS)
    out[n + 3] = step(RACE + STEPS * min(turns, STEPS - 1), race.fewest, STEPS)
    out[n + 4] = step(NOW + race.following * 2 * STEPS, race.lead // 2 + STEPS, 2 * STEPS)
    out[n + 5] = NEXT + race.following
    return put_mask(payable(board, player) & plan["routes"], READY, out, n + 6)


WIDTH, DEPTH, OUTPUTS = 64, 16, 2
POINTS_PER_UNIT = 20.0
SHAPES = Network(
    (FEATURES, WIDTH), (WIDTH,), (WIDTH, DEPTH), (DEPTH,), (OUTPUTS, DEPTH), (OUTPUTS,)
)


@kernel
def add_rows(net: Network, active: Any, first: int, last: int, before: Any, sums: Any) -> None:
    """Computes the first layer from sums of other features and further active ones."""
    for k in range(WIDTH):
        sums[k] = before[k]
    i = first
    while i + 4 <= last:  # four at a time, because the sums are in memory
        a, b = net.first[int(active[i])], net.first[int(active[i + 1])]
        c, d = net.first[int(active[i + 2])], net.first[int(active[i + 3])]
        for k in range(WIDTH):
            sums[k] += (a[k] + b[k]) + (c[k] + d[k])
        i += 4
    while i < last:
        row = net.first[int(active[i])]
        for k in range(WIDTH):
            sums[k] += row[k]
        i += 1


@kernel
def head_of(net: Network) -> Head:
    """Returns the last layers."""
    return Head(net.second, net.second_bias, net.third, net.third_bias)


@kernel
def output(net: Network, sums: Any, hidden: Any) -> tuple[float, float]:
    """Returns the share of the victory and the lead in points; `hidden` is scratch memory."""
    head = head_of(net)
    think(head, sums, hidden, DEPTH)
    share, lead = output_of(head, 0, hidden, DEPTH), output_of(head, 1, hidden, DEPTH)
    return 1.0 / (1.0 + np.exp(-float(share))), float(lead) * POINTS_PER_UNIT


def shapes(_: int) -> Network:
    """Returns the shape of each layer; all networks have the same width."""
    return SHAPES


def file_name(map_name: str, seats: int) -> str:
    """Returns the file name of a board's network; there is one for each number of seats."""
    return f"{Path(map_name).stem}-{seats}-seats.npz"


def network_of(game: TicketToRide) -> Network | None:
    """Returns the network for a board and number of seats, if there is one."""
    name = file_name(game.map, game.seats)
    trained = network_for(__package__, name, game.map_hash, shapes)
    return trained.network if trained else None
