"""Next Station as a game of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar

from headway.errors import Place, RuleBroken, unknown
from headway.games.contract import (
    Box,
    Choice,
    Event,
    Game,
    Generator,
    LogLine,
    Move,
    Seat,
    SheetCheck,
    State,
    View,
)
from headway.games.nextstation.box import BOX, OPTIONS, SEATS
from headway.games.nextstation.choices import choices, fixed_moves
from headway.games.nextstation.city.city_file import load_city
from headway.games.nextstation.city.map_data import CityData, city_data
from headway.games.nextstation.log import NextStationLog, log
from headway.games.nextstation.notation import move_text, parse_move
from headway.games.nextstation.presentation.score_sheet import ScoreSheet, score_json
from headway.games.nextstation.record_format import NextStationRecordReader, write
from headway.games.nextstation.rules import engine
from headway.games.nextstation.rules.deals import chance_text
from headway.games.nextstation.shorthand import meant
from headway.games.nextstation.state import NextStationState
from headway.games.nextstation.view import NextStationView, restore
from headway.games.replay import Replayer
from headway.i18n import in_language, language, languages, say
from headway.svg import Theme


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

    @property
    def first_controller(self) -> Seat:
        """The controller of the first round (NS-05)."""
        return int(self.chosen.get("controller", 0))

    def choices(self) -> tuple[Choice, ...]:
        return choices(self)

    def _fixed_moves(self, chosen: Mapping[str, Any]) -> Mapping[str, list[Move]]:
        return fixed_moves(self, chosen)

    def start(self) -> NextStationState:
        return NextStationState(self)

    def load(self, data: bytes) -> NextStationState:
        state = NextStationState(self)
        state.restore(data)
        return state

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

    def shorthand(self, text: str, legal: Sequence[Move]) -> list[Move]:
        return meant(self.city, text, legal)

    def chance_text(self, state: State, move: Move) -> str:
        return chance_text(self.city, self.seats, state.chance_name(), move)

    def log(self, events: Sequence[Event], seat: Seat) -> list[LogLine]:
        return log(self, events, seat)

    def logbook(self) -> NextStationLog:
        return NextStationLog(self)

    def script(self, deal: Any | None, moves: Any) -> NextStationRecordReader:
        return NextStationRecordReader(self, deal, moves)

    def write(self, events: Sequence[Event]) -> tuple[Any, Any]:
        return write(self, events)

    def replayer(self) -> Replayer:
        from headway.games.nextstation.replay import NextStationReplayer

        return NextStationReplayer(self)

    def legal_count(self, state: State, seat: Seat) -> int:
        assert isinstance(state, NextStationState)
        return len(state.bare_sections(seat))

    def nesting(self, place: Place) -> tuple[int, ...]:
        return tuple(number if name == "seat" else number - 1 for name, number in place)

    def score_json(self, score: ScoreSheet) -> dict[str, Any]:
        return score_json(self.city, score)

    def verdict(self, total: int) -> str:
        """Returns the catalogue key of the verdict on a solo game (SO-02)."""
        scoring = self.city.scoring
        rank = sum(total > limit for limit in scoring.verdicts) + 1
        return f"verdict.{scoring.judge}.{rank}"

    def map_data(self) -> CityData:
        return city_data(self.box.name, self.city, {lang: self.title(lang) for lang in languages()})

    def title(self, lang: str | None = None) -> str:
        return say("nextstation.title", lang, city=in_language(self.city.title, lang))

    def note(self, lang: str | None = None) -> str:
        return in_language(self.city.note, lang)

    def verdict_note(self, lang: str | None = None) -> str:
        return in_language(self.city.scoring.verdicts_note, lang)

    def svg(
        self,
        view: View,
        *,
        names: Sequence[str] = (),
        theme: Theme = "auto",
        lang: str | None = None,
    ) -> str:
        assert isinstance(view, NextStationView)
        from headway.games.nextstation.presentation import render

        return render.svg(self, view, theme, lang or language())

    def judge(self, sheet: Any) -> SheetCheck:
        from headway.games.nextstation.presentation.sheet_check import judge

        return judge(self, sheet)

    def blank_sheet(self, lang: str | None = None) -> str:
        lang = lang or language()
        from headway.games.nextstation.presentation.blank_sheet import blank_sheet

        return blank_sheet(self.city, self.options, self.title(lang), lang)

    def screen(self, view: View, *, legal: Iterable[Move] = (), lang: str | None = None) -> str:
        assert isinstance(view, NextStationView)
        from headway.games.nextstation.presentation import render

        return render.screen(self, view, legal, lang or language())

    def status(
        self, view: View, *, names: Sequence[str] = (), lang: str | None = None
    ) -> list[str]:
        assert isinstance(view, NextStationView)
        from headway.games.nextstation.presentation.sidebar import status

        return status(self, view, names, lang or language())

    def notation_help(self, lang: str | None = None) -> list[str]:
        parts = ["all", *(name for name in OPTIONS if self.options[name])]
        if self.city.double_track_jokers or self.options["special_stations"]:
            parts.insert(1, "double_track")
        texts = [say(f"notation.{part}", lang) for part in parts]
        return [line for text in texts for line in text.splitlines()]

    def score_table(self, state: State, lang: str | None = None) -> list[list[str]]:
        assert isinstance(state, NextStationState)
        from headway.games.nextstation.presentation import score_table

        return score_table.rows(self.city, state.scores(), lang or language())


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
