"""No two files or folders have names that differ in case alone.

macOS and Windows take such names for one. An import leaves the ending of a module out, so
`settings.svelte.ts` beside `Settings.svelte` is the same trap.
"""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
LEFT_OUT_BY_IMPORTS = (".ts", ".js", ".py")


def clashes(paths: Iterable[str]) -> list[list[str]]:
    """Returns the groups of paths that are one where case does not count, folders included."""
    groups: dict[str, set[PurePosixPath]] = defaultdict(set)
    entries = {part for path in map(PurePosixPath, paths) for part in (path, *path.parents)}
    for entry in entries:
        groups[str(entry).casefold()].add(entry)
        if entry.suffix in LEFT_OUT_BY_IMPORTS:
            groups[str(entry.with_suffix("")).casefold()].add(entry)
    return [
        sorted(map(str, group))
        for group in groups.values()
        if len({spelling(entry) for entry in group}) > 1
    ]


def spelling(entry: PurePosixPath) -> str:
    """The path as imports write it."""
    return str(entry.with_suffix("") if entry.suffix in LEFT_OUT_BY_IMPORTS else entry)


def test_the_search_finds_files_modules_and_folders() -> None:
    assert clashes(["a/Note.md", "a/note.md"]) == [["a/Note.md", "a/note.md"]]
    assert clashes(["Game/a.py", "game/b.py"]) == [["Game", "game"]]
    assert clashes(["a/Plot.svelte", "a/plot.svelte.ts"]) == [["a/Plot.svelte", "a/plot.svelte.ts"]]
    assert clashes(["a/Plot.svelte", "a/plot.ts", "b/plot.ts", "a/plot.test.ts"]) == []


def test_no_two_names_differ_in_case_alone() -> None:
    listed = subprocess.check_output(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True
    )
    assert "client/src/App.svelte" in listed.splitlines()
    assert clashes(listed.splitlines()) == []
