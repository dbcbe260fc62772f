"""Replays whole games in compiled code: the rules check every card and every move."""

from __future__ import annotations

from typing import Any

from headway.games.digests import among, digest_below, is_decisive
from headway.games.kernel import BIT, NONE, kernel
from headway.games.nextstation.rules.arrays import (
    CARDS,
    PLAY,
    REVEAL,
    CityRecord,
    SharedRecord,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.scoring import best_line, score
from headway.games.nextstation.rules.turns import end_turn, reveal

DECK = len(CARDS)
NO_CARD = -1


@kernel
def card_left(shared: SharedRecord, number: int) -> int:
    """Returns the card with this number among those not revealed in this round."""
    for card in range(DECK):
        if shared["shown"] & BIT[card] == NONE:
            if number == 0:
                return card
            number -= 1
    return NO_CARD


@kernel
def next_card(shared: SharedRecord, cards: Any, digests: Any, row: int, drawn: int) -> int:
    """Returns the card in a row of `cards` or `digests`; NO_CARD if none, or if both differ."""
    if digests.shape[0] > 0:
        if not is_decisive(digests, row):
            return NO_CARD
        dealt = card_left(shared, digest_below(digests, row, DECK - drawn))
        if cards.shape[0] > 0 and int(cards[row]) != dealt:
            return NO_CARD
        return dealt
    card = int(cards[row])
    if card == NO_CARD or shared["shown"] & BIT[card] != NONE:
        return NO_CARD
    return card


@kernel
def all_legal(
    city: CityRecord, shared: SharedRecord, sheets: Any, trial: Any, legal: Any, moves: Any
) -> bool:
    """Whether the moves of a turn, by seat, are all legal; `trial` are two scratch sheets."""
    for seat in range(int(shared["seats"])):
        trial[0] = sheets[seat]
        n = legal_moves(city, shared, trial, seat, legal)
        if not among(legal, n, int(moves[seat])):
            return False
    return True


@kernel
def replay_turns(
    city_rows: Any,
    shared_rows: Any,
    sheets: Any,
    trial: Any,
    legal: Any,
    first_card: Any,
    cards: Any,
    digests: Any,
    drawn: Any,
    first_turn: Any,
    moves: Any,
    turns: Any,
    score_records: Any,
    ranks: Any,
) -> bool:
    """Plays until something other than a card is dealt, or the end; False if a move is illegal.

    The cards of round r begin at `first_card[r]`, as numbers or as digests; its turns begin at
    `first_turn[r]`. `drawn` and `turns` count what was used of each round. The first two arrays
    have one row, which Python passes faster than a record.
    """
    city, shared = city_rows[0], shared_rows[0]
    while True:
        phase, r = shared["phase"], int(shared["round"])
        if phase == REVEAL:
            row = int(first_card[r] + drawn[r])
            if row >= first_card[r + 1]:
                return False
            card = next_card(shared, cards, digests, row, int(drawn[r]))
            if card == NO_CARD:
                return False
            drawn[r] += 1
            reveal(shared, card)
        elif phase == PLAY:
            row = int(first_turn[r] + turns[r])
            if row >= first_turn[r + 1]:
                return False
            if not all_legal(city, shared, sheets, trial, legal, moves[row]):
                return False
            turns[r] += 1
            for seat in range(sheets.shape[0]):
                play(city, shared, sheets[seat], int(moves[row, seat]))
            end_turn(shared, sheets)
        else:
            break
    for seat in range(sheets.shape[0]):
        ranks[seat, 0] = score(city, shared, sheets[seat], score_records[0])
        ranks[seat, 1] = best_line(score_records[0])
    return True
