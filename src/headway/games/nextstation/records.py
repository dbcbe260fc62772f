"""Reads, writes and replays the `deal` and `moves` of a record (`docs/records.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from headway.errors import HeadwayError, InputError, Place, RuleBroken
from headway.games.contract import CHANCE, Event, Move, Seat
from headway.games.nextstation import BOX
from headway.games.nextstation.city.city import SYMBOLS
from headway.games.nextstation.moves import (
    card_name,
    objective_pairs,
    power_orders,
    rings,
    special_pair,
    written_deal,
)
from headway.games.nextstation.rules.arrays import CARDS, DECK, EFFECTS, OVER, POWERS, ROUNDS
from headway.games.nextstation.rules.engine import SheetScript, clear
from headway.games.nextstation.rules.scoring import ScoreSheet
from headway.games.nextstation.state import NextStationState
from headway.games.replay import Dealer, DealParts, FinalTotals, Replayer, agreed, deal_next

if TYPE_CHECKING:
    from collections.abc import Iterable, Sized

    from headway.games.nextstation.game import NextStation


def legal_count(state: NextStationState, seat: Seat) -> int:
    """Returns the number of single sections that the card allows a seat."""
    return len(state.bare_sections(seat))


def nesting(place: Place) -> tuple[int, ...]:
    """Returns the indices of a place in a record's `moves`: round, turn, seat."""
    return tuple(number if name == "seat" else number - 1 for name, number in place)


def score_json(game: NextStation, sheet: ScoreSheet) -> dict[str, Any]:
    """Returns a score as `headway replay --json` prints it (`docs/records.md`)."""
    result: dict[str, Any] = {"lines": [line.points for line in sheet.lines]}
    if game.city.loop:
        result |= {"stamps": sheet.stamps, "loop": sheet.loop}
    else:
        result |= {"tourist": sheet.tourist}
    return result | {
        "interchanges": sheet.interchanges,
        "objectives": sheet.objective_points,
        "deduction": sheet.deduction,
        "total": sheet.total,
    }


class NextStationRecordReader:
    """Checks the shape of a record's `deal` and `moves`, then reads them step by step."""

    def __init__(self, game: NextStation, deal: Any | None, moves: Any) -> None:
        self.game = game
        self.deal = None if deal is None else WrittenDeal(game, deal)
        self.moves = _moves(game, moves)
        self.drawn = [0] * ROUNDS
        self.turns = [0] * ROUNDS

    def chance_move(self, state: NextStationState) -> Move:
        deal, r, part = self.deal, int(state.shared["round"]), state.chance_name().split()[0]
        assert deal
        once = {"pencils": deal.pencils, "objectives": deal.objectives, "powers": deal.powers}
        if part in once:
            return once[part]()
        if part == "special":
            move = deal.special(r)
            if move not in state.legal(CHANCE):
                error = RuleBroken("SP-01", "broken.special_dealt").at([("round", r + 1)])
                raise error.inside("deal", "special", r)
            return move
        self.drawn[r] += 1
        place = [("round", r + 1), ("turn", int(state.shared["turn"]) + 1)]
        return deal.card(r, self.drawn[r] - 1, place)

    def seat_move(self, state: NextStationState, seat: Seat) -> Move:
        r, turn = self._at(state)
        if r >= len(self.moves) or turn >= len(self.moves[r]):
            raise RuleBroken("NS-10", "broken.turns_missing", round=r + 1, turn=turn + 1)
        self.turns[r] = turn + 1
        return self.game.parse_move(self.moves[r][turn][seat])

    def place(self, state: NextStationState, seat: Seat) -> Place:
        r, turn = self._at(state)
        return (("round", r + 1), ("turn", turn + 1), ("seat", seat))

    def _at(self, state: NextStationState) -> tuple[int, int]:
        return int(state.shared["round"]), int(state.shared["turn"]) - 1

    def finish(self, state: NextStationState) -> None:
        if len(self.moves) > ROUNDS:
            raise RuleBroken("NS-10", "broken.rounds_surplus").at([("round", ROUNDS + 1)])
        for r, (turns, played) in enumerate(zip(self.moves, self.turns, strict=True)):
            if len(turns) > played:
                error = RuleBroken("NS-10", "broken.turns_surplus", round=r + 1, turns=played)
                raise error.at([("round", r + 1), ("turn", played + 1)])
        if self.deal:
            self.deal.finish(self.drawn)


read = NextStationRecordReader


