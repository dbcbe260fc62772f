"""Renders SVG drawings as PNG and PDF files, with the typeface of the package."""

from __future__ import annotations

import re
from contextlib import ExitStack
from importlib.resources import as_file, files

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
    folder = files("headway") / "fonts"
    return [str(stack.enter_context(as_file(folder / name))) for name in FONT_FILES]


def _in_typeface(svg: str) -> bool:
    """Whether all drawn text is Latin, punctuation included."""
    return all(c < "\u0180" or "\u2010" <= c <= "\u203a" for c in "".join(_TEXT.findall(svg)))
