"""Next Station as a game of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, ClassVar

from headway.errors import InputError, RuleBroken, unknown
from headway.games.box import Box
from headway.games.choices import Choice, ChoiceValue, check_choices
from headway.games.contract import Game, Generator, Move, Seat, SheetCheck, View
from headway.games.nextstation import BOX, OPTIONS, SEATS
from headway.games.nextstation.city.city_file import load_city
from headway.games.nextstation.city.map_data import CityData, city_data
from headway.games.nextstation.moves import (
    Ring,
    move_text,
    parse_move,
    rings,
    spare_after,
    special_cards,
)
from headway.games.nextstation.records import WrittenDeal
from headway.games.nextstation.rules import engine
from headway.games.nextstation.rules.arrays import ROUNDS
from headway.games.nextstation.state import NextStationState
from headway.games.nextstation.view import NextStationView, restore
from headway.i18n import in_language, say


class NextStation(Game):
    """Next Station in one city, for 1 to 4 seats, with or without each module."""

    box: ClassVar[Box] = BOX
    engine: ClassVar[ModuleType] = engine
    secret_hands = False

    def __init__(self, map_name: str, seats: int, options: Mapping[str, bool]) -> None:
        self.city = load_city(map_name)
        self.map = self.city.name
        self.map_hash = self.city.hash
        if seats not in SEATS:
            raise RuleBroken("NS-01", "broken.NS-01", seats=seats)
        self.seats = seats
        if strange := sorted(set(options) - set(OPTIONS)):
            raise unknown("format.option", OPTIONS, option=strange[0])
        self.options = {name: bool(options.get(name, False)) for name in OPTIONS}
        if self.options["powers"] and self.options["special_stations"]:
            raise RuleBroken("PW-07", "broken.PW-07")
        if self.options["objectives"] and not self.city.objectives:
            raise RuleBroken("OB-01", "broken.no_objectives", city=self.city.title)

    def choices(self) -> tuple[Choice, ...]:
        """Returns what a host may choose: NS-02 (spare), NS-03 (pencils), NS-05 (controller)."""
        if self.seats == 1:
            return ()
        colours = tuple(ChoiceValue(c, f"colour.{c}") for c in self.city.colours)
        seats = tuple(ChoiceValue(seat, "choice.seat", (seat,)) for seat in range(self.seats))
        gaps = tuple(
            ChoiceValue(seat, "choice.between", (seat, (seat + 1) % 3)) for seat in range(3)
        )
        left = tuple(ChoiceValue(c, f"choice.left.{c}", (0,)) for c in self.city.colours)
        spares = {2: (Choice("spare", left),), 3: (Choice("spare", gaps),)}
        return (
            Choice("pencils", colours, each_seat=True),
            *spares.get(self.seats, ()),
            Choice("controller", seats, default="choice.automatic"),
        )

    def _fixed_moves(self, chosen: Mapping[str, Any]) -> dict[str, list[Move]]:
        """Returns the moves of chance that agree with what was chosen, by the name of the deal."""
        whole = {part for part, module in WHOLE_PARTS.items() if self.options[module]}
        if _is_ring(chosen.get("pencils")):
            whole.add("pencils")
        check_choices(self, {part: value for part, value in chosen.items() if part not in whole})
        deal, fixed = WrittenDeal(self, dict(chosen)), dict[str, list[Move]]()
        if "pencils" in chosen and "pencils" in whole:
            fixed["pencils"] = [deal.pencils()]
        elif "pencils" in chosen or "spare" in chosen:
            fixed["pencils"] = _rings(self, chosen.get("pencils"), chosen.get("spare"))
        if "objectives" in chosen:
            fixed["objectives"] = [deal.objectives()]
        if "powers" in chosen:
            fixed["powers"] = [deal.powers()]
        if "special" in chosen:
            pairs = [deal.special(r) for r in range(ROUNDS)]
            fixed |= {f"special {r + 1}": [pair] for r, pair in enumerate(pairs)}
            cards = zip(*map(special_cards, pairs), strict=True)
            if any(len(set(dealt)) < ROUNDS for dealt in cards):
                raise RuleBroken("SP-01", "broken.special_dealt")
        return fixed

    def start(self) -> NextStationState:
        return NextStationState(self)

    def resample(self, view: View, generator: Generator) -> NextStationState:
        """Returns the state of the view; a hidden move becomes a random legal one."""
        assert isinstance(view, NextStationView)
        state = restore(self, view)
        for seat, moved in enumerate(view.moved):
            if moved and seat != view.seat:
                legal = state.legal(seat)
                state.moved[seat] = legal[generator.randrange(len(legal))]
        return state

    def parse_move(self, text: str) -> Move:
        return parse_move(self.city, text)

    def move_text(self, move: Move) -> str:
        return move_text(self.city, move)

    def verdict(self, total: int) -> str:
        """Returns the catalogue key of the verdict on a solo game (SO-02)."""
        return f"verdict.{self.city.scoring.judge}.{self.rank(total)}"

    def rank(self, total: int) -> int:
        """Returns the rank of a total in a solo game, from 1 to 6 (SO-02)."""
        return sum(total > limit for limit in self.city.scoring.verdicts) + 1

    def map_data(self) -> CityData:
        return city_data(self)

    def title(self, lang: str | None = None) -> str:
        return say("nextstation.title", lang, city=in_language(self.city.title, lang))

    def note(self, lang: str | None = None) -> str:
        return in_language(self.city.note, lang)

    def verdict_note(self, lang: str | None = None) -> str:
        return in_language(self.city.scoring.verdicts_note, lang)

    def judge(self, sheet: Any) -> SheetCheck:
        from headway.games.nextstation.sheet_check import judge

        return judge(self, sheet)


WHOLE_PARTS = {"objectives": "objectives", "powers": "powers", "special": "special_stations"}
"""Parts that only a program may choose, as a record's deal writes them, and their modules."""


