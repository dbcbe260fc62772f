"""Broken records: one for each way in which a record can be refused.

``BROKEN`` lists the cases. ``case.build()`` makes the broken record from good ones:

* ``record``: the object, or the raw text where the file cannot be read at all;
* ``place``: (round from 1, turn from 1, seat from 0) where the error is in a move, else None.

``case.rules`` holds the ids of which one has to be named: one id wherever exactly one rule is
broken, several where the specification leaves the choice. Everything is made with fixed seeds.
Faults of a deal stand in games in which everybody passes, so that nothing else is wrong.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from . import referee
from .referee import CARDS, Position, Record, Step

Place = tuple[int, int, int]
Propose = Callable[[Position, int], Iterable[str]]

NONE: dict[str, bool] = {}
OBJECTIVES = {"objectives": True}
POWERS = {"powers": True}
SPECIAL = {"special_stations": True}


@dataclass(frozen=True)
class Broken:
    """A broken record, and the place of the error if it is in a move."""

    record: Record | str
    place: Place | None = None

    @property
    def text(self) -> str:
        """The file's text."""
        return self.record if isinstance(self.record, str) else json.dumps(self.record)


@dataclass(frozen=True)
class Good:
    """Good records to break. The same are made for everybody who asks."""

    number: int = 6

    def records(self, city: str, options: dict[str, bool], seats: int = 3) -> list[Record]:
        """Some random games of a kind."""
        return [copy.deepcopy(_random(city, tuple(options), seats, n)) for n in range(self.number)]

    def one(self, city: str = "london", options: dict[str, bool] = NONE, seats: int = 2) -> Record:
        """One random game of a kind."""
        return copy.deepcopy(_random(city, tuple(options), seats, 0))

    def passed(
        self, city: str = "london", options: dict[str, bool] = NONE, seats: int = 2
    ) -> Record:
        """One game of a kind in which everybody passes: only the deal can be wrong."""
        record = self.one(city, options, seats)
        record["moves"] = [[["pass"] * seats for _ in turns] for turns in record["moves"]]
        return record


@cache
def _random(city: str, options: tuple[str, ...], seats: int, number: int) -> Record:
    rng = random.Random(f"{city} {options} {seats} {number}")
    # Every second game lists only the cards that were revealed.
    return referee.random_record(rng, city, seats, dict.fromkeys(options, True), number % 2 == 0)


GOOD = Good()


@dataclass(frozen=True)
class Case:
    """One kind of broken record."""

    name: str
    rules: frozenset[str]
    make: Callable[[Good], Broken]

    def build(self, good: Good = GOOD) -> Broken:
        """Make the broken record."""
        return self.make(good)


BROKEN: list[Case] = []


def case(name: str, *rules: str) -> Callable[[Callable[[Good], Any]], Callable[[Good], Any]]:
    """Add a case; its function returns a record, a raw text or a Broken."""

    def add(make: Callable[[Good], Any]) -> Callable[[Good], Any]:
        def built(good: Good) -> Broken:
            made = make(good)
            return made if isinstance(made, Broken) else Broken(made)

        BROKEN.append(Case(name, frozenset(rules), built))
        return make

    return add


def with_move(record: Record, place: Place, text: Any) -> Broken:
    """The record with another move at a place."""
    round, turn, seat = place
    changed = copy.deepcopy(record)
    changed["moves"][round - 1][turn - 1][seat] = text
    return Broken(changed, place)


def find(records: Iterable[Record], rules: Iterable[str], propose: Propose) -> Broken:
    """The first place where a proposed move breaks one of these rules and no other rule."""
    for record in records:
        for position, _ in referee.positions(record):
            for seat in range(position.seats):
                for text in propose(position, seat):
                    broken = set(referee.faults(position, seat, text))
                    if broken and broken <= set(rules):
                        place = position.round + 1, position.turn + 1, seat
                        return with_move(record, place, text)
    raise LookupError(f"no place to break {rules}")


def step_case(name: str, rules: str, city: str, options: dict[str, bool], propose: Propose) -> None:
    """Add a case that searches for a move which breaks one of these rules and no other."""
    accepted = rules.split()
    case(name, *accepted)(lambda good: find(good.records(city, options), accepted, propose))


# ----------------------------------------------------------------------------- proposed moves


def straight(position: Position, starts: Iterable[tuple[int, int]]) -> Iterator[Step]:
    """Straight links from these stations, those that the loop bars included."""
    stations = position.city.stations
    for start in sorted(starts):
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                target = referee.next_station(stations, start, (dx, dy)) if dx or dy else None
                if target is not None:
                    yield Step(start, target)


