"""What the command and the first table of a process load; `make bench` measures the time."""

from __future__ import annotations

import subprocess
import sys


def loaded(program: str) -> set[str]:
    """The modules that a Python program has loaded at its end."""
    end = "\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", program + end]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(ended.stderr.split())


def test_help_loads_no_rules() -> None:
    """Neither numpy nor a game: only the boxes, which say what a game is called."""
    modules = loaded(
        "import contextlib, sys\nfrom headway.cli.app import main\n"
        "sys.argv = ['headway', '--help']\n"
        "with contextlib.suppress(SystemExit):\n    main()"
    )
    assert "headway.games.nextstation" in modules
    rules = {name for name in modules if name.endswith((".game", ".rules", ".presentation"))}
    assert not rules
    assert not modules & {"numpy", "numba", "headway.server", "headway.bots.nextstation.levels"}


def test_a_table_loads_its_own_game_only() -> None:
    modules = loaded("import headway\nheadway.Table('london')")
    assert "headway.games.nextstation.game" in modules
    drawing = {"headway.games.nextstation.presentation.sheet_svg", "resvg_py"}
    assert not modules & {"headway.games.tickettoride.game", "numba", *drawing}
