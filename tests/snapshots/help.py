"""Prints `--help` of every command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from headway.cli.app import command


def helps(name: str, part: Any) -> Iterator[str]:
    """The help of a command, then of the commands below it."""
    context = part.make_context(name, [], resilient_parsing=True, max_content_width=100)
    yield f"$ {name} --help\n{part.get_help(context)}\n"
    for word, inner in sorted(getattr(part, "commands", {}).items()):
        yield from helps(f"{name} {word}", inner)


sys.stdout.write("\n".join(helps("headway", command())))