def middle(position: Position, seat: int) -> set[tuple[int, int]]:
    """Stations of the line that are no ends."""
    line = position.line(seat)
    return line.stations - line.ends


def bare(position: Position, seat: int) -> list[str]:
    """Legal single sections with the bare card."""
    return [str(move) for move in referee.single_moves(position, seat, "")]


def from_line(position: Position, seat: int) -> Iterator[str]:
    """Straight links from all stations of the line."""
    return map(str, straight(position, referee.starts(position, seat)))


def from_middle(position: Position, seat: int) -> Iterator[str]:
    """Straight links from the middle of the line."""
    return map(str, straight(position, middle(position, seat)))


def from_elsewhere(position: Position, seat: int) -> Iterator[str]:
    """Straight links from stations that are not on the line."""
    return map(str, straight(position, position.city.stations - referee.starts(position, seat)))


def crooked(position: Position, seat: int) -> Iterator[str]:
    """Links that are not straight."""
    for start in sorted(position.line(seat).ends):
        for target in sorted(position.city.stations):
            if start != target and referee.unit(start, target) is None:
                yield str(Step(start, target))


def jumps(position: Position, seat: int) -> Iterator[str]:
    """Straight links over a station."""
    for start in sorted(position.line(seat).ends):
        for target in sorted(position.city.stations):
            pair = frozenset((start, target))
            if referee.unit(start, target) is not None and pair not in position.city.sections:
                yield str(Step(start, target))


def on_joker(propose: Propose) -> Propose:
    """The same on joker cards only."""
    return lambda p, seat: propose(p, seat) if p.now.symbol == "joker" else ()


def on_symbol(propose: Propose) -> Propose:
    """The same on cards that are no jokers."""
    return lambda p, seat: propose(p, seat) if p.now.symbol != "joker" else ()


def on_symbol_up(propose: Propose) -> Propose:
    """The same when the special station's symbol is up."""
    return lambda p, seat: propose(p, seat) if p.effect_up else ()


def not_up(propose: Propose) -> Propose:
    """The same on a card with another symbol than the special station's."""
    return on_symbol(lambda p, seat: propose(p, seat) if not p.effect_up else ())


def under(effect: str, propose: Propose) -> Propose:
    """The same in the round of an effect."""
    return lambda p, seat: propose(p, seat) if p.effect == effect else ()


def holding(power: str, propose: Propose, spent: bool = False) -> Propose:
    """The same with a power in hand, spent or not."""
    return lambda p, seat: (
        propose(p, seat) if p.power(seat) == power and p.spent[seat] == spent else ()
    )


def not_holding(power: str, propose: Propose) -> Propose:
    """The same with another unspent power in hand."""
    return lambda p, seat: propose(p, seat) if p.power(seat) != power and not p.spent[seat] else ()


def in_turns(first: int, last: int, propose: Propose) -> Propose:
    """The same in some turns of a round."""
    return lambda p, seat: propose(p, seat) if first <= p.now.number <= last else ()


def prefixed(prefix: str) -> Propose:
    """A legal section with a power or effect before it."""
    return lambda p, seat: (f"{prefix} {text}" for text in bare(p, seat) if text[0] != "=")


def doubled(propose: Propose) -> Propose:
    """The same as a double track."""
    return lambda p, seat: (f"={text}" for text in propose(p, seat))


def seconds(kind: Propose) -> Propose:
    """A legal section and a second one, proposed on the sheet with the first."""

    def propose(position: Position, seat: int) -> Iterator[str]:
        colour = position.colour(seat)
        for first in bare(position, seat):
            if first[0] == "=":
                continue
            before = position.sheets[seat]
            step = referee.parse(first, position.city).step
            position.sheets[seat] = referee.with_step(before, colour, step)
            texts = list(kind(position, seat))
            position.sheets[seat] = before
            yield from (f"{first} +{text}" for text in texts)

    return propose


def straight_on(position: Position, seat: int) -> Iterator[str]:
    """A legal section and the next one in the same direction."""
    for first in bare(position, seat):
        step = referee.parse(first, position.city).step
        if first[0] != "=" and step is not None and step.direction is not None:
            onward = referee.next_station(position.city.stations, step.target, step.direction)
            if onward is not None:
                yield f"{first} +{Step(step.target, onward)}"


