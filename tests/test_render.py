"""PNG files of SVG drawings: size, typeface, themes."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from headway import svg


def picture(*body: str, theme: svg.Theme = "light", description: str = "B") -> str:
    palette = svg.Palette(theme)
    return svg.document(200, 100, *body, palette=palette, title="A", description=description)


def _size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def test_png_has_the_width_asked_for() -> None:
    assert _size(svg.png(picture(), 360)) == (360, 180)


def _written(text: str) -> bytes:
    return svg.png(picture(svg.label(text, 10, 60, 40, fill="#000000")), 200)


def test_png_sets_text_in_the_shipped_typeface() -> None:
    empty = _written("")
    seen = [_written(letter) for letter in "aAéœÇ8?ō…·"]
    # A missing letter would be drawn as nothing, or as the same box as another missing one.
    assert empty not in seen
    assert len(set(seen)) == len(seen)


def test_png_has_two_weights() -> None:
    bold = svg.label("a", 10, 60, 40, fill="#000000", font_weight=svg.BOLD)
    assert svg.png(picture(bold), 200) != _written("a")


def test_png_of_auto_is_light() -> None:
    light, dark, auto = (svg.png(picture(theme=t), 100) for t in ("light", "dark", "auto"))
    assert auto == light != dark


@pytest.mark.parametrize(("text", "skipped"), [("Zoé – 12…", True), ("東京", False)])
def test_fonts_of_the_machine_only_for_other_scripts(
    text: str, skipped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def stand_in(**options: Any) -> bytes:
        asked.update(options)
        return b""

    monkeypatch.setattr("resvg_py.svg_to_bytes", stand_in)
    svg.png(picture(svg.label(text, 0, 0, 10), description="⬠ ○"), 100)
    assert asked["skip_system_fonts"] is skipped
    assert len(asked["font_files"]) == 2
