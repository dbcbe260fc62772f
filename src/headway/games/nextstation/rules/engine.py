"""The engine of Next Station: what is dealt when, turns, rounds, the end (NS-05 to NS-10, SP-01).

Everything that plays a game calls these kernels: the table interpreted; simulations, replays,
searches and environments compiled. All seats act in one turn, so a loop is: deal until
`phase` is PLAY, write `legal_moves` of each seat, `play` one of them on its sheet, `end_turn`.
The head of `moves.py` lists the other places that know what is dealt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from headway.games.kernel import BIT, NONE, Mask, count, kernel, lowest
from headway.games.nextstation.moves import PASS
from headway.games.nextstation.rules.arrays import (
    CITY,
    DEAL_OBJECTIVES,
    DEAL_POWERS,
    DEAL_SPECIAL,
    DECK,
    MOST_MOVES,
    OVER,
    PLAY,
    REVEAL,
    ROUNDS,
    SCORE,
    SHARED,
    SHEET,
    SPECIAL_SYMBOL_AT,
    SWITCH_CARD,
    UNDERGROUNDS,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    city_record,
    new_sheets,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.scoring import best_line, score, standing, worth
from headway.games.replay import NOT_DEALT, among
from headway.games.simulation import apart, below, shuffle

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation

RANDOM, GREEDY = 0, 1
POLICIES = {"random": RANDOM, "greedy": GREEDY}
WHOLE_DECK = BIT[DECK] - BIT[0]


class SheetWorkspace(NamedTuple):
    """The memory of a game in compiled code.

    `city` and `shared` have one row, which Python passes faster than a record.
    """

    city: Any
    shared: Any
    sheets: Any
    """A sheet for each seat, each followed by one of scratch memory, as `legal_moves` needs it."""
    blank: Any
    """An empty sheet."""
    moves: Any
    score: Any
    cards: Any
    ranks: Any
    """The total of each seat, and what breaks ties."""


def new_workspace(game: NextStation) -> SheetWorkspace:
    """Returns a workspace that shares no cache line with another thread's."""
    shared = apart(1, SHARED)
    shared[0] = game.start().shared
    return SheetWorkspace(
        city=np.array([city_record(game.city)], CITY),
        shared=shared,
        sheets=apart(2 * game.seats, SHEET),
        blank=new_sheets(game.city, 1),
        moves=apart(MOST_MOVES, np.int64),
        score=apart(1, SCORE),
        cards=apart(16, np.int64),
        ranks=apart(2 * game.seats, np.int64).reshape(-1, 2),
    )


# The order of a game


@kernel
def next_deal_phase(shared: SharedRecord) -> None:
    """Moves on to the next thing dealt before the first card of a round."""
    phase = shared["phase"]
    if phase < DEAL_OBJECTIVES and shared["use_objectives"] != 0:
        shared["phase"] = DEAL_OBJECTIVES
    elif phase < DEAL_POWERS and shared["use_powers"] != 0:
        shared["phase"] = DEAL_POWERS
    elif phase < DEAL_SPECIAL and shared["use_special"] != 0:
        shared["phase"] = DEAL_SPECIAL
    else:
        shared["phase"] = REVEAL


@kernel
def begin_dealing(shared: SharedRecord) -> None:
    """Moves on to what is dealt in every round, after all that is dealt once (SP-01)."""
    shared["phase"] = DEAL_POWERS  # the last that is dealt once
    next_deal_phase(shared)


@kernel
def reveal(shared: SharedRecord, card: int) -> None:
    """Reveals a card; after the switch the next one follows at once (NS-08)."""
    shared["shown"] |= BIT[card]
    if card == SWITCH_CARD:
        shared["switched"] = 1
        return
    show(shared, card)
    if card > SWITCH_CARD:
        shared["undergrounds"] += 1
    shared["turn"] += 1
    shared["phase"] = PLAY


@kernel
def show(shared: SharedRecord, card: int) -> None:
    """Makes a card the one to play; its symbol is the same for street and underground."""
    shared["card_id"] = card
    shared["card"] = card if card < SWITCH_CARD else card - SWITCH_CARD - 1


@kernel
def end_turn(shared: SharedRecord, sheets: Any) -> None:
    """Ends the turn when all seats have moved: next card, next round (NS-10) or game over."""
    shared["switched"] = 0
    shared["card_id"], shared["card"] = 0, 0
    if shared["undergrounds"] < UNDERGROUNDS:
        shared["phase"] = REVEAL
        return
    r = int(shared["round"])
    for seat in range(int(shared["seats"])):
        sheet = sheets[seat]
        sheet["ends"] = NONE
        sheet["spent"] = 0
    shared["round"] = r + 1
    shared["turn"] = 0
    shared["undergrounds"] = 0
    shared["shown"] = NONE
    if r + 1 == ROUNDS:
        shared["phase"] = OVER
    else:
        begin_dealing(shared)


