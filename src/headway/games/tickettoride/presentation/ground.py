"""What lies under the routes of a drawn board: districts, parks, the river, bridges, sights."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from headway.games.tickettoride.board import geometry
from headway.games.tickettoride.board.landmarks import drawings
from headway.games.tickettoride.presentation.layout import Layout
from headway.svg import Palette, Point, element, label, moved, number, rectangle

TURNS = (8, -24, 31, -9, 17)  # of the streets of each district
STREETS = "M0 0H56M0 18H34M34 0V42M0 0V42M14 18V42M34 27H56"
EDGE_POINTS = 26  # of a park
TREES = 9


def path(line: Sequence[Point], *, closed: bool = False) -> str:
    """Returns the path data of a line."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in line) + ("Z" if closed else "")


def draw_ground(layout: Layout, palette: Palette) -> str:
    """Returns the ground; what goes beyond the board is for the caller to cut off."""
    sheet = rectangle(0, 0, layout.width, layout.height, fill=palette("street"))
    parts = (_districts, _parks, _river, _bridges, _sights)
    return sheet + "".join(markup for part in parts for markup in part(layout, palette))


def draw_signs(layout: Layout, palette: Palette, joined: Sequence[int]) -> str:
    """Returns the signs of the districts, with how many places of each are joined."""
    board, size = layout.board, layout.name
    drawn = []
    for sign in layout.shape.signs:
        index = next(i for i, d in enumerate(board.districts) if d.number == sign.district)
        district = board.districts[index]
        count = sum(place.district == sign.district for place in board.locations)
        paint = palette(f"place-{district.colour}")
        words = size * (1.1 + 0.62 * len(str(district.points)))
        left = -(words + count * size * 0.72 + size * 0.9) / 2
        full = joined[index] if joined else 0
        dots = [
            element(
                "circle", cx=left + words + size * (0.6 + k * 0.72), r=size * 0.235,
                fill=paint if k < full else "none", stroke=paint, stroke_width=1.3,
            )
            for k in range(count)
        ]  # fmt: skip
        back = rectangle(
            left, -size * 0.78, -2 * left, size * 1.56, rx=size * 0.78,
            fill=palette("sheet"), fill_opacity=0.86,
        )  # fmt: skip
        text = label(
            f"+{district.points}", left + size * 0.5, size * 0.36, size,
            font_weight="800", fill=paint,
        )  # fmt: skip
        where = moved(*layout.at((sign.x, sign.y)))
        drawn.append(element("g", back, text, *dots, transform=where, class_="sign"))
    return "".join(drawn)


def _districts(layout: Layout, palette: Palette) -> Iterator[str]:
    board = layout.board
    grounds = geometry.areas([(p.at, p.district) for p in board.locations], board.size)
    for i, district in enumerate(board.districts):
        name = f"headway-streets-{district.number}"
        turn = f"scale({number(layout.deep / 13)}) rotate({TURNS[i % len(TURNS)]})"
        streets = element(
            "path", d=STREETS, fill="none", stroke=palette("street"), stroke_width=1.5,
            stroke_opacity=0.5,
        )  # fmt: skip
        yield element(
            "pattern", streets, id=name, width=56, height=42, patternUnits="userSpaceOnUse",
            patternTransform=turn,
        )  # fmt: skip
        for ring in grounds.get(district.number, ()):
            way = path([layout.at(point) for point in ring], closed=True)
            yield element("path", d=way, fill=palette(f"ground-{district.colour}"))
            yield element(
                "path", d=way, fill=f"url(#{name})", stroke=palette("street"),
                stroke_width=layout.deep * 0.34,
            )  # fmt: skip


