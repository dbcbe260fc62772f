"""The poster of a finished game: the network on clean paper, a skyline, the score and the rank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from headway.games.nextstation.city.city import City, skyline
from headway.games.nextstation.presentation.sheet import Sheet, city_palette, landmark, river
from headway.games.nextstation.presentation.sheet_svg import all_tracks, reached_stations, rose
from headway.games.nextstation.presentation.sheet_text import drawn_lines, text_board
from headway.games.presentation import EDGE, WIDE, Poster, figures, frame, luck_and_skill, words
from headway.i18n import number as signed
from headway.i18n import say
from headway.svg import BOLD, Palette, element, label, moved, number, rectangle

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation
    from headway.games.nextstation.view import NextStationView

GROUND = {"portrait": 454.0, "square": 410.0}
"""Where the skyline stands."""
NET = {"portrait": 360.0, "square": 326.0}
"""How wide the network is."""
TOP = 50.0
SCALE = 0.56
"""Of the skyline."""
DOT = 4.5


def poster(game: NextStation, view: NextStationView, shown: Poster) -> str:
    """Returns the poster of a seat as SVG; `view` is that of a finished game."""
    city, palette = game.city, city_palette(game.city, "light")
    lines = drawn_lines(city, view.sheets[shown.seat])
    sheet = Sheet(city, tuple(lines), palette, 0.0, shown.lang)
    title = game.title(shown.lang)
    paper = rectangle(0, 0, WIDE, shown.height, fill=palette("map"))
    ground = _ground(shown)
    body = [paper, _network(sheet, shown), _skyline(city, palette, ground)]
    body.append(rectangle(0, ground, WIDE, shown.height, fill=palette("deep")))
    body += _result(game, view, shown, palette)
    return frame(shown, palette, title, text_board(city, lines, lang=shown.lang), *body)


def _ground(shown: Poster) -> float:
    """Returns where the skyline stands: a little higher above bars on a square."""
    return GROUND[shown.shape] - (14 if shown.review and shown.shape == "square" else 0)


def _network(sheet: Sheet, shown: Poster) -> str:
    """Draws what was built; stations without a line are dots."""
    city, palette = sheet.city, sheet.palette
    units = sheet.right - sheet.left
    scale = NET[shown.shape] / units
    left = (WIDE - NET[shown.shape]) / 2
    far = left / scale + 60
    flow = [sheet.at(point) for point in city.river]
    if flow:  # from one edge of the poster to the other
        flow = [(flow[0][0] - far, flow[0][1]), *flow[1:-1], (flow[-1][0] + far, flow[-1][1])]
    middle = units / 2
    sun = [
        element(
            "circle", cx=sheet.left + middle, cy=sheet.top + middle, r=0.4 * units,
            fill=palette("stamp"), fill_opacity=0.13,
        )
    ] if city.loop else []  # fmt: skip
    drawn = [*sun, river(palette, flow), all_tracks(sheet), *_dots(sheet), reached_stations(sheet)]
    drawn += [
        landmark(palette, mark.areas, mark.lines, sheet.at(mark.at), 0.9)
        for mark in city.drawing.landmarks
        if sheet.lines_at[city.station_named[mark.station]]
    ]
    place = f"{moved(left - sheet.left * scale, TOP - sheet.top * scale)} scale({number(scale)})"
    return element("g", *drawn, class_="network", transform=place)


def _dots(sheet: Sheet) -> Iterator[str]:
    ink = sheet.palette("ink")
    for k, station in enumerate(sheet.city.stations):
        if sheet.lines_at[k]:
            continue
        x, y = sheet.at(station.point)
        if station.tourist:
            star = rose(ink, ink, reached=True, scale=0.42)
            yield element("g", star, opacity=0.22, transform=moved(x, y))
        else:
            yield element("circle", cx=x, cy=y, r=DOT, fill=ink, fill_opacity=0.22)


def _skyline(city: City, palette: Palette, ground: float) -> str:
    roofs = skyline(city.drawing.palette)
    deep = palette("deep")
    drawn = [
        element("path", d=roofs.back, fill=deep, fill_opacity=0.24),
        element("path", d=roofs.front, fill=deep),
        element("path", d=roofs.lines, fill="none", stroke=deep, stroke_width=3.4),
        element(
            "path", d=roofs.windows, fill="none", stroke=palette("amber"), stroke_width=2.4,
            stroke_linecap="round", stroke_opacity=0.85,
        ),
    ]  # fmt: skip
    place = f"{moved(WIDE / 2 - 360 * SCALE, ground - 68 * SCALE)} scale({number(SCALE)})"
    return element("g", *drawn, class_="skyline", transform=place)


def _result(
    game: NextStation, view: NextStationView, shown: Poster, palette: Palette
) -> Iterator[str]:
    """Draws the score, what it is called, whose it is, and the line of ranks."""
    ink, y = palette("on-deep"), _ground(shown) + 92
    total = view.sheets[shown.seat].score.total
    score, right = figures(signed(total), y, 104, ink)
    yield score
    right, room = right + 20, WIDE - EDGE - right - 20
    yield words(_headline(game, view, shown), right, y - 42, 26, room, ink)
    who = " · ".join(filter(None, (shown.names[shown.seat], shown.date)))
    yield words(who, right, y - 16, 15, room, ink)
    others = [
        f"{name} {signed(sheet.score.total)}"
        for seat, (name, sheet) in enumerate(zip(shown.names, view.sheets, strict=True))
        if seat != shown.seat
    ]
    limits = game.city.scoring.verdicts
    if others:
        yield words(" · ".join(others), right, y + 4, 14, room, ink)
    elif missing := _missing(game, total, shown.lang):
        yield words(missing, right, y + 4, 14, room, ink)
    if shown.shape == "portrait":
        yield _ranks(palette, limits, total, y + (30 if shown.review else 52))
    yield from luck_and_skill(shown, shown.height - 22, (ink, ink, palette("amber")))


def _headline(game: NextStation, view: NextStationView, shown: Poster) -> str:
    """Returns the rank of a game alone, else how it ended for the seat."""
    totals = [sheet.score.total for sheet in view.sheets]
    if len(totals) == 1:
        return say(f"rank.{game.rank(totals[0])}", shown.lang)
    others = ", ".join(name for seat, name in enumerate(shown.names) if seat != shown.seat)
    won = view.ranking and view.ranking[0] == shown.seat
    return say("poster.won" if won else "poster.played", shown.lang, names=others)


def _missing(game: NextStation, total: int, lang: str) -> str:
    """Returns what is missing to the next rank, in words."""
    reached, limits = game.rank(total), game.city.scoring.verdicts
    if reached > len(limits):
        return say("rank.top", lang)
    points = limits[reached - 1] + 1 - total
    return say("rank.missing", lang, points=points, rank=say(f"rank.{reached + 1}", lang))


def _ranks(palette: Palette, limits: Sequence[int], total: int, y: float) -> str:
    """Draws the limits as stations of a line, and how far the total reaches."""
    ink, ground = palette("on-deep"), palette("deep")
    low, high = limits[0] - 15, limits[-1] + 15

    def at(points: int) -> float:
        share = (min(high, max(low, points)) - low) / (high - low)
        return EDGE + 8 + (WIDE - 2 * EDGE - 16) * share

    def track(to: int, opacity: float) -> str:
        d = f"M{number(at(low))} {number(y)}H{number(at(to))}"
        return element(
            "path", d=d, stroke=ink, stroke_width=8, stroke_linecap="round", stroke_opacity=opacity
        )

    stops = []
    for limit in limits:
        opacity = 1 if total > limit else 0.5
        stops.append(
            element(
                "circle", cx=at(limit), cy=y, r=7.5, fill=ground, stroke=ink, stroke_width=3,
                stroke_opacity=opacity,
            )
        )  # fmt: skip
        stops.append(
            label(
                str(limit), at(limit), y + 29, 12, font_weight=BOLD, text_anchor="middle", fill=ink
            )
        )
    here = element(
        "circle", cx=at(total), cy=y, r=12, fill=palette("amber"), stroke=ground, stroke_width=4
    )
    return element("g", track(high, 0.34), track(total, 1), *stops, here, class_="ranks")
