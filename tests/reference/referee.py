"""The referee: the rules of Next Station, written a second time, slowly and plainly.

It shares no code with the package. It works on coordinates, sets and strings, so that every
rule can be read next to its id in the specification. The tests hold the fast engine against it.

* ``judge(record)`` checks a whole record and returns a ``Verdict`` or raises ``Refused``.
* ``faults(position, seat, text)`` names every rule that one move breaks.
* ``moves(position, seat)`` lists all legal moves of a seat.
* ``random_record(rng, city, seats, options)`` deals and plays a random game.
* ``perft(city, colour, cards, depth)`` counts the sequences of moves at the start of a game.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

Point = tuple[int, int]
Pair = frozenset[Point]
Record = dict[str, Any]
Spot = tuple[Fraction, Fraction]

COLUMNS = "abcdefghij"
SYMBOLS = ("circle", "triangle", "square", "pentagon")
WILD = "wild"
COLOURS = {
    "london": ("purple", "blue", "pink", "green"),
    "tokyo": ("purple", "blue", "pink", "brown"),
}
# NS-06: six street cards and five underground cards.
CARDS = tuple(f"street:{face}" for face in (*SYMBOLS, "joker", "switch")) + tuple(
    f"underground:{face}" for face in (*SYMBOLS, "joker")
)
POWERS = ("second", "joker", "switch", "double")
EFFECTS = ("switch", "joker", "extension", "double")
OBJECTIVES = {
    "london": ("interchanges", "districts", "tourist", "centre", "thames"),
    "tokyo": ("stamps", "hub", "loop", "districts", "centre"),
}
MODULES = ("objectives", "powers", "special_stations")
ROUNDS = 4
TOURIST_POINTS = (0, 1, 2, 4, 6, 8, 11, 14, 17, 21, 25)  # NL-01
LONDON_INTERCHANGES = {2: 2, 3: 5, 4: 9}  # NL-02
TOKYO_INTERCHANGES = {3: 5, 4: 15, 5: 30}  # NT-05


class Refused(Exception):
    """A record that is not a legal game; it names the rule and, in a move, the place."""

    def __init__(
        self,
        rule_id: str,
        round: int | None = None,
        turn: int | None = None,
        seat: int | None = None,
        sentence: str = "",
    ) -> None:
        """Keep round and turn (from 1), seat (from 0), the rule's id and a sentence."""
        super().__init__(f"{rule_id} (round {round}, turn {turn}, seat {seat}): {sentence}")
        self.rule_id = rule_id
        self.round = round
        self.turn = turn
        self.seat = seat
        self.sentence = sentence


# --------------------------------------------------------------------------------- geometry


def cross(o: Spot, a: Spot, b: Spot) -> Fraction:
    """Twice the signed area of the triangle o, a, b: zero when the three are in one line."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def spot(point: Iterable[float]) -> Spot:
    """The point with exact coordinates."""
    x, y = point
    return Fraction(x), Fraction(y)


def within(p: Spot, a: Spot, b: Spot) -> bool:
    """Whether p, known to be in line with a and b, lies between them (both included)."""
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def common_spots(a: Spot, b: Spot, c: Spot, d: Spot) -> set[Spot]:
    """Points that the segments ab and cd share; of an overlap its two ends and its middle."""
    turning = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if turning != 0:
        share = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / turning
        meet = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        return {meet} if within(meet, a, b) and within(meet, c, d) else set()
    if cross(a, b, c) != 0:
        return set()
    shared = {p for p in (c, d) if within(p, a, b)} | {p for p in (a, b) if within(p, c, d)}
    if len(shared) == 2:
        p, q = shared
        shared.add(((p[0] + q[0]) / 2, (p[1] + q[1]) / 2))
    return shared


def meets_between(one: Pair, other: Pair) -> bool:
    """Whether two straight links share a point that is an end of neither (NS-17)."""
    a, b = map(spot, sorted(one))
    c, d = map(spot, sorted(other))
    return bool(common_spots(a, b, c, d) - {a, b, c, d})


def crossed_by(pair: Pair, sections: frozenset[Pair]) -> frozenset[Pair]:
    """NS-17: the sections that cross this one."""
    return frozenset(q for q in sections if q != pair and meets_between(pair, q))


def unit(start: Point, target: Point) -> Point | None:
    """The direction from start to target as one step of the grid; None if not 0, 45, 90 degrees."""
    dx, dy = target[0] - start[0], target[1] - start[1]
    if (dx, dy) == (0, 0) or (dx != 0 and dy != 0 and abs(dx) != abs(dy)):
        return None
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


# --------------------------------------------------------------------------------- the cities


@dataclass(frozen=True)
class City:
    """The facts of one sheet. Pairs are unordered pairs of stations."""

    name: str
    symbol: dict[Point, str]
    district: dict[Point, str]
    departure: dict[str, Point]
    tourist: frozenset[Point]
    sections: frozenset[Pair]
    crossings: dict[Pair, frozenset[Pair]]
    thames: frozenset[Pair]
    loop: tuple[Point, ...]
    loop_pairs: frozenset[Pair]
    across_loop: frozenset[Pair]  # straight pairs that the loop bars, NT-02
    stamps: dict[str, int]

    @property
    def colours(self) -> tuple[str, ...]:
        """The four pencils."""
        return COLOURS[self.name]

    @property
    def stations(self) -> set[Point]:
        """All stations."""
        return set(self.symbol)

    @property
    def jokers_double(self) -> bool:
        """NT-03: Tokyo's joker cards allow a double track."""
        return self.name == "tokyo"

    def neighbours(self, station: Point) -> list[Point]:
        """Stations one printed section or one piece of the loop away, in order."""
        return _neighbours(self.name)[station]


