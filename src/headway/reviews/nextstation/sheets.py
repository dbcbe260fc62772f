"""Values every card and every move on a seat's sheet (RV-01 to RV-09), and says why a move lost.

The reasons of a loss (RV-06) are the parts of the score that the better move would have brought.
From the sheets after both moves the same cards are played many times by the driver. The mean
differences of the parts are the reasons. Where they do not add up to the loss there are none.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.analysis import (
    Analysis,
    Analyst,
    MoveEstimate,
    after_move,
    analyst_of,
)
from headway.bots.nextstation.evaluator import Evaluator, SoloGame, solo_game_of
from headway.bots.nextstation.perfect_information import KnownDeal, best_line
from headway.games.contract import CHANCE, Move, Seat
from headway.games.nextstation.city.city import City
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import (
    CARDS,
    DEAL_SPECIAL,
    DECK,
    REVEAL,
    ROUNDS,
    new_sheets,
)
from headway.games.nextstation.state import NextStationState
from headway.reviews.arithmetic import SURE_ERRORS, Decision, Place, Valued, decision_among, mark_of
from headway.reviews.job import Line, Positions, Reviewer
from headway.reviews.report import MoveLoss, MoveValue, Reason, Turn, thousandths, victory

GAMES_SHARE = 3
"""For the reasons of a loss and for the chance to win, a third of the simulations are games."""
FEWEST_GAMES = 8
BEAM = 3
"""The search with all cards known keeps this many sheets for each simulation of an analysis.

