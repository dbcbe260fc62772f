"""The `headway` command, also as `python -m headway`."""

import os
import signal

INTERRUPTED = 130


def main() -> None:
    """Loads the command and runs it; Ctrl-C while it loads exits silently."""
    # Exit instead of raising KeyboardInterrupt: some imported modules would catch it.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    # Headway multiplies no matrices, and numpy's threads for that cost time at every start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from headway.cli.app import main as run

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