def _parks(layout: Layout, palette: Palette) -> Iterator[str]:
    across, down = layout.stretch
    for i, (x, y, wide, high) in enumerate(layout.board.scenery.parks):
        (cx, cy), rx, ry = layout.at((x, y)), wide * across, high * down
        edge = []
        for j in range(EDGE_POINTS):
            turn = 2 * math.pi * j / EDGE_POINTS
            # Uneven, as if drawn by hand.
            uneven = 1 + 0.07 * math.sin(3 * turn + i * 2) + 0.05 * math.cos(5 * turn + i)
            way = math.cos(turn), math.sin(turn)
            dx, dy = (math.copysign(abs(part) ** 0.8, part) * uneven for part in way)
            edge.append((cx + rx * dx, cy + ry * dy))
        yield element(
            "path", d=path(geometry.curve([*edge, edge[0]]), closed=True), fill=palette("park"),
            stroke=palette("street"), stroke_width=layout.deep * 0.2,
        )  # fmt: skip
        for j in range(TREES):
            turn, far = j * 2.4 + i, 0.25 + 0.62 * (j * 37 % 11) / 11
            yield element(
                "circle", cx=cx + rx * far * math.cos(turn), cy=cy + ry * far * math.sin(turn),
                r=layout.deep * (0.22 + 0.1 * (j % 3)), fill=palette("tree"),
            )  # fmt: skip


def _wide(layout: Layout) -> float:
    across, down = layout.stretch
    return layout.board.scenery.river_width * (across + down) / 2


def _river(layout: Layout, palette: Palette) -> Iterator[str]:
    points = layout.board.scenery.river
    if len(points) < 2:
        return
    river, wide, deep = geometry.curve([layout.at(p) for p in points]), _wide(layout), layout.deep
    for name, more in (("street", deep * 0.9), ("bank", 2), ("water", 0)):
        yield element(
            "path", d=path(river), fill="none", stroke=palette(name), stroke_width=wide + more,
            stroke_linejoin="round",
        )  # fmt: skip
    long = geometry.length(river)
    count = int(long / (deep * 2.6))
    for k in range(count):
        x, y, turn = geometry.along(river, (k + 0.5) * long / count)
        aside = (k * 7 % 5 - 2) / 2 * wide * 0.28
        where = moved(x - math.sin(turn) * aside, y + math.cos(turn) * aside)
        yield element(
            "path", d="M-4 0q2 -2 4 0t4 0", fill="none", stroke=palette("wave"),
            stroke_linecap="round", opacity=0.75,
            transform=f"{where} rotate({number(math.degrees(turn))}) scale({number(deep * 0.1)})",
        )  # fmt: skip


def _bridges(layout: Layout, palette: Palette) -> Iterator[str]:
    (across, down), deep, wide = layout.stretch, layout.deep, _wide(layout)
    for bridge in layout.shape.bridges:
        turn = math.atan2(bridge.way[1] * down, bridge.way[0] * across)
        flow = math.atan2(bridge.river[1] * down, bridge.river[0] * across)
        steep = max(0.4, abs(math.sin(turn - flow)))
        half = min(wide / steep / 2 + deep * 0.42, wide)
        edge = deep * (2.75 if bridge.double else 1.55) / 2
        floor = rectangle(-half, -edge, 2 * half, 2 * edge, fill=palette("wall"))
        rails = element(
            "path", d=f"M{number(-half)} {number(-edge)}h{number(2 * half)}"
            f"M{number(-half)} {number(edge)}h{number(2 * half)}",
            stroke=palette("stroke"), stroke_width=max(1.2, deep * 0.1),
        )  # fmt: skip
        lamps = [
            element(
                "circle", cx=x, cy=y, r=deep * 0.15, fill=palette("light"),
                stroke=palette("stroke"),
            )
            for x in (-half, half) for y in (-edge, edge)
        ]  # fmt: skip
        where = moved(*layout.at((bridge.x, bridge.y)))
        turned = f"{where} rotate({number(math.degrees(turn))})"
        yield element("g", floor, rails, *lamps, transform=turned, class_="bridge")


def draw_sight(palette: Palette, name: str, place: str, size: float) -> str:
    """Returns a landmark; `place` moves its base, and lines keep their width."""
    fills = {"wall": palette("wall"), "light": palette("light")}
    parts = [
        element(
            "path", d=way, fill=fills.get(kind, "none"), stroke=palette("stroke"),
            stroke_width=(1.8 if kind == "ring" else 1.15) / size, stroke_linejoin="round",
            stroke_linecap="round",
        )
        for kind, way in drawings()[name]
    ]  # fmt: skip
    return element("g", *parts, transform=f"{place} scale({number(size)})", class_="sight")


def _sights(layout: Layout, palette: Palette) -> Iterator[str]:
    for sight in layout.shape.landmarks:
        place = moved(*layout.at((sight.x, sight.y)))
        yield draw_sight(palette, sight.name, place, sight.size * layout.drawing)
