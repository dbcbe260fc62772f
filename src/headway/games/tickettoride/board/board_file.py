"""Reads board files and reports everything that is wrong with one."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from headway.games.mapfile import (
    MOST_NUMBER,
    Draft,
    MapReader,
    is_number,
    is_point,
    is_whole,
    unreached,
)
from headway.games.tickettoride import BOX
from headway.games.tickettoride.board.board import (
    BUS_CARD,
    COLOURS,
    GREY_ROUTE,
    MOST_DISPLAY,
    MOST_DISTRICTS,
    MOST_LENGTH,
    MOST_LOCATIONS,
    MOST_OFFERED,
    MOST_ROUTES,
    MOST_SEATS,
    MOST_TICKETS,
    Board,
    Label,
    Location,
    Play,
    Route,
    Scenery,
    ScoringDistrict,
    Sight,
    Spots,
    Ticket,
    drawings,
)
from headway.svg import Point

DISTRICT_COLOURS = (*COLOURS, "brown", GREY_ROUTE)
ANCHORS = ("start", "middle", "end")
KEYS = {
    *("seats", "size", "cards", "play", "scoring", "scenery"),
    *("districts", "locations", "routes", "tickets", "tall"),
}
LEAST = {"redeals": 0, "end_at": 0, "doubles_closed_to": 0}
"""The smallest allowed values under [play]; all others are at least 1."""


class _BoardDraft(Draft[Board]):
    """A board file that is being read."""

    texts = "board"

    def build(self) -> Board | None:
        self.head(BOX.map_format, KEYS)
        size, seats = self.size(), self.seats()
        cards = self.cards()
        play = self.play()
        districts = self.districts()
        locations = self.locations(districts, size)
        routes = self.routes(locations, cards, size)
        tickets = self.tickets(locations)
        scoring = self.scoring(routes)
        self.supplies(seats[1], cards, play, routes, tickets)
        self.network(locations, routes)
        scenery = self.scenery(locations)
        if self.problems:
            return None
        board = Board(
            name=self.data["name"],
            title=self.translations("title"),
            note=self.translations("note", required=False),
            seats=seats,
            size=size,
            locations=tuple(locations),
            districts=tuple(districts),
            routes=tuple(routes),
            tickets=tuple(tickets),
            cards=cards,
            play=play,
            scoring=tuple(scoring),
            scenery=scenery,
            hash="",
        )
        return replace(board, hash=_hash(board))

    # Head and numbers

    def size(self) -> Point:
        value = self.take(list, "size")
        if value is not None and not (is_point(value) and min(value) > 0):
            self.problem(self.line("size"), "no_point", name="size")
            value = None
        return _point(value or [math.inf, math.inf])

    def seats(self) -> tuple[int, int]:
        value = self.take(list, "seats")
        if value is None:
            return 2, MOST_SEATS
        whole = all(isinstance(v, int) for v in value)
        if not whole or len(value) != 2 or not 2 <= value[0] <= value[1] <= MOST_SEATS:
            self.problem(self.line("seats"), "seats", most=MOST_SEATS)
            return 2, MOST_SEATS
        return value[0], value[1]

    def cards(self) -> dict[str, int]:
        entries: dict[str, Any] = self.take(dict, "cards") or {}
        kinds = (*COLOURS, BUS_CARD)
        for colour in entries:
            if colour not in kinds:
                line = self.line("cards", colour)
                self.problem(line, "unknown_colour", colour=colour, known=", ".join(kinds))
        if entries and BUS_CARD not in entries:
            self.problem(self.line("cards"), "missing", name=f"cards.{BUS_CARD}")
        return {c: self.number("cards", c, least=1) for c in entries if c in kinds}

    def play(self) -> Play:
        names = list(Play.__dataclass_fields__)
        entries: dict[str, Any] = self.take(dict, "play") or {}
        self.check_keys(entries, set(names), "play")
        if not entries:
            return Play(*(LEAST.get(name, 1) for name in names))
        play = Play(*(self.number("play", name, least=LEAST.get(name, 1)) for name in names))
        limits = {
            "display": MOST_DISPLAY,
            "tickets_dealt": MOST_OFFERED,
            "tickets_drawn": MOST_OFFERED,
            "tickets_kept": min(play.tickets_dealt, play.tickets_drawn),
        }
        for name, most in limits.items():
            if getattr(play, name) > most:
                self.problem(self.line("play", name), "too_much", name=f"play.{name}", most=most)
        return play

    def scoring(self, routes: Sequence[Route]) -> list[int]:
        points: list[int] | None = self.take(list, "scoring", "routes")
        line = self.line("scoring", "routes")
        if points is None:
            return []
        if not all(map(is_whole, points)):
            self.problem(line, "points", name="scoring.routes", most=MOST_NUMBER)
            return []
        longest = max((route.length for route in routes), default=0)
        if len(points) < longest:
            self.problem(line, "scoring_short", longest=longest, known=len(points))
        return points

    # Places

    def districts(self) -> list[ScoringDistrict]:
        entries: dict[str, Any] = self.take(dict, "districts") or {}
        districts = []
        for key, entry in entries.items():
            line = self.line("districts", key)
            if not re.fullmatch("[0-9]{1,4}", key) or not isinstance(entry, dict):
                self.problem(line, "district_entry", district=key)
                continue
            points = self.number("districts", key, "points")
            colour = self.take(str, "districts", key, "colour") or GREY_ROUTE
            if colour not in DISTRICT_COLOURS:
                known = ", ".join(DISTRICT_COLOURS)
                self.problem(line, "unknown_colour", colour=colour, known=known)
            districts.append(ScoringDistrict(int(key), points, colour))
        self.count("districts", districts, MOST_DISTRICTS)
        return districts

    def count(self, section: str, entries: Sequence[object], most: int) -> None:
        self.at_most(section, "too_many", len(entries), most, name=section)

    def locations(self, districts: Sequence[ScoringDistrict], size: Point) -> list[Location]:
        entries: dict[str, Any] = self.take(dict, "locations") or {}
        numbers = [district.number for district in districts]
        locations: list[Location] = []
        for key, entry in entries.items():
            line = self.line("locations", key)
            if not re.fullmatch(r"[a-z][a-z0-9_]*", key) or not isinstance(entry, dict):
                self.problem(line, "location_entry", location=key)
                continue
            self.check_keys(entry, {"name", "district", "at", "label"}, "locations", key)
            name = self.take(str, "locations", key, "name") or key
            number = self.take(int, "locations", key, "district")
            if number is not None and number not in numbers:
                self.problem(line, "unknown_district", location=key, district=number)
            at = self.place(line, f"locations.{key}.at", entry.get("at"), size)
            label, anchor = self.label(line, f"locations.{key}.label", entry.get("label"))
            lines = tuple(name.split("|"))
            place = Location(key, " ".join(lines), lines, number or 0, *at, label, anchor)
            locations.append(place)
        for district in districts:
            if sum(place.district == district.number for place in locations) < 2:
                line = self.line("districts", str(district.number))
                self.problem(line, "small_district", district=district.number)
        self.count("locations", locations, MOST_LOCATIONS)
        return locations

    def place(self, line: int, name: str, value: object, size: Point) -> Point:
        """Returns a point on the board."""
        if not is_point(value):
            self.problem(line, "no_point", name=name)
            return 0.0, 0.0
        x, y = _point(value)
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            self.problem(line, "off_board", name=name, x=x, y=y)
        return x, y

    def label(self, line: int, name: str, value: object) -> tuple[Point, str]:
        good = isinstance(value, list) and len(value) == 3 and is_point(value[:2])
        if not good or not isinstance(value, list) or value[2] not in ANCHORS:
            anchors = ", ".join(ANCHORS)
            self.problem(line, "label", name=name, known=anchors)
            return (0.0, 0.0), ANCHORS[1]
        return _point(value[:2]), str(value[2])

    def pair(self, line: int, name: str, locations: Sequence[Location]) -> tuple[int, int] | None:
        """Returns the two places of a name like `hyde_park-big_ben`."""
        ids = [place.id for place in locations]
        ends = name.split("-")
        if len(ends) != 2 or ends[0] == ends[1]:
            self.problem(line, "pair", name=name)
            return None
        for end in ends:
            if end not in ids:
                self.problem(line, "unknown_location", location=end)
        return (ids.index(ends[0]), ids.index(ends[1])) if set(ends) <= set(ids) else None

    # Routes and tickets

    def routes(
        self, locations: Sequence[Location], cards: dict[str, int], size: Point
    ) -> list[Route]:
        entries: dict[str, Any] = self.take(dict, "routes") or {}
        routes: list[Route] = []
        seen: set[frozenset[int]] = set()
        for name, entry in entries.items():
            line = self.line("routes", name)
            ends = self.pair(line, name, locations)
            if ends and frozenset(ends) in seen:
                self.problem(line, "route_twice", route=name)
            seen.add(frozenset(ends or ()))
            colours = self.colours(line, name, entry, cards)
            rows = self.rows(line, name, entry, size)
            if len(colours) != len(rows):
                self.problem(line, "rows", route=name, colours=len(colours), rows=len(rows))
            if len({len(row) for row in rows}) > 1:
                self.problem(line, "uneven_double", route=name)
            for half, (colour, row) in enumerate(zip(colours, rows, strict=False), 1):
                half = half if len(colours) > 1 else 0
                full = f"{name}#{half}" if half else name
                routes.append(Route(*(ends or (0, 0)), full, colour, row, half))
        self.count("routes", routes, MOST_ROUTES)
        return routes

    def colours(self, line: int, name: str, entry: object, cards: dict[str, int]) -> list[str]:
        colours = entry.get("colours") if isinstance(entry, dict) else None
        if not isinstance(colours, list) or not 1 <= len(colours) <= 2:
            self.problem(line, "route_colours", route=name)
            return []
        allowed = [*(c for c in cards if c != BUS_CARD), GREY_ROUTE]
        for colour in colours:
            if colour not in allowed:
                self.problem(line, "unknown_colour", colour=colour, known=", ".join(allowed))
        return [str(colour) for colour in colours]

    def rows(self, line: int, name: str, entry: object, size: Point) -> list[tuple[Point, ...]]:
        rows = entry.get("spaces") if isinstance(entry, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, list) and row for row in rows):
            self.problem(line, "route_spaces", route=name)
            return []
        for row in rows:
            if len(row) > MOST_LENGTH:
                self.problem(line, "too_long", route=name, most=MOST_LENGTH)
        full = f"routes.{name}"
        return [tuple(self.place(line, full, space, size) for space in row) for row in rows]

    def tickets(self, locations: Sequence[Location]) -> list[Ticket]:
        entries: dict[str, Any] = self.take(dict, "tickets") or {}
        tickets: list[Ticket] = []
        for name in entries:
            line = self.line("tickets", name)
            ends = self.pair(line, name, locations)
            points = self.number("tickets", name, least=1)
            if ends and any({t.a, t.b} == set(ends) for t in tickets):
                self.problem(line, "ticket_twice", ticket=name)
            tickets.append(Ticket(name, *(ends or (-1, -1)), points))
        self.count("tickets", tickets, MOST_TICKETS)
        return tickets

    # The whole

    def supplies(
        self,
        seats: int,
        cards: dict[str, int],
        play: Play,
        routes: Sequence[Route],
        tickets: Sequence[Ticket],
    ) -> None:
        """Checks that there are enough cards, tickets and buses for the most seats."""
        needed = seats * play.hand + play.display
        if cards and sum(cards.values()) < needed:
            self.problem(self.line("cards"), "few_cards", needed=needed)
        if tickets and len(tickets) < seats * play.tickets_dealt:
            self.problem(self.line("tickets"), "few_tickets", needed=seats * play.tickets_dealt)
        for name, length in {route.name.split("#")[0]: route.length for route in routes}.items():
            if "play" in self.data and length > play.buses:
                line = self.line("routes", name)
                self.problem(line, "long_route", route=name, length=length, buses=play.buses)

    def network(self, locations: Sequence[Location], routes: Sequence[Route]) -> None:
        """Checks that all places are connected and that their names differ."""
        for i in unreached(len(locations), [(route.a, route.b) for route in routes]):
            place = locations[i].id
            line = self.line("locations", place)
            self.problem(line, "disconnected", location=place, other=locations[0].id)
        for lines, times in Counter(place.lines for place in locations).items():
            if times > 1:
                self.problem(self.line("locations"), "name_twice", name="|".join(lines))

    def scenery(self, locations: Sequence[Location]) -> Scenery:
        entries: dict[str, Any] = self.take(dict, "scenery", default={})
        known = {"river", "river_width", "parks", "signs", "landmarks"}
        self.check_keys(entries, known, "scenery")
        river = self.take(list, "scenery", "river", default=[])
        width = entries.get("river_width", 40)
        if not all(map(is_point, river)) or not is_number(width):
            self.problem(self.line("scenery", "river"), "river")
            river, width = [], 0
        parks = self.take(list, "scenery", "parks", default=[])
        if not all(isinstance(p, list) and len(p) == 4 and all(map(is_number, p)) for p in parks):
            self.problem(self.line("scenery", "parks"), "parks")
            parks = []
        ellipses = [(float(x), float(y), float(rx), float(ry)) for x, y, rx, ry in parks]
        return Scenery(
            river=tuple(map(_point, river)),
            river_width=float(width),
            parks=tuple(ellipses),
            spots=self.spots("scenery", locations),
            tall=self.tall(locations),
        )

    def tall(self, locations: Sequence[Location]) -> Spots | None:
        if "tall" not in self.data:
            return None
        entries: dict[str, Any] = self.take(dict, "tall", default={})
        self.check_keys(entries, {"signs", "landmarks", "moved", "labels"}, "tall")
        return self.spots("tall", locations)

    def spots(self, part: str, locations: Sequence[Location]) -> Spots:
        """Returns where things stand that no rule knows of; `part` is the table that says it."""
        numbers = {str(place.district): place.district for place in locations}
        places = {place.id: place for place in locations}
        signs = self.points(part, "signs", numbers)
        sizes = self.points(part, "landmarks", drawings(), count=3)
        labels: dict[str, Label] = {}
        for key, value in self.take(dict, part, "labels", default={}).items():
            line, name = self.line(f"{part}.labels", key), f"{part}.labels.{key}"
            four = isinstance(value, list) and len(value) == 4
            broken = value[3] if four else None
            at, anchor = self.label(line, name, value[:3] if four else value)
            if key in places:
                lines = places[key].lines if broken is None else tuple(str(broken).split("|"))
                labels[key] = Label(*at, anchor, lines)
            else:
                self.problem(line, "unknown_location", location=key)
        return Spots(
            signs={numbers[key]: (at[0], at[1]) for key, at in signs.items()},
            landmarks=tuple(Sight(key, *at) for key, at in sizes.items()),
            moved={key: (at[0], at[1]) for key, at in self.points(part, "moved", places).items()},
            labels=labels,
        )

    def points(
        self, part: str, section: str, known: Collection[str], count: int = 2
    ) -> dict[str, tuple[float, ...]]:
        """Returns the points of a table by name, each with so many numbers."""
        points: dict[str, tuple[float, ...]] = {}
        for key, value in self.take(dict, part, section, default={}).items():
            numbers = isinstance(value, list) and all(map(is_number, value))
            if key in known and numbers and len(value) == count:
                points[key] = tuple(map(float, value))
            else:
                line, name = self.line(f"{part}.{section}", key), f"{part}.{section}.{key}"
                self.problem(line, "spot", name=name, count=count, known=", ".join(known))
        return points


_READER = MapReader(_BoardDraft, BOX)
load_board, read_board, check_board = _READER.load, _READER.read, _READER.check


def _hash(board: Board) -> str:
    """Returns a hash of everything that matters for play; the drawing does not change it."""
    numbers = [district.number for district in board.districts]
    facts = [
        list(board.cards.items()),
        list(vars(board.play).items()),
        board.scoring,
        [(district.number, district.points) for district in board.districts],
        [(place.id, numbers.index(place.district)) for place in board.locations],
        [(route.name, route.colour, route.length) for route in board.routes],
        [(ticket.name, ticket.points) for ticket in board.tickets],
    ]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _point(value: Any) -> Point:
    return float(value[0]), float(value[1])