def circled(*, on_line: bool) -> Propose:
    """A legal section or a pass, and a circle on a station of the line or elsewhere."""

    def propose(position: Position, seat: int) -> Iterator[str]:
        for text in [*bare(position, seat), "pass"]:
            line = set(position.line(seat).stations)
            if text != "pass":
                line |= set(referee.parse(text, position.city).step.pair)  # type: ignore[union-attr]
            for station in sorted(position.city.stations):
                if (station in line) == on_line:
                    yield f"{text} *{referee.name_of(station)}"

    return propose


def reached(position: Position, seat: int) -> Iterator[str]:
    """A legal section and a circle on the station just reached."""
    return (f"{text} *{text[-2:]}" for text in bare(position, seat))


def only_pass(token: str) -> Propose:
    """A pass with one more token for each station of the line."""
    return lambda p, seat: (
        f"pass {token}{referee.name_of(s)}" for s in sorted(p.line(seat).stations)
    )


def back_along_own(position: Position, seat: int) -> Iterator[str]:
    """Sections between two stations of the line."""
    return (
        str(step)
        for step in straight(position, position.line(seat).ends)
        if step.target in position.line(seat).stations
    )


# ------------------------------------------------------------------- files that cannot be read


@case("empty file", "FORMAT")
def _(good: Good) -> str:
    return ""


@case("no JSON", "FORMAT")
def _(good: Good) -> str:
    return "round 1: d2a2, pass\n"


@case("JSON cut off", "FORMAT")
def _(good: Good) -> str:
    return json.dumps(good.one())[:-20]


@case("a list for a record", "FORMAT")
def _(good: Good) -> str:
    return json.dumps([good.one()])


@case("bytes that are no text", "FORMAT")
def _(good: Good) -> str:
    return "\x00\x01\x02"


def drop_case(name: str, path: tuple[str, ...], options: dict[str, bool] = NONE) -> None:
    """Add a case with a field missing."""

    def make(good: Good) -> Record:
        record = good.passed("london", options)
        holder = record
        for key in path[:-1]:
            holder = holder[key]
        del holder[path[-1]]
        return record

    case(name, "FORMAT")(make)


drop_case("no format", ("format",))
drop_case("no game", ("game",))
drop_case("no map", ("map",))
drop_case("no options", ("options",))
drop_case("an option missing", ("options", "powers"))
drop_case("no seats", ("seats",))
drop_case("neither seed nor deal", ("deal",))
drop_case("no moves", ("moves",))
drop_case("no pencils", ("deal", "pencils"))
drop_case("no cards", ("deal", "cards"))
drop_case("objectives on and not dealt", ("deal", "objectives"), OBJECTIVES)
drop_case("powers on and not dealt", ("deal", "powers"), POWERS)
drop_case("special stations on and not dealt", ("deal", "special"), SPECIAL)


def set_case(name: str, path: tuple[str | int, ...], value: Any, *rules: str) -> None:
    """Add a case with one value changed in a game of passes."""

    def make(good: Good) -> Record:
        record = good.passed()
        holder: Any = record
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value
        return record

    case(name, *rules)(make)


set_case("another format", ("format",), "headway-record/99", "FORMAT")
set_case("another game", ("game",), "tiddlywinks", "FORMAT")
set_case("an unknown map", ("map",), "atlantis", "FORMAT")
set_case("an option that is no boolean", ("options", "powers"), "yes", "FORMAT")
set_case("seats that are no number", ("seats",), "two", "FORMAT")
set_case("a deal that is no object", ("deal",), "at random", "FORMAT")
set_case("moves that are no list", ("moves",), "pass pass pass", "FORMAT")
set_case("a round that is no list", ("moves", 1), "pass", "FORMAT")
set_case("a turn without one seat's move", ("moves", 1, 2), ["pass"], "FORMAT", "NS-01", "NS-07")
set_case("a turn with a move too many", ("moves", 0, 0), ["pass"] * 3, "FORMAT", "NS-01", "NS-07")
set_case("an unknown card", ("deal", "cards", 0, 0), "street:hexagon", "FORMAT", "NS-06")
set_case("a card that is no text", ("deal", "cards", 2, 0), 7, "FORMAT")
set_case(
    "a switch under the ground", ("deal", "cards", 0, 0), "underground:switch", "FORMAT", "NS-06"
)
set_case("an unknown colour", ("deal", "pencils", 0, 1), "ultraviolet", "FORMAT", "NS-04")
set_case("the other city's colour", ("deal", "pencils", 0, 1), "brown", "FORMAT", "NS-04")


