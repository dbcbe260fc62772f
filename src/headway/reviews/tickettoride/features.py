"""What the review's network sees: the features of the bots' network, and who is to act.

The bots value a position right after their own move. A review also values positions in the turns of
others, so its network has further features: how far away the seat is that acts, and what it does.
All of them are numbers that the seat itself can see.
"""

from __future__ import annotations

from typing import Any

from headway.bots.tickettoride.features import (
    FEATURES,
    LAST_TURN_LEFT,
    NO_TURN_LEFT,
    OTHERS_TURN,
    Race,
    hand_features,
    network_features,
    others_features,
)
from headway.bots.tickettoride.network import DEPTH, OUTPUTS, WIDTH
from headway.bots.tickettoride.player import Valuer
from headway.bots.tickettoride.route_plans import copy_game, make_plan
from headway.bots.value_net import Network
from headway.games.kernel import kernel
from headway.games.tickettoride.rules.arrays import KEEP, NOT_YET, SharedRecord

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
