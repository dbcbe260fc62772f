"""A pseudo-language: every text of the catalogue in brackets and a third longer.

What a page or a help text shows without brackets is not in the catalogue, and what does not fit is
too narrow for a language with longer words.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from headway.i18n import SOURCE, texts

LANG = "en-XA"
"""Unicode's own code for a pseudo-language made from English."""
OPEN, CLOSE = "⟦", "⟧"
_FIELD = re.compile(r"(\{\{|\}\}|\{(?:[^{}]|\{\w+\})*\})")


def pseudo(text: str) -> str:
    """Returns a text in brackets, its words a third longer, its `{names}` as they are."""
    parts = _FIELD.split(text)
    longer = [part if _FIELD.fullmatch(part) else _longer(part) for part in parts]
    return f"{OPEN}{''.join(longer)}{CLOSE}"


def _longer(text: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda word: word[0] + word[0][-1] * -(-len(word[0]) // 3), text)


def write(folder: Path) -> None:
    """Writes the texts of the pseudo-language into a folder for `HEADWAY_TEXTS_DIR`."""
    lines = []
    for key, text in texts(SOURCE).items():
        name = ".".join(json.dumps(part) for part in key.split("."))
        lines.append(f"{name} = {json.dumps(pseudo(text), ensure_ascii=False)}\n")
    (folder / f"{LANG}.toml").write_text("".join(lines), "utf-8")


def bare(text: str) -> str:
    """Returns what stands outside of all brackets."""
    depth, outside = 0, ""
    for sign in text:
        depth += (sign == OPEN) - (sign == CLOSE)
        outside += sign if depth == 0 and sign != CLOSE else ""
    return outside