def token_case(name: str, change: Callable[[str], Any], *rules: str) -> None:
    """Add a case with a drawn section written wrongly."""

    def make(good: Good) -> Broken:
        record = good.one(seats=3)
        places = [
            ((r, t, s), text)
            for r, turns in enumerate(record["moves"], start=1)
            for t, turn in enumerate(turns, start=1)
            for s, text in enumerate(turn)
            if text != "pass"
        ]
        place, text = places[17]
        broken = with_move(record, place, change(text))
        # What is no text is found before there is a move to have a place.
        return broken if isinstance(change(text), str) else Broken(broken.record)

    case(name, *(rules or ("FORMAT",)))(make)


token_case("a move that is no text", lambda text: 42)
token_case("no token at all", lambda text: "")
token_case("an unknown token", lambda text: f"{text} ?")
token_case("a word", lambda text: "skip")
token_case("a station on an empty field", lambda text: text[:2] + "b3")
token_case("a column that does not exist", lambda text: text[:2] + "k2")
token_case("half a section", lambda text: text[:2])
token_case("a section of three stations", lambda text: text + "d2")
token_case("two sections", lambda text: f"{text} {text}")
token_case("a section and a pass", lambda text: f"{text} pass")
token_case("capital letters", lambda text: text.upper())
token_case(
    "a circle before the section", lambda text: f"*{text[2:]} {text}", "FORMAT", "PW-01", "SP-06"
)
token_case(
    "a second section before the first", lambda text: f"+{text} {text}", "FORMAT", "PW-01", "SP-05"
)
token_case("an unknown power", lambda text: f"!teleport {text}")
token_case(
    "a double track for a second section",
    lambda text: f"{text} +={text[2:]}{text[:2]}",
    "FORMAT",
    "PW-01",
    "PW-02",
    "SP-05",
)
token_case("a power with a pass", lambda text: "!joker pass", "FORMAT", "PW-01", "PW-04")
token_case("an effect with a pass", lambda text: "~ pass", "FORMAT", "SP-01")
token_case("a power alone", lambda text: "!joker", "FORMAT", "PW-01")
token_case("a power after the section", lambda text: f"{text} !joker", "FORMAT", "PW-01")


# ------------------------------------------------------------------------- the table, the deal


@case("nobody plays", "NS-01")
def _(good: Good) -> Record:
    record = good.passed()
    record["seats"] = 0
    record["deal"]["pencils"] = []
    record["moves"] = [[[] for _ in turns] for turns in record["moves"]]
    return record


@case("five players", "NS-01", "NS-04")
def _(good: Good) -> Record:
    record = good.passed("london", NONE, 4)
    record["seats"] = 5
    record["deal"]["pencils"].append(record["deal"]["pencils"][0])
    record["moves"] = [[["pass"] * 5 for _ in turns] for turns in record["moves"]]
    return record


@case("pencils swapped for one seat", "NS-04")
def _(good: Good) -> Record:
    record = good.passed("tokyo", NONE, 3)
    row = record["deal"]["pencils"][1]
    row[2], row[3] = row[3], row[2]
    return record


@case("a colour twice", "NS-04")
def _(good: Good) -> Record:
    record = good.passed("london", NONE, 1)
    row = record["deal"]["pencils"][0]
    row[3] = row[0]
    return record


@case("pencils passed to the right", "NS-04")
def _(good: Good) -> Record:
    record = good.passed("london", NONE, 4)
    record["deal"]["pencils"] = [[row[-n % 4] for n in range(4)] for row in pencils(record)]
    return record


@case("two players who do not sit opposite", "NS-04")
def _(good: Good) -> Record:
    record = good.passed()
    first = pencils(record)[0]
    record["deal"]["pencils"][1] = [first[3], *first[:3]]
    return record


@case("two players with the same pencil", "NS-04")
def _(good: Good) -> Record:
    record = good.passed()
    record["deal"]["pencils"][1] = list(pencils(record)[0])
    return record


@case("three players against the clock", "NS-04")
def _(good: Good) -> Record:
    record = good.passed("london", NONE, 3)
    rows = pencils(record)
    rows[1], rows[2] = rows[2], rows[1]
    return record


@case("pencils for another number of seats", "NS-04", "FORMAT")
def _(good: Good) -> Record:
    record = good.passed("london", NONE, 3)
    record["deal"]["pencils"].pop()
    return record


def pencils(record: Record) -> list[list[str]]:
    """The pencils of a record, to be changed in place."""
    rows: list[list[str]] = record["deal"]["pencils"]
    return rows


def cards(record: Record) -> list[list[str]]:
    """The cards of a record, to be changed in place."""
    rows: list[list[str]] = record["deal"]["cards"]
    return rows


