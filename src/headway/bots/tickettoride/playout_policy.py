"""The playout policy: a sensible player in compiled code, which also models opponents.

It follows its plan: takes the routes that its tickets need once it can pay, collects cards for
them, draws more tickets when all are connected, and looks for points at the end.
"""

from __future__ import annotations

from typing import Any

from headway.bots.tickettoride.route_plans import (
    FAR,
    PlannedGame,
    PlanRecord,
    WorkspaceRecord,
    cost_of,
    highest,
    lacking,
    lay,
    make_plan,
    open_routes,
    renew_plan,
    sum_of,
    time_left,
    unjoined,
    weigh,
)
from headway.games.contract import CHANCE
from headway.games.kernel import BIT, NONE, kernel, lowest
from headway.games.tickettoride.rules.arrays import (
    BUS,
    CLAIM_MOVE,
    GREY,
    KIND_AT,
    NOT_YET,
    OVER,
    PASS,
    ROUTE_AT,
    TAKE_PILE,
    TICKETS,
    TURN,
    WHAT_AT,
    BoardRecord,
    PlayerRecord,
)
from headway.games.tickettoride.rules.engine import actor, deal
from headway.games.tickettoride.rules.scoring import join, score
from headway.games.tickettoride.rules.supply import slot_of, supply
from headway.games.tickettoride.rules.turns import (
    claimable,
    keep_moves,
    play,
    take_moves,
    tickets_left,
)

# Taking routes


@kernel
def payment(board: BoardRecord, player: PlayerRecord, plan: PlanRecord, route: int) -> int:
    """Returns the claim with the fewest buses, in the colour that is needed least."""
    hand, need = player["hand"], plan["need"]
    length, colour = int(board["length"][route]), int(board["colour"][route])
    move = (CLAIM_MOVE << WHAT_AT) | (route << ROUTE_AT)
    first, last = colour, colour
    if colour == GREY:
        first, last = 1, int(board["kinds"]) - 1
    best, least = BUS, 1 << 30
    for kind in range(first, last + 1):
        buses = max(0, length - int(hand[kind]))
        if buses < length and buses <= hand[BUS]:
            needed = int(need[kind])
            if colour != GREY:
                needed -= length
            harm = 100 * buses + 10 * max(0, needed - int(hand[kind]) + length - buses)
            harm -= int(hand[kind])
            if harm < least:
                best, least = kind, harm
    if best == BUS:
        return move | length
    return move | (best << KIND_AT) | max(0, length - int(hand[best]))


@kernel
def gain(board: BoardRecord, player: PlayerRecord, reach: Any, route: int) -> int:
    """Returns the points that a route brings now: its own, for tickets and for districts.

    `reach` is what the player's routes connect.
    """
    a, b = int(board["route_a"][route]), int(board["route_b"][route])
    points = int(board["points"][route])
    if reach[a] & BIT[b] != NONE:
        return points
    both = reach[a] | reach[b]
    for i in range(int(board["districts"])):
        places = board["district"][i]
        if places & ~both == NONE and places & ~reach[a] != NONE and places & ~reach[b] != NONE:
            points += int(board["district_points"][i])
    tickets = player["tickets"]
    while tickets != NONE:
        ticket = lowest(tickets)
        tickets &= ~BIT[ticket]
        ends = BIT[int(board["ticket_a"][ticket])] | BIT[int(board["ticket_b"][ticket])]
        if ends & ~both == NONE and ends & ~reach[a] != NONE and ends & ~reach[b] != NONE:
            points += 2 * int(board["ticket_points"][ticket])
    return points


@kernel
def last_turn(game: PlannedGame, seat: int) -> int:
    """Returns the move for a last turn: the route with the most points, or else a card."""
    board, player, reach = game.board, game.players[seat], game.workspace["reach"]
    routes = claimable(board, game.shared, player)
    if routes == NONE:
        return any_move(game, seat)
    join(board, player["routes"], reach)
    best, most = -1, -1
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        points = gain(board, player, reach, route)
        if points > most:
            best, most = route, points
    return payment(board, player, game.plans[seat], best)


@kernel
def any_move(game: PlannedGame, seat: int) -> int:
    """Returns a card to take if there is one, else a route, else tickets, else a pass."""
    board, player, moves = game.board, game.players[seat], game.workspace["moves"]
    if take_moves(board, game.shared, moves) > 0:
        return int(moves[0])
    routes = claimable(board, game.shared, player)
    if routes != NONE:
        return payment(board, player, game.plans[seat], lowest(routes))
    return TICKETS if tickets_left(game.shared) > 0 else PASS


@kernel
def best_rate(game: PlannedGame, seat: int) -> int:
    """Returns the open route with the most points per turn, including turns for cards; or -1."""
    board, player, reach = game.board, game.players[seat], game.workspace["reach"]
    join(board, player["routes"], reach)
    routes = open_routes(board, game.shared, player)
    best, most = -1, 0.0
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        turns = 1.0 + game.habits[seat]["quick"] * lacking(board, player, route)
        rate = gain(board, player, reach, route) / turns
        if rate > most:
            best, most = route, rate
    return best


