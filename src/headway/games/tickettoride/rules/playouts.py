"""Plays whole games in compiled code, many at a time.

The random generator is `games/xorshift.py`; the table never uses it.
"""

from __future__ import annotations

from typing import Any

from headway.games.kernel import count, kernel
from headway.games.tickettoride.rules.arrays import (
    DEAL_TICKET,
    DRAW_TICKET,
    FIRST,
    KEEP,
    OPENING,
    OVER,
    TURN,
    BoardRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.scoring import score
from headway.games.tickettoride.rules.supply import card_at, ticket_at
from headway.games.tickettoride.rules.turns import (
    deal_card,
    deal_first,
    deal_ticket,
    legal_moves,
    play,
)
from headway.games.xorshift import below


@kernel
def any_card(shared: SharedRecord, generator: Any) -> int:
    """Returns a random card of the pile."""
    return card_at(shared, below(generator, int(shared["pile_size"])))


@kernel
def any_ticket(shared: SharedRecord, generator: Any) -> int:
    """Returns a random ticket that nobody has seen."""
    tickets = shared["ticket_pile"]
    return ticket_at(tickets, below(generator, count(tickets)))


@kernel
def deal_chance(board: BoardRecord, shared: SharedRecord, players: Any, generator: Any) -> int:
    """Deals what chance has to deal now; returns the move of chance."""
    phase = shared["phase"]
    if phase == FIRST:
        move = below(generator, int(shared["seats"]))
        deal_first(shared, move)
    elif phase in (DEAL_TICKET, DRAW_TICKET):
        move = any_ticket(shared, generator)
        deal_ticket(board, shared, move)
    else:
        move = any_card(shared, generator)
        deal_card(board, shared, players, move)
    return move


@kernel
def play_on(
    board: BoardRecord, shared: SharedRecord, players: Any, moves: Any, generator: Any
) -> None:
    """Deals and plays at random to the end; every legal move is equally likely."""
    while shared["phase"] != OVER:
        phase = shared["phase"]
        if phase in (TURN, KEEP):
            seat = int(shared["seat"])
            n = legal_moves(board, shared, players, seat, moves)
            play(board, shared, players, seat, int(moves[below(generator, n)]))
        elif phase == OPENING:
            for seat in range(int(shared["seats"])):
                if players[seat]["choice"] == 0:
                    n = legal_moves(board, shared, players, seat, moves)
                    play(board, shared, players, seat, int(moves[below(generator, n)]))
        else:
            deal_chance(board, shared, players, generator)


@kernel
def play_games(
    board: BoardRecord,
    shared_rows: Any,
    players: Any,
    blank_shared: Any,
    blank_players: Any,
    moves: Any,
    score_records: Any,
    reach: Any,
    generator: Any,
    totals: Any,
) -> None:
    """Plays one game for each row of `totals` and writes the seats' totals there."""
    for game in range(totals.shape[0]):
        shared_rows[0] = blank_shared[0]
        for seat in range(players.shape[0]):
            players[seat] = blank_players[seat]
        play_on(board, shared_rows[0], players, moves, generator)
        for seat in range(players.shape[0]):
            totals[game, seat] = score(board, players[seat], reach, score_records[0])