def revealed(record: Record) -> Record:
    """The record with the revealed cards only."""
    record["deal"]["cards"] = [row[: referee.cards_shown(row)] for row in cards(record)]
    return record


@case("a card twice in a round", "NS-06")
def _(good: Good) -> Record:
    record = good.passed()
    row = next(r for r in cards(record) if len(street_symbols(r)) >= 2)
    first, second = street_symbols(row)[:2]
    row[second] = row[first]
    return record


@case("an underground card twice", "NS-06")
def _(good: Good) -> Record:
    record = revealed(good.passed("tokyo"))
    row = cards(record)[3]
    first, second = [n for n, card in enumerate(row) if card.startswith("underground:")][:2]
    row[second] = row[first]
    return record


def street_symbols(row: list[str]) -> list[int]:
    """Where the revealed street cards with a symbol stand."""
    shown = row[: referee.cards_shown(row)]
    return [n for n, c in enumerate(shown) if c.startswith("street:") and "switch" not in c]


@case("twelve cards", "NS-06", "NS-10")
def _(good: Good) -> Record:
    record = good.passed()
    cards(record)[1] = [*CARDS, CARDS[0]]
    record["moves"][1] = [["pass"] * 2 for _ in referee.turns_of(cards(record)[1])]
    return record


@case("three rounds of moves", "NS-10")
def _(good: Good) -> Record:
    record = good.one()
    record["moves"].pop()
    return record


@case("three rounds in all", "NS-10")
def _(good: Good) -> Record:
    record = good.passed()
    record["moves"].pop()
    cards(record).pop()
    return record


@case("five rounds of moves", "NS-10")
def _(good: Good) -> Record:
    record = good.passed()
    record["moves"].append(record["moves"][3])
    return record


@case("five rounds in all", "NS-10")
def _(good: Good) -> Record:
    record = good.passed()
    record["moves"].append(record["moves"][3])
    cards(record).append(cards(record)[3])
    return record


@case("no moves yet", "NS-10")
def _(good: Good) -> Record:
    return {**good.one(), "moves": []}


@case("a turn too few", "NS-10")
def _(good: Good) -> Record:
    record = good.one("tokyo")
    record["moves"][2].pop()
    return record


@case("a turn too many", "NS-10")
def _(good: Good) -> Record:
    record = good.one()
    record["moves"][1].append(["pass", "pass"])
    return record


@case("a round stopped before the fifth underground card", "NS-10")
def _(good: Good) -> Record:
    record = revealed(good.passed())
    cards(record)[2].pop()
    record["moves"][2] = [["pass"] * 2 for _ in referee.turns_of(cards(record)[2])]
    return record


@case("a last card missing", "NS-10")
def _(good: Good) -> Record:
    record = revealed(good.one())
    cards(record)[3].pop()
    return record


@case("a card after the round's end", "NS-10")
def _(good: Good) -> Record:
    record = good.passed()
    row = [c for c in CARDS if c.startswith("underground:")] + ["street:circle"]
    cards(record)[0] = row
    record["moves"][0] = [["pass"] * 2 for _ in range(5)]
    return record


@case("powers and special stations together", "PW-07")
def _(good: Good) -> Record:
    record = good.passed("london", POWERS)
    record["options"]["special_stations"] = True
    record["deal"]["special"] = good.passed("london", SPECIAL)["deal"]["special"]
    return record


@case("a power twice", "PW-01")
def _(good: Good) -> Record:
    record = good.passed("london", POWERS)
    powers = record["deal"]["powers"]
    powers["purple"] = powers["blue"]
    return record


@case("a colour without a power", "PW-01", "FORMAT")
def _(good: Good) -> Record:
    record = good.passed("tokyo", POWERS)
    del record["deal"]["powers"]["brown"]
    return record


@case("an unknown power dealt", "PW-01", "FORMAT")
def _(good: Good) -> Record:
    record = good.passed("london", POWERS)
    record["deal"]["powers"]["green"] = "teleport"
    return record


@case("a special symbol twice", "SP-01")
def _(good: Good) -> Record:
    record = good.passed("tokyo", SPECIAL)
    special = record["deal"]["special"]
    special[1][0] = special[0][0]
    return record


@case("a special effect twice", "SP-01")
def _(good: Good) -> Record:
    record = good.passed("london", SPECIAL)
    special = record["deal"]["special"]
    special[3][1] = special[0][1]
    return record


