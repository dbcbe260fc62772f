"""The command `headway`, run on a server's database."""

from __future__ import annotations

import os
import re
from subprocess import CompletedProcess

from server.services import Backing
from support.preloaded import run

WRONG = 2


def headway(backing: Backing, *words: object, **variables: object) -> CompletedProcess[str]:
    env = os.environ | {name: str(value) for name, value in variables.items()}
    return run(*words, "--database", backing.database, env=env)


def done(result: CompletedProcess[str]) -> CompletedProcess[str]:
    assert (result.returncode, sentences(result)) == (0, []), result
    return result


def sentences(result: CompletedProcess[str]) -> list[str]:
    """What a command said besides its progress."""
    progress = re.compile(r"(Copying|Restoring|Replaying tables|Removing guests): \d+( of \d+)?")
    return [line for line in result.stderr.splitlines() if not progress.fullmatch(line)]


def refused(result: CompletedProcess[str], *words: str) -> None:
    """A command that ended with one sentence, in which these words are."""
    assert result.returncode == WRONG, result
    assert len(sentences(result)) == 1, result.stderr
    assert all(word in result.stderr for word in words), result.stderr
