"""A board: locations, districts, routes, tickets, and all numbers of its game.

A board is read from a file (`board_file.py`); nothing here is specific to London. Boards name and
place the sights of `landmarks.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import msgspec

from headway.games.tickettoride import SEATS
from headway.svg import Point

BUS_CARD = "bus"
GREY_ROUTE = "grey"
COLOURS = ("blue", "green", "black", "pink", "yellow", "orange", "red", "purple", "teal")
"""The colours that cards and routes may have; each has a pattern in the drawing."""

MOST_LOCATIONS = 64
MOST_ROUTES = 64
MOST_TICKETS = 64
MOST_DISTRICTS = 16
MOST_LENGTH = 8
MOST_DISPLAY = 8
MOST_OFFERED = 4
MOST_SEATS = SEATS[-1]
BUS_COLOURS = ("red", "purple", "teal", "brown")
"""The colours of buses, by seat unless the host chooses."""


class Location(msgspec.Struct, frozen=True):
    """A place; `lines` is its name as written at `label`, relative to its centre."""

    id: str
    name: str
    lines: tuple[str, ...]
    district: int
    """The number of its district."""
    x: float
    y: float
    label: Point
    anchor: str

    @property
    def at(self) -> Point:
        return self.x, self.y


class ScoringDistrict(msgspec.Struct, frozen=True):
    """A district: locations that score together, and the points for all of them (TR-18)."""

    number: int
    points: int
    colour: str


@dataclass(frozen=True)
class Route:
    """A row of spaces between two locations; a half of a double has a twin (TR-13)."""

    a: int
    b: int
    name: str
    """Its name in records: `hyde_park-piccadilly_circus#1`."""
    colour: str
    spaces: tuple[Point, ...]
    half: int
    """1 or 2 for a half of a double, 0 for a single route."""

    @property
    def length(self) -> int:
        return len(self.spaces)


class Ticket(msgspec.Struct, frozen=True):
    """Two locations to connect (indices), and the points for it (TR-17)."""

    name: str
    a: int
    b: int
    points: int


@dataclass(frozen=True)
class Play:
    """The numbers of the rules, from the file."""

    buses: int
    hand: int
    display: int
    take: int
    redeal_at: int
    redeals: int
    tickets_dealt: int
    tickets_drawn: int
    tickets_kept: int
    end_at: int
    doubles_closed_to: int


class Label(msgspec.Struct, frozen=True):
    """A name beside a place, from its centre; `lines` is where it is broken."""

    x: float
    y: float
    anchor: str
    lines: tuple[str, ...]


class Sight(msgspec.Struct, frozen=True):
    """A drawing of `landmarks.toml` on the board: the middle of its base, and its size."""

    name: str
    x: float
    y: float
    size: float


@dataclass(frozen=True)
class Spots:
    """Where things stand that no rule knows of; what is missing finds a place by itself."""

    signs: Mapping[int, Point]
    """The signs of districts by number."""
    landmarks: tuple[Sight, ...] = ()
    moved: Mapping[str, Point] = field(default_factory=dict)
    """Places that stand elsewhere, by id."""
    labels: Mapping[str, Label] = field(default_factory=dict)
    """Names that stand elsewhere, by id, in pixels for letters of 12."""


@dataclass(frozen=True)
class Scenery:
    """What is drawn under the routes; it has no meaning in play."""

    river: tuple[Point, ...]
    river_width: float
    parks: tuple[tuple[float, float, float, float], ...]
    spots: Spots
    tall: Spots | None
    """Where a board stands that is as high as wide; None if it has no facts for that."""


@dataclass(frozen=True, eq=False)
class Board:
    """A board with everything on it; boards compare by identity."""

    name: str
    title: Mapping[str, str]
    note: Mapping[str, str]
    seats: tuple[int, int]
    size: Point
    locations: tuple[Location, ...]
    districts: tuple[ScoringDistrict, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    cards: Mapping[str, int]
    """Transport cards by colour, including `bus`."""
    play: Play
    scoring: tuple[int, ...]
    """Points of a route by its length, from 1."""
    scenery: Scenery
    hash: str

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of cards, in the order in which the rules number them: the bus first."""
        return (BUS_CARD, *(colour for colour in self.cards if colour != BUS_CARD))

    def route_title(self, route: Route | Ticket) -> str:
        """Returns the names of the two places of a route or ticket."""
        return f"{self.locations[route.a].name} – {self.locations[route.b].name}"

    def ticket_title(self, name: str) -> str:
        """Returns the names of the two places of the ticket with this name in records."""
        return self.route_title(self.tickets[self.ticket_named[name]])

    @cached_property
    def location_named(self) -> Mapping[str, int]:
        """Location indices by id."""
        return {location.id: i for i, location in enumerate(self.locations)}

    @cached_property
    def route_named(self) -> Mapping[str, int]:
        """Route indices by name in records."""
        return {route.name: i for i, route in enumerate(self.routes)}

    @cached_property
    def kind_named(self) -> Mapping[str, int]:
        """The numbers of kinds of cards by name."""
        return {kind: number for number, kind in enumerate(self.kinds)}

    @cached_property
    def sorted_cards(self) -> list[int]:
        """The kinds of all transport cards, lowest number first."""
        return [number for number, kind in enumerate(self.kinds) for _ in range(self.cards[kind])]

    @cached_property
    def ticket_named(self) -> Mapping[str, int]:
        """Ticket indices by name in records."""
        return {ticket.name: i for i, ticket in enumerate(self.tickets)}


Parts = tuple[tuple[str, str], ...]
"""The parts of a drawing, each with its kind and its SVG path."""


@cache
def drawings() -> Mapping[str, Parts]:
    """Returns all drawings by name; their base is in the middle at 0, 0."""
    text = (Path(__file__).parents[1] / "landmarks.toml").read_text("utf-8")
    return {
        name: tuple((kind, path) for kind, path in parts)
        for name, parts in tomllib.loads(text).items()
    }