@case("special stations for three rounds", "SP-01", "FORMAT")
def _(good: Good) -> Record:
    record = good.passed("london", SPECIAL)
    record["deal"]["special"].pop()
    return record


def objectives_case(name: str, drawn: list[str], *rules: str, city: str = "london") -> None:
    """Add a case with other objectives."""

    def make(good: Good) -> Record:
        record = good.passed(city, OBJECTIVES)
        record["deal"]["objectives"] = drawn
        return record

    case(name, *rules)(make)


objectives_case("an objective of the other city", ["hub", "thames"], "OB-01")
objectives_case("London's objective in Tokyo", ["tourist", "hub"], "OB-01", city="tokyo")
objectives_case("an objective twice", ["thames", "thames"], "OB-01")
objectives_case("one objective", ["thames"], "OB-01", "FORMAT")
objectives_case("three objectives", ["thames", "centre", "tourist"], "OB-01", "FORMAT")
objectives_case("an unknown objective", ["thames", "world-peace"], "OB-01", "FORMAT")


# --------------------------------------------------------------------------- building: London


def on_switch(propose: Propose) -> Propose:
    """The same on a working switch and a line with sections."""
    return lambda p, seat: propose(p, seat) if p.now.switch and p.line(seat).tracks else ()


def unless_switch(propose: Propose) -> Propose:
    """The same where no switch is shown."""
    return lambda p, seat: propose(p, seat) if not p.now.switch_shown else ()


def away_from_departure(position: Position, seat: int) -> Iterator[str]:
    """First sections from elsewhere, not back to the departure station."""
    line = position.line(seat)
    if not line.tracks:
        yield from from_elsewhere(position, seat)


def nowhere(position: Position, seat: int) -> list[str]:
    """Sections that end where they start."""
    return [referee.name_of(end) * 2 for end in sorted(position.line(seat).ends)]


def over_own(position: Position, seat: int) -> Iterator[str]:
    """Sections across the own line."""
    line = position.line(seat)
    for step in straight(position, line.ends):
        if position.city.crossings.get(step.pair, frozenset()) & set(line.tracks):
            yield str(step)


def over_others(position: Position, seat: int) -> Iterator[str]:
    """Sections across other colours only."""
    line = position.line(seat)
    for step in straight(position, line.ends):
        if not position.city.crossings.get(step.pair, frozenset()) & set(line.tracks):
            yield str(step)


def back_on_switch(position: Position, seat: int) -> Iterator[str]:
    """Sections from any station of the line to another of its stations."""
    stations = position.line(seat).stations
    return (str(s) for s in straight(position, stations) if s.target in stations)


def off_line(position: Position, seat: int) -> Iterable[str]:
    """Later sections from stations that are not on the line."""
    return from_elsewhere(position, seat) if position.line(seat).tracks else ()


BASE = ("london", NONE)
step_case("a start off the line on a switch", "NS-08", *BASE, on_switch(from_elsewhere))
step_case("a crooked section", "NS-12", *BASE, crooked)
step_case("a section over a station", "NS-12", *BASE, jumps)
step_case("a section that goes nowhere", "NS-12 NS-18 FORMAT", *BASE, nowhere)
step_case("a first section from elsewhere", "NS-13", *BASE, away_from_departure)
step_case("a start in the middle", "NS-14", *BASE, unless_switch(from_middle))
step_case("a start off the line", "NS-14", *BASE, unless_switch(off_line))
step_case("a wrong symbol", "NS-15", *BASE, from_line)
step_case("crossing another colour", "NS-17", *BASE, over_others)
step_case("crossing the own line", "NS-17", *BASE, over_own)
step_case("coming back to the line", "NS-18", *BASE, back_along_own)
step_case("coming back on a switch", "NS-18", *BASE, on_switch(back_on_switch))
step_case("along another colour", "NS-19", *BASE, on_symbol(from_line))
step_case("along another colour on a joker", "NS-19", *BASE, on_joker(from_line))


def early_switch(good: Good) -> Broken:
    """A switch in turn 2, with a line that has a middle by then (NS-09)."""
    record = good.passed("london", POWERS, 1)
    colour = pencils(record)[0][0]
    powers = [p for p in referee.POWERS if p != "second"]
    others = [c for c in referee.COLOURS["london"] if c != colour]
    record["deal"]["powers"] = {colour: "second", **dict(zip(others, powers, strict=True))}
    shown = ["street:joker", "street:switch", "street:circle"]
    cards(record)[0] = shown + [card for card in CARDS if card not in shown]
    games = (referee.play_out(random.Random(seed), record) for seed in range(100))
    return find(games, ["NS-14"], in_turns(2, 2, from_middle))