def aligned_pairs(stations: set[Point]) -> set[Pair]:
    """NS-12: straight pairs of stations with no station between them."""
    return {
        frozenset((a, b))
        for a in stations
        for direction in product((-1, 0, 1), (-1, 0, 1))
        if direction != (0, 0) and (b := next_station(stations, a, direction)) is not None
    }


def next_station(stations: set[Point], start: Point, direction: Point) -> Point | None:
    """The first station seen from start in a direction."""
    x, y = start
    for _ in range(9):
        x, y = x + direction[0], y + direction[1]
        if (x, y) in stations:
            return x, y
    return None


def bars(path: list[Spot], pair: Pair, loop: set[Spot]) -> bool:
    """NT-02: whether a straight pair meets a path of the loop anywhere but in a loop station."""
    a, b = map(spot, sorted(pair))
    return any(common_spots(a, b, c, d) - loop for c, d in pairwise(path))


def south_bank(river: list[Spot], station: Point) -> bool:
    """Whether a station lies south of the river, which runs from west to east."""
    x, y = spot(station)
    for (x0, y0), (x1, y1) in pairwise(river):
        if x0 <= x <= x1:
            level = y0 + (y1 - y0) * (x - x0) / (x1 - x0)
            assert y != level, "no station stands in the water"
            return y > level
    raise ValueError("the river is too short")


def over_river(river: list[Spot], pair: Pair) -> bool:
    """NS-24: the two stations lie on different banks."""
    a, b = sorted(pair)
    meets = set[Spot]().union(*(common_spots(spot(a), spot(b), c, d) for c, d in pairwise(river)))
    crosses = south_bank(river, a) != south_bank(river, b)
    # No section runs over the river and back, so the two ways of saying it agree.
    assert len(meets) == (1 if crosses else 0)
    return crosses


def pairs_of(rows: list[list[list[int]]]) -> frozenset[Pair]:
    """The pairs of stations listed in a data file."""
    return frozenset(frozenset((a[0], a[1]) for a in row) for row in rows)


@cache
def city(name: str) -> City:
    """The city of that name, from its data file, with its geometry worked out and counted."""
    data = json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8"))
    symbol = {(s["x"], s["y"]): str(s["symbol"]) for s in data["stations"]}
    check_rows(data["rows"], symbol)
    loop = tuple((x, y) for x, y in data.get("loop", []))
    paths = [[spot(p) for p in path] for path in data.get("loop_paths", [])]
    loop_pairs = frozenset(frozenset((path[0], path[-1])) for path in data_paths(data))
    straight = aligned_pairs(set(symbol))
    along = {pair for pair in straight if pair in loop_pairs}
    stops = {spot(p) for p in loop}
    across = {p for p in straight - along if any(bars(path, p, stops) for path in paths)}
    sections = frozenset(straight - along - across)
    found = City(
        name=name,
        symbol=symbol,
        district={(s["x"], s["y"]): str(s["district"]) for s in data["stations"]},
        departure={s["departure"]: (s["x"], s["y"]) for s in data["stations"] if s["departure"]},
        tourist=frozenset((s["x"], s["y"]) for s in data["stations"] if s.get("tourist")),
        sections=sections,
        crossings={p: crossed_by(p, sections) for p in sections},
        thames=frozenset(p for p in sections if over_river([*map(spot, data["river"])], p))
        if "river" in data
        else frozenset(),
        loop=loop,
        loop_pairs=loop_pairs,
        across_loop=frozenset(across),
        stamps={str(k): int(v) for k, v in data.get("stamps", {}).items()},
    )
    check_city(found, data, frozenset(along | across))
    return found


def data_paths(data: dict[str, Any]) -> list[list[Point]]:
    """The pieces of the loop between its stations, as grid points."""
    return [[(x, y) for x, y in path] for path in data.get("loop_paths", [])]


def check_rows(rows: list[str], symbol: dict[Point, str]) -> None:
    """The drawing of the map and its list of stations say the same."""
    letters = {"C": "circle", "T": "triangle", "S": "square", "P": "pentagon", "?": WILD}
    drawn = {
        (x, y): letters[letter]
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
        if letter != "."
    }
    assert drawn == symbol


def check_city(found: City, data: dict[str, Any], barred: frozenset[Pair]) -> None:
    """The counts and lists that the specification fixes for the two cities."""
    crossing_pairs = sum(len(others) for others in found.crossings.values()) // 2
    counts = (len(found.symbol), len(found.sections), len(found.loop_pairs), crossing_pairs)
    assert set(found.departure) == set(found.colours)
    assert len(set(found.district.values())) == 13
    if found.name == "london":
        assert counts == (53, 155, 0, 116)
        assert len(found.thames) == 24
        assert found.thames == pairs_of(data["thames_sections"])
        assert len(found.tourist) == 5
    else:
        assert counts == (52, 126, 8, 27)
        assert barred == pairs_of(data["aligned_pairs_not_sections"])
        assert found.loop_pairs == {
            frozenset(pair) for pair in pairwise((*found.loop, found.loop[0]))
        }


@cache
def _neighbours(name: str) -> dict[Point, list[Point]]:
    here = city(name)
    linked: dict[Point, list[Point]] = {station: [] for station in here.symbol}
    for pair in here.sections | here.loop_pairs:
        a, b = pair
        linked[a].append(b)
        linked[b].append(a)
    return {station: sorted(others) for station, others in linked.items()}


# ------------------------------------------------------------------------------- the notation


def name_of(station: Point) -> str:
    """A station as it is written: d2."""
    return f"{COLUMNS[station[0]]}{station[1]}"


def point_of(name: str) -> Point:
    """The station of a name."""
    return COLUMNS.index(name[0]), int(name[1])


