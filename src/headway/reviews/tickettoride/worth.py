"""What a position is worth to a seat: its share of the victory if all seats play as reviews do.

Two networks that were trained apart judge every move. The best of many noisy values is too high, so
one of them chooses and the other one values the choice, both ways round; a worth is their mean. A
seat's own turn is played to its end with every card that can come, weighted by what the seat has
not seen. All of it follows from what the seat sees: what is hidden changes nothing (RV-11).

The bots value a position right after their own move. A review also values positions in the turns of
others, so its networks have further features: how far away the seat is that acts, and what it does.
"""

from __future__ import annotations

import sys
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from headway.bots.tickettoride.beliefs import hidden_tickets, unseen_of
from headway.bots.tickettoride.network import (
    DEPTH,
    FEATURES,
    LAST_TURN_LEFT,
    NO_TURN_LEFT,
    OTHERS_TURN,
    OUTPUTS,
    WIDTH,
    Race,
    add_rows,
    hand_features,
    network_features,
    others_features,
    output,
)
from headway.bots.tickettoride.player import (
    LEAD_VALUE,
    Valuer,
    candidates,
    describe,
    new_valuer,
    prepare,
)
from headway.bots.tickettoride.route_plans import copy_game, make_plan
from headway.bots.value_net import Network
from headway.games.kernel import BIT, NONE, compiled, count, kernel
from headway.games.simulation import below
from headway.games.tickettoride.rules.arrays import (
    BLIND,
    BUS,
    DRAW_TICKET,
    KEEP,
    KEEP_MOVE,
    LAY,
    MOST_KINDS,
    MOST_MOVES,
    NOT_YET,
    OPENING,
    OVER,
    PLAYER,
    SHARED,
    TAKE_MOVE,
    TAKE_PILE,
    TICKETS,
    TURN,
    WHAT_AT,
    BoardRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.supply import ticket_at
from headway.games.tickettoride.rules.turns import deal_card, offer, play

AT_START, AT_SECOND_CARD, AT_TICKETS, AT_END, DOINGS = range(5)
"""What another seat is about to do: its turn, its second card, its tickets; or the game is over."""
INPUTS = FEATURES + 3 * DOINGS
SHAPES = Network((INPUTS, WIDTH), (WIDTH,), (WIDTH, DEPTH), (DEPTH,), (OUTPUTS, DEPTH), (OUTPUTS,))


@kernel
def turns_ahead(shared: SharedRecord, players: Any, seat: int, end_at: int) -> int:
    """Returns what comes next for a seat while another one is in its turn."""
    left = int(shared["turns_left"])
    if left == NOT_YET:
        return OTHERS_TURN
    seats = int(shared["seats"])
    away = (seat - int(shared["seat"]) + seats) % seats
    return LAST_TURN_LEFT if left > away else NO_TURN_LEFT


@kernel
def doing(shared: SharedRecord) -> int:
    """Returns what the seat whose turn it is does next."""
    if shared["phase"] == KEEP:
        return AT_TICKETS
    return AT_SECOND_CARD if shared["taken"] > 0 else AT_START


@kernel
def describe_wait(valuer: Valuer, shared: SharedRecord, players: Any, seat: int, what: int) -> int:
    """Writes the features of a seat while another one is in its turn; returns their number."""
    game, plan, active = valuer.game, valuer.plans[0], valuer.active
    copy_game(shared, players, valuer.shared, game.players)
    n, most, fewest = others_features(game, seat, active)
    make_plan(game, seat, plan)
    n, lead = network_features(game, seat, plan["routes"], most, active, n)
    after = turns_ahead(shared, players, seat, int(game.board["end_at"]))
    n = hand_features(game, seat, plan, Race(fewest, lead, after), active, n)
    seats = int(shared["seats"])
    away = (int(shared["seat"]) - seat + seats) % seats
    if away > 0:
        active[n] = FEATURES + (away - 1) * DOINGS + what
        n += 1
    return n


DRAWS = 24
"""Sampled draws of tickets."""
DISPLAYS = 4
"""Sampled displays where all its cards are replaced."""
LEVELS = 4
"""Positions at the same time: after a card, a first card, a card after it; a sampled display."""


class Pair(NamedTuple):
    """Two networks with the memory to value moves and positions."""

    valuer: Valuer
    """The first network, and the features for both."""
    other: Network
    others: Any
    """As `valuer.others` and `valuer.base`, for the other network."""
    base: Any
    sums: Any
    shared: Any
    """By level."""
    players: Any
    unseen: Any
    """By level: how often each kind may still come."""
    moves: Any
    worths: Any
    """By move: share by the first and by the second network, then lead by each."""
    seed: Any
    """What decides the sampled draws of tickets."""
    dice: Any
    """Of tickets, and of displays."""
    worth: Any
    """The worth of a sampled display."""
    out: Any
    """The last worth: share by each network, lead by each."""


def new_pair(board: BoardRecord, nets: tuple[Network, Network], seats: int) -> Pair:
    """Creates the memory for two networks."""
    return Pair(
        valuer=new_valuer(board, nets[0], seats),
        other=nets[1],
        others=np.zeros(WIDTH, np.float32),
        base=np.zeros(WIDTH, np.float32),
        sums=np.zeros(WIDTH, np.float32),
        shared=np.zeros((LEVELS, 1), SHARED),
        players=np.zeros((LEVELS, seats), PLAYER),
        unseen=np.zeros((LEVELS, MOST_KINDS), np.int64),
        moves=np.zeros(MOST_MOVES, np.int64),
        worths=np.zeros((MOST_MOVES, 4)),
        seed=np.ones(1, np.uint64),
        dice=np.ones((2, 1), np.uint64),
        worth=np.zeros(4),
        out=np.zeros(4),
    )


# Cards that may come


@kernel
def count_unseen(
    board: BoardRecord, shared: SharedRecord, players: Any, seat: int, out: Any
) -> int:
    """Writes how many cards of each kind a seat has not seen; returns their sum."""
    total = 0
    for kind in range(int(board["kinds"])):
        unseen = unseen_of(shared, players, seat, kind)
        out[kind] = unseen
        total += unseen
    return total


@kernel
def put_in_pile(shared: SharedRecord, players: Any, seat: int, kind: int) -> None:
    """Makes sure that the pile has a card of an unseen kind, by a swap with another's hand."""
    pile = shared["pile"]
    if pile[kind] > 0:
        return
    given = 0
    while pile[given] == 0:
        given += 1
    for other in range(int(shared["seats"])):
        hand, seen = players[other]["hand"], players[other]["open"]
        if other != seat and hand[kind] > seen[kind]:
            hand[kind] -= 1
            hand[given] += 1
            pile[given] -= 1
            pile[kind] += 1
            return


# Positions that the networks value


@kernel
def prepare_both(pair: Pair, shared: SharedRecord, players: Any, seat: int) -> None:
    """Computes what the moves of a decision have in common, for both networks."""
    valuer = pair.valuer
    prepare(valuer, shared, players, seat)
    n, m = int(valuer.marks[0]), int(valuer.marks[1])
    add_rows(pair.other, valuer.active, 0, n, pair.other.first_bias, pair.others)
    add_rows(pair.other, valuer.active, n, m, pair.others, pair.base)


@kernel
def judge(pair: Pair, changed: bool, n: int, out: Any, weight: float) -> None:
    """Adds what both networks say of described features, times a weight."""
    valuer = pair.valuer
    first = int(valuer.marks[1])
    add_rows(
        valuer.net, valuer.active, first, n, valuer.others if changed else valuer.base, valuer.sums
    )
    x, lead = output(valuer.net, valuer.sums, valuer.hidden)
    out[0] += weight * x
    out[2] += weight * lead
    add_rows(pair.other, valuer.active, first, n, pair.others if changed else pair.base, pair.sums)
    y, lead = output(pair.other, pair.sums, valuer.hidden)
    out[1] += weight * y
    out[3] += weight * lead


@kernel
def judge_move(
    pair: Pair, shared: SharedRecord, players: Any, seat: int, move: int, level: int, out: Any
) -> None:
    """Writes what both networks say after a move, with every card that it may draw unseen."""
    out[:4] = 0.0
    if move != TAKE_PILE:
        changed, n = describe(pair.valuer, shared, players, seat, move, 0)
        judge(pair, changed, n, out, 1.0)
        return
    board, unseen = pair.valuer.game.board, pair.unseen[level]
    if shared["pile_size"] > 0:
        total = count_unseen(board, shared, players, seat, unseen)
    else:
        total = int(shared["discards_size"])
        for kind in range(int(board["kinds"])):
            unseen[kind] = shared["discards"][kind]
    for kind in range(int(board["kinds"])):
        if unseen[kind] > 0:
            changed, n = describe(pair.valuer, shared, players, seat, TAKE_PILE, kind)
            judge(pair, changed, n, out, unseen[kind] / total)


@kernel
def judge_wait(
    pair: Pair, shared: SharedRecord, players: Any, seat: int, what: int, out: Any
) -> None:
    """Writes what both networks say of a position in which others act."""
    valuer = pair.valuer
    n = describe_wait(valuer, shared, players, seat, what)
    add_rows(valuer.net, valuer.active, 0, n, valuer.net.first_bias, valuer.sums)
    out[0], out[2] = output(valuer.net, valuer.sums, valuer.hidden)
    add_rows(pair.other, valuer.active, 0, n, pair.other.first_bias, pair.sums)
    out[1], out[3] = output(pair.other, pair.sums, valuer.hidden)


@kernel
def best_by(worths: Any, n: int, net: int) -> int:
    """Returns what a network, 0 or 1, chooses."""
    best = 0
    for i in range(1, n):
        merit = worths[i, net] + LEAD_VALUE * worths[i, net + 2]
        if merit > worths[best, net] + LEAD_VALUE * worths[best, net + 2]:
            best = i
    return best


@kernel
def choose(worths: Any, n: int, out: Any) -> None:
    """Writes the worth of a decision: each network values what the other one chooses."""
    first, second = best_by(worths, n, 0), best_by(worths, n, 1)
    out[0], out[2] = worths[second, 0], worths[second, 2]
    out[1], out[3] = worths[first, 1], worths[first, 3]


# Own turns


@kernel
def worth_of_second(
    pair: Pair, shared: SharedRecord, players: Any, seat: int, prepared: bool, out: Any
) -> None:
    """Writes the worth of a position in which a seat takes its second card, or keeps tickets."""
    valuer = pair.valuer
    if prepared:
        copy_game(shared, players, valuer.shared, valuer.game.players)
    else:
        prepare_both(pair, shared, players, seat)
    n, _ = candidates(valuer, seat)
    first = pair.worths.shape[0] - n
    for i in range(n):
        judge_move(pair, shared, players, seat, int(valuer.moves[i]), 2, pair.worths[first + i])
    choose(pair.worths[first:], n, out)


@kernel
def worth_of_draw(pair: Pair, shared: SharedRecord, players: Any, seat: int, out: Any) -> None:
    """Writes the worth of drawing tickets: over sampled draws, the same ones every time."""
    board, at, dice, worth = pair.valuer.game.board, pair.shared[1], pair.dice[0], pair.out
    hidden = hidden_tickets(shared, players, seat)
    dice[0] = pair.seed[0]
    out[:4] = 0.0
    for _ in range(DRAWS):
        at[0] = shared
        left = hidden
        while at[0]["offers"][seat] < board["tickets_drawn"] and left != NONE:
            ticket = ticket_at(left, below(dice, count(left)))
            left &= ~BIT[ticket]
            offer(at[0], seat, ticket)
        at[0]["phase"] = KEEP
        worth_of_second(pair, at[0], players, seat, False, worth)
        for i in range(4):
            out[i] += worth[i] / DRAWS


@kernel
def goes_on(board: BoardRecord, shared: SharedRecord, move: int) -> bool:
    """Whether a seat decides again after this move: takes a second card, or keeps tickets."""
    if move == TICKETS:
        return True
    if move >> WHAT_AT != TAKE_MOVE or shared["phase"] != TURN or shared["taken"] > 0:
        return False
    return board["take"] == 2 and move != BUS + 1


@kernel
def worth_after_first(
    pair: Pair, shared: SharedRecord, players: Any, seat: int, move: int, out: Any
) -> None:
    """Writes the worth after a first card: over all cards that come, the best second one."""
    board = pair.valuer.game.board
    before, at, hands = pair.shared[1], pair.shared[2], pair.players[2]
    copy_game(shared, players, before, pair.players[1])
    play(board, before[0], pair.players[1], seat, move)
    phase = before[0]["phase"]
    if phase == DRAW_TICKET:
        at[0] = before[0]
        worth_of_draw(pair, at[0], pair.players[1], seat, out)
        return
    if phase not in (BLIND, LAY):
        prepare_both(pair, shared, players, seat)
        judge_move(pair, shared, players, seat, move, 1, out)
        return
    unseen, worth = pair.unseen[1], pair.out
    total = count_unseen(board, before[0], pair.players[1], seat, unseen)
    out[:4] = 0.0
    ready = False
    for kind in range(int(board["kinds"])):
        if unseen[kind] == 0:
            continue
        copy_game(before[0], pair.players[1], at, hands)
        put_in_pile(at[0], hands, seat, kind)
        deal_card(board, at[0], hands, kind)
        if at[0]["phase"] == TURN and at[0]["seat"] == seat:
            same = ready and phase == LAY  # only the display differs
            worth_of_second(pair, at[0], hands, seat, same, worth)
            ready = True
        else:
            prepare_both(pair, shared, players, seat)
            judge_move(pair, shared, players, seat, move, 2, worth)
            ready = False
        for i in range(4):
            out[i] += worth[i] * unseen[kind] / total


@kernel
def worths_of_moves(
    pair: Pair, shared: SharedRecord, players: Any, seat: int, moves: Any, n: int
) -> None:
    """Writes the worth of each of a seat's moves into `pair.worths`."""
    board = pair.valuer.game.board
    prepare_both(pair, shared, players, seat)
    for i in range(n):
        if not goes_on(board, shared, int(moves[i])):
            judge_move(pair, shared, players, seat, int(moves[i]), 1, pair.worths[i])
    for i in range(n):
        if goes_on(board, shared, int(moves[i])):
            worth_after_first(pair, shared, players, seat, int(moves[i]), pair.worths[i])


@kernel
def worth_of_decision(pair: Pair, shared: SharedRecord, players: Any, seat: int, out: Any) -> None:
    """Writes the worth of a position in which a seat decides."""
    prepare_both(pair, shared, players, seat)
    n, _ = candidates(pair.valuer, seat)
    for i in range(n):
        pair.moves[i] = pair.valuer.moves[i]
    worths_of_moves(pair, shared, players, seat, pair.moves, n)
    choose(pair.worths, n, out)


# Any position


@kernel
def worth_at(pair: Pair, shared: SharedRecord, players: Any, seat: int, out: Any) -> None:
    """Writes the worth of a position in which no card is to be laid."""
    phase, mine = shared["phase"], shared["seat"] == seat
    if phase == DRAW_TICKET and mine:
        pair.shared[2, 0] = shared
        worth_of_draw(pair, pair.shared[2, 0], players, seat, out)
    elif phase == OPENING and players[seat]["choice"] == 0:
        worth_of_decision(pair, shared, players, seat, out)
    elif phase == OPENING:  # the seat has chosen, others have not
        prepare_both(pair, shared, players, seat)
        move = (KEEP_MOVE << WHAT_AT) | int(players[seat]["choice"])
        judge_move(pair, shared, players, seat, move, 1, out)
    elif phase in (TURN, KEEP) and mine:
        worth_of_decision(pair, shared, players, seat, out)
    elif phase == OVER or mine:
        judge_wait(pair, shared, players, seat, AT_END, out)
    else:
        judge_wait(pair, shared, players, seat, doing(shared), out)


@kernel
def lay_any(pair: Pair, shared: SharedRecord, players: Any, seat: int, dice: Any) -> None:
    """Completes the display with cards that a seat has not seen."""
    board, unseen = pair.valuer.game.board, pair.unseen[3]
    while shared["phase"] == LAY:
        left = below(dice, count_unseen(board, shared, players, seat, unseen))
        kind = 0
        while left >= unseen[kind]:
            left -= int(unseen[kind])
            kind += 1
        put_in_pile(shared, players, seat, kind)
        deal_card(board, shared, players, kind)


@kernel
def worth_laying(pair: Pair, shared: SharedRecord, players: Any, seat: int, out: Any) -> None:
    """Writes the worth of a position before several cards are laid, over sampled ones."""
    at, hands, dice, worth = pair.shared[3], pair.players[3], pair.dice[1], pair.worth
    dice[0] = pair.seed[0]
    out[:4] = 0.0
    for _ in range(DISPLAYS):
        copy_game(shared, players, at, hands)
        lay_any(pair, at[0], hands, seat, dice)
        worth_at(pair, at[0], hands, seat, worth)
        for i in range(4):
            out[i] += worth[i] / DISPLAYS


@kernel
def worth_with(
    pair: Pair, shared: SharedRecord, players: Any, seat: int, kind: int, out: Any
) -> None:
    """Writes the worth of a position after chance has dealt a card of an unseen kind."""
    board, at, hands = pair.valuer.game.board, pair.shared[0], pair.players[0]
    copy_game(shared, players, at, hands)
    put_in_pile(at[0], hands, seat, kind)
    deal_card(board, at[0], hands, kind)
    if at[0]["phase"] == LAY:
        worth_laying(pair, at[0], hands, seat, out)
    else:
        worth_at(pair, at[0], hands, seat, out)


@kernel
def worth_by_kind(pair: Pair, shared: SharedRecord, players: Any, seat: int, out: Any) -> None:
    """Writes the worth of a position in which a card comes, by its kind and as a mean.

    Row `kind` of `out` has the worth and then its probability; the row after the kinds the mean.
    """
    board, kinds = pair.valuer.game.board, int(pair.valuer.game.board["kinds"])
    total = count_unseen(board, shared, players, seat, pair.unseen[0])
    out[kinds, :] = 0.0
    for kind in range(kinds):
        out[kind, 4] = pair.unseen[0, kind] / total
        if pair.unseen[0, kind] > 0:
            worth_with(pair, shared, players, seat, kind, out[kind])
            for i in range(4):
                out[kinds, i] += out[kind, 4] * out[kind, i]


@cache
def native() -> SimpleNamespace:
    """Returns the kernels as compiled code."""
    return compiled(sys.modules[__name__])
