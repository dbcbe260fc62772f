"""SVG primitives: elements, rounded lines, themes and colours by name.

This module knows no game. A drawing gets its colours from a `Palette`, writes elements with
`element` and `label`, rounds its lines with `rounded_path` and ends with `document`. `png` and
`pdf` make files of the result, with the typeface of the package.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args

from headway.errors import InputError

Point = tuple[float, float]
Theme = Literal["light", "dark", "auto"]
Attribute = str | float | None
Drawn = Mapping[str, str | float]
"""Attributes of an element that several drawings share."""

FONT_STACK = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
MEDIUM, BOLD = 500, 700

PALETTE = tomllib.loads(Path(__file__).with_name("palette.toml").read_text("utf-8"))
Colours = Mapping[str, str]


def colours(section: str) -> tuple[Colours, Colours]:
    """Returns the colours of a section of `palette.toml`: of the light theme, of the dark one."""
    pairs: Mapping[str, tuple[str, str]] = PALETTE[section]
    light, dark = ({name: pair[theme] for name, pair in pairs.items()} for theme in (0, 1))
    return light, dark


LIGHT, DARK = colours("pictures")


@dataclass(frozen=True)
class Palette:
    """Colours by name for one theme: `palette("ink")`.

    With the theme "auto" a colour is a CSS variable that follows the reader's setting, with the
    light value as fallback. A drawing may add names.
    """

    theme: Theme = "light"
    light: Colours = field(default_factory=lambda: LIGHT)
    dark: Colours = field(default_factory=lambda: DARK)

    def __post_init__(self) -> None:
        known = get_args(Theme)
        if self.theme not in known:
            raise InputError("format.theme", theme=self.theme, known=", ".join(known))

    def __call__(self, name: str) -> str:
        """Returns a colour as the value of an SVG attribute."""
        if self.theme == "auto":
            return f"var(--headway-{name}, {self.light[name]})"
        return (self.dark if self.theme == "dark" else self.light)[name]

    def __contains__(self, name: str) -> bool:
        return name in self.light

    def style(self) -> str:
        """Returns the `<style>` of an "auto" drawing; empty for the fixed themes."""
        if self.theme != "auto":
            return ""
        rules = f".headway{{{_variables(self.light)}color-scheme:light dark}}"
        night = f"@media (prefers-color-scheme:dark){{.headway{{{_variables(self.dark)}}}}}"
        return f"<style>{rules}{night}</style>"


def _variables(colours: Colours) -> str:
    return "".join(f"--headway-{name}:{value};" for name, value in colours.items())


def number(value: float) -> str:
    """Formats a number with at most two decimals: `3`, `0.5`, `-7.25`."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


_NOT_XML = "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that XML forbids. Compiled when text is first drawn: 4 ms that no table needs."""


def escape(text: str) -> str:
    """Escapes text for an element or an attribute; drops characters that XML forbids."""
    clean = re.sub(_NOT_XML, "", text)
    for mark, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        clean = clean.replace(mark, entity)
    return clean


def element(name: str, /, *children: str, **attributes: Attribute) -> str:
    """Returns an element around markup: `element("path", d=way, stroke_width=2)`.

    Underscores become hyphens, a trailing one (`class_`) is removed, and None omits the attribute.
    Attribute values are escaped; children are markup (see `escape` and `label`).
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(children)}</{name}>"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)


def label(text: str, x: float, y: float, size: float, **attributes: Attribute) -> str:
    """Returns a line of text with its baseline at (x, y)."""
    return element("text", escape(text), x=x, y=y, font_size=size, **attributes)


def fitting(text: str, size: float, width: float, letter: float = 0.56) -> float:
    """Returns a size at which a line fits a width; `letter` is a letter's width by its height."""
    return min(size, width / (letter * max(1, len(text))))


def rectangle(x: float, y: float, width: float, height: float, **attributes: Attribute) -> str:
    """Returns a rectangle with its left upper corner at (x, y)."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def polyline(points: Sequence[Point], *, closed: bool = False) -> str:
    """Returns path data of straight lines through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


def moved(x: float, y: float) -> str:
    """Returns a transform to a position."""
    return f"translate({number(x)} {number(y)})"


def document(
    width: float,
    height: float,
    *body: str,
    palette: Palette,
    title: str,
    description: str,
    size: tuple[str, str] | None = None,
) -> str:
    """Returns a whole SVG file: title and description, paper, and the body.

    `size` is the printed size: width and height with units.
    """
    heading = element("title", escape(title)) + element("desc", escape(description))
    paper = element("rect", width=width, height=height, fill=palette("paper"))
    return element(
        "svg",
        heading,
        palette.style(),
        paper,
        *body,
        xmlns="http://www.w3.org/2000/svg",
        class_="headway",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=size[0] if size else width,
        height=size[1] if size else height,
        role="img",
        font_family=FONT_STACK,
        font_weight=str(MEDIUM),
    )


