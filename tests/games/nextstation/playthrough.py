"""Writes a whole game of each city as a text to read, event by event.

    python -m games.nextstation.playthrough     (in the folder tests)

The files lie in `tests/playthroughs`. A change of the rules shows there as a difference that
people can read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

import msgspec

from headway import dealer
from headway.games.contract import CHANCE
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.state import NextStationState
from headway.games.nextstation.view import LineView

FOLDER = Path(__file__).parents[2] / "playthroughs"
GAMES = {
    "next-station-london": ("london", 2, {"objectives": True, "powers": True}, 1863),
    "next-station-tokyo": ("tokyo", 1, {"objectives": True, "special_stations": True}, 1927),
}


def playthrough(name: str) -> str:
    """The whole game as text."""
    city, seats, options, seed = GAMES[name]
    game = NextStation(city, seats, options)
    return "\n".join(lines(game, seed)) + "\n"


def lines(game: NextStation, seed: int) -> Iterator[str]:
    modules = ", ".join(option for option, on in game.options.items() if on)
    yield f"{game.title('en')}, seats: {game.seats}, modules: {modules}, seed {seed}"
    if game.note("en"):
        yield game.note("en")
    state = game.start()
    while not state.finished():
        if CHANCE in state.actors():
            yield from dealt(game, state, seed)
        else:
            yield from turn(game, state, seed)
    outcome = state.outcome()
    assert outcome
    yield f"the end: totals {outcome.totals}, winners {outcome.winners}, {outcome.reason}"


def dealt(game: NextStation, state: NextStationState, seed: int) -> Iterator[str]:
    move = dealer.deal(seed, state)
    name, outcomes = state.chance_name(), len(state.chance())
    text = game.notation.chance_text(state, move)
    state.apply(CHANCE, move)
    yield ""
    yield f"{text} ({name}, one of {outcomes})"


def turn(game: NextStation, state: NextStationState, seed: int) -> Iterator[str]:
    view = state.view(CHANCE)
    switch = " with the switch" if view.switch else ""
    yield f"round {view.round}, turn {view.turn}: {view.card}{switch}"
    yield f"  controller {view.controller}, cards left: {' '.join(view.cards_left)}"
    if view.special:
        yield f"  special: {' '.join(view.special[-1])}"
    for seat in sorted(state.actors()):
        line = state.view(seat).sheets[seat].lines[view.round - 1]
        power = view.powers.get(line.colour, "")
        spent = " (spent)" if view.sheets[seat].power_spent else ""
        yield f"  seat {seat}, {line.colour} {power}{spent}".rstrip()
        yield from drawn(line)
        legal = state.legal(seat)
        yield f"    legal ({len(legal)}, bare sections {game.records.legal_count(state, seat)}):"
        yield from listed([game.move_text(move) for move in legal])
        name = f"playthrough {view.round}.{view.turn}.{seat}"
        move = legal[dealer.below(seed, name, len(legal))]
        state.apply(seat, move)
        yield f"    plays {game.move_text(move)}"
    if state.view(CHANCE).turn == 0:  # a round is over
        yield ""
        yield from scores(game, state)


def listed(moves: list[str]) -> Iterator[str]:
    """Moves in lines of a fair length, none of them broken."""
    words = ", ".join(move.replace(" ", "_") for move in moves)
    for row in wrap(words, 96):
        yield "      " + row.replace("_", " ")


def drawn(line: LineView) -> Iterator[str]:
    circles = [f"*{station}" for station in line.circled]
    yield f"    line: {' '.join([*line.sections, *circles]) or '-'}"


def scores(game: NextStation, state: NextStationState) -> Iterator[str]:
    for seat, score in enumerate(state.scores()):
        text = msgspec.json.encode(game.records.score_json(game, score)).decode()
        yield f"score of seat {seat}: {text}"


def write() -> None:
    """Writes all playthroughs."""
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), "utf-8")


if __name__ == "__main__":
    write()