@dataclass(frozen=True)
class Step:
    """A section from a station to another."""

    start: Point
    target: Point

    @property
    def pair(self) -> Pair:
        """The two stations, without order."""
        return frozenset((self.start, self.target))

    @property
    def direction(self) -> Point | None:
        """One step of the grid in the section's direction."""
        return unit(self.start, self.target)

    def __str__(self) -> str:
        """The step as it is written: d2a2."""
        return name_of(self.start) + name_of(self.target)


@dataclass(frozen=True)
class Move:
    """One move of one seat, as it stands in a record."""

    step: Step | None = None  # None: pass
    prefix: str = ""  # "", "!joker", "!switch" or "~"
    double: bool = False
    second: Step | None = None
    circle: Point | None = None

    def __str__(self) -> str:
        """The move as it is written."""
        tokens = [self.prefix] if self.prefix else []
        tokens.append("pass" if self.step is None else "=" * self.double + str(self.step))
        if self.second is not None:
            tokens.append(f"+{self.second}")
        if self.circle is not None:
            tokens.append(f"*{name_of(self.circle)}")
        return " ".join(tokens)


STATION = "[a-j][0-9]"
MOVE = re.compile(
    rf"(?:(?:(?P<prefix>!joker|!switch|~) )?(?P<double>=?)(?P<step>{STATION}{STATION})|pass)"
    rf"(?: \+(?P<second>{STATION}{STATION}))?(?: \*(?P<circle>{STATION}))?"
)


def parse(text: str, here: City) -> Move:
    """Read a move; anything that is none is refused as FORMAT."""
    found = MOVE.fullmatch(text)
    if found is None:
        raise Refused("FORMAT", sentence=f"'{text}' is not a move")

    def station(name: str) -> Point:
        if point_of(name) not in here.symbol:
            raise Refused("FORMAT", sentence=f"there is no station {name}")
        return point_of(name)

    def step(names: str | None) -> Step | None:
        return Step(station(names[:2]), station(names[2:])) if names else None

    circle = found["circle"]
    return Move(
        step=step(found["step"]),
        prefix=found["prefix"] or "",
        double=bool(found["double"]),
        second=step(found["second"]),
        circle=station(circle) if circle else None,
    )


# ------------------------------------------------------------------------------- the position


@dataclass
class Line:
    """The line of one colour on one sheet."""

    departure: Point
    tracks: list[Pair] = field(default_factory=list)
    circled: set[Point] = field(default_factory=set)

    @property
    def stations(self) -> set[Point]:
        """Its stations: none while it has no section (NS-23)."""
        return {station for track in self.tracks for station in track}

    @property
    def ends(self) -> set[Point]:
        """NS-14: where exactly one section meets; the departure while there is none."""
        if not self.tracks:
            return {self.departure}
        meeting = Counter(station for track in self.tracks for station in track)
        return {station for station, number in meeting.items() if number == 1}

    def copy(self) -> Line:
        """The same line, on its own paper."""
        return Line(self.departure, list(self.tracks), set(self.circled))


Sheet = dict[str, Line]


@dataclass(frozen=True)
class Turn:
    """One turn of a round: its number from 1 and the card to be played."""

    number: int
    symbol: str  # one of SYMBOLS, or "joker"
    switch_shown: bool

    @property
    def switch(self) -> bool:
        """NS-08, NS-09: the switch works, but not in turns 1 and 2."""
        return self.switch_shown and self.number >= 3


def turns_of(cards: list[str]) -> tuple[Turn, ...]:
    """The turns of a round up to its end (NS-10), or as far as the cards go."""
    return _turns_of(tuple(cards))


@lru_cache(maxsize=4096)
def _turns_of(cards: tuple[str, ...]) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    switch_shown, underground = False, 0
    for card in cards:
        ground, face = card.split(":")
        if face == "switch":  # NS-08: the next card comes at once
            switch_shown = True
            continue
        turns.append(Turn(len(turns) + 1, face, switch_shown))
        switch_shown = False
        underground += ground == "underground"
        if underground == 5:
            break
    return tuple(turns)


def cards_shown(cards: list[str]) -> int | None:
    """How many cards are revealed until the fifth underground card; None if it never comes."""
    underground = 0
    for shown, card in enumerate(cards, start=1):
        underground += card.startswith("underground:")
        if underground == 5:
            return shown
    return None


@dataclass
class Position:
    """A game at the beginning of a turn. Rounds and turns count from 0 here."""

    city: City
    options: dict[str, bool]
    pencils: list[list[str]]
    cards: list[list[str]]
    powers: dict[str, str]
    special: list[list[str]]
    objectives: list[str]
    sheets: list[Sheet]
    spent: list[bool]
    round: int = 0
    turn: int = 0

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.pencils)

    @property
    def now(self) -> Turn:
        """The turn to be played."""
        return turns_of(self.cards[self.round])[self.turn]

    def colour(self, seat: int) -> str:
        """The pencil in the seat's hand."""
        return self.pencils[seat][self.round]

    def line(self, seat: int) -> Line:
        """The line that the seat is drawing."""
        return self.sheets[seat][self.colour(seat)]

    def power(self, seat: int) -> str | None:
        """PW-01: the power of the pencil in hand, used or not."""
        return self.powers[self.colour(seat)] if self.options["powers"] else None

    @property
    def effect(self) -> str | None:
        """SP-01: the effect of this round's special station."""
        return self.special[self.round][1] if self.options["special_stations"] else None

    @property
    def effect_up(self) -> bool:
        """SP-02: the card shows the round's symbol (a joker card never does)."""
        return self.effect is not None and self.now.symbol == self.special[self.round][0]

    def apply(self, seat: int, move: Move) -> None:
        """Draw a legal move on the seat's sheet."""
        line = self.line(seat)
        line.tracks += [step.pair for step in (move.step, move.second) if step is not None]
        if move.circle is not None:
            line.circled.add(move.circle)
        if self.options["powers"]:
            used = move.prefix or move.second is not None or move.circle is not None
            self.spent[seat] = self.spent[seat] or bool(used)

    def advance(self) -> None:
        """Go on to the next turn, or to the next round."""
        self.turn += 1
        if self.turn == len(turns_of(self.cards[self.round])):
            self.round, self.turn = self.round + 1, 0
            self.spent = [False] * self.seats

    @property
    def over(self) -> bool:
        """Whether the last turn has been played."""
        return self.round == len(self.cards)


