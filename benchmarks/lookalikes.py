"""Makes the look-alikes of names that the server carries from Unicode's list.

python -m benchmarks.lookalikes confusables.txt > src/headway/server/people/lookalikes.txt
"""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

_LINE = re.compile(r"^([0-9A-F]+)\s*;\s*([0-9A-F ]+?)\s*;\s*MA\b", re.M)


def compact(confusables: str) -> str:
    """Returns the lines of `lookalikes.txt` for Unicode's `confusables.txt`.

    Characters that names cannot contain are left out: those that NFKC or NFD replaces, and
    those that are not visible.
    """
    version = re.search(r"Version: (\S+)", confusables)
    lines = [f"# Unicode {version[1] if version else '?'}, confusables.txt: prototype: look-alikes"]
    by_prototype: dict[str, list[str]] = {}
    for code, prototype in _LINE.findall(confusables):
        char = chr(int(code, 16))
        stable = char == unicodedata.normalize("NFKC", char) == unicodedata.normalize("NFD", char)
        if stable and unicodedata.category(char)[0] in "LMNPS":
            by_prototype.setdefault(prototype, []).append(code)
    lines += [f"{prototype}:{' '.join(sources)}" for prototype, sources in by_prototype.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(compact(Path(sys.argv[1]).read_text("utf-8-sig")))
