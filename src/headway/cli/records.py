"""`headway play`, and commands for records: `replay`, `review`, `verify`, `draw`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, get_args

import msgspec
import typer

from headway import record
from headway.cli.options import (
    FILE,
    SVG,
    WRONG,
    Choose,
    MapName,
    Modules,
    N,
    Opponents,
    RecordFiles,
    chosen,
    complain,
    names,
    options,
)
from headway.cli.usage import Commands
from headway.errors import HeadwayError, InputError
from headway.files import read_text, write_whole
from headway.games import find
from headway.i18n import plain, say
from headway.svg import Theme, png

if TYPE_CHECKING:
    from headway.progress import Show
    from headway.reviews import Review

commands = Commands()
Result = TypeVar("Result")
_NOT_THE_RECORD = ("format.no_file", "turn.no_seat")
"""Errors of a command on a record whose id says nothing about the record."""


@commands.command(help=say("cli.replay"), epilog=say("cli.replay_example"))
def replay(
    files: RecordFiles,
    json: Annotated[bool, typer.Option("--json", help=say("cli.json"))] = False,
) -> None:
    for file, result in _from_records(_progress(files), record.replay):
        if json:
            typer.echo(plain(msgspec.json.encode(result.report()).decode()))
        else:
            _print_result(file, result)


def _from_records(
    files: Iterable[Path], work: Callable[[record.Record], Result]
) -> Iterator[tuple[Path, Result]]:
    """Yields each record with what a work makes of it; ends with `Exit` if one is wrong."""
    wrong = False
    for file in files:
        result = _from_record(file, work)
        if result is None:
            wrong = True
        else:
            yield file, result
    if wrong:
        raise typer.Exit(WRONG)


def _from_record(file: Path, work: Callable[[record.Record], Result]) -> Result | None:
    """Returns what a work makes of a record; prints what is wrong with it, and in which line."""
    text = ""
    try:
        text = read_text(file)
        return work(record.read(text, file.parent))
    except HeadwayError as error:
        about_record = error.key not in _NOT_THE_RECORD
        sentence = error.explain() if about_record else error.message()
        line = record.line_of(text, error)
        key = "cli.problem" if line else "cli.error"
        complain(say(key, file=file, line=line, sentence=sentence))
        return None


def _progress(files: list[Path]) -> Iterable[Path]:
    """Returns the files, and shows the progress if there are many."""
    if len(files) < 20:
        return files
    from headway.progress import track

    return track(files, say("cli.progress"), len(files))


def _print_result(file: Path, result: record.Replay) -> None:
    typer.echo(plain(f"{file}  {result.game.title()}"))
    if note := result.game.note():
        typer.echo(plain(note))
    _print_table(result.game.presentation.score_table(result.state))
    typer.echo(_ending(result) + "\n")


def _ending(result: record.Replay) -> str:
    outcome = result.outcome
    if len(outcome.totals) == 1:
        return f"{say(outcome.reason)} {result.game.verdict_note()}".rstrip()
    seats = f" {say('terminal.and')} ".join(map(str, outcome.winners))
    number, reason = len(outcome.winners), say(outcome.reason)
    return say("cli.winners", n=number, seats=seats, reason=reason)


def _print_table(rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        typer.echo(plain("  ".join(cells).rstrip()))


@commands.command(help=say("cli.review"), epilog=say("cli.review_example"))
def review(
    files: RecordFiles,
    seat: Annotated[int | None, typer.Option(help=say("cli.review_seat"), metavar=N)] = None,
    budget: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help=say("cli.review_budget"), metavar=N)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help=say("cli.json"))] = False,
    plot: Annotated[Path | None, typer.Option(help=say("cli.review_plot"), metavar=SVG)] = None,
) -> None:
    from headway.progress import progress

    if plot and plot.suffix != ".svg":
        raise InputError("cli.no_svg", file=plot)
    wrong = 0
    with progress(say("review.progress"), len(files)) as show:
        for number, file in enumerate(files):
            work = partial(_reviewed, seat, budget, show, number)
            found = _from_record(file, work)
            if found is None:
                wrong += 1
            else:
                _print_review(file, *found, json=json, plot=None if number else plot)
    raise typer.Exit(WRONG if wrong else 0)


def _reviewed(
    seat: int | None, budget: int | None, show: Show, before: int, played: record.Record
) -> tuple[record.Record, Review]:
    """Returns a record and its review; shows how far it is, with the records `before`."""
    from headway.reviews import review

    def on_task(done: int, tasks: int) -> None:
        show(before + done / tasks)

    return played, review(played, seat=seat, budget=budget, progress=on_task)


def _print_review(
    file: Path, played: record.Record, found: Review, *, json: bool, plot: Path | None
) -> None:
    """Prints a review, as JSON or as text; draws its curve if asked."""
    from headway.reviews.presentation import lines, picture

    title = played.open().title()
    if json:
        typer.echo(plain(found.json().decode()))
    else:
        typer.echo(plain(f"{file}  {title}"))
        for line in lines(found, played.names):
            typer.echo(plain(line))
        typer.echo()
    if plot:
        write_whole(plot, picture(found, title, played.names or ()).encode())


@commands.command(help=say("cli.verify"), epilog=say("cli.verify_example"))
def verify(files: RecordFiles) -> None:
    for file, result in _from_records(files, record.verify):
        promise = result.record.fair
        assert promise
        kept = say("fair.kept", commitment=promise.commitment)
        typer.echo(say("cli.error", file=file, sentence=kept))


@commands.command(help=say("cli.draw"), epilog=say("cli.draw_example"))
def draw(
    file: Annotated[Path, typer.Argument(help=say("cli.record"), metavar=FILE)],
    output: Annotated[Path, typer.Option("--output", "-o", help=say("cli.output"), metavar=FILE)],
    seat: Annotated[int, typer.Option(help=say("cli.seat"), metavar=N)] = 0,
    theme: Annotated[
        Theme, typer.Option(help=say("cli.theme"), metavar="|".join(get_args(Theme)))
    ] = "auto",
    width: Annotated[int, typer.Option(min=16, max=8192, help=say("cli.width"), metavar=N)] = 1280,
) -> None:
    if output.suffix not in (".svg", ".png"):
        raise InputError("cli.wrong_ending", file=output)
    [(_, result)] = _from_records([file], record.replay)
    if seat not in range(result.game.seats):
        raise InputError("turn.no_seat", seat=seat, seats=result.game.seats)
    picture = result.svg(seat, theme=theme)
    content = png(picture, width) if output.suffix == ".png" else picture.encode()
    write_whole(output, content)


@commands.command(help=say("cli.play"), epilog=say("cli.play_example"))
def play(
    map_name: MapName = "london",
    people: Annotated[int, typer.Option(min=1, help=say("cli.people"), metavar=N)] = 1,
    bots: Opponents = "",
    people_names: Annotated[
        str, typer.Option("--names", help=say("cli.names"), metavar=say("metavar.names"))
    ] = "",
    seed: Annotated[int | None, typer.Option(help=say("cli.seed"), metavar=N)] = None,
    save: Annotated[Path | None, typer.Option(help=say("cli.save"), metavar=FILE)] = None,
    modules: Modules = "",
    choose: Choose = None,
) -> None:
    from headway.cli.session import play as play_in_terminal

    box, name = find(map_name)
    opponents = names(bots)
    opponents += [box.opponent] * (box.seats.start - people - len(opponents))
    game = box.open(name, people + len(opponents), options(modules))
    if choose:
        game = game.choose(chosen(game, choose))
    play_in_terminal(
        game,
        people=people,
        bots=opponents,
        names=names(people_names),
        seed=seed,
        save=save,
    )