def rounded_path(
    points: Sequence[Point], radius: float, *, shift: float = 0.0, closed: bool = False
) -> str:
    """Returns path data of a polyline with rounded corners.

    `shift` moves the path to the right of its direction (negative: to the left), including corners,
    so that paths with different shifts are parallel.
    """
    points = [p for p, q in pairwise(points) if p != q] + [points[-1]]
    if closed:
        # Start in the middle of a side, so that every corner of the ring is an ordinary bend.
        middle = ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2)
        points = [middle, *points, middle]
    ways = [_heading(p, q) for p, q in pairwise(points)]
    drawn = ["M" + _at(points[0], ways[0], 0, shift)]
    last = len(ways) - 1
    for i, corner in enumerate(points[1:-1]):
        before = math.dist(points[i], corner) * (1 if i == 0 else 0.5)
        after = math.dist(corner, points[i + 2]) * (1 if i + 1 == last else 0.5)
        drawn.append(_bend(corner, ways[i], ways[i + 1], radius, min(before, after), shift))
    drawn.append("Z" if closed else "L" + _at(points[-1], ways[-1], 0, shift))
    return "".join(drawn)


def _heading(p: Point, q: Point) -> Point:
    length = math.dist(p, q)
    return (q[0] - p[0]) / length, (q[1] - p[1]) / length


def _at(p: Point, way: Point, along: float, shift: float) -> str:
    x = p[0] + way[0] * along - way[1] * shift
    y = p[1] + way[1] * along + way[0] * shift
    return f"{number(x)} {number(y)}"


def _bend(
    corner: Point, into: Point, out: Point, radius: float, longest_leg: float, shift: float
) -> str:
    """Returns the line up to a corner and the arc around it.

    The arc uses at most `longest_leg` of each leg.
    """
    turn = math.atan2(into[0] * out[1] - into[1] * out[0], into[0] * out[0] + into[1] * out[1])
    slope = math.tan(abs(turn) / 2)
    if slope < 1e-6:
        return ""
    leg = min(radius * slope, longest_leg)
    bend = max(leg / slope - math.copysign(1, turn) * shift, 0.0)
    start, end = _at(corner, into, -leg, shift), _at(corner, out, leg, shift)
    return f"L{start}A{number(bend)} {number(bend)} 0 0 {int(turn > 0)} {end}"


# PNG and PDF files


FONT_FILES = ("Inter-Medium.ttf", "Inter-Bold.ttf")

_VARIABLE = re.compile(r"var\(--headway-[a-z0-9-]+, ([^)]*)\)")
_TEXT = re.compile(r"<text\b[^>]*>([^<]*)")
_DESCRIPTION = re.compile(r"<(title|desc)\b[^>]*>[^<]*</\1>")


def png(svg: str, width: int) -> bytes:
    """Returns the drawing as a PNG of this width in pixels; an "auto" drawing becomes light.

    Text is set in the typeface of the package, so the picture is the same on every machine. The
    machine's fonts are read only for text with letters that the typeface lacks.
    """
    # Imported here, because most uses of this module's callers render nothing.
    from resvg_py import svg_to_bytes

    with ExitStack() as stack:
        fonts = _fonts(stack)
        return svg_to_bytes(
            svg_string=_VARIABLE.sub(r"\1", svg),
            width=width,
            font_files=fonts,
            skip_system_fonts=_in_typeface(svg),
            font_family="Inter",
            sans_serif_family="Inter",
        )


def pdf(svg: str, title: str, lang: str) -> bytes:
    """Returns an A4 drawing as a PDF of one page, with lines as lines and text as text.

    The file contains the parts of the package's typeface that it needs.
    """
    from fpdf import FPDF
    from fpdf.svg import SVGObject

    drawing = SVGObject(_DESCRIPTION.sub("", _VARIABLE.sub(r"\1", svg)))
    across = (drawing.width or 0) > (drawing.height or 0)
    page = FPDF(orientation="landscape" if across else "portrait", format="A4")
    page.set_auto_page_break(False)
    page.set_margin(0)
    with ExitStack() as stack:
        for file, style in zip(_fonts(stack), ("", "B"), strict=True):
            page.add_font("Inter", style, file)
    page.set_title(title)
    page.set_lang(lang)
    page.add_page()
    page.set_font("Inter")
    drawing.draw_to_page(page, 0, 0)
    return bytes(page.output())


def _fonts(stack: ExitStack) -> list[str]:
    """Returns the paths of the font files, which exist until the stack closes."""
    from importlib.resources import as_file, files  # slow to load, and few pictures become PNG

    folder = files("headway") / "fonts"
    return [str(stack.enter_context(as_file(folder / name))) for name in FONT_FILES]


def _in_typeface(svg: str) -> bool:
    """Whether all drawn text is Latin, punctuation included."""
    return all(c < "\u0180" or "\u2010" <= c <= "\u203a" for c in "".join(_TEXT.findall(svg)))
