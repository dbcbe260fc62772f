"""Prints `--help` of every command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from headway.cli.app import app


def helps(name: str, command: Any) -> Iterator[str]:
    """The help of a command, then of the commands below it."""
    context = command.make_context(name, [], resilient_parsing=True, max_content_width=100)
    yield f"$ {name} --help\n{command.get_help(context)}\n"
    for part, inner in sorted(getattr(command, "commands", {}).items()):
        yield from helps(f"{name} {part}", inner)


sys.stdout.write("\n".join(helps("headway", get_command(app))))
