"""`python -m benchmarks`: measures rules and bots, or what is asked for; prints a table."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.figure import CannotMeasureError, Measure
from benchmarks.run import run

INTERRUPTED = 130
FAULTS = (
    "makes three network namespaces, a bridge (10.213.77.0/24) and a small disk in memory, and "
    "kills processes in them for up to an hour. All of it is removed at the end."
)


def arguments() -> argparse.ArgumentParser:
    """Returns what the command understands; its help says what each option measures."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description="Measures the speed of rules and bots on this machine, or what is asked for.",
        epilog="Example: python -m benchmarks --output figures.json --history history.jsonl",
    )
    kinds = parser.add_argument_group("measurements")
    for name, what in (
        ("server", "500 tables of four on one server, and its limit"),
        ("lobby", "a thousand people in the lobby of one server"),
        ("attacks", "how long an honest player waits while others attack a server"),
        ("page", "the page in a browser: first visit, sections drawn, moves confirmed"),
        ("faults", "a cluster that is broken 200 times while people play; needs root"),
        ("envs", "the environments for research, and 10,000 games of masks; needs `research`"),
        ("review", "how long reviews take, the mean luck of bots, what each level loses"),
        ("accounts", "what reviews of Ticket to Ride say of all pairs of levels"),
        ("hidden", "what hidden cards are worth: experts that see them, best scores of deals"),
    ):
        kinds.add_argument(f"--{name}", action="store_true", help=what)
    for names, what in (
        (("--output", "-o"), "write the figures to this file, as JSON"),
        (("--history",), "add the figures to this file, a line each, and say what got worse"),
        (
            ("--games",),
            "with --review or --accounts: a file that keeps every reviewed game and is continued",
        ),
    ):
        parser.add_argument(*names, type=Path, metavar="FILE", help=what)
    parser.add_argument("--quick", action="store_true", help="a short run, less precise")
    parser.add_argument("--yes", action="store_true", help="with --faults: begin without asking")
    return parser


def measures(asked: argparse.Namespace) -> list[Measure]:
    """Returns the measurements that are asked for; their modules are loaded for them alone."""
    found: list[Measure] = []
    if asked.server:
        from benchmarks import server_capacity, server_load

        found += [partial(module.figures, asked.quick) for module in (server_load, server_capacity)]
    if asked.lobby:
        from benchmarks import lobby

        found.append(partial(lobby.figures, asked.quick))
    if asked.attacks:
        from benchmarks import attacks

        found += attacks.measures(asked.quick)
    if asked.page:
        from benchmarks import page

        found.append(partial(page.figures, asked.quick))
    if asked.faults:
        from benchmarks.faults import measure

        found.append(partial(measure.figures, asked.quick))
    if asked.hidden:
        from benchmarks import hidden_cards, perfect_information

        found += [*hidden_cards.measures(asked.quick), *perfect_information.measures(asked.quick)]
    if asked.review:
        from benchmarks import reviews

        found += reviews.measures(asked.quick, asked.games)
    if asked.accounts:
        from benchmarks import accounts

        found.append(partial(accounts.figures, asked.quick, asked.games))
    if asked.envs:
        from benchmarks import environments

        found += environments.measures(asked.quick)
    return found or _of_rules(asked.quick)


def _of_rules(quick: bool) -> list[Measure]:
    from benchmarks import rules, web

    return [*rules.measures(10 if quick else 1), web.figures]


def main(words: Sequence[str] | None = None) -> None:
    """Runs the command; raises `SystemExit` with its code."""
    # As the command `headway` does: some imported modules would catch KeyboardInterrupt, and
    # numpy's threads cost time at every start.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser = arguments()
    asked = parser.parse_args(words)
    if asked.faults and not asked.yes:
        _ask_first(parser)
    try:
        found = measures(asked)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        run(found, quick=asked.quick, output=asked.output, history=asked.history)
    except CannotMeasureError as error:
        parser.exit(2, f"{error}\n")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _ask_first(parser: argparse.ArgumentParser) -> None:
    """Ends the command unless somebody at a terminal agrees to what `--faults` does."""
    if not sys.stdin.isatty():
        parser.exit(2, f"--faults {FAULTS} Nobody is at a terminal to agree. Add --yes.\n")
    sys.stderr.write(f"This {FAULTS} Go on? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        parser.exit(0, "Nothing was done.\n")


if __name__ == "__main__":
    main()