@kernel
def controller(shared: SharedRecord) -> int:
    """Returns the seat that flips the cards in this round (NS-05)."""
    return int(shared["round"] % shared["seats"])


@kernel
def take_dealt(shared: SharedRecord, move: int) -> None:
    """Takes the special stations of a round, or a card, that chance deals (SP-01, NS-06)."""
    if shared["phase"] == REVEAL:
        reveal(shared, move)
        return
    r = shared["round"]
    shared["special_symbol"][r] = move >> SPECIAL_SYMBOL_AT
    shared["special_effect"][r] = move & ((1 << SPECIAL_SYMBOL_AT) - 1)
    next_deal_phase(shared)


# Dealing with a generator


@kernel
def any_bit(mask: Mask, generator: Any) -> int:
    """Returns a random bit of a mask that is not empty."""
    for _ in range(below(generator, count(mask))):
        mask &= ~BIT[lowest(mask)]
    return lowest(mask)


@kernel
def deal_once(dealt: Any, r: int, cards: Mask, generator: Any) -> int:
    """Deals one of the `cards` that no earlier round got (SP-01); `dealt` has one for each."""
    for earlier in range(r):
        cards &= ~BIT[dealt[earlier]]
    dealt[r] = any_bit(cards, generator)
    return int(dealt[r])


@kernel
def deal_symbol(shared: SharedRecord, r: int, generator: Any) -> int:
    """Deals the symbol of a round's special stations."""
    return deal_once(shared["special_symbol"], r, BIT[4] - BIT[0], generator)


@kernel
def deal_effect(shared: SharedRecord, r: int, generator: Any) -> int:
    """Deals the effect of a round's special stations."""
    return deal_once(shared["special_effect"], r, BIT[5] - BIT[1], generator)


@kernel
def deal(shared: SharedRecord, generator: Any) -> int:
    """Deals the special stations of a round, or a card; returns the move of chance."""
    if shared["phase"] == DEAL_SPECIAL:
        r = int(shared["round"])
        symbol = deal_symbol(shared, r, generator)
        move = (symbol << SPECIAL_SYMBOL_AT) | deal_effect(shared, r, generator)
    else:
        move = any_bit(WHOLE_DECK & ~shared["shown"], generator)
    take_dealt(shared, move)
    return move


@kernel
def shuffled(cards: Any, n: int, generator: Any) -> None:
    """Writes the numbers below n in random order."""
    for i in range(n):
        cards[i] = i
    shuffle(generator, cards, n)


@kernel
def deal_setup(city: CityRecord, shared: SharedRecord, generator: Any, scratch: Any) -> None:
    """Deals pencils, objectives, powers and special stations for a whole game."""
    shuffled(scratch, 4, generator)
    seats = int(shared["seats"])
    for seat in range(seats):
        # Two players sit opposite each other (NS-02).
        slot = seat * 2 if seats == 2 else seat
        for r in range(ROUNDS):
            shared["pencils"][seat, r] = scratch[(slot - r) % 4]
    shuffled(scratch, int(city["objectives"]), generator)
    shared["objectives"][0] = min(scratch[0], scratch[1])
    shared["objectives"][1] = max(scratch[0], scratch[1])
    shuffled(scratch, 4, generator)
    for colour in range(4):
        shared["powers"][colour] = scratch[colour] + 1
    shuffle(generator, scratch, 4)
    for r in range(ROUNDS):
        shared["special_symbol"][r] = scratch[r]
    shuffle(generator, scratch, 4)
    for r in range(ROUNDS):
        shared["special_effect"][r] = scratch[r] + 1


@kernel
def begin(city: CityRecord, shared: SharedRecord, generator: Any, scratch: Any) -> None:
    """Deals the set-up of a new game, with the special stations of all rounds."""
    shared["round"], shared["turn"], shared["undergrounds"], shared["switched"] = 0, 0, 0, 0
    shared["shown"] = NONE
    deal_setup(city, shared, generator, scratch)
    shared["phase"] = REVEAL


@kernel
def reveal_next(shared: SharedRecord, deck: Any, drawn: int) -> int:
    """Reveals cards of a deck until one is to be played; returns how many were drawn."""
    shared["phase"] = REVEAL
    while shared["phase"] == REVEAL:
        reveal(shared, int(deck[drawn]))
        drawn += 1
    return drawn


@kernel
def next_turn(shared: SharedRecord, deck: Any, drawn: int, generator: Any) -> int:
    """Reveals the card of the next turn, in a new round from a new deck; like `reveal_next`."""
    if shared["turn"] == 0:
        shuffled(deck, DECK, generator)
        drawn = 0
    return reveal_next(shared, deck, drawn)