def _moves(game: NextStation, moves: Any) -> list[list[list[str]]]:
    """Returns the moves by round, turn and seat, if they have that shape."""
    with suppress(msgspec.ValidationError):
        rounds = msgspec.convert(moves, list[list[list[str]]])
        if {len(texts) for turns in rounds for texts in turns} <= {game.seats}:
            return rounds
    if not isinstance(moves, list):
        raise InputError("format.moves")
    for r, turns in enumerate(moves):
        if not isinstance(turns, list):
            raise InputError("format.moves_round").at([("round", r + 1)])
        for turn, texts in enumerate(turns):
            place = [("round", r + 1), ("turn", turn + 1)]
            if not isinstance(texts, list) or len(texts) != game.seats:
                raise InputError("format.moves_turn", seats=game.seats).at(place)
            for seat, text in enumerate(texts):
                if not isinstance(text, str):
                    raise InputError("format.move").at([*place, ("seat", seat)])
    raise AssertionError("two ways of checking the same shape disagree")


class WrittenDeal(DealParts):
    """Refuses what the rules cannot deal."""

    def __init__(self, game: NextStation, deal: Any) -> None:
        super().__init__(deal)
        self.game = game
        self.city = game.city

    @cached_property
    def cards(self) -> list[list[Any]]:
        """The cards of each round in order."""
        rounds: list[Any] = self.part("cards", list)
        self.require("cards", all(isinstance(cards, list) for cards in rounds))
        return rounds

    def _index(self, part: str, names: Sequence[str], name: Any) -> int:
        if not isinstance(name, str) or name not in names or not name:
            raise InputError("format.deal_name", part=part, name=str(name)).inside("deal", part)
        return names.index(name)

    def pencils(self) -> Move:
        rows = self.part("pencils", list)
        lists = all(isinstance(row, list) for row in rows)
        self.require("pencils", lists and len(rows) == self.game.seats)
        colours = self.city.colours
        ring = tuple(tuple(self._index("pencils", colours, c) for c in row) for row in rows)
        dealt = rings(self.game.seats)
        if ring not in dealt:
            raise RuleBroken("NS-04", "broken.NS-04").inside("deal", "pencils")
        return dealt.index(ring)

    def objectives(self) -> Move:
        names = self.part("objectives", list)
        objectives = [objective.id for objective in self.city.objectives]
        foreign = shipped_objectives() - set(objectives)
        if any(isinstance(name, str) and name in foreign for name in names):
            error = RuleBroken("OB-01", "broken.foreign_objective", city=self.city.title)
            raise error.inside("deal", "objectives")
        pair = tuple(sorted(self._index("objectives", objectives, name) for name in names))
        pairs = objective_pairs(len(objectives))
        if pair not in pairs:
            raise RuleBroken("OB-01", "broken.OB-01").inside("deal", "objectives")
        return pairs.index(pair)

    def powers(self) -> Move:
        powers = self.part("powers", dict)
        self.require("powers", set(powers) == set(self.city.colours))
        order = tuple(self._index("powers", POWERS, powers[c]) for c in self.city.colours)
        orders = power_orders()
        if order not in orders:
            raise RuleBroken("PW-01", "broken.powers_dealt").inside("deal", "powers")
        return orders.index(order)

    def special(self, r: int) -> Move:
        pairs = self.part("special", list)
        fits = all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)
        self.require("special", fits and len(pairs) == ROUNDS)
        symbol = self._index("special", SYMBOLS, pairs[r][0])
        effect = self._index("special", EFFECTS, pairs[r][1])
        return special_pair(symbol, effect)

    def card(self, r: int, position: int, place: Sequence[tuple[str, int]]) -> Move:
        """Returns a card of a round; an error says the place in the game and in the file."""
        try:
            if r >= len(self.cards) or position >= len(self.cards[r]):
                raise RuleBroken("NS-10", "broken.cards_missing", round=r + 1)
            name = self.cards[r][position]
            if name not in CARDS:
                raise InputError("format.deal_name", part="cards", name=str(name))
            if self.cards[r].index(name) < position:
                raise RuleBroken("NS-06", "broken.NS-06", card=name)
        except HeadwayError as error:
            raise error.at(place).inside("deal", "cards", r, position) from None
        return CARDS.index(name)

    def finish(self, drawn: list[int]) -> None:
        """Checks that each round lists either no unrevealed cards or all of them (NS-10)."""
        if not any(drawn):
            return
        if len(self.cards) > ROUNDS:
            error = RuleBroken("NS-10", "broken.rounds_surplus").at([("round", ROUNDS + 1)])
            raise error.inside("deal", "cards", ROUNDS)
        for r, cards in enumerate(self.cards):
            place = [("round", r + 1)]
            for position in range(drawn[r], len(cards)):
                self.card(r, position, place)
            if len(cards) not in (drawn[r], len(CARDS)):
                error = RuleBroken("NS-10", "broken.cards_surplus").at(place)
                raise error.inside("deal", "cards", r, drawn[r])


