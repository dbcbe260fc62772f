"""What does not change while the server runs: games, maps, texts, rules."""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec

from headway import __version__
from headway.bots.registry import bots_of, character, levels_of, solo_points
from headway.games import boxes
from headway.games.box import Box
from headway.games.choices import Choice
from headway.i18n import languages, texts
from headway.server.content import rulebook
from headway.server.core.errors import not_found
from headway.server.tables.clocks import CLOCK_FIELDS
from headway.server.tables.setup import box_with_map
from headway.server.tables.view import bot_title, game_title, notes_of, title_of

SHELL_SECTIONS = (
    "admin.",
    "agent.",
    "backup.",
    "broken.",
    "call.",
    "cli.",
    "config.",
    "data.",
    "doctor.",
    "env.",
    "fair.",
    "format.",
    "health.",
    "metavar.",
    "print.",
    "server.",
    "setting.",
    "sheet.",
    "train.",
    "usage.",
    "arena.",
    "connect.",
    "terminal.",
    "map.",
    "city.",
    "board.",
    "notation.",
    "preview.",
)
"""Sections that no page looks up: commands say them, or the server in whole sentences."""


class MapHead(msgspec.Struct, frozen=True):
    """A map on the shelf, with what a host may choose by the number of seats.

    `solo_points` is what bots score alone on it, as far as measured.
    """

    name: str
    title: dict[str, str]
    note: dict[str, str]
    choices: dict[str, list[Choice]]
    solo_points: dict[str, int]


class SeatRange(msgspec.Struct, frozen=True):
    """The least and the most players."""

    min: int
    max: int


class BotHead(msgspec.Struct, frozen=True):
    """A bot on the shelf: its name and character by language, and whether it is a level."""

    name: str
    title: dict[str, str]
    what: dict[str, str]
    level: bool


class GameHead(msgspec.Struct, frozen=True):
    """A game on the shelf with everything that can be chosen.

    `bots` are levels, the weakest first, then others; `opponent` is the one to offer. A
    game `on_paper` can be printed, and written down from its sheets.
    """

    name: str
    title: dict[str, str]
    maps: list[MapHead]
    seats: SeatRange
    options: list[str]
    never_together: list[tuple[str, str]]
    bots: list[BotHead]
    opponent: str
    clocks: list[str]
    on_paper: bool


class Shelf(msgspec.Struct, frozen=True):
    """All games that can be played here, and Headway's version."""

    games: list[GameHead]
    version: str


class Document(msgspec.Struct, frozen=True):
    """An answer that is made once: its JSON and its tag."""

    body: bytes
    etag: str


def _document(content: object) -> Document:
    body = msgspec.json.encode(content)
    return Document(body, f'W/"{hashlib.sha256(body).hexdigest()[:20]}"')


@cache
def shelf() -> Document:
    """Returns all games."""
    return _document(Shelf([_game_head(game_box) for game_box in boxes()], __version__))


def _game_head(game_box: Box) -> GameHead:
    maps = []
    for name in game_box.maps:
        game = game_box.open(name, game_box.seats.start)
        choices = {str(n): list(game_box.open(name, n).choices()) for n in game_box.seats}
        points = solo_points(game_box.name, name)
        maps.append(MapHead(name, title_of(game), notes_of(game), choices, points))
    return GameHead(
        name=game_box.name,
        title=game_title(game_box),
        maps=maps,
        seats=SeatRange(game_box.seats.start, game_box.seats[-1]),
        options=list(game_box.options),
        never_together=list(game_box.never_together),
        bots=_bot_heads(game_box.name),
        opponent=game_box.opponent,
        clocks=list(CLOCK_FIELDS),
        on_paper=game_box.on_paper,
    )


def _bot_heads(game: str) -> list[BotHead]:
    levels, heads = levels_of(game), []
    for name, bot in bots_of(game).items():
        sentences = {lang: character(bot, game, lang).what for lang in languages()}
        heads.append(BotHead(name, bot_title(name, game), sentences, name in levels))
    return heads


@cache
def map_data(game: str, map_name: str) -> Document:
    """Returns a map as data for drawing."""
    game_box = box_with_map(game, map_name)
    return _document(game_box.open(map_name, game_box.seats.start).map_data())


@cache
def client_texts(lang: str) -> Document:
    """Returns the catalogue of a language, as far as clients show it."""
    if lang not in languages():
        raise not_found()
    names = {f"web.languages.{code}": texts(code)["language.name"] for code in languages()}
    shown = {k: t for k, t in texts(lang).items() if not k.startswith(SHELL_SECTIONS)}
    return _document(shown | names)


@cache
def rules(game: str, lang: str) -> Document:
    """Returns the rules of a game for players, or the page on luck."""
    return _document(rulebook.rules(game, lang))
