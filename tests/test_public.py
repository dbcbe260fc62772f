"""The names that users of the library may rely on; a change here is a change for them."""

from __future__ import annotations

import subprocess
import sys

import headway

PUBLIC = [
    "CHANCE",
    "Appraisal",
    "Bot",
    "Budget",
    "Game",
    "HeadwayError",
    "InputError",
    "NotYourTurn",
    "Outcome",
    "Record",
    "Replay",
    "ReplayResult",
    "Review",
    "RuleBroken",
    "Searcher",
    "State",
    "Table",
    "View",
    "bots_of",
    "boxes",
    "explain",
    "find_bot",
    "load",
    "make_bot",
    "play_out",
    "read",
    "replay",
    "replay_many",
    "review",
    "verify",
]


def test_public_names_are_pinned() -> None:
    assert headway.__all__ == PUBLIC
    assert all(getattr(headway, name).__doc__ or name == "CHANCE" for name in PUBLIC)


def test_import_loads_nothing_heavy() -> None:
    program = (
        "import headway, sys; table = headway.Table('london', seed=1); table.legal(0); "
        "sys.exit(','.join({'numba', 'rich', 'typer', 'resvg_py'} & set(sys.modules)) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
