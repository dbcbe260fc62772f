"""A player that follows the network: values its seat after every move and takes the best."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.bots.tickettoride.features import (
    LAST_TURN_LEFT,
    MOST_ACTIVE,
    NO_TURN_LEFT,
    OTHERS_TURN,
    OWN_CARD,
    OWN_TICKETS,
    hand_features,
    network_features,
    others_features,
)
from headway.bots.tickettoride.network import DEPTH, WIDTH, add_rows, output
from headway.bots.tickettoride.playout_policy import payment
from headway.bots.tickettoride.route_plans import (
    PLAN,
    HabitsRecord,
    PlanRecord,
    WorkspaceRecord,
    count_needs,
    make_plan,
)
from headway.bots.value_net import Network
from headway.games.kernel import BIT, NONE, Mask, kernel, lowest
from headway.games.tickettoride.board.board import MOST_SEATS
from headway.games.tickettoride.rules.arrays import (
    CLAIM_MOVE,
    KEEP_MOVE,
    MOST_MOVES,
    NOT_YET,
    PASS,
    PLAYER,
    ROUTE_AT,
    SHARED,
    TAKE_MOVE,
    TAKE_PILE,
    TICKETS,
    TICKETS_MOVE,
    TO_SECOND_CARD,
    TURN,
    WHAT_AT,
    BoardRecord,
    PlayerRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.claims import claimable
from headway.games.tickettoride.rules.turns import keep, keep_moves, play, take_moves, tickets_left

LEAD_VALUE = 0.01
"""The value of a point of the lead, compared with a victory."""
SHORT = 2
"""The length of a short route, which the player considers only in its plan or near the end."""
BUSES_NEAR_END = 6
"""The end is near when a player has at most this many buses."""


class Scratch(NamedTuple):
    """Scratch memory for the moves of one decision."""

    shared: Any
    players: Any
    plans: Any
    """The seat's plan before its move, and after it."""
    active: Any
    marks: Any
    """Lengths of `active`: others, others and own routes; points and buses of others; own lead."""
    others: Any
    base: Any
    sums: Any
    hidden: Any
    moves: Any
    values: Any
    """Share, lead and merit by move."""


def new_scratch() -> Scratch:
    """Creates scratch memory."""
    return Scratch(
        shared=np.zeros(1, SHARED),
        players=np.zeros(MOST_SEATS, PLAYER),
        plans=np.zeros(2, PLAN),
        active=np.zeros(2 * MOST_ACTIVE, np.int64),
        marks=np.zeros(5, np.int64),
        others=np.zeros(WIDTH, np.float32),
        base=np.zeros(WIDTH, np.float32),
        sums=np.zeros(WIDTH, np.float32),
        hidden=np.zeros(DEPTH, np.float32),
        moves=np.zeros(MOST_MOVES, np.int64),
        values=np.zeros((MOST_MOVES, 3)),
    )


@kernel
def prepare(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    net: Network,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
    scratch: Scratch,
) -> None:
    """Computes what the moves of a decision have in common."""
    marks, plan = scratch.marks, scratch.plans[0]
    n, marks[2], marks[3] = others_features(
        board, shared, players, seat, workspace, scratch.active, 0
    )
    marks[0] = n
    add_rows(net, scratch.active, 0, n, net.first_bias, scratch.others)
    make_plan(board, shared, players, seat, habits, workspace, plan)
    marks[1], marks[4] = network_features(
        board,
        players[seat],
        plan["routes"],
        int(marks[2]),
        workspace,
        scratch.active,
        n,
    )
    add_rows(net, scratch.active, n, int(marks[1]), scratch.others, scratch.base)


@kernel
def after_claim(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    route: int,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
    scratch: Scratch,
) -> None:
    """Updates the plan after a claim."""
    plan = scratch.plans[1]
    if scratch.plans[0]["routes"] & BIT[route] != NONE:
        plan["routes"] &= ~BIT[route]
        count_needs(board, plan)
    else:
        make_plan(board, shared, players, seat, habits, workspace, plan)


@kernel
def following(
    board: BoardRecord, after: SharedRecord, player: PlayerRecord, move: int, last: bool
) -> int:
    """Returns what comes next for a seat after its move; `last` if this is its last turn."""
    what = move >> WHAT_AT
    if what == TICKETS_MOVE:
        return OWN_TICKETS
    if last:
        return NO_TURN_LEFT
    if player["buses"] <= board["end_at"]:
        return LAST_TURN_LEFT
    # `taken` is 0 again if the turn has ended
    more = 0 < after["taken"] < board["take"] and after["after"] == TO_SECOND_CARD
    return OWN_CARD if what == TAKE_MOVE and more else OTHERS_TURN


