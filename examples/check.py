"""Runs the examples with tiny budgets and lets mlcroissant validate a data set: `make examples`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BUDGETS = {
    "ppo.py": ["--steps", "2048", "--games", "16"],
    "maskable_ppo.py": ["--steps", "1024", "--games", "8", "--deals", "4"],
    "openspiel_ismcts.py": ["--simulations", "2"],
}


def say(text: str) -> None:
    """Prints a line at once."""
    print(text, flush=True)  # noqa: T201


def run_examples() -> None:
    """Runs every example; each must end well and print its last figures."""
    for name, words in BUDGETS.items():
        command = [sys.executable, str(HERE / name), *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode or not done.stdout.strip():
            sys.exit(f"{name} failed:\n{done.stderr}")
        say(f"{name}: {done.stdout.splitlines()[-1]}")


def validate_croissant(folder: Path) -> None:
    """Makes a data set, validates its description, and reads its games through it."""
    import mlcroissant

    words = ["--bots", "random", "--games", "5", "--month", "2026-11", "-o", str(folder)]
    command = [sys.executable, "-m", "headway", "data", "make", *words]
    subprocess.run(command, check=True, capture_output=True)
    data = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))  # raises if it is not valid
    games = list(data.records(record_set="next-station-2026-11"))
    if len(games) != 5:
        sys.exit(f"croissant.json describes {len(games)} games, not 5")
    say("croissant.json: valid, 5 games")


def main() -> None:
    """Checks everything; ends with the first thing that fails."""
    run_examples()
    with tempfile.TemporaryDirectory() as scratch:
        validate_croissant(Path(scratch) / "games")


if __name__ == "__main__":
    main()
