"""The `headway` command, also as `python -m headway`."""

import os
import signal
import sys
from collections.abc import Sequence
from itertools import pairwise, takewhile

INTERRUPTED = 130


def main() -> None:
    """Loads the command and runs it; Ctrl-C while it loads exits silently."""
    # Exit instead of raising KeyboardInterrupt: some imported modules would catch it.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    # Headway multiplies no matrices, and numpy's threads for that cost time at every start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _read_early(sys.argv[1:])
    from headway.cli.app import main as run

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _read_early(words: Sequence[str]) -> None:
    """Obeys `--config` and `--lang` in this process and in those that it starts.

    Both must be known before texts are loaded: errors are told in that language.
    """
    given = list(takewhile(lambda word: word != "--", words))
    options = [(*word.partition("=")[::2], after) for word, after in pairwise([*given, ""])]
    for name, value, following in options:
        if name == "--config" and (file := value or following):
            os.environ["HEADWAY_CONFIG"] = file
    from headway.i18n import languages

    for name, value, following in options:
        if name == "--lang" and (chosen := value or following) in languages():
            os.environ["HEADWAY_LANG"] = chosen


if __name__ == "__main__":
    main()
