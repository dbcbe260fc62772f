"""A board as plain data, for clients that draw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from headway.games.contract import MapData
from headway.games.tickettoride.board.board import Board, Location, Route, ScoringDistrict, Ticket
from headway.games.tickettoride.presentation.board_svg import smooth_path, space_angle, space_length

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


class SpaceData(msgspec.Struct, frozen=True):
    """A space for a bus: its centre and its direction in degrees."""

    x: float
    y: float
    angle: float


class RouteData(msgspec.Struct, frozen=True):
    """A row of spaces from location `a` to `b` (indices); `half` is 1 or 2 of a double."""

    name: str
    a: int
    b: int
    colour: str
    half: int
    points: int
    spaces: tuple[SpaceData, ...]
    long: float
    """The drawn length of each space."""
    road: str
    """The path under the spaces, as SVG path data."""


class BoardData(MapData, frozen=True, kw_only=True):
    """A board of Ticket to Ride with everything that is printed on it."""

    board: dict[str, str]
    """The board's name, by language."""
    width: float
    height: float
    river: str
    """SVG path data; empty without a river."""
    river_width: float
    parks: tuple[tuple[float, float, float, float], ...]
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
    board, river = game.board, game.board.scenery.river
    return BoardData.of(
        game,
        board,
        board=dict(board.title),
        width=board.size[0],
        height=board.size[1],
        river=smooth_path(river) if len(river) > 1 else "",
        river_width=board.scenery.river_width,
        parks=board.scenery.parks,
        routes=tuple(_route(board, route) for route in board.routes),
        buses=board.play.buses,
        tickets_kept=board.play.tickets_kept,
    )


def _route(board: Board, route: Route) -> RouteData:
    ends = board.locations[route.a].at, board.locations[route.b].at
    return RouteData(
        name=route.name,
        a=route.a,
        b=route.b,
        colour=route.colour,
        half=route.half,
        points=board.scoring[route.length - 1],
        spaces=tuple(
            SpaceData(x, y, round(space_angle(board, route, i), 2))
            for i, (x, y) in enumerate(route.spaces)
        ),
        long=round(space_length(board, route), 2),
        road=smooth_path((ends[0], *route.spaces, ends[1])),
    )
