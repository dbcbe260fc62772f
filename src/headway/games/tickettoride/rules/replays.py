"""Replays whole games in compiled code: the rules check every card and every move."""

from __future__ import annotations

from typing import Any

from headway.games.digests import among, digest_below, is_decisive
from headway.games.kernel import count, kernel
from headway.games.tickettoride.rules.arrays import (
    DEAL_TICKET,
    DRAW_TICKET,
    KEEP,
    OPENING,
    OVER,
    TURN,
    BoardRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.scoring import score
from headway.games.tickettoride.rules.supply import card_at, ticket_at
from headway.games.tickettoride.rules.turns import deal_card, deal_ticket, legal_moves, play

FINISHED, WRONG, NEEDS_CARDS = 0, 1, 2
NONE_LEFT = -1


@kernel
def common_divisor(board: BoardRecord, shared: SharedRecord) -> int:
    """Returns the greatest number that divides the number of each kind in the pile."""
    divisor = 0
    for kind in range(int(board["kinds"])):
        rest = int(shared["pile"][kind])
        while rest != 0:
            divisor, rest = rest, divisor % rest
    return divisor


@kernel
def next_card(board: BoardRecord, shared: SharedRecord, cards: Any, digests: Any, row: int) -> int:
    """Returns the kind in a row of `cards` or `digests`; NONE_LEFT if none, or if both differ."""
    if digests.shape[0] > 0:
        if not is_decisive(digests, row):
            return NONE_LEFT
        # The dealer's probabilities are reduced fractions.
        step = common_divisor(board, shared)
        number = digest_below(digests, row, int(shared["pile_size"]) // step)
        dealt = card_at(shared, number * step)
        if cards.shape[0] > 0 and int(cards[row]) != dealt:
            return NONE_LEFT
        return dealt
    kind = int(cards[row])
    if shared["pile"][kind] == 0:
        return NONE_LEFT
    return kind


@kernel
def next_ticket(shared: SharedRecord, tickets: Any, digests: Any) -> int:
    """Returns the next of `tickets` or `digests`; NONE_LEFT if none, or if both differ."""
    row, left = int(shared["tickets_seen"]), shared["ticket_pile"]
    if digests.shape[0] > 0:
        if row >= digests.shape[0] or not is_decisive(digests, row):
            return NONE_LEFT
        dealt = ticket_at(left, digest_below(digests, row, count(left)))
        if tickets.shape[0] > 0 and int(tickets[row]) != dealt:
            return NONE_LEFT
        return dealt
    return int(tickets[row])


@kernel
def next_seat(shared: SharedRecord, players: Any) -> int:
    """Returns the seat whose move is the next one in a record, NONE_LEFT if chance deals."""
    phase = shared["phase"]
    if phase in (TURN, KEEP):
        return int(shared["seat"])
    if phase == OPENING:
        for seat in range(int(shared["seats"])):
            if players[seat]["choice"] == 0:
                return seat
    return NONE_LEFT


@kernel
def replay_turns(
    board_rows: Any,
    shared_rows: Any,
    players: Any,
    legal: Any,
    moves: Any,
    pile: int,
    first_card: int,
    cards: Any,
    card_digests: Any,
    tickets: Any,
    ticket_digests: Any,
    read: Any,
    reach: Any,
    score_records: Any,
    ranks: Any,
) -> int:
    """Plays until the game is over, something is wrong, or more cards are needed.

    `cards` and their digests are those of the pile after `pile` reshuffles, without the first
    `first_card`. `read[0]` counts the moves made. The first two arrays have one row, which Python
    passes faster than a record.
    """
    board, shared = board_rows[0], shared_rows[0]
    while shared["phase"] != OVER:
        seat = next_seat(shared, players)
        if seat != NONE_LEFT:
            if read[0] >= moves.shape[0]:
                return WRONG
            move = int(moves[read[0]])
            n = legal_moves(board, shared, players, seat, legal)
            if not among(legal, n, move):
                return WRONG
            read[0] += 1
            play(board, shared, players, seat, move)
        elif shared["phase"] in (DEAL_TICKET, DRAW_TICKET):
            ticket = next_ticket(shared, tickets, ticket_digests)
            if ticket == NONE_LEFT:
                return WRONG
            deal_ticket(board, shared, ticket)
        else:
            row = int(shared["drawn"]) - first_card
            rows = len(card_digests) if len(card_digests) > 0 else len(cards)
            if shared["reshuffles"] != pile or row >= rows:
                return NEEDS_CARDS
            kind = next_card(board, shared, cards, card_digests, row)
            if kind == NONE_LEFT:
                return WRONG
            deal_card(board, shared, players, kind)
    for seat in range(players.shape[0]):
        ranks[seat, 0] = score(board, players[seat], reach, score_records[0])
        ranks[seat, 1] = score_records[0]["completed"]
    return FINISHED