# --------------------------------------------------------------------------- faults of a move


@dataclass(frozen=True)
class Means:
    """What a section may do in this turn, and the rule to name where it does more."""

    symbol: str  # the symbol to reach; "joker": every symbol
    symbol_rule: str = "NS-15"
    anywhere: bool = False
    anywhere_rule: str = "NS-08"
    doubles: bool = False
    doubles_rule: str = "NT-03"


def means(position: Position, prefix: str) -> Means:
    """What the card gives, with the power or effect of the prefix (as if it were granted)."""
    now = position.now
    joker = now.symbol == "joker"
    symbol, anywhere, anywhere_rule = now.symbol, now.switch, "NS-08"
    doubles, doubles_rule = joker and position.city.jokers_double, "NT-03"
    if prefix == "!joker":  # PW-04: a plain joker, even on a joker card
        symbol, doubles, doubles_rule = "joker", False, "PW-04"
    if prefix == "!switch" and not now.switch:  # PW-05
        anywhere, anywhere_rule = True, "PW-05"
    if prefix == "~" and position.effect == "switch" and not now.switch:  # SP-03
        anywhere, anywhere_rule = True, "SP-03"
    if prefix == "~" and position.effect == "joker":  # SP-04
        symbol, doubles = "joker", True
    return Means(symbol, "NS-15", anywhere, anywhere_rule, doubles, doubles_rule)


def tracks_between(here: City, sheet: Sheet, pair: Pair) -> int:
    """How many tracks lie between two stations, the loop's included (NT-02)."""
    drawn = sum(line.tracks.count(pair) for line in sheet.values())
    return drawn + (pair in here.loop_pairs)


def start_faults(line: Line, step: Step, way: Means) -> list[str]:
    """NS-08, NS-13, NS-14: where a section may start."""
    if not line.tracks:
        return [] if step.start == line.departure else ["NS-13"]
    if way.anywhere:
        return [] if step.start in line.stations else [way.anywhere_rule]
    return [] if step.start in line.ends else ["NS-14"]


def target_faults(here: City, line: Line, step: Step, way: Means) -> list[str]:
    """NS-15, NS-16, NS-18: where a section may lead."""
    found = []
    if way.symbol != "joker" and here.symbol[step.target] not in (way.symbol, WILD):
        found.append(way.symbol_rule)
    if step.target in line.stations or step.target == line.departure:
        found.append("NS-18")
    return found


def ordinary_faults(here: City, sheet: Sheet, step: Step) -> list[str]:
    """NS-12, NS-17, NS-19, NT-02: where an ordinary section may be drawn."""
    pair = step.pair
    if pair in here.across_loop:
        return ["NT-02"]
    found = []
    if pair not in here.sections and (pair not in here.loop_pairs or step.direction is None):
        found.append("NS-12")
    if tracks_between(here, sheet, pair) > 0:
        found.append("NS-19")
    drawn = {track for line in sheet.values() for track in line.tracks}
    if here.crossings.get(pair, frozenset()) & drawn:
        found.append("NS-17")
    return found


def double_faults(here: City, sheet: Sheet, line: Line, step: Step, way: Means) -> list[str]:
    """NT-03, NT-04: where a second track may be laid."""
    found = [] if way.doubles else [way.doubles_rule]
    number = tracks_between(here, sheet, step.pair)
    if number == 0:
        found.append("NT-03")
    if number >= 2 or step.pair in line.tracks:
        found.append("NT-04")
    return found


def section_faults(
    here: City, sheet: Sheet, colour: str, step: Step, double: bool, way: Means
) -> list[str]:
    """Every rule that one section breaks."""
    line = sheet[colour]
    if double:
        laid = double_faults(here, sheet, line, step, way)
    else:
        laid = ordinary_faults(here, sheet, step)
    return laid + start_faults(line, step, way) + target_faults(here, line, step, way)


def prefix_faults(position: Position, seat: int, prefix: str) -> list[str]:
    """PW-01, PW-05, SP-01, SP-03: whether the power or effect may be used in this turn."""
    if not prefix:
        return []
    if prefix == "~":
        if not position.effect_up or position.effect not in ("switch", "joker"):
            return ["SP-01"]
        return ["SP-03"] if position.effect == "switch" and position.now.number < 3 else []
    if position.power(seat) != prefix[1:] or position.spent[seat]:
        return ["PW-01"]
    return ["PW-05"] if prefix == "!switch" and position.now.number < 3 else []


def with_step(sheet: Sheet, colour: str, step: Step | None) -> Sheet:
    """The sheet after a section of that colour."""
    after = dict(sheet)
    after[colour] = sheet[colour].copy()
    if step is not None:
        after[colour].tracks.append(step.pair)
    return after


def second_means(position: Position, first: Step, way: Means) -> Means:
    """PW-02, PW-03: what the second section of the power may do."""
    if way.symbol == "joker":
        reached = position.city.symbol[first.target]
        symbol = "joker" if reached == WILD else reached
    else:
        symbol = way.symbol
    return Means(symbol, "PW-02", way.anywhere, way.anywhere_rule)


