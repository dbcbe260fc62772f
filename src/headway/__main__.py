"""The `headway` command, also as `python -m headway`."""

import os
import signal
import sys
from collections.abc import Sequence
from itertools import pairwise

INTERRUPTED = 130


def main() -> None:
    """Loads the command and runs it; Ctrl-C while it loads exits silently."""
    # Exit instead of raising KeyboardInterrupt: some imported modules would catch it.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    # Headway multiplies no matrices, and numpy's threads for that cost time at every start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _speak(sys.argv[1:])
    from headway.cli.app import main as run

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _speak(words: Sequence[str]) -> None:
    """Makes `--lang` the language of this process, before texts are loaded: of errors too."""
    from headway.i18n import languages

    for word, following in pairwise([*words, ""]):
        if word == "--":
            return
        name, _, value = word.partition("=")
        if name == "--lang" and (chosen := value or following) in languages():
            os.environ["HEADWAY_LANG"] = chosen


if __name__ == "__main__":
    main()
