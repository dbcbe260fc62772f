"""A board as plain data, for clients that draw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from headway.games.contract import MapData
from headway.games.tickettoride.board import geometry
from headway.games.tickettoride.board.board import Board, Location, Route, ScoringDistrict, Ticket
from headway.games.tickettoride.board.landmarks import drawings
from headway.games.tickettoride.board.shape import Shape, middles, shape_of, side
from headway.svg import Point

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


class RouteData(msgspec.Struct, frozen=True):
    """A row of spaces from location `a` to `b` (indices); `half` is 1 or 2 of a double."""

    name: str
    a: int
    b: int
    colour: str
    half: int
    points: int
    length: int
    middles: tuple[Point, ...]
    """The points through which it goes between its ends."""
    side: int
    """1 if it lies to the right of the line, -1 to the left, 0 on it."""


class GroundData(msgspec.Struct, frozen=True):
    """What lies under a board; positions in its units."""

    areas: dict[int, tuple[tuple[Point, ...], ...]]
    """The ground of each district, as closed lines."""
    river: tuple[Point, ...]
    """The points through which it flows; empty without a river."""
    river_width: float
    parks: tuple[tuple[float, float, float, float], ...]
    drawings: dict[str, tuple[tuple[str, str], ...]]
    """The parts of each landmark: kind and SVG path."""


class BoardData(MapData, frozen=True, kw_only=True):
    """A board of Ticket to Ride with everything that is printed on it."""

    board: dict[str, str]
    """The board's name, by language."""
    width: float
    height: float
    ground: GroundData
    wide: Shape
    tall: Shape | None
    """Where things stand if the board is as high as wide; None if it has no facts for that."""
    locations: tuple[Location, ...]
    districts: tuple[ScoringDistrict, ...]
    routes: tuple[RouteData, ...]
    tickets: tuple[Ticket, ...]
    kinds: tuple[str, ...]
    """The kinds of cards, the bus first."""
    buses: int
    tickets_kept: int
    """The smallest number of offered tickets that must be kept."""


def board_data(game: TicketToRide) -> BoardData:
    """Returns the data of a game's board."""
    board = game.board
    return BoardData.of(
        game,
        board,
        board=dict(board.title),
        width=board.size[0],
        height=board.size[1],
        ground=_ground(board),
        wide=shape_of(board),
        tall=shape_of(board, tall=True) if board.scenery.tall else None,
        routes=tuple(_route(board, route) for route in board.routes),
        buses=board.play.buses,
        tickets_kept=board.play.tickets_kept,
    )


def _ground(board: Board) -> GroundData:
    places = [(place.at, place.district) for place in board.locations]
    shown = {landmark.name for landmark in board.scenery.spots.landmarks}
    if board.scenery.tall:
        shown |= {landmark.name for landmark in board.scenery.tall.landmarks}
    return GroundData(
        areas={
            district: tuple(tuple((round(x), round(y)) for x, y in ring) for ring in rings)
            for district, rings in geometry.areas(places, board.size).items()
        },
        river=board.scenery.river,
        river_width=board.scenery.river_width,
        parks=board.scenery.parks,
        drawings={name: drawings()[name] for name in sorted(shown)},
    )


def _route(board: Board, route: Route) -> RouteData:
    return RouteData(
        name=route.name,
        a=route.a,
        b=route.b,
        colour=route.colour,
        half=route.half,
        points=board.scoring[route.length - 1],
        length=route.length,
        middles=tuple((round(x, 1), round(y, 1)) for x, y in middles(board, route)),
        side=side(board, route),
    )