def second_faults(position: Position, seat: int, move: Move) -> list[str]:
    """PW-02, SP-05: every rule that a second section breaks."""
    second, first = move.second, move.step
    if second is None:
        return []
    special = position.effect is not None
    found = []
    if special and not (position.effect == "extension" and position.effect_up):
        found.append("SP-05")
    if not special and (position.power(seat) != "second" or position.spent[seat]):
        found.append("PW-01")
    if first is None:
        return [*found, "SP-05" if special else "PW-02"]
    here, colour = position.city, position.colour(seat)
    sheet = with_step(position.sheets[seat], colour, first)
    if special:
        if second.start != first.target or second.direction != first.direction:
            found.append("SP-05")
        way = Means("joker")
    else:
        way = second_means(position, first, means(position, move.prefix))
    return found + section_faults(here, sheet, colour, second, False, way)


def circle_faults(position: Position, seat: int, move: Move) -> list[str]:
    """PW-06, SP-06: every rule that a circle breaks."""
    if move.circle is None:
        return []
    if position.effect is not None:
        allowed = position.effect == "double" and position.effect_up
        reached = move.step is not None and move.circle == move.step.target
        return [] if allowed and reached else ["SP-06"]
    found = []
    if position.power(seat) != "double" or position.spent[seat]:
        found.append("PW-01")
    after = with_step(position.sheets[seat], position.colour(seat), move.step)
    if move.circle not in after[position.colour(seat)].stations:
        found.append("PW-06")
    return found


def move_faults(position: Position, seat: int, move: Move) -> list[str]:
    """Every rule that a move breaks; an empty list means that it is legal."""
    found = prefix_faults(position, seat, move.prefix)
    first: list[str] = []
    if move.step is not None:
        first = section_faults(
            position.city,
            position.sheets[seat],
            position.colour(seat),
            move.step,
            move.double,
            means(position, move.prefix),
        )
    # A second section is only judged where the first stands.
    second = second_faults(position, seat, move) if not first else []
    return found + first + second + circle_faults(position, seat, move)


def faults(position: Position, seat: int, text: str) -> list[str]:
    """Every rule that a move in the record's notation breaks."""
    try:
        return move_faults(position, seat, parse(text, position.city))
    except Refused as refused:
        return [refused.rule_id]


# -------------------------------------------------------------------------------- legal moves


def steps_from(here: City, stations: Iterable[Point]) -> Iterator[Step]:
    """Every printed section and piece of the loop that starts at one of these stations."""
    for start in sorted(stations):
        for target in here.neighbours(start):
            yield Step(start, target)


def starts(position: Position, seat: int) -> set[Point]:
    """All stations from which a section could conceivably start."""
    line = position.line(seat)
    return line.stations | {line.departure}


def single_moves(position: Position, seat: int, prefix: str) -> list[Move]:
    """All legal single sections, ordinary and double, with a prefix or none."""
    candidates = (
        Move(step, prefix, double)
        for step in steps_from(position.city, starts(position, seat))
        for double in (False, True)
    )
    return [move for move in candidates if not move_faults(position, seat, move)]


def bare_count(position: Position, seat: int) -> int:
    """Section 11: the number of different single sections with the bare card."""
    return len(single_moves(position, seat, ""))


def moves(position: Position, seat: int) -> list[str]:
    """All legal moves of a seat in this turn, in the record's notation, passing first."""
    found = [Move()]
    for prefix in ("", "!joker", "!switch", "~"):
        if not prefix_faults(position, seat, prefix):
            found += single_moves(position, seat, prefix)
    found += [move for one in found if one.step for move in with_seconds(position, seat, one)]
    if position.power(seat) == "double" or position.effect == "double":
        found += [move for one in found for move in with_circles(position, seat, one)]
    return [str(move) for move in found]


def with_seconds(position: Position, seat: int, first: Move) -> list[Move]:
    """All legal moves that add a second section to a first."""
    if position.power(seat) != "second" and position.effect != "extension":
        return []
    assert first.step is not None
    reach = starts(position, seat) | {first.step.target}
    candidates = (
        Move(first.step, first.prefix, first.double, second)
        for second in steps_from(position.city, reach)
    )
    return [move for move in candidates if not move_faults(position, seat, move)]


def with_circles(position: Position, seat: int, first: Move) -> list[Move]:
    """All legal moves that add a circle to a move."""
    stations = starts(position, seat) | ({first.step.target} if first.step else set())
    candidates = (
        Move(first.step, first.prefix, first.double, first.second, circle)
        for circle in sorted(stations)
    )
    return [move for move in candidates if not move_faults(position, seat, move)]


# ------------------------------------------------------------------------------ reading a deal


def expect(fine: bool, rule: str, sentence: str, round: int | None = None) -> None:
    """Refuse the record unless the condition holds."""
    if not fine:
        raise Refused(rule, round, sentence=sentence)


def fields(value: Any, *names: str) -> None:
    """The value is an object with these fields."""
    expect(isinstance(value, dict), "FORMAT", "an object was expected")
    for name in names:
        expect(name in value, "FORMAT", f"the field '{name}' is missing")


def strings(value: Any, what: str) -> list[str]:
    """The value is a list of strings."""
    fine = isinstance(value, list) and all(isinstance(item, str) for item in value)
    expect(fine, "FORMAT", f"{what}: a list of strings was expected")
    return list(value)


def lists(value: Any, what: str) -> list[Any]:
    """The value is a list."""
    expect(isinstance(value, list), "FORMAT", f"{what}: a list was expected")
    return list(value)


