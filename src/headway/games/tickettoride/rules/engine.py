"""The engine of Ticket to Ride: who acts, what chance deals, and whole games.

Everything that plays a game calls these kernels: the table interpreted; simulations, replays,
searches and environments compiled. A loop is: while the game is not OVER, `deal` if CHANCE is the
`actor`, otherwise `play` one of the seat's `legal_moves`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from headway.games.contract import CHANCE
from headway.games.kernel import count, kernel
from headway.games.replay import NOT_DEALT, among
from headway.games.simulation import apart, below
from headway.games.tickettoride.board.board import MOST_LOCATIONS
from headway.games.tickettoride.rules.arrays import (
    BOARD,
    DEAL_TICKET,
    DRAW_TICKET,
    FIRST,
    KEEP,
    MOST_MOVES,
    OPENING,
    OVER,
    PLAYER,
    SCORE,
    SHARED,
    TURN,
    BoardRecord,
    SharedRecord,
    blank_players,
    blank_shared,
    board_record,
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

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide

POLICIES = {"random": 0}
FINISHED, WRONG, NEEDS_CARDS = 0, 1, 2


class BoardWorkspace(NamedTuple):
    """The memory of a game in compiled code.

    `board` and `shared` have one row, which Python passes faster than a record.
    """

    board: Any
    shared: Any
    players: Any
    """One for each seat."""
    blank_shared: Any
    blank_players: Any
    moves: Any
    reach: Any
    """Scratch memory: a mask for each location."""
    score: Any
    ranks: Any
    """The total of each seat, and what breaks ties."""


def new_workspace(game: TicketToRide) -> BoardWorkspace:
    """Returns a workspace that shares no cache line with another thread's."""
    return BoardWorkspace(
        board=np.array([board_record(game.board)], BOARD),
        shared=apart(1, SHARED),
        players=apart(game.seats, PLAYER),
        blank_shared=blank_shared(game.board, game.seats),
        blank_players=blank_players(game.board, game.seats),
        moves=apart(MOST_MOVES, np.int64),
        reach=apart(MOST_LOCATIONS, np.uint64),
        score=apart(1, SCORE),
        ranks=apart(2 * game.seats, np.int64).reshape(-1, 2),
    )


# The order of a game


@kernel
def actor(shared: SharedRecord, players: Any) -> int:
    """Returns the seat that acts next in a game that is not over; CHANCE if cards are dealt."""
    phase = shared["phase"]
    if phase in (TURN, KEEP):
        return int(shared["seat"])
    if phase == OPENING:
        for seat in range(int(shared["seats"])):
            if players[seat]["choice"] == 0:
                return seat
    return CHANCE


@kernel
def pick(shared: SharedRecord, generator: Any) -> int:
    """Returns a random move of chance."""
    phase = shared["phase"]
    if phase == FIRST:
        return below(generator, int(shared["seats"]))
    if phase in (DEAL_TICKET, DRAW_TICKET):
        tickets = shared["ticket_pile"]
        return ticket_at(tickets, below(generator, count(tickets)))
    return card_at(shared, below(generator, int(shared["pile_size"])))


@kernel
def take_dealt(board: BoardRecord, shared: SharedRecord, players: Any, move: int) -> None:
    """Takes what chance deals: the seat that begins, a ticket, or a card."""
    phase = shared["phase"]
    if phase == FIRST:
        deal_first(shared, move)
    elif phase in (DEAL_TICKET, DRAW_TICKET):
        deal_ticket(board, shared, move)
    else:
        deal_card(board, shared, players, move)


@kernel
def deal(board: BoardRecord, shared: SharedRecord, players: Any, generator: Any) -> int:
    """Deals what chance has to deal now; returns the move of chance."""
    move = pick(shared, generator)
    take_dealt(board, shared, players, move)
    return move


@kernel
def begin(work: BoardWorkspace) -> None:
    """Sets up a new game, before anything is dealt."""
    work.shared[0] = work.blank_shared[0]
    for seat in range(work.players.shape[0]):
        work.players[seat] = work.blank_players[seat]


@kernel
def rank(work: BoardWorkspace) -> None:
    """Writes the total and the number of completed tickets of each seat into `ranks` (TR-19)."""
    for seat in range(work.players.shape[0]):
        work.ranks[seat, 0] = score(work.board[0], work.players[seat], work.reach, work.score[0])
        work.ranks[seat, 1] = work.score[0]["completed"]


# Simulations


@kernel
def play_on(work: BoardWorkspace, generator: Any) -> None:
    """Deals and plays at random to the end; every legal move is equally likely."""
    board, shared, players = work.board[0], work.shared[0], work.players
    while shared["phase"] != OVER:
        seat = actor(shared, players)
        if seat == CHANCE:
            deal(board, shared, players, generator)
        else:
            n = legal_moves(board, shared, players, seat, work.moves)
            play(board, shared, players, seat, int(work.moves[below(generator, n)]))


@kernel
def play_games(work: BoardWorkspace, policy: int, generator: Any, totals: Any) -> None:
    """Plays a game for each row of `totals` and writes the seats' totals there.

    There is one policy: at random.
    """
    for game in range(totals.shape[0]):
        begin(work)
        play_on(work, generator)
        rank(work)
        for seat in range(work.players.shape[0]):
            totals[game, seat] = work.ranks[seat, 0]


# Replays


class BoardScript(NamedTuple):
    """What a record says of a game: moves, tickets, and some cards of one pile."""

    moves: Any
    cards: Any
    tickets: Any
    read: Any
    """The number of moves made, the reshuffles before this pile, and the cards left out of it."""


@kernel
def replay(work: BoardWorkspace, script: BoardScript) -> int:
    """Plays until the game is over, something is wrong, or more cards are needed."""
    board, shared, players, read = work.board[0], work.shared[0], work.players, script.read
    while shared["phase"] != OVER:
        seat = actor(shared, players)
        if seat != CHANCE:
            if read[0] >= script.moves.shape[0]:
                return WRONG
            move = int(script.moves[read[0]])
            n = legal_moves(board, shared, players, seat, work.moves)
            if not among(work.moves, n, move):
                return WRONG
            read[0] += 1
            play(board, shared, players, seat, move)
            continue
        if shared["phase"] in (DEAL_TICKET, DRAW_TICKET):
            dealt = int(script.tickets[shared["tickets_seen"]])
        else:
            row = int(shared["drawn"] - read[2])
            if shared["reshuffles"] != read[1] or row >= script.cards.shape[0]:
                return NEEDS_CARDS
            dealt = int(script.cards[row])
        if dealt == NOT_DEALT:
            return WRONG
        take_dealt(board, shared, players, dealt)
    rank(work)
    return FINISHED