A review of 3 s for a sheet has time for it, and the number does not depend on the machine.
"""
MOST_LOSSES = 40
"""The moves of a decision whose losses are told: all of them unless a power allows many."""
POWER_SIGNS = set("!~=+*")
"""What the notation of moves begins the use of a power with."""


class TurnEvents(NamedTuple):
    """A turn: its round, its first deal by number of the event, its cards, its moves by seat.

    A deal of special stations has no moves. `played` is the number of the first move.
    """

    round: int
    first: int
    dealt: list[Move]
    moves: dict[Seat, Move]

    @property
    def played(self) -> int:
        return self.first + len(self.dealt)


class SheetReviewer(Reviewer):
    """Reviews the sheets of Next Station, each as a game for one."""

    game = "next-station"
    measure = "points"
    simulations = 300
    has_best = True

    def __init__(self, played: Positions, simulations: int) -> None:
        super().__init__(played, simulations)
        assert isinstance(played.game, NextStation)
        self.city_game = played.game
        self._turns = _turns(played)
        self._card_turns = [turn for turn in self._turns if turn.moves]
        self._chances: dict[int, list[int]] = {}

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self.city_game)

    @cached_property
    def _analyst(self) -> Analyst:
        return analyst_of(self._evaluator, self.budget)

    @property
    def _games(self) -> int:
        return max(self.budget // GAMES_SHARE, FEWEST_GAMES)

    def count(self, seat: Seat) -> int:
        return len(self._turns)

    @staticmethod
    def kinds(turn: Turn) -> tuple[str, ...]:
        return _kind(turn), f"round:{turn.round}"

    def result(self, seat: Seat) -> int:
        return thousandths(self.played.outcome.totals[seat])

    def value(self, seat: Seat, index: int, move: Move | None = None) -> Valued:
        turn = self._turns[index]
        return self._turn(seat, turn, move) if turn.moves else self._special(seat, turn)

    def position(self, seat: Seat, index: int) -> int:
        return self._turns[index].played

    def losses(self, seat: Seat, index: int) -> list[MoveLoss]:
        state = self._state(self._turns[index].played)
        solo_game = solo_game_of(state, seat)
        analysis = self._analyst.analyse(solo_game)
        best, known = analysis.moves[0].move, thousandths(analysis.known)
        sensible = [estimate.move for estimate in analysis.moves]
        moves = [*sensible, *(move for move in state.legal(seat) if move not in sensible)]
        losses = [MoveLoss(self.city_game.move_text(best), 0, 0)]
        judged = self._analyst.losses(solo_game, moves[1:MOST_LOSSES])
        for (move, value, _), error in judged:
            loss, off = known - thousandths(value), thousandths(error)
            why = self._why(solo_game, best, move, loss, off)
            losses.append(MoveLoss(self.city_game.move_text(move), loss, off, why))
        return sorted(losses, key=lambda judged: judged.loss)

    def _state(self, number: int) -> NextStationState:
        state = self.played.state(number)
        assert isinstance(state, NextStationState)
        return state

    def _special(self, seat: Seat, turn: TurnEvents) -> Valued:
        """Values the special stations that a round begins with (RV-04)."""
        state = self._state(turn.first)
        solo_game, pairs = solo_game_of(state, seat), state.legal(CHANCE)
        values = self._analyst.special(solo_game.shared, solo_game.sheet, pairs)
        expected = thousandths(sum(values) / len(values) + solo_game.extra)
        dealt = thousandths(values[pairs.index(turn.dealt[0])] + solo_game.extra)
        return Valued(
            place=Place(round=turn.round + 1, turn=0),
            dealt=self.city_game.notation.chance_text(state, turn.dealt[0]),
            expected=expected,
            dealt_value=dealt,
            after=dealt,
        )

    def _turn(self, seat: Seat, turn: TurnEvents, move: Move | None) -> Valued:
        state = self._state(turn.played)
        solo_game, move = solo_game_of(state, seat), turn.moves[seat] if move is None else move
        analysis = self._analyst.analyse(solo_game, move)
        # Rounded one by one: luck and loss are differences of what is printed.
        known = thousandths(analysis.known)
        after = min(thousandths(analysis.played.value), known)
        return Valued(
            place=Place(round=turn.round + 1, turn=int(state.shared["turn"])),
            dealt=" ".join(CARDS[card] for card in turn.dealt),
            expected=thousandths(analysis.expected),
            dealt_value=known,
            after=after,
            decision=self._decision(solo_game, analysis, known - after),
            win=self._win(seat, turn) if solo_game.last_round else None,
        )

    def _decision(self, solo_game: SoloGame, analysis: Analysis, loss: int) -> Decision:
        error, best, played = (
            thousandths(analysis.error),
            analysis.moves[0].move,
            analysis.played.move,
        )
        why: tuple[Reason, ...] = ()
        if self.explains and mark_of(self.measure, loss, error):
            why = self._why(solo_game, best, played, loss, error)
        moves = [self._shown(estimate) for estimate in analysis.moves]
        return decision_among(self.measure, moves, self.city_game.move_text(played), error, why)

    def _shown(self, estimate: MoveEstimate) -> MoveValue:
        text = self.city_game.move_text(estimate.move)
        return MoveValue(text, thousandths(estimate.value), thousandths(estimate.error))

    def _why(
        self, solo_game: SoloGame, best: Move, played: Move, loss: int, error: int
    ) -> tuple[Reason, ...]:
        key = f"review why|{solo_game.shared[0]['round']}.{solo_game.shared[0]['turn']}"
        after = [after_move(self._evaluator, solo_game, move) for move in (best, played)]
        scores = [self._evaluator.final_scores(*position, self._games, key) for position in after]
        return reasons(self.city_game.city, scores[0], scores[1], loss, error)

    def _win(self, seat: Seat, turn: TurnEvents) -> int | None:
        """Returns the chance to win before the card, if everybody plays on like the driver."""
        if self.city_game.seats == 1:
            return None
        if turn.first not in self._chances:
            self._chances[turn.first] = self._chances_before(turn.first)
        return self._chances[turn.first][seat]

    def _chances_before(self, number: int) -> list[int]:
        """Returns the chance of every seat; all play on with the same cards."""
        state = self._state(number)
        key = f"review win|{state.shared['turn']}"
        games = [solo_game_of(state, seat) for seat in range(self.city_game.seats)]
        totals = np.array(
            [
                self._evaluator.final_scores(game.shared, game.sheet, self._games, key)["total"]
                for game in games
            ]
        )
        best = totals == totals.max(axis=0)
        shares = (best / best.sum(axis=0)).mean(axis=1)
        return [victory(float(share)) for share in shares]

    # The best found (RV-08)

    def best_line(self, seat: Seat) -> Line:
        """Returns the best that was found for a seat, at least what it played."""
        extra = solo_game_of(self._state(self._card_turns[0].first), seat).extra
        best = best_line(self.city_game, self._known_deal(seat), BEAM * self.budget)
        line, own = Line(round(best.total) + extra, best.moves), self.own_line(seat)
        return line if line.total > own.total else own

    def own_line(self, seat: Seat) -> Line:
        moves = [turn.moves[seat] for turn in self._card_turns]
        return Line(self.played.outcome.totals[seat], moves)

    def _known_deal(self, seat: Seat) -> KnownDeal:
        first, last = (self._state(self._card_turns[i].first) for i in (0, -1))
        decks = np.zeros((ROUNDS, DECK), np.int64)
        for r in range(ROUNDS):
            cards = [card for turn in self._card_turns if turn.round == r for card in turn.dealt]
            decks[r, : len(cards)] = cards
        shared = solo_game_of(first, seat).shared
        for name in ("special_symbol", "special_effect"):
            shared[0][name] = last.shared[name]
        return KnownDeal(shared, new_sheets(self.city_game.city, 1), decks)

    def moves_of(self, lines: list[Line]) -> Any:
        rounds: list[list[list[str]]] = [[] for _ in range(ROUNDS)]
        for i, turn in enumerate(self._card_turns):
            texts = [self.city_game.move_text(line.moves[i]) for line in lines]
            rounds[turn.round].append(texts)
        return rounds


def _turns(played: Positions) -> list[TurnEvents]:
    """Returns the turns of a game, and the special stations before the first card of a round."""
    turns: list[TurnEvents] = []
    for number, (seat, move) in enumerate(played.events):
        if seat != CHANCE:
            turns[-1].moves[seat] = move
            continue
        state = played.state(number)
        assert isinstance(state, NextStationState)
        phase = state.shared["phase"]
        if phase == REVEAL and state.shared["switched"]:
            turns[-1].dealt.append(move)
        elif phase in (DEAL_SPECIAL, REVEAL):
            turns.append(TurnEvents(int(state.shared["round"]), number, [move], {}))
    return turns


def _kind(turn: Turn) -> str:
    """Returns the first of these that a decision is: each belongs to one of them."""
    played, best, dealt = turn.played or "", turn.best or "", turn.dealt or ""
    if turn.turn == 1:
        return "start"
    if set(played + best) & POWER_SIGNS:
        return "power"
    if "pass" in (played, best):
        return "pass"
    deck, _, symbol = dealt.split()[0].partition(":")
    return symbol if symbol in ("switch", "joker") else deck


def parts_of(city: City, scores: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the parts of the score of each game; they add up to the total and its deduction."""
    river = scores["over_river"] * city.scoring.river
    districts = scores["lines"] - river
    parts = {f"districts:{r + 1}": districts[:, r] for r in range(ROUNDS)}
    parts["river"] = river.sum(axis=1)
    parts["sites"] = scores["tourist"]
    for name in ("interchanges", "stamps", "loop", "objectives"):
        parts[name] = scores[name]
    return parts


def reasons(
    city: City, best: np.ndarray, played: np.ndarray, loss: int, error: int
) -> tuple[Reason, ...]:
    """Returns the reasons for a loss from games after both moves, the weightiest first.

    Empty unless their sum agrees with the loss within its error.
    """
    total = played["total"] - best["total"]
    both = math.hypot(error, _error(total))
    if abs(_mean(total) + loss) > SURE_ERRORS * both:
        return ()
    after_best, after_played = parts_of(city, best), parts_of(city, played)
    found = []
    for part, points in after_played.items():
        difference = points - after_best[part]
        if difference.any():
            found.append(Reason(part, _mean(difference), _error(difference)))
    return tuple(sorted(found, key=lambda reason: (reason.points, reason.part)))


def _mean(values: np.ndarray) -> int:
    return thousandths(float(values.mean()))


def _error(values: np.ndarray) -> int:
    return thousandths(float(values.std()) / math.sqrt(max(len(values) - 1, 1)))