def read_options(value: Any) -> dict[str, bool]:
    """The modules in play (PW-07)."""
    fields(value, *MODULES)
    for name in MODULES:
        expect(isinstance(value[name], bool), "FORMAT", f"options.{name} is true or false")
    both = value["powers"] and value["special_stations"]
    expect(not both, "PW-07", "powers and special stations never go together")
    return {name: value[name] for name in MODULES}


def ring_slots(seats: int) -> list[tuple[int, ...]]:
    """NS-02: the slots that the seats may take in the ring of four, seat 0 in slot 0."""
    slots: dict[int, list[tuple[int, ...]]] = {
        1: [(0,)],
        2: [(0, 2)],
        3: [(0, 1, 2), (0, 1, 3), (0, 2, 3)],
        4: [(0, 1, 2, 3)],
    }
    return slots[seats]


def passed_round(ring: list[str], slots: tuple[int, ...]) -> list[list[str]]:
    """NS-04: who holds what in each round when every pencil moves one slot to the left."""
    return [[ring[(slot - number) % 4] for number in range(ROUNDS)] for slot in slots]


def read_pencils(value: Any, here: City, seats: int) -> list[list[str]]:
    """The pencils of every seat and round, which follow the ring (NS-04)."""
    rows = [strings(row, "deal.pencils") for row in lists(value, "deal.pencils")]
    expect(len(rows) == seats, "FORMAT", "deal.pencils has one list for each seat")
    for row in rows:
        for colour in row:
            expect(colour in here.colours, "FORMAT", f"there is no pencil '{colour}'")
        expect(sorted(row) == sorted(here.colours), "NS-04", "everybody draws all four colours")
    ring = [rows[0][-slot % 4] for slot in range(4)]
    fine = any(rows == passed_round(ring, slots) for slots in ring_slots(seats))
    expect(fine, "NS-04", "the pencils do not follow the ring")
    return rows


def read_cards(value: Any) -> list[list[str]]:
    """The cards of every round (NS-06, NS-10)."""
    rows = [strings(row, "deal.cards") for row in lists(value, "deal.cards")]
    for number, row in enumerate(rows, start=1):
        for card in row:
            expect(card in CARDS, "FORMAT", f"there is no card '{card}'", number)
        expect(len(set(row)) == len(row), "NS-06", "a card comes twice in a round", number)
        shown = cards_shown(row)
        expect(shown is not None, "NS-10", "the round is not played to its end", number)
        fine = len(row) in (shown, len(CARDS))
        expect(fine, "NS-10", "cards are listed after the round's end", number)
    expect(len(rows) == ROUNDS, "NS-10", "a game has four rounds")
    return rows


def read_objectives(deal: Record, here: City) -> list[str]:
    """OB-01: two different objectives of the city."""
    fields(deal, "objectives")
    drawn = strings(deal["objectives"], "deal.objectives")
    fine = len(drawn) == 2 == len(set(drawn)) and set(drawn) <= set(OBJECTIVES[here.name])
    expect(fine, "OB-01", "two different objectives of the city are drawn")
    return drawn


def read_powers(deal: Record, here: City) -> dict[str, str]:
    """PW-01: each power belongs to one colour."""
    fields(deal, "powers")
    fields(deal["powers"])
    dealt = {str(colour): power for colour, power in deal["powers"].items()}
    strings(list(dealt.values()), "deal.powers")
    fine = set(dealt) == set(here.colours) and sorted(dealt.values()) == sorted(POWERS)
    expect(fine, "PW-01", "each of the four colours has one of the four powers")
    return dealt


def read_special(deal: Record) -> list[list[str]]:
    """SP-01: each symbol and each effect is used in one round."""
    fields(deal, "special")
    rows = [strings(row, "deal.special") for row in lists(deal["special"], "deal.special")]
    expect(all(len(row) == 2 for row in rows), "FORMAT", "deal.special lists pairs")
    fine = sorted(row[0] for row in rows) == sorted(SYMBOLS)
    fine = fine and sorted(row[1] for row in rows) == sorted(EFFECTS)
    expect(fine, "SP-01", "each symbol and each effect is used once")
    return rows


def first_position(record: Any) -> Position:
    """Read everything but the moves and set up the game."""
    fields(record, "format", "game", "map", "options", "seats")
    expect(record["format"] == "headway-record/1", "FORMAT", "the format is headway-record/1")
    expect(record["game"] == "next-station", "FORMAT", "the game is next-station")
    known = isinstance(record["map"], str) and record["map"] in COLOURS
    expect(known, "FORMAT", "the map is not known")
    here = city(record["map"])
    options = read_options(record["options"])
    seats = record["seats"]
    expect(type(seats) is int, "FORMAT", "the number of seats is a number")
    expect(1 <= seats <= 4, "NS-01", "one to four players")
    fields(record, "deal")
    deal = record["deal"]
    fields(deal, "pencils", "cards")
    return Position(
        city=here,
        options=options,
        pencils=read_pencils(deal["pencils"], here, seats),
        cards=read_cards(deal["cards"]),
        powers=read_powers(deal, here) if options["powers"] else {},
        special=read_special(deal) if options["special_stations"] else [],
        objectives=read_objectives(deal, here) if options["objectives"] else [],
        sheets=[{c: Line(here.departure[c]) for c in here.colours} for _ in range(seats)],
        spent=[False] * seats,
    )


