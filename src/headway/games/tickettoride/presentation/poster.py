"""The poster of a finished game: dusk over the city, the winner's bus and net, and its tickets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from headway.games.presentation import EDGE, WIDE, Poster, frame, luck_and_skill, words
from headway.games.tickettoride.board.board import drawings
from headway.games.tickettoride.presentation.board_svg import draw_map, palette_of
from headway.games.tickettoride.presentation.board_text import text_board
from headway.games.tickettoride.presentation.layout import Layout, draw_sight
from headway.i18n import number as signed
from headway.i18n import say
from headway.svg import Palette, element, label, moved, number, rectangle

if TYPE_CHECKING:
    from headway.games.tickettoride.board.board import Board
    from headway.games.tickettoride.game import TicketToRide
    from headway.games.tickettoride.rules.scoring import TicketScore
    from headway.games.tickettoride.view import TicketToRideView

HEAVY = "800"
SKY = (("0", "dusk-top"), ("0.55", "dusk-middle"), ("1", "dusk-low"))
SKYLINE = (0.05, 0.2, 0.36, 0.5)  # where sights stand along the horizon, as parts of the width
MOST_STAMPS = 3
STAMPS = 262.0  # where they begin, at most


def poster(game: TicketToRide, view: TicketToRideView, shown: Poster) -> str:
    """Returns the poster of a game as SVG; `view` is that of a finished game."""
    board, tall = game.board, shown.shape == "portrait"
    palette = palette_of("light", view.bus_colours)
    taken = view.owners(board)
    winner = view.ranking[0]
    top, high = (206.0, 320.0) if tall else (150.0, 256.0)
    high -= 20 if shown.review else 0  # room for its bars
    ink, light = palette("ink"), palette("on-deep")
    stand = ((300.0, top - 104), 0.47) if tall else ((372.0, top - 74), 0.33)
    title = game.title(shown.lang)
    sights = [sight.name for sight in board.scenery.spots.landmarks[: len(SKYLINE)]]
    body = (
        _sky(shown, palette),
        *_skyline(palette, sights, top + 2, 1.25 if tall else 0.75),
        _bus(palette, winner, shown.names, *stand),
        _headline(view, shown, palette),
        _map(Layout(board, WIDE - 2 * EDGE, high, bare=True), palette, taken, winner, top),
        *_people(view, shown, palette, top + high + (8 if tall else -2)),
        *_stamps(board, palette, winner, view.scores[winner].each_ticket, top + high + 8, tall),
        label(
            shown.date, WIDE - EDGE, 57, 13, text_anchor="end", fill=light, font_weight="600"
        ),
        *luck_and_skill(shown, shown.height - 20, (ink, ink, light)),
    )  # fmt: skip
    return frame(shown, palette, title, text_board(board, taken, shown.lang), *body, dark=True)


def _sky(shown: Poster, palette: Palette) -> str:
    stops = [element("stop", offset=at, stop_color=palette(paint)) for at, paint in SKY]
    sky = element("linearGradient", *stops, id="headway-dusk", x1=0, y1=0, x2=0, y2=1)
    return sky + rectangle(0, 0, WIDE, shown.height, fill="url(#headway-dusk)")


def _skyline(palette: Palette, sights: Sequence[str], base: float, size: float) -> Iterator[str]:
    shadow = Palette(
        "light",
        dict(palette.light)
        | {"wall": palette("skyline"), "stroke": palette("skyline-line")}
        | {"light": palette("plate-text")},
    )
    for part, name in zip(SKYLINE, sights, strict=False):
        yield draw_sight(shadow, name, moved(part * WIDE + 24, base), size)


def _headline(view: TicketToRideView, shown: Poster, palette: Palette) -> str:
    first = view.scores[view.ranking[0]]
    best = [seat for seat in view.ranking if view.scores[seat].rank == first.rank]
    names = " · ".join(shown.names[seat] for seat in best)
    if len(best) > 1:
        text = f"{names} {signed(first.total)}"
    else:
        other = signed(view.scores[view.ranking[-1]].total)
        key = "won_two" if len(view.ranking) == 2 else "won"
        values = {"names": names, "total": first.total if key == "won" else signed(first.total)}
        text = say(f"outcome.{key}", shown.lang, **values, other=other).rstrip(".")
    room = WIDE - 2 * EDGE - (0 if shown.shape == "portrait" else 160)
    return words(text, EDGE, 92, 34, room, palette("on-deep"), font_weight=HEAVY)


def _map(layout: Layout, palette: Palette, taken: dict[int, int], winner: int, top: float) -> str:
    rim = rectangle(-5, -5, layout.width + 10, layout.height + 10, rx=26, fill=palette("sheet"))
    drawn = draw_map(layout, palette, taken, only=winner)
    return element("g", rim, drawn, transform=moved(EDGE, top))


def _bus(
    palette: Palette, seat: int, names: Sequence[str], at: tuple[float, float], size: float
) -> str:
    """Draws the winner's bus from the side, with the winner's name on its blind."""
    pane, plate = palette("window"), palette("plate")
    windows = [rectangle(26 + k * 66, 20, 58, 44, rx=7, fill=pane) for k in range(6)]
    lower = [rectangle(26 + k * 66, 122, 58, 40, rx=7, fill=pane) for k in range(4)]
    door = [
        rectangle(296, 122, 52, 72, rx=7, fill=plate),
        rectangle(301, 127, 19, 62, rx=4, fill=pane),
        rectangle(324, 127, 19, 62, rx=4, fill=pane),
    ]
    wheels = [
        element("circle", cx=x, cy=196, r=radius, fill=paint)
        for x in (92, 386)
        for radius, paint in ((22, plate), (10, palette("hair")))
    ]
    name = words(
        names[seat].upper(), 220, 105, 30, 360, palette("plate-text"), text_anchor="middle",
        font_weight=HEAVY,
    )  # fmt: skip
    return element(
        "g",
        element(
            "path", d="M22 2H406Q430 2 432 26L436 186Q436 198 424 198H16Q4 198 4 186V20Q4 2 22 2Z",
            fill=palette(f"seat-{seat}"),
        ),
        *windows,
        rectangle(22, 74, 396, 42, rx=6, fill=plate),
        name,
        *lower,
        *door,
        element("path", d="M362 122H430L433 162H362Z", fill=pane),
        element("circle", cx=424, cy=180, r=7, fill=palette("plate-text")),
        *wheels,
        transform=f"{moved(*at)} scale({number(size)})",
        class_="bus",
    )  # fmt: skip


def _people(view: TicketToRideView, shown: Poster, palette: Palette, top: float) -> Iterator[str]:
    """Draws everybody with their points, the best first; the poster's own seat is large."""
    y, ink = top, palette("ink")
    for seat in view.ranking:
        total, name = signed(view.scores[seat].total), shown.names[seat]
        own = seat == shown.seat
        y += 34 if own else 24
        yield element(
            "circle", cx=EDGE + 8, cy=y - (9 if own else 5), r=8, fill=palette(f"seat-{seat}")
        )
        if own:
            yield label(total, EDGE + 24, y, 34, fill=ink, font_weight=HEAVY)
            x = EDGE + 34 + 21 * len(total)
            yield words(name, x, y, 19, STAMPS - x, ink)
        else:
            yield words(f"{name} {total}", EDGE + 24, y, 16, STAMPS - EDGE - 24, ink)


