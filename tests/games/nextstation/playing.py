"""A game that a test plays by hand: it says which card comes up and what the seats draw.

    play = Play("london", "green")
    play.turn("circle", "d2a2").turn("square", "a2a3").reveal("switch pentagon")
    assert play.broken("h3i4") == "NS-08"

A card is named by its symbol: the street card, or once that is shown, the underground card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from headway.errors import RuleBroken
from headway.games.contract import CHANCE
from headway.games.kernel import BIT
from headway.games.nextstation.city.city import SYMBOLS
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import CARDS, EFFECTS, POWERS, city_record
from headway.games.nextstation.rules.building import draw
from headway.games.nextstation.rules.scoring import ScoreSheet
from headway.games.nextstation.state import NextStationState

ROUNDS = 4


def first_then(first: Sequence[str], known: Iterable[str]) -> list[str]:
    """The first ones, then all others."""
    return [*first, *(name for name in known if name and name not in first)]


def card_id(name: str, shown: Iterable[str]) -> str:
    """The card that a test means: `circle`, or in full `underground:circle`."""
    if ":" in name:
        return name
    street = f"street:{name}"
    return street if street not in shown else f"underground:{name}"


class Play:
    """A position that is played up to; a refused move changes nothing.

    XX`power` is that pencil's power, `special` symbol and
    effect of round 1; the other cards of a module are dealt in the order of the specification.
    """

    def __init__(
        self,
        city: str = "london",
        pencil: str = "",
        *,
        seats: int = 1,
        power: str = "",
        special: str = "",
        objectives: str = "",
    ) -> None:
        modules = (objectives, power, special)
        names = ("objectives", "powers", "special_stations")
        self.game = NextStation(city, seats, dict(zip(names, map(bool, modules), strict=True)))
        self.state: NextStationState = self.game.start()
        colours = first_then([pencil] if pencil else [], self.game.city.colours)
        slots = {1: [0], 2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3]}[seats]
        deal: dict[str, Any] = {
            "pencils": [[colours[(r - slot) % 4] for r in range(ROUNDS)] for slot in slots],
            "objectives": objectives.split(),
            "powers": dict(zip(colours, first_then([power], POWERS), strict=True)) if power else {},
        }
        if special:
            symbol, effect = special.split()
            pairs = zip(first_then([symbol], SYMBOLS), first_then([effect], EFFECTS), strict=True)
            deal["special"] = [list(pair) for pair in pairs]
        self._chosen_deal = self.game.records.read(self.game, deal, [])
        self._deal()

    def _deal(self) -> None:
        """Everything that is dealt before the cards of a round."""
        while CHANCE in self.state.actors() and not self.state.chance_name().startswith("card"):
            self.state.apply(CHANCE, self._chosen_deal.chance_move(self.state))

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self.state.shared["round"]) + 1

    def shown(self) -> tuple[str, ...]:
        """The cards revealed in this round."""
        return self.state.view(CHANCE).cards_shown

    def reveal(self, cards: str) -> Play:
        """Turns up the cards of a turn: one, or the switch and one."""
        for name in cards.split():
            self.state.apply(CHANCE, CARDS.index(card_id(name, self.shown())))
        return self

    def move(self, *moves: str) -> Play:
        """The moves of all seats in this turn."""
        for seat, text in enumerate(moves):
            self.state.apply(seat, self.game.parse_move(text))
        self._deal()
        return self

    def turn(self, cards: str, *moves: str) -> Play:
        """A whole turn."""
        return self.reveal(cards).move(*moves)

    def end_round(self) -> Play:
        """Everybody passes until the round is over, in the fewest turns."""
        now = self.round
        while self.round == now:
            if CHANCE in self.state.actors():
                self.state.apply(CHANCE, max(self.state.cards_left()))
            else:
                self.move(*["pass"] * self.game.seats)
        return self

    def legal(self, seat: int = 0) -> set[str]:
        """All legal moves of a seat, in the notation."""
        return {self.game.move_text(move) for move in self.state.legal(seat)}

    def broken(self, text: str, seat: int = 0) -> str | None:
        """The id of the rule that a move would break, None if it is legal."""
        move = self.game.parse_move(text)
        before = self.state.dump()
        try:
            self.state.check(seat, move)
            rule = None
        except RuleBroken as error:
            rule = error.rule
        assert (rule is None) == (move in self.state.legal(seat))
        assert self.state.dump() == before
        return rule

    def score(self, seat: int = 0) -> ScoreSheet:
        """The score sheet as if the game ended now."""
        return self.state.scores()[seat]


def sheet(
    city: str, *lines: str, objectives: str = "", seats: int = 1, colours: str = ""
) -> ScoreSheet:
    """The score of a sheet with these lines on it, a line a round: `d2a2 =a2a3 *a3`.

    The lines are put on the sheet as they are: this is about the score and not about building.
    """
    game = NextStation(city, seats, {"objectives": bool(objectives)})
    state = game.start()
    named = game.city.station_named
    order = first_then(colours.split(), game.city.colours)
    state.shared["pencils"][0] = [game.city.colours.index(colour) for colour in order]
    known = [objective.id for objective in game.city.objectives]
    if objectives:
        state.shared["objectives"] = [known.index(name) for name in objectives.split()]
    for r, line in enumerate(lines):
        for token in line.split():
            if token[0] == "*":
                state.sheets[0]["circled"][r] |= BIT[named[token[1:]]]
                continue
            pair = token.removeprefix("=")
            a, b = named[pair[:2]], named[pair[2:]]
            assert (a, b) in game.city.section_between, f"{pair} is no section of {city}"
            draw(city_record(game.city), state.sheets[0], r, a, b, token[0] == "=")
    return state.scores()[0]