def _is_ring(pencils: Any) -> bool:
    """Whether pencils are written for all rounds, as in a record's deal."""
    return isinstance(pencils, list) and any(isinstance(row, list) for row in pencils)


def _rings(
    game: NextStation, first: list[str | None] | None, spare: Seat | str | None
) -> list[Move]:
    """Returns the deals of pencils with these first ones and this place of a spare.

    With three seats it lies to the left of this seat; with two it is the one to the left of seat 0.
    """
    colours = game.city.colours
    pencils = [None if c is None else colours.index(c) for c in first or [None] * game.seats]
    agreeing = [
        move
        for move, ring in enumerate(rings(game.seats))
        if all(c in (None, row[0]) for c, row in zip(pencils, ring, strict=True))
        and (spare is None or spare == _spare(game, ring))
    ]
    if not agreeing:
        raise InputError("choice.spare_taken", value=spare)
    return agreeing


def _spare(game: NextStation, ring: Ring) -> Seat | str:
    if game.seats == 3:
        return spare_after(ring)
    return game.city.colours[ring[1][1]]  # seat 1 takes it up in the second round


def city_facts(name: str, lang: str | None = None) -> list[str]:
    """Describes a city: a text board and facts derived from its file."""
    from headway.games.nextstation.presentation.sheet_text import text_board

    city = load_city(name)
    river = sum(section.over_river for section in city.sections)
    facts = {
        "stations": len(city.stations),
        "sections": len(city.sections) - len(city.loop),
        "crossings": len(city.crossings),
        "districts": len(city.districts),
    }
    lines = [text_board(city, [], lang=lang), say("city.facts", lang, **facts)]
    lines += [say("city.river_facts", lang, sections=river)] if city.river else []
    lines += [say("city.loop_facts", lang, sections=len(city.loop))] if city.loop else []
    return lines + [note for note in [in_language(city.note, lang)] if note]