@kernel
def clear(work: SheetWorkspace) -> None:
    """Gives every seat an empty sheet."""
    for seat in range(work.ranks.shape[0]):
        work.sheets[2 * seat] = work.blank[0]


# Simulations


@kernel
def best_move(
    city: CityRecord,
    shared: SharedRecord,
    sheets: Any,
    moves: Any,
    n: int,
    score_record: ScoreRecord,
) -> int:
    """Returns the move with the highest score if the game ended now; `sheets[1]` is scratch.

    Among equals a section comes before a pass, then the lowest move, which spends nothing.
    """
    best, best_total = PASS, -(1 << 30)
    if n == 1:
        return int(moves[0])
    objectives = shared["use_objectives"] != 0
    now = standing(city, sheets[0], int(shared["round"]))
    for i in range(n):
        move = int(moves[i])
        if objectives:
            sheets[1] = sheets[0]
            play(city, shared, sheets[1], move)
            total = score(city, shared, sheets[1], score_record)
        else:
            total = worth(city, now, move)
        equal = total == best_total and move != PASS and (best == PASS or move < best)
        if total > best_total or equal:
            best, best_total = move, total
    return best


@kernel
def choose(work: SheetWorkspace, seat: int, policy: int, generator: Any) -> int:
    """Returns a seat's move by a simple policy: RANDOM among all legal moves, or GREEDY."""
    city, shared, sheets = work.city[0], work.shared[0], work.sheets[2 * seat : 2 * seat + 2]
    n = legal_moves(city, shared, sheets, seat, work.moves)
    if policy == GREEDY:
        return best_move(city, shared, sheets, work.moves, n, work.score[0])
    return int(work.moves[below(generator, n)])


@kernel
def play_games(work: SheetWorkspace, policy: int, generator: Any, totals: Any) -> None:
    """Deals and plays a game for each row of `totals` and writes the seats' totals there."""
    city, shared, sheets = work.city[0], work.shared[0], work.sheets[::2]
    for game in range(totals.shape[0]):
        clear(work)
        begin(city, shared, generator, work.cards)
        drawn = 0
        while shared["phase"] != OVER:
            drawn = next_turn(shared, work.cards, drawn, generator)
            for seat in range(sheets.shape[0]):
                play(city, shared, sheets[seat], choose(work, seat, policy, generator))
            end_turn(shared, sheets)
        for seat in range(sheets.shape[0]):
            totals[game, seat] = score(city, shared, sheets[seat], work.score[0])


# Replays


class SheetScript(NamedTuple):
    """What a record says of a game: cards and moves.

    The cards of round r begin at `first_card[r]`; its turns begin at `first_turn[r]`. `drawn` and
    `turns` count what was used of each round.
    """

    first_card: Any
    cards: Any
    drawn: Any
    first_turn: Any
    moves: Any
    turns: Any


@kernel
def play_turn(work: SheetWorkspace, script: SheetScript) -> bool:
    """Plays the next turn of this round; False if there is none, or if a move is illegal."""
    city, shared, sheets = work.city[0], work.shared[0], work.sheets[::2]
    r = shared["round"]
    row = int(script.first_turn[r] + script.turns[r])
    if row >= script.first_turn[r + 1]:
        return False
    for seat in range(sheets.shape[0]):
        n = legal_moves(city, shared, work.sheets[2 * seat : 2 * seat + 2], seat, work.moves)
        if not among(work.moves, n, int(script.moves[row, seat])):
            return False
    script.turns[r] += 1
    for seat in range(sheets.shape[0]):
        play(city, shared, sheets[seat], int(script.moves[row, seat]))
    end_turn(shared, sheets)
    return True


@kernel
def replay(work: SheetWorkspace, script: SheetScript) -> bool:
    """Plays until something other than a card is dealt, or the end; False if anything is wrong."""
    city, shared = work.city[0], work.shared[0]
    while shared["phase"] == REVEAL or shared["phase"] == PLAY:
        if shared["phase"] == PLAY:
            if not play_turn(work, script):
                return False
            continue
        r = shared["round"]
        row = int(script.first_card[r] + script.drawn[r])
        if row >= script.first_card[r + 1]:
            return False
        card = int(script.cards[row])
        if card == NOT_DEALT or shared["shown"] & BIT[card] != NONE:
            return False
        script.drawn[r] += 1
        reveal(shared, card)
    for seat in range(work.ranks.shape[0]):
        work.ranks[seat, 0] = score(city, shared, work.sheets[2 * seat], work.score[0])
        work.ranks[seat, 1] = best_line(work.score[0])
    return True