@kernel
def describe(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    move: int,
    kind: int,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
    scratch: Scratch,
) -> tuple[bool, int]:
    """Appends the features of the seat after a move to `active`.

    `kind` is the card drawn from the pile, if the move draws one. Returns whether the features of
    routes and tickets are among them (else those of `prepare` hold), and the new length.
    """
    scratch.shared[0] = shared
    after, after_players = scratch.shared[0], scratch.players[: players.shape[0]]
    for player in range(players.shape[0]):
        after_players[player] = players[player]
    scratch.plans[1] = scratch.plans[0]
    own, what = after_players[seat], move >> WHAT_AT
    last = bool(shared["turns_left"] != NOT_YET)
    marks, changed = scratch.marks, False
    n, lead = int(marks[1]), int(marks[4])
    if what == KEEP_MOVE:
        keep(after, after_players, seat, move & 255)
        make_plan(board, after, after_players, seat, habits, workspace, scratch.plans[1])
        changed = True
    else:
        play(board, after, after_players, seat, move)
    if what == CLAIM_MOVE:
        route = (move >> ROUTE_AT) & 63
        after_claim(board, after, after_players, seat, route, habits, workspace, scratch)
        changed = True
    if changed:
        routes = scratch.plans[1]["routes"]
        n, lead = network_features(board, own, routes, int(marks[2]), workspace, scratch.active, n)
    if move == TAKE_PILE:
        own["hand"][kind] += 1
    comes = following(board, after, own, move, last)
    n = hand_features(
        board,
        after,
        own,
        scratch.plans[1],
        int(marks[3]),
        lead,
        comes,
        workspace,
        scratch.active,
        n,
    )
    return changed, n


@kernel
def value_of(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    move: int,
    kind: int,
    net: Network,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
    scratch: Scratch,
) -> tuple[float, float]:
    """Returns the share of the victory and the lead after a move."""
    changed, n = describe(board, shared, players, seat, move, kind, habits, workspace, scratch)
    if changed:
        add_rows(net, scratch.active, int(scratch.marks[1]), n, scratch.others, scratch.sums)
    else:
        add_rows(net, scratch.active, int(scratch.marks[1]), n, scratch.base, scratch.sums)
    return output(net, scratch.sums, scratch.hidden)


@kernel
def value_of_pile(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    net: Network,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
    scratch: Scratch,
) -> tuple[float, float]:
    """Returns the mean share and lead after a card from the pile, over all unseen cards."""
    share, lead, total = 0.0, 0.0, 0
    for kind in range(int(board["kinds"])):
        unseen = int(shared["pile"][kind])
        if shared["pile_size"] == 0:
            unseen = int(shared["discards"][kind])
        else:
            for other in range(int(shared["seats"])):
                if other != seat:
                    unseen += int(players[other]["hand"][kind]) - int(players[other]["open"][kind])
        if unseen > 0:
            x, y = value_of(
                board, shared, players, seat, TAKE_PILE, kind, net, habits, workspace, scratch
            )
            share += unseen * x
            lead += unseen * y
            total += unseen
    return share / total, lead / total


@kernel
def considered_routes(
    board: BoardRecord, shared: SharedRecord, players: Any, planned: Mask
) -> Mask:
    """Returns the routes that the player considers to claim.

    Beside its plan, it considers short ones only near the end. This halves the moves to value, and
    costs the network half a percent of its games against itself.
    """
    routes: Mask = board["all_routes"]
    if planned == NONE or shared["turns_left"] != NOT_YET:
        return routes
    for player in range(players.shape[0]):
        if players[player]["buses"] <= BUSES_NEAR_END:
            return routes
    for kind in range(int(board["kinds"])):
        routes &= ~board["up_to"][kind, SHORT]
    return routes | planned


@kernel
def claims_of(
    board: BoardRecord, player: PlayerRecord, plan: PlanRecord, routes: Mask, moves: Any, n: int
) -> int:
    """Appends a claim of each of these routes to `moves`; returns the new length."""
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        moves[n] = payment(board, player, plan, route)
        n += 1
    return n


@kernel
def candidates(
    board: BoardRecord, shared: SharedRecord, players: Any, seat: int, scratch: Scratch
) -> tuple[int, int]:
    """Writes the moves that the player considers, then other claims, into `scratch.moves`.

    Returns the number of considered moves and of all.
    """
    moves, player, plan = scratch.moves, players[seat], scratch.plans[0]
    if shared["phase"] != TURN:
        n = keep_moves(board, shared, seat, moves)
        return n, n
    n = take_moves(board, shared, moves)
    if shared["taken"] > 0:
        return n, n
    routes = claimable(board, shared, player)
    considered = routes & considered_routes(board, shared, players, plan["routes"])
    n = claims_of(board, player, plan, considered, moves, n)
    if tickets_left(shared) > 0:
        moves[n] = TICKETS
        n += 1
    total = claims_of(board, player, plan, routes & ~considered, moves, n)
    if total == 0:
        moves[0] = PASS
        total = 1
    if n == 0:
        n = total
    return n, total


@kernel
def value_moves(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    n: int,
    net: Network,
    habits: HabitsRecord,
    workspace: WorkspaceRecord,
    scratch: Scratch,
) -> int:
    """Writes the values of the first `n` of `scratch.moves`; returns the best one's index.

    Call `prepare` before.
    """
    best = 0
    for i in range(n):
        move = int(scratch.moves[i])
        if move == TAKE_PILE:
            share, lead = value_of_pile(
                board, shared, players, seat, net, habits, workspace, scratch
            )
        else:
            share, lead = value_of(
                board, shared, players, seat, move, 0, net, habits, workspace, scratch
            )
        scratch.values[i, 0], scratch.values[i, 1] = share, lead
        scratch.values[i, 2] = share + LEAD_VALUE * lead
        if scratch.values[i, 2] > scratch.values[best, 2]:
            best = i
    return best
