"""What does not change while the server runs: games, maps, texts, rules."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache, lru_cache

import msgspec

from headway import __version__
from headway.bots.registry import bots_of, character, levels_of
from headway.games import box, boxes
from headway.games.contract import Box
from headway.i18n import languages, texts
from headway.server.content import rulebook
from headway.server.errors import Refused
from headway.server.table.view import title_of, titles
from headway.svg import pdf


class MapHead(msgspec.Struct, frozen=True):
    """A map on the shelf."""

    name: str
    title: dict[str, str]
    note: dict[str, str]


class SeatRange(msgspec.Struct, frozen=True):
    """How few and how many can play."""

    min: int
    max: int


class BotHead(msgspec.Struct, frozen=True):
    """A bot on the shelf: what it is called and how it plays, by language; a level or not."""

    name: str
    title: dict[str, str]
    what: dict[str, str]
    level: bool


class GameHead(msgspec.Struct, frozen=True):
    """A game on the shelf with all that can be chosen.

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


FOR_SHELLS = (
    "cli.",
    "arena.",
    "connect.",
    "bench.",
    "terminal.",
    "map.",
    "city.",
    "board.",
    "notation.",
)
"""Sections of the catalogue that no client in a browser shows."""
CLOCKS = ["none", "turn", "bank", "days"]


class Packed(msgspec.Struct, frozen=True):
    """An answer that is made once: its JSON, plain and squeezed, and its tag."""

    body: bytes
    squeezed: bytes
    etag: str


def _pack(content: object) -> Packed:
    body = msgspec.json.encode(content)
    squeezed = gzip.compress(body, 9, mtime=0)
    return Packed(body, squeezed, f'W/"{hashlib.sha256(body).hexdigest()[:20]}"')


@cache
def shelf() -> Packed:
    """All games."""
    return _pack(Shelf([_game(found) for found in boxes()], __version__))


def _game(found: Box) -> GameHead:
    maps = []
    for name in found.maps:
        game = found.open(name, found.seats.start)
        notes = {lang: game.note(lang) for lang in languages()}
        maps.append(MapHead(name, title_of(game), notes))
    return GameHead(
        name=found.name,
        title=_shared([head.title for head in maps]),
        maps=maps,
        seats=SeatRange(found.seats.start, found.seats[-1]),
        options=list(found.options),
        never_together=list(found.never_together),
        bots=_bots(found.name),
        opponent=found.opponent,
        clocks=CLOCKS,
        on_paper=found.on_paper,
    )


def _bots(game: str) -> list[BotHead]:
    levels, heads = levels_of(game), []
    for name, bot in bots_of(game).items():
        told = {lang: character(bot, game, lang) for lang in languages()}
        titles = {lang: each.title for lang, each in told.items()}
        sentences = {lang: each.what for lang, each in told.items()}
        heads.append(BotHead(name, titles, sentences, name in levels))
    return heads


def _shared(titles: list[dict[str, str]]) -> dict[str, str]:
    """What the titles of a game's maps have before the colon: the game's own name."""
    return {lang: titles[0][lang].partition(":")[0].strip() for lang in languages()}


@cache
def map_data(game: str, map: str) -> Packed:
    """A map as data for drawing."""
    found = next((b for b in boxes() if b.name == game), None)
    if found is None or map not in found.maps:
        raise Refused(404, "server.not_found")
    return _pack(box(game).open(map, found.seats.start).map_data())


@lru_cache(maxsize=64)
def blank_sheet(game: str, map: str, options: tuple[str, ...], lang: str) -> str:
    """The empty sheet of a map as SVG."""
    found = next((b for b in boxes() if b.name == game), None)
    if found is None or map not in found.maps or not found.on_paper:
        raise Refused(404, "server.not_found")
    chosen = found.open(map, found.seats.start, dict.fromkeys(options, True))
    return chosen.blank_sheet(lang)


@lru_cache(maxsize=64)
def blank_sheet_pdf(game: str, map: str, options: tuple[str, ...], lang: str) -> bytes:
    """The empty sheet of a map as PDF."""
    drawing = blank_sheet(game, map, options, lang)
    return pdf(drawing, titles(game, map, box(game).seats.start)[lang], lang)


@cache
def client_texts(lang: str) -> Packed:
    """The catalogue of a language, as far as clients show it."""
    if lang not in languages():
        raise Refused(404, "server.not_found")
    names = {f"web.languages.{code}": texts(code)["language.name"] for code in languages()}
    shown = {k: t for k, t in texts(lang).items() if not k.startswith(FOR_SHELLS)}
    return _pack(shown | names)


@cache
def rules(game: str, lang: str) -> Packed:
    """The rules of a game for players."""
    return _pack(rulebook.rules(game, lang))