# Taking cards


@kernel
def card(game: PlannedGame, seat: int, target: int) -> int:
    """Returns the card to take: face up if it helps, else from the pile.

    The plan says which cards are needed; without a plan, the target route does.
    """
    board, shared = game.board, game.shared
    hand, need = game.players[seat]["hand"], game.plans[seat]["need"]
    goal, grey = -1, int(need[GREY])
    if target >= 0:
        goal = int(board["colour"][target])
        if goal == GREY:
            grey = max(grey, int(board["length"][target]))
    best, most = -1, 0.0
    for kind in range(1, int(board["kinds"])):
        if slot_of(board, shared, kind) < 0:
            continue
        lack = int(need[kind]) - int(hand[kind])
        if kind == goal:
            lack = max(lack, int(board["length"][target]) - int(hand[kind]))
        worth = 0.0
        if lack > 0:
            worth = 20.0 - lack
        elif -lack < grey:
            worth = 1.0 - lack
        if worth > most:
            best, most = kind, worth
    if most > 1.0:
        return best + 1
    if supply(shared) > 0:
        return TAKE_PILE
    if best >= 0:
        return best + 1
    return -1


# Tickets


@kernel
def choose_tickets(game: PlannedGame, seat: int) -> int:
    """Returns the offered tickets to keep, as a move."""
    board, shared, workspace = game.board, game.shared, game.workspace
    player, habits = game.players[seat], game.habits[seat]
    weigh(game, seat)
    time = time_left(game, seat)
    n = keep_moves(board, shared, seat, workspace["moves"])
    best, most = int(workspace["moves"][0]), -FAR
    for i in range(n):
        move = int(workspace["moves"][i])
        tickets = player["tickets"]
        for k in range(int(shared["offers"][seat])):
            if (move >> k) & 1 == 1:
                tickets |= BIT[int(shared["offered"][seat, k])]
        open_tickets = unjoined(board, player, tickets, workspace)
        routes, points = lay(board, player, open_tickets, time, workspace)
        points += sum_of(tickets & ~open_tickets, board["ticket_points"])
        over = sum_of(routes, board["length"]) - (int(player["buses"]) - habits["spare"])
        worth = (
            points - habits["effort"] * cost_of(routes, workspace) - habits["over"] * max(0.0, over)
        )
        if worth > most:
            best, most = move, worth
    return best


@kernel
def wants_tickets(game: PlannedGame, seat: int) -> bool:
    """Whether tickets are left and there is time for more."""
    fewest = FAR
    for player in range(int(game.shared["seats"])):
        fewest = min(fewest, float(game.players[player]["buses"]))
    return bool(tickets_left(game.shared) > 0 and fewest >= game.habits[seat]["enough"])


# A move, and a game


@kernel
def sensible(game: PlannedGame, seat: int) -> int:
    """Returns the policy's move for a seat; it is legal."""
    board, shared, plan, player = game.board, game.shared, game.plans[seat], game.players[seat]
    if shared["phase"] != TURN:
        return choose_tickets(game, seat)
    if shared["turns_left"] != NOT_YET and shared["taken"] == 0:
        if plan["made"] == 0:
            make_plan(game, seat, plan)
        return last_turn(game, seat)
    renew_plan(game, seat)
    target = -1
    if shared["taken"] == 0:
        payable = claimable(board, shared, player)
        planned = payable & plan["routes"]
        if planned != NONE:
            return payment(board, player, plan, highest(planned, board["length"]))
        if plan["routes"] == NONE and wants_tickets(game, seat):
            return TICKETS
    if plan["routes"] == NONE:
        target = best_rate(game, seat)
        if shared["taken"] == 0 and target >= 0 and lacking(board, player, target) == 0:
            return payment(board, player, plan, target)
    move = card(game, seat, target)
    return move if move >= 0 else any_move(game, seat)


@kernel
def finish(game: PlannedGame, generator: Any) -> None:
    """Deals and plays to the end; every seat plays by the policy with its habits."""
    board, shared, players = game.board, game.shared, game.players
    while shared["phase"] != OVER:
        seat = actor(shared, players)
        if seat == CHANCE:
            deal(board, shared, players, generator)
        else:
            play(board, shared, players, seat, sensible(game, seat))


@kernel
def result_of(
    board: BoardRecord, players: Any, seat: int, workspace: WorkspaceRecord, score_record: Any
) -> tuple[float, float]:
    """Returns a seat's share of the victory in a finished game, and its lead in points (TR-19)."""
    rank_of_seat, best, equals = 0, -1000000, 1
    for player in range(players.shape[0]):
        total = score(board, players[player], workspace["reach"], score_record)
        rank = 100 * total + int(score_record["completed"])
        if player == seat:
            rank_of_seat = rank
        elif rank > best:
            best, equals = rank, 1
        elif rank == best:
            equals += 1
    share = 0.0
    if rank_of_seat > best:
        share = 1.0
    elif rank_of_seat == best:
        share = 1.0 / (equals + 1)
    return share, (rank_of_seat - best) / 100.0
