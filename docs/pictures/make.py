"""Makes every picture of the documentation, the same on every machine.

    python docs/pictures/make.py

The games in them are stored beside this script. A test compares the stored pictures with what it
makes; after a change of the drawing, run it and look at them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import headway
from headway.games.nextstation.city.city_file import load_city, read_city
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import parse_move, parts
from headway.games.nextstation.presentation.sheet_svg import draw_sheet
from headway.games.nextstation.presentation.sheet_text import drawn_lines
from headway.games.nextstation.state import NextStationState
from headway.games.nextstation.view import NextStationView
from headway.games.tickettoride.board.board_file import load_board
from headway.games.tickettoride.presentation.board_svg import draw_board
from headway.record import steps

HERE = Path(__file__).parent
MAPS = HERE.parent / "maps.md"
LANGUAGES = ("en", "fr")

POWERS = {"green": "double", "purple": "second", "blue": "joker", "pink": "switch"}
SPECIAL = [["circle", "extension"], ["triangle", "switch"], ["square", "joker"]]
SPECIAL += [["pentagon", "double"]]


def pictures() -> dict[str, str]:
    """Every picture by file name. Tokyo's carry its note, so there is one for each language."""
    made = {f"{name}.svg": draw("en") for name, draw in ENGLISH.items()}
    for name, draw in BOTH.items():
        made |= {f"{name}.{lang}.svg": draw(lang) for lang in LANGUAGES}
    return made


def sheet(city: str) -> Callable[[str], str]:
    """The sheet as it is printed."""
    return lambda lang: draw_sheet(load_city(city), [], lang=lang)


def harbour(lang: str) -> str:
    """The city that the guide for map makers writes."""
    found = re.search(r"^```toml harbour.toml\n(.*?)^```", MAPS.read_text("utf-8"), re.M | re.S)
    assert found
    return draw_sheet(read_city(found[1]), [], lang=lang)


def choices(city: str, round_number: int, turn: int) -> Callable[[str], str]:
    """The sheet in a turn of the stored game, with every section that may be drawn."""

    def draw(lang: str) -> str:
        for step in steps(headway.load(HERE / f"{city}.json")):
            if step.place[:2] == (("round", round_number), ("turn", turn)):
                assert isinstance(step.state, NextStationState)
                bare = (parts(move).section for move in step.state.bare_sections(0))
                return position(step.state, [section for section in bare if section], lang)
        raise LookupError(f"{city} has no turn {turn} in round {round_number}")

    return draw


def end(city: str) -> Callable[[str], str]:
    """The sheet at the end of the stored game."""
    return lambda lang: position(
        headway.replay(headway.load(HERE / f"{city}.json")).state, [], lang
    )


def line_scored(lang: str) -> str:
    """London after its first round: the green line alone."""
    return position(london(turns=9).state, [], lang)


def circled(lang: str) -> str:
    """The same round with the power `double`, used on g1 in the last turn."""
    table = london(turns=8, powers=True, chosen={"powers": POWERS})
    table.play(0, "a0b1 *g1")
    return position(table.state, [], lang)


def extension(lang: str) -> str:
    """The same round with circles that extend: from h5 to h3 and straight on to h0."""
    table = london(turns=5, special_stations=True, chosen={"special": SPECIAL})
    assert "h5h3 +h3h0" in table.legal(0)
    assert isinstance(table.game, NextStation)
    move = parts(parse_move(table.game.city, "h5h3 +h3h0"))
    return position(table.state, [way for way in (move.section, move.second) if way], lang)


def london(
    turns: int, *, chosen: dict[str, object] | None = None, **options: bool
) -> headway.Table:
    """The stored game of London, played for some turns of its first round.

    Its seed deals the same cards whatever modules are on.
    """
    record = headway.load(HERE / "london.json")
    table = headway.Table("london", seed=record.seed, chosen=chosen, names=None, **options)
    for (move,) in record.moves[0][:turns]:
        table.play(0, move)
    return table


def position(state: headway.State, ways: Iterable[tuple[int, int]], lang: str) -> str:
    """The first seat's sheet with some ways dotted in the colour of the pencil in hand."""
    view = state.view(0)
    assert isinstance(view, NextStationView)
    city = load_city(view.map)
    pencil = view.pencils[0][view.round - 1]
    return draw_sheet(
        city, drawn_lines(city, view.sheets[0]), targets=ways, pencil=pencil, lang=lang
    )


def ticket_to_ride(move: int | None = None) -> Callable[[str], str]:
    """The stored game of Ticket to Ride as seat 0 sees it, before a move or at the end."""

    def draw(lang: str) -> str:
        record = headway.load(HERE / "ticket-to-ride.json")
        for step in steps(record):
            if step.place[:1] == (("move", move),):
                return step.state.game.presentation.svg(
                    step.state.game, step.state.view(0), theme="light", lang=lang
                )
        return headway.replay(record).svg(0, theme="light", lang=lang)

    return draw


def london_board(lang: str) -> str:
    """The board of Ticket to Ride before the first bus."""
    return draw_board(load_board("london"), {})


ENGLISH: dict[str, Callable[[str], str]] = {
    "london-sheet": sheet("london"),
    "first-section": choices("london", 1, 1),
    "two-ends": choices("london", 1, 3),
    "no-way": choices("london", 1, 8),
    "switch": choices("london", 2, 7),
    "line-scored": line_scored,
    "london-end": end("london"),
    "circled": circled,
    "extension": extension,
    "harbour": harbour,
    "ticket-to-ride-board": london_board,
}
BOTH: dict[str, Callable[[str], str]] = {
    "tokyo-sheet": sheet("tokyo"),
    "double-track": choices("tokyo", 4, 6),
    "tokyo-end": end("tokyo"),
    "ticket-to-ride-turn": ticket_to_ride(30),
    "ticket-to-ride-end": ticket_to_ride(),
}


if __name__ == "__main__":
    for name, drawing in pictures().items():
        HERE.joinpath(name).write_text(drawing, "utf-8")