case("a start in the middle on a switch in turn 2", "NS-14")(early_switch)


@case("a first section from elsewhere on a switch", "NS-08", "NS-13")
def _(good: Good) -> Broken:
    record = good.passed()
    shown = ["street:circle", "street:joker", "street:switch", "street:square"]
    cards(record)[0] = shown + [card for card in CARDS if card not in shown]
    record["moves"][0] = [["pass"] * 2 for _ in referee.turns_of(cards(record)[0])]
    return find([record], ["NS-08", "NS-13"], in_turns(3, 3, from_elsewhere))


# ---------------------------------------------------------------------------- building: Tokyo


def along_loop(position: Position, seat: int) -> Iterator[str]:
    """Ordinary straight sections along the loop."""
    for step in straight(position, position.line(seat).ends):
        if step.pair in position.city.loop_pairs:
            yield str(step)


def along_bend(position: Position, seat: int) -> Iterator[str]:
    """Ordinary sections along a bent piece of the loop."""
    for step in referee.steps_from(position.city, position.line(seat).ends):
        if step.pair in position.city.loop_pairs and step.direction is None:
            yield str(step)


def links(position: Position, seat: int) -> Iterator[str]:
    """All sections and pieces of the loop from the line's stations."""
    return map(str, referee.steps_from(position.city, referee.starts(position, seat)))


def along_track(position: Position, seat: int) -> Iterator[str]:
    """Sections and pieces of the loop with one track on them."""
    here, sheet = position.city, position.sheets[seat]
    for step in referee.steps_from(here, referee.starts(position, seat)):
        if referee.tracks_between(here, sheet, step.pair) == 1:
            yield str(step)


def own_track(position: Position, seat: int) -> Iterator[str]:
    """Sections of the own line once more."""
    line = position.line(seat)
    for step in straight(position, line.ends):
        if step.pair in line.tracks:
            yield f"={step}"


TOKYO = ("tokyo", NONE)
step_case("crossing the loop", "NT-02", *TOKYO, from_line)
step_case("an ordinary section along the loop", "NS-19", *TOKYO, along_loop)
step_case("an ordinary section along the loop's bend", "NS-19 NS-12", *TOKYO, along_bend)
step_case("along another colour in Tokyo", "NS-19", *TOKYO, on_joker(over_others))
step_case("a double track in London", "NT-03", *BASE, on_joker(doubled(along_track)))
step_case("a double track on a symbol", "NT-03", *TOKYO, on_symbol(doubled(along_track)))
step_case("a double track along nothing", "NT-03", *TOKYO, on_joker(doubled(links)))
step_case("a third track", "NT-04", *TOKYO, on_joker(doubled(links)))
step_case("a double track of one colour", "NT-04 NS-18", *TOKYO, on_joker(own_track))
step_case("a double track from the middle", "NS-14", *TOKYO, on_joker(doubled(links)))


# ------------------------------------------------------------------------------ pencil powers


LP = ("london", POWERS)
TP = ("tokyo", POWERS)
step_case("a power of a module that is off", "PW-01", *BASE, prefixed("!joker"))
step_case("a joker power not held", "PW-01", *LP, not_holding("joker", prefixed("!joker")))
late_switch = in_turns(3, 10, prefixed("!switch"))
step_case("a switch power not held", "PW-01", *LP, not_holding("switch", late_switch))
step_case("a joker power spent", "PW-01", *LP, holding("joker", prefixed("!joker"), True))
step_case("a switch power spent", "PW-01", *TP, holding("switch", late_switch, True))
step_case("a second section not held", "PW-01", *LP, not_holding("second", seconds(from_line)))
step_case("a second section spent", "PW-01", *LP, holding("second", seconds(from_line), True))
step_case("a circle not held", "PW-01", *LP, not_holding("double", circled(on_line=True)))
step_case("a circle spent", "PW-01", *LP, holding("double", circled(on_line=True), True))
step_case("a second section without modules", "PW-01 SP-05", *BASE, seconds(from_line))
step_case("a circle without modules", "PW-01 PW-06 SP-06", *BASE, circled(on_line=True))
held_second = holding("second", seconds(from_line))
step_case("a second section to a wrong symbol", "PW-02", *LP, on_symbol(held_second))
step_case("a second section to another symbol on a joker", "PW-02", *LP, on_joker(held_second))
step_case("a second section across a line", "NS-17", *LP, held_second)
step_case("a second section back to the line", "NS-18", *LP, held_second)
step_case("a second section along a section", "NS-19", *LP, held_second)
step_case("a second section from the middle", "NS-14", *LP, unless_switch(held_second))
step_case("a second section across the loop", "NT-02", *TP, held_second)


