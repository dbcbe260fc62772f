"""A player that follows the network: values its seat after every move and takes the best."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.bots.tickettoride.beliefs import unseen_of
from headway.bots.tickettoride.network import (
    DEPTH,
    LAST_TURN_LEFT,
    MOST_ACTIVE,
    NO_TURN_LEFT,
    OTHERS_TURN,
    OWN_CARD,
    OWN_TICKETS,
    WIDTH,
    Race,
    add_rows,
    hand_features,
    network_features,
    others_features,
    output,
)
from headway.bots.tickettoride.playout_policy import payment
from headway.bots.tickettoride.route_plans import (
    PLAN,
    PlannedGame,
    PlanRecord,
    copy_game,
    count_needs,
    make_plan,
    planned_game,
)
from headway.bots.value_net import Network
from headway.games.kernel import BIT, NONE, Mask, kernel, lowest
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
from headway.games.tickettoride.rules.turns import (
    claimable,
    keep,
    keep_moves,
    play,
    take_moves,
    tickets_left,
)

LEAD_VALUE = 0.01
"""The value of a point of the lead, compared with a victory."""
SHORT = 2
"""The length of a short route, which the player considers only in its plan or near the end."""
BUSES_NEAR_END = 6
"""The end is near when a player has at most this many buses."""


class Valuer(NamedTuple):
    """What values the moves of one decision, with its scratch memory."""

    game: PlannedGame
    """The position, and then the one after each move."""
    net: Network
    shared: Any
    """The shared record of `game`, as an array of one."""
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


def new_valuer(board: BoardRecord, net: Network, seats: int) -> Valuer:
    """Creates what values the moves of sensible players."""
    shared = np.zeros(1, SHARED)
    return Valuer(
        game=planned_game(board, shared[0], np.zeros(seats, PLAYER)),
        net=net,
        shared=shared,
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
def prepare(valuer: Valuer, shared: SharedRecord, players: Any, seat: int) -> None:
    """Computes what the moves of a decision have in common."""
    game, net, marks, plan = valuer.game, valuer.net, valuer.marks, valuer.plans[0]
    active = valuer.active
    copy_game(shared, players, valuer.shared, game.players)
    n, marks[2], marks[3] = others_features(game, seat, active)
    marks[0] = n
    add_rows(net, active, 0, n, net.first_bias, valuer.others)
    make_plan(game, seat, plan)
    marks[1], marks[4] = network_features(game, seat, plan["routes"], int(marks[2]), active, n)
    add_rows(net, active, n, int(marks[1]), valuer.others, valuer.base)


@kernel
def after_claim(valuer: Valuer, seat: int, route: int) -> None:
    """Updates the plan after a claim."""
    plan = valuer.plans[1]
    if valuer.plans[0]["routes"] & BIT[route] != NONE:
        plan["routes"] &= ~BIT[route]
        count_needs(valuer.game.board, plan)
    else:
        make_plan(valuer.game, seat, plan)


@kernel
def following(game: PlannedGame, seat: int, move: int, last: bool) -> int:
    """Returns what comes next for a seat after its move; `last` if this is its last turn."""
    what = move >> WHAT_AT
    if what == TICKETS_MOVE:
        return OWN_TICKETS
    if last:
        return NO_TURN_LEFT
    if game.players[seat]["buses"] <= game.board["end_at"]:
        return LAST_TURN_LEFT
    # `taken` is 0 again if the turn has ended
    more = 0 < game.shared["taken"] < game.board["take"] and game.shared["after"] == TO_SECOND_CARD
    return OWN_CARD if what == TAKE_MOVE and more else OTHERS_TURN


@kernel
def describe(
    valuer: Valuer, shared: SharedRecord, players: Any, seat: int, move: int, kind: int
) -> tuple[bool, int]:
    """Appends the features of the seat after a move to `active`.

    `kind` is the card drawn from the pile, if the move draws one. Returns whether the features of
    routes and tickets are among them (else those of `prepare` hold), and the new length.
    """
    game, active = valuer.game, valuer.active
    copy_game(shared, players, valuer.shared, game.players)
    valuer.plans[1] = valuer.plans[0]
    what, plan = move >> WHAT_AT, valuer.plans[1]
    last = bool(shared["turns_left"] != NOT_YET)
    marks, changed = valuer.marks, False
    n, lead = int(marks[1]), int(marks[4])
    if what == KEEP_MOVE:
        keep(game.shared, game.players, seat, move & 255)
        make_plan(game, seat, plan)
        changed = True
    else:
        play(game.board, game.shared, game.players, seat, move)
    if what == CLAIM_MOVE:
        after_claim(valuer, seat, (move >> ROUTE_AT) & 63)
        changed = True
    if changed:
        n, lead = network_features(game, seat, plan["routes"], int(marks[2]), active, n)
    if move == TAKE_PILE:
        game.players[seat]["hand"][kind] += 1
    race = Race(int(marks[3]), lead, following(game, seat, move, last))
    return changed, hand_features(game, seat, plan, race, active, n)


@kernel
def value_of(
    valuer: Valuer, shared: SharedRecord, players: Any, seat: int, move: int, kind: int
) -> tuple[float, float]:
    """Returns the share of the victory and the lead after a move."""
    changed, n = describe(valuer, shared, players, seat, move, kind)
    before = valuer.others if changed else valuer.base
    add_rows(valuer.net, valuer.active, int(valuer.marks[1]), n, before, valuer.sums)
    return output(valuer.net, valuer.sums, valuer.hidden)


@kernel
def value_of_pile(
    valuer: Valuer, shared: SharedRecord, players: Any, seat: int
) -> tuple[float, float]:
    """Returns the mean share and lead after a card from the pile, over all unseen cards."""
    share, lead, total = 0.0, 0.0, 0
    for kind in range(int(valuer.game.board["kinds"])):
        unseen = int(shared["discards"][kind])
        if shared["pile_size"] > 0:
            unseen = unseen_of(shared, players, seat, kind)
        if unseen > 0:
            x, y = value_of(valuer, shared, players, seat, TAKE_PILE, kind)
            share += unseen * x
            lead += unseen * y
            total += unseen
    return share / total, lead / total


@kernel
def considered_routes(game: PlannedGame, planned: Mask) -> Mask:
    """Returns the routes that the player considers to claim.

    Beside its plan, it considers short ones only near the end. This halves the moves to value, and
    costs the network half a percent of its games against itself.
    """
    routes: Mask = game.board["all_routes"]
    if planned == NONE or game.shared["turns_left"] != NOT_YET:
        return routes
    for player in range(game.players.shape[0]):
        if game.players[player]["buses"] <= BUSES_NEAR_END:
            return routes
    for kind in range(int(game.board["kinds"])):
        routes &= ~game.board["up_to"][kind, SHORT]
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
def candidates(valuer: Valuer, seat: int) -> tuple[int, int]:
    """Writes the moves that the player considers, then other claims, into `valuer.moves`.

    Returns the number of considered moves and of all. Call `prepare` just before.
    """
    game, moves, plan = valuer.game, valuer.moves, valuer.plans[0]
    board, shared, player = game.board, game.shared, game.players[seat]
    if shared["phase"] != TURN:
        n = keep_moves(board, shared, seat, moves)
        return n, n
    n = take_moves(board, shared, moves)
    if shared["taken"] > 0:
        return n, n
    routes = claimable(board, shared, player)
    considered = routes & considered_routes(game, plan["routes"])
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
def value_moves(valuer: Valuer, shared: SharedRecord, players: Any, seat: int, n: int) -> int:
    """Writes the values of the first `n` of `valuer.moves`; returns the best one's index.

    Call `prepare` before.
    """
    best, values = 0, valuer.values
    for i in range(n):
        move = int(valuer.moves[i])
        if move == TAKE_PILE:
            share, lead = value_of_pile(valuer, shared, players, seat)
        else:
            share, lead = value_of(valuer, shared, players, seat, move, 0)
        values[i, 0], values[i, 1] = share, lead
        values[i, 2] = share + LEAD_VALUE * lead
        if values[i, 2] > values[best, 2]:
            best = i
    return best