@cache
def shipped_objectives() -> frozenset[str]:
    """Returns the ids of the objectives of all shipped cities."""
    from headway.games.nextstation.city.city_file import load_city

    return frozenset(o.id for name in BOX.maps for o in load_city(name).objectives)


def write(game: NextStation, events: Sequence[Event]) -> tuple[dict[str, Any], list[Any]]:
    """Returns the `deal` and `moves` of these events, without an unfinished turn."""
    state = game.start()
    deal: dict[str, Any] = {}
    moves: list[list[list[str]]] = []
    for seat, move in events:
        r = int(state.shared["round"])
        if seat == CHANCE:
            _write_deal(game, state, move, deal)
            state.apply(seat, move)
            continue
        waiting = state.moved.tolist()
        waiting[seat] = move
        state.apply(seat, move)
        if min(waiting) >= 0:
            while len(moves) <= r:
                moves.append([])
            moves[r].append([game.move_text(moved) for moved in waiting])
    return deal, moves


def _write_deal(
    game: NextStation, state: NextStationState, move: Move, deal: dict[str, Any]
) -> None:
    name = state.chance_name()
    part, dealt = name.split()[0], written_deal(game.city, game.seats, name, move)
    if part == "card":
        cards = deal.setdefault("cards", [])
        while len(cards) <= int(state.shared["round"]):
            cards.append([])
        cards[-1].append(dealt)
    elif part == "special":
        deal.setdefault("special", []).append(dealt)
    else:
        deal[part] = dealt


_CARDS = {name: card for card, name in enumerate(CARDS)}


class NextStationReplayer(Replayer):
    """Plays records of one city."""

    def __init__(self, game: NextStation) -> None:
        super().__init__(game)
        self.game = game

    def play(self, deal: Any | None, moves: Any, dealer: Dealer | None) -> FinalTotals | None:
        reader = NextStationRecordReader(self.game, deal, moves)
        cards = _cards(reader, dealer)
        if not len(reader.moves) == len(cards) == ROUNDS:
            return None
        numbers = self.numbers(t for turns in reader.moves for seats in turns for t in seats)
        drawn, turns = np.zeros(ROUNDS, np.int64), np.zeros(ROUNDS, np.int64)
        script = SheetScript(
            first_card=_starts(cards),
            cards=np.concatenate(cards),
            drawn=drawn,
            first_turn=_starts(reader.moves),
            moves=numbers.reshape(-1, self.game.seats),
            turns=turns,
        )
        state = self.game.start()
        work = self.work._replace(shared=state.shared_rows)
        clear(work)
        while state.shared["phase"] != OVER:
            deal_next(state, reader, deal, dealer)
            if not self.kernels.replay(work, script):
                return None
        reader.drawn, reader.turns = drawn.tolist(), turns.tolist()
        reader.finish(state)
        return self.totals()


replayer = NextStationReplayer


def _cards(reader: NextStationRecordReader, dealer: Dealer | None) -> list[np.ndarray]:
    """Returns the cards of each round: one for each turn and at most one more, the switch."""
    rounds = []
    for r, cards in enumerate(reader.deal.cards if reader.deal else reader.moves):
        written = reader.deal.numbers("cards", cards, _CARDS) if reader.deal else None
        dealt = _from_seed(dealer, r, min(len(cards) + 1, DECK)) if dealer else None
        rounds.append(agreed(written, dealt))
    return rounds


def _from_seed(dealer: Dealer, r: int, number: int) -> list[int]:
    """Returns the first cards that a seed deals in a round."""
    left = list(range(DECK))
    return [left.pop(dealer.below(card_name(r, k), len(left))) for k in range(number)]


def _starts(parts: Iterable[Sized]) -> np.ndarray:
    """Returns where each of several parts begins, and where the last one ends."""
    return np.array([0, *accumulate(map(len, parts))], np.int64)