def read_moves(value: Any, position: Position) -> list[list[list[str]]]:
    """The moves, in the shape of the game (NS-01, NS-10)."""
    rounds = [
        [strings(turn, "moves") for turn in lists(turns, "moves")]
        for turns in lists(value, "moves")
    ]
    for number, (turns, cards) in enumerate(zip(rounds, position.cards, strict=False), start=1):
        fine = len(turns) == len(turns_of(cards))
        expect(fine, "NS-10", "the round has another number of turns", number)
        for turn in turns:
            expect(len(turn) == position.seats, "FORMAT", "one move for each seat", number)
    expect(len(rounds) == ROUNDS, "NS-10", "a game has four rounds")
    return rounds


# ------------------------------------------------------------------------------------ scoring


def line_score(here: City, line: Line) -> int:
    """NS-22 to NS-24, with circled stations counted twice (PW-06, SP-06)."""
    if not line.tracks:
        return 0
    stations = Counter(here.district[station] for station in line.stations)
    weight = stations + Counter(here.district[station] for station in line.circled)
    bridges = sum(track in here.thames for track in line.tracks)
    return len(stations) * max(weight.values()) + 2 * bridges


def lines_at(here: City, sheet: Sheet) -> Counter[Point]:
    """How many lines call at each station, Tokyo's loop included (NL-02, NT-05)."""
    calls = Counter(station for line in sheet.values() for station in line.stations)
    calls.update(here.loop)
    return calls


def visited(sheet: Sheet) -> set[Point]:
    """Stations on at least one drawn line."""
    return {station for line in sheet.values() for station in line.stations}


def stamped(here: City, sheet: Sheet) -> set[str]:
    """NT-06: outlying districts with an interchange."""
    shared = {station for station, number in lines_at(here, sheet).items() if number >= 2}
    return {here.district[station] for station in shared} & set(here.stamps)


def achieved(here: City, sheet: Sheet, objective: str) -> bool:
    """OB-02 to OB-11."""
    calls, seen = lines_at(here, sheet), visited(sheet)
    centre = {station for station, district in here.district.items() if district == "centre"}
    bridges = [track for line in sheet.values() for track in line.tracks if track in here.thames]
    return {
        "interchanges": sum(number >= 2 for number in calls.values()) >= 8,
        "districts": {here.district[s] for s in seen} == set(here.district.values()),
        "tourist": here.tourist <= seen,
        "centre": centre <= seen,
        "thames": len(bridges) >= 6,
        "stamps": len(stamped(here, sheet)) >= 4,
        "hub": max(calls.values(), default=0) >= 4,
        "loop": set(here.loop) <= seen,
    }[objective]


def score(position: Position, seat: int) -> dict[str, Any]:
    """The score sheet of a seat, as section 11 writes it."""
    here, sheet = position.city, position.sheets[seat]
    result: dict[str, Any] = {
        "lines": [line_score(here, sheet[colour]) for colour in position.pencils[seat]]
    }
    calls = lines_at(here, sheet)
    if here.name == "london":
        marks = sum(len(line.stations & here.tourist) for line in sheet.values())
        result["tourist"] = TOURIST_POINTS[min(marks, 10)]
        points = LONDON_INTERCHANGES
    else:
        result["stamps"] = sum(here.stamps[district] for district in stamped(here, sheet))
        result["loop"] = -3 * len(set(here.loop) - visited(sheet))  # NT-07
        points = TOKYO_INTERCHANGES
    result["interchanges"] = sum(points.get(number, 0) for number in calls.values())
    result["objectives"] = 10 * sum(achieved(here, sheet, o) for o in position.objectives)
    modules = sum(position.options.values()) if position.seats == 1 else 0
    result["deduction"] = -10 * modules  # SO-01
    parts = [value for key, value in result.items() if key != "lines"]
    result["total"] = sum(result["lines"]) + sum(parts)
    return result


def winners(scores: list[dict[str, Any]]) -> list[int]:
    """NL-04: the highest total, then the best single line, then shared."""
    keys = [(one["total"], max(one["lines"])) for one in scores]
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


# -------------------------------------------------------------------------------------- judge


@dataclass(frozen=True)
class Verdict:
    """What a legal record comes to."""

    legal: list[list[list[int]]]
    scores: list[dict[str, Any]]
    winners: list[int]

    def as_json(self) -> dict[str, Any]:
        """The object that `headway replay --json` prints."""
        return {"legal": self.legal, "scores": self.scores, "winners": self.winners}


SENTENCES = {
    "NS-08": "on a switch a section starts at a station of the line",
    "NS-12": "a section is one straight link between two neighbouring stations",
    "NS-13": "the first section starts at the departure station",
    "NS-14": "a section starts at an end of the line",
    "NS-15": "the section does not lead to the card's symbol",
    "NS-17": "a section never crosses another",
    "NS-18": "a line never comes back to a station",
    "NS-19": "there is a section between these stations already",
    "NT-02": "the loop cannot be crossed",
    "NT-03": "no double track may be laid there now",
    "NT-04": "two tracks of different colours are the most",
    "PW-01": "that power is not there to be used",
    "PW-02": "the second section does not lead to the same symbol",
    "PW-04": "the joker power allows no double track",
    "PW-05": "the switch power does not allow that",
    "PW-06": "only a station of the line can be circled",
    "SP-01": "no such effect is up",
    "SP-03": "the switch effect does not allow that",
    "SP-05": "no such extension is possible",
    "SP-06": "only the station just reached can be circled, when the effect is up",
}


def play(position: Position, seat: int, text: str) -> None:
    """Check a move and draw it, or refuse it with its place."""
    place = position.round + 1, position.turn + 1, seat
    try:
        move = parse(text, position.city)
    except Refused as refused:
        raise Refused(refused.rule_id, *place, refused.sentence) from None
    broken = move_faults(position, seat, move)
    if broken:
        raise Refused(broken[0], *place, f"{text}: {SENTENCES[broken[0]]}")
    position.apply(seat, move)