def second_after_pass(position: Position, seat: int) -> Iterator[str]:
    """A second section without a first."""
    return (f"pass +{text}" for text in bare(position, seat) if text[0] != "=")


def joker_double(position: Position, seat: int) -> Iterator[str]:
    """A double track that the card allows, with the joker power before it."""
    return (f"!joker {text}" for text in bare(position, seat) if text[0] == "=")


def with_power(prefix: str, propose: Propose) -> Propose:
    """The same with a power used."""
    return lambda p, seat: (f"{prefix} {text}" for text in propose(p, seat))


def circle_nothing(position: Position, seat: int) -> Iterable[str]:
    """A circle on the departure station of a line without sections."""
    line = position.line(seat)
    return () if line.tracks else (f"pass *{referee.name_of(line.departure)}",)


step_case(
    "a second section after a pass", "PW-02 FORMAT", *LP, holding("second", second_after_pass)
)
step_case("a double track with the joker power", "PW-04", *TP, holding("joker", joker_double))
step_case(
    "crossing with the joker power",
    "NS-17",
    *LP,
    holding("joker", with_power("!joker", over_others)),
)
step_case(
    "a switch power in turn 2",
    "PW-05",
    *LP,
    holding("switch", in_turns(2, 2, prefixed("!switch"))),
)
step_case(
    "a start off the line with the switch power",
    "PW-05 NS-08 NS-14",
    *LP,
    holding("switch", in_turns(3, 10, with_power("!switch", off_line))),
)
step_case("a circle off the line", "PW-06", *LP, holding("double", circled(on_line=False)))
step_case("a circle on a line without sections", "PW-06", *LP, holding("double", circle_nothing))


# --------------------------------------------------------------------------- special stations


LS = ("london", SPECIAL)
TS = ("tokyo", SPECIAL)
effect = prefixed("~")
bent = seconds(from_line)
step_case("an effect of a module that is off", "SP-01", *BASE, effect)
step_case("an effect whose symbol is not up", "SP-01", *LS, under("joker", not_up(effect)))
step_case("an effect on a joker card", "SP-01 SP-02", *TS, under("switch", on_joker(effect)))
step_case(
    "an effect that takes no sign",
    "SP-01 SP-02 SP-03 SP-04 SP-05 SP-06",
    *LS,
    under("extension", on_symbol_up(effect)),
)
step_case(
    "a switch effect in turn 2",
    "SP-03",
    *LS,
    under("switch", on_symbol_up(in_turns(1, 2, effect))),
)
step_case(
    "a start in the middle without the sign of the effect",
    "NS-14",
    *LS,
    under("switch", on_symbol_up(unless_switch(from_middle))),
)
step_case(
    "a double track without the sign of the effect",
    "NT-03",
    *LS,
    under("joker", on_symbol_up(doubled(along_track))),
)
step_case(
    "a double track along nothing with the effect",
    "NT-03",
    *LS,
    under("joker", on_symbol_up(with_power("~", doubled(links)))),
)
step_case(
    "an extension under another effect", "SP-05", *LS, under("double", on_symbol_up(straight_on))
)
step_case("an extension that bends", "SP-05", *LS, under("extension", on_symbol_up(bent)))
step_case(
    "an extension when the symbol is not up",
    "SP-05 SP-01 SP-02",
    *TS,
    under("extension", not_up(straight_on)),
)
step_case(
    "an extension after a pass",
    "SP-05 FORMAT",
    *LS,
    under("extension", on_symbol_up(second_after_pass)),
)
step_case(
    "an extension back to the line",
    "NS-18",
    *LS,
    under("extension", on_symbol_up(straight_on)),
)
step_case(
    "an extension across a line",
    "NS-17",
    *LS,
    under("extension", on_symbol_up(straight_on)),
)
step_case("a circle under another effect", "SP-06", *LS, under("extension", on_symbol_up(reached)))
step_case(
    "a circle not on the station reached",
    "SP-06",
    *LS,
    under("double", on_symbol_up(circled(on_line=True))),
)
step_case(
    "a circle in a passed turn",
    "SP-06",
    *TS,
    under("double", on_symbol_up(only_pass("*"))),
)
step_case(
    "a circle when the symbol is not up",
    "SP-06 SP-01 SP-02",
    *LS,
    under("double", not_up(reached)),
)