def _stamps(
    board: Board,
    palette: Palette,
    seat: int,
    tickets: Sequence[TicketScore],
    top: float,
    tall: bool,
) -> Iterator[str]:
    """Draws the winner's tickets as stamps, those that were completed first."""
    size = 0.98 if tall else 0.8
    chosen = sorted(tickets, key=lambda ticket: -ticket.worth)[:MOST_STAMPS]
    for k, ticket in enumerate(chosen):
        x = WIDE - EDGE - (len(chosen) - k) * 90 * size
        turn = f"rotate({(k % 3 - 1) * 2})"
        place = f"{moved(x, top)} scale({number(size)}) {turn}"
        yield element("g", *_stamp(board, palette, seat, ticket), transform=place)


def _stamp(board: Board, palette: Palette, seat: int, ticket: TicketScore) -> Iterator[str]:
    done = ticket.completed
    one = board.tickets[board.ticket_named[ticket.name]]
    ends = [board.locations[one.b], board.locations[one.a]]
    paint = palette(f"seat-{seat}" if done else "muted")
    yield rectangle(0, 0, 84, 104, rx=3, fill=palette("sheet"))
    yield rectangle(6, 6, 72, 92, fill=palette("amber-soft" if done else "well"))
    if done:
        yield element("circle", cx=42, cy=42, r=25, fill=palette("amber"), opacity=0.8)
    yield element("path", d="M6 70C20 64 30 74 42 70S66 64 78 70V98H6Z", fill=paint)
    sight = next((end.id for end in ends if end.id in drawings()), None)
    if sight:
        yield draw_sight(palette, sight, moved(42, 68), 0.78)
    for y, end in ((81, ends[1]), (92, ends[0])):
        yield words(end.name, 42, y, 8.4, 66, palette("sheet"), text_anchor="middle")
    worth = signed(ticket.points if done else ticket.worth)
    ink = palette("ink" if done else "bad")
    yield label(worth, 11, 22, 15, fill=ink, font_weight=HEAVY)
    if not done:
        yield element(
            "path", d="M12 66L72 20", stroke=palette("bad"), stroke_width=3,
            stroke_linecap="round",
        )  # fmt: skip