def judge(record: Any) -> Verdict:
    """Check a whole record move by move; raise Refused, or return the scores and counts."""
    position = first_position(record)
    fields(record, "moves")
    rounds = read_moves(record["moves"], position)
    legal: list[list[list[int]]] = []
    for turns in rounds:
        legal.append([])
        for turn in turns:
            legal[-1].append([bare_count(position, seat) for seat in range(position.seats)])
            for seat, text in enumerate(turn):
                play(position, seat, text)
            position.advance()
    scores = [score(position, seat) for seat in range(position.seats)]
    return Verdict(legal, scores, winners(scores))


def judge_text(text: str) -> Verdict:
    """Judge the text of a file."""
    try:
        record = json.loads(text)
    except ValueError:
        raise Refused("FORMAT", sentence="the file is not JSON") from None
    return judge(record)


def positions(record: Record) -> Iterator[tuple[Position, list[str]]]:
    """Walk through a legal record: each position with the moves that the seats make in it.

    It is the same object every time; it moves on when the next one is asked for.
    """
    position = first_position(record)
    for turns in record["moves"]:
        for turn in turns:
            yield position, turn
            for seat, text in enumerate(turn):
                play(position, seat, text)
            position.advance()


# ------------------------------------------------------------------------------ random records


def random_deal(
    rng: random.Random, name: str, seats: int, options: dict[str, bool], all_cards: bool = True
) -> Record:
    """A deal at random: pencils on the ring, four shuffles and the cards of the modules."""
    here = city(name)
    ring = rng.sample(here.colours, 4)
    cards = [rng.sample(CARDS, len(CARDS)) for _ in range(ROUNDS)]
    if not all_cards:
        cards = [row[: cards_shown(row)] for row in cards]
    deal: Record = {"pencils": passed_round(ring, rng.choice(ring_slots(seats))), "cards": cards}
    if options.get("objectives"):
        deal["objectives"] = rng.sample(OBJECTIVES[name], 2)
    if options.get("powers"):
        deal["powers"] = dict(zip(here.colours, rng.sample(POWERS, 4), strict=True))
    if options.get("special_stations"):
        symbols, effects = rng.sample(SYMBOLS, 4), rng.sample(EFFECTS, 4)
        deal["special"] = [list(pair) for pair in zip(symbols, effects, strict=True)]
    return deal


def kind(move: str) -> str:
    """The special tokens of a move, such as '!', '~=', '+' or '' for a plain section."""
    return "pass" if move == "pass" else "".join(c for c in "!~=+*" if c in move)


def random_move(rng: random.Random, position: Position, seat: int) -> str:
    """A random legal move: passing is rare, and every kind of move has its chance."""
    by_kind: dict[str, list[str]] = {}
    for move in moves(position, seat):
        by_kind.setdefault(kind(move), []).append(move)
    passing = by_kind.pop("pass")
    if not by_kind or rng.random() < 0.07:
        return passing[0]
    plain = by_kind.pop("", [])
    # A power is spent once used: do not use it in the first turn every time.
    plainly = 0.75 if position.options["powers"] else 0.4
    if plain and (not by_kind or rng.random() < plainly):
        return rng.choice(plain)
    return rng.choice(by_kind[rng.choice(sorted(by_kind))])


def play_out(rng: random.Random, record: Record) -> Record:
    """Play random legal moves for all seats of a record with a deal and no moves."""
    position = first_position(record)
    played: list[list[list[str]]] = [[] for _ in range(ROUNDS)]
    while not position.over:
        turn = [random_move(rng, position, seat) for seat in range(position.seats)]
        played[position.round].append(turn)
        for seat, text in enumerate(turn):
            play(position, seat, text)
        position.advance()
    return {**record, "moves": played}


def random_record(
    rng: random.Random,
    city: str,
    seats: int,
    options: dict[str, bool] | None = None,
    all_cards: bool = True,
) -> Record:
    """A random legal game as a record; with all_cards false only the revealed cards are listed."""
    chosen = {name: bool((options or {}).get(name)) for name in MODULES}
    record: Record = {
        "format": "headway-record/1",
        "game": "next-station",
        "map": city,
        "options": chosen,
        "seats": seats,
        "deal": random_deal(rng, city, seats, chosen, all_cards),
    }
    return play_out(rng, record)


# -------------------------------------------------------------------------------------- perft


def perft(city: str, colour: str, cards: list[str], depth: int) -> int:
    """The number of sequences of moves in the first turns of round 1, without modules."""
    return count_sequences(opening(city, colour, cards), depth)


def opening(name: str, colour: str, cards: list[str]) -> Position:
    """A solo game before its first turn, with the given cards in round 1 and no other round."""
    here = city(name)
    return Position(
        city=here,
        options=dict.fromkeys(MODULES, False),
        pencils=[[colour]],
        cards=[cards],
        powers={},
        special=[],
        objectives=[],
        sheets=[{c: Line(here.departure[c]) for c in here.colours}],
        spent=[False],
    )


def count_sequences(position: Position, depth: int) -> int:
    """The number of different sequences of moves of seat 0 in the next turns."""
    if depth == 0 or position.over:
        return 1
    options = moves(position, 0)
    if depth == 1:
        return len(options)
    total = 0
    for text in options:
        line = position.line(0).copy()
        play(position, 0, text)
        position.turn += 1
        total += count_sequences(position, depth - 1)
        position.turn -= 1
        position.sheets[0][position.colour(0)] = line
    return total


def crossing_pairs(here: City) -> list[tuple[Pair, Pair]]:
    """All pairs of sections that cross."""
    ordered = sorted(here.sections, key=sorted)
    return [(a, b) for a, b in combinations(ordered, 2) if b in here.crossings[a]]
