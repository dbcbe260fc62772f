"""The rules for players, and what luck and skill mean: pages of the documentation, as HTML.

The pages are `docs/rules/*.md` with their pictures: in a checkout they are read from there, an
installed package carries them (see `hatch_build.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from headway.games import boxes
from headway.i18n import languages
from headway.server.core.errors import not_found


class Heading(msgspec.Struct, frozen=True):
    """A heading of the rules; `anchor` is its id in their HTML, the same in every language."""

    level: int
    anchor: str
    title: str


class Rules(msgspec.Struct, frozen=True):
    """A page for players: our own words and pictures, as HTML without scripts."""

    title: str
    headings: list[Heading]
    html: str


_INSTALLED = Path(__file__).parents[2] / "docs"
DOCS = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[4] / "docs"
PICTURES = "/api/rules/pictures/"
LUCK = "luck"
"""The page on luck and skill, which belongs to no game."""


@cache
def rules(name: str, lang: str) -> Rules:
    """Returns the rules of a game, or the page on luck: title, headings, and the text as HTML."""
    if name not in {LUCK, *(box.name for box in boxes())} or lang not in languages():
        raise not_found()
    english = DOCS / "rules" / f"{name}.md"
    page = DOCS / "rules" / f"{name}.{lang}.md"
    if not page.is_file():
        page = english
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    topics = re.findall(r"^##+ (.*)$", english.read_text("utf-8"), re.MULTILINE)
    tokens = markdown.parse(page.read_text("utf-8"))
    title, body = _title(tokens)
    starts = [i for i, token in enumerate(body) if token.type == "heading_open"]
    headings = [_anchored(topic, *body[i : i + 2]) for topic, i in zip(topics, starts, strict=True)]
    for token in body:
        token.children = _inside(token.children or []) if token.type == "inline" else None
    return Rules(title, headings, markdown.renderer.render(body, markdown.options, {}))


@cache
def picture(name: str) -> str:
    """Returns a picture of the rules, by its file's name."""
    if name not in {file.name for file in (DOCS / "pictures").glob("*.svg")}:
        raise not_found()
    return (DOCS / "pictures" / name).read_text("utf-8")


def _title(tokens: list[Token]) -> tuple[str, list[Token]]:
    """Returns the title and the text, without the link to the page in another language."""
    end = next(i for i, token in enumerate(tokens) if token.type == "heading_close")
    rest = tokens[end + 1 :]
    if rest[1].content.startswith("*["):
        rest = rest[3:]
    return tokens[1].content, rest


def _anchored(topic: str, opening: Token, words: Token) -> Heading:
    """Returns a heading; its anchor is made of its English text, the topic."""
    anchor = "rule-" + re.sub(r"[^a-z0-9]+", "-", topic.lower()).strip("-")
    opening.attrSet("id", anchor)
    return Heading(int(opening.tag[1]), anchor, words.content)


def _inside(parts: Sequence[Token]) -> list[Token]:
    """Returns the words and pictures of a paragraph.

    Links to other pages of the documentation lead nowhere here, so only their words stay.
    """
    for part in parts:
        if part.type == "image":
            _placed(part)
    return [part for part in parts if part.type not in ("link_open", "link_close")]


def _placed(image: Token) -> None:
    """Makes a picture load when it comes into view, with its space reserved."""
    name = Path(str(image.attrs["src"])).name
    size = re.search(r'width="(\d+)" height="(\d+)"', picture(name))
    assert size
    image.attrs |= {"src": PICTURES + name, "width": size[1], "height": size[2], "loading": "lazy"}
