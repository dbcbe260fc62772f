"""Writes all snapshots again; `git diff` then shows what has changed for users."""

from __future__ import annotations

from snapshots import FOLDER, SNAPSHOTS

for name, text in SNAPSHOTS.items():
    (FOLDER / name).write_text(text(), "utf-8")
