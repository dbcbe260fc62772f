"""The `headway` command: every way in from a shell.

Exit codes: 0 all is well, 2 something that was handed in is wrong (with a sentence on stderr),
130 interrupted by Ctrl-C (`serve` is meant to be ended so: 0).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from headway import __version__, record
from headway.bots.registry import each_bot, shipped_bots_of
from headway.errors import HeadwayError, Unreadable
from headway.files import read_text, write_whole
from headway.games import boxes, find
from headway.games.contract import Box, Outcome
from headway.i18n import say
from headway.settings import language
from headway.svg import pdf, png

WRONG = 2

app = typer.Typer(
    help=say("cli.about"),
    epilog="\b\n" + say("cli.examples"),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

RecordFiles = Annotated[list[Path], typer.Argument(help=say("cli.files"), metavar="FILE…")]
Lang = Annotated[Literal["en", "fr"] | None, typer.Option(help=say("cli.lang"))]


_MODULES = ", ".join(dict.fromkeys(o.replace("_", "-") for box in boxes() for o in box.options))

_BOTS = ", ".join(dict.fromkeys(name for box in boxes() for name in shipped_bots_of(box.name)))


def main() -> None:
    """Runs the command; every failure that is the user's business ends as a sentence.

    Wrong arguments (2) and Ctrl-C (130) are typer's business.
    """
    try:
        app()
    except HeadwayError as error:
        _complain(error.explain())
        sys.exit(WRONG)


def _complain(sentence: str) -> None:
    typer.echo(sentence, err=True)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"headway {__version__}")
        raise typer.Exit


@app.callback()
def headway(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help=say("cli.version"))
    ] = False,
) -> None:
    """Options of the command itself; its help is in the catalogue."""


@app.command(help=say("cli.replay"), epilog=say("cli.replay_example"))
def replay(
    files: RecordFiles,
    json: Annotated[bool, typer.Option("--json", help=say("cli.json"))] = False,
    lang: Lang = None,
) -> None:
    wrong = 0
    for file in _progress(files, lang):
        try:
            result = record.replay(record.load(file))
        except HeadwayError as error:
            _complain(say("cli.error", lang, file=file, sentence=error.explain(lang)))
            wrong += 1
            continue
        if json:
            typer.echo(msgspec.json.encode(result.report()).decode())
        else:
            _print_result(file, result, lang)
    raise typer.Exit(WRONG if wrong else 0)


def _progress(files: list[Path], lang: str | None) -> Any:
    """The files, with a progress bar where there are many and somebody is watching."""
    if len(files) < 20 or not sys.stderr.isatty():
        return files
    from rich.console import Console
    from rich.progress import track

    return track(files, say("cli.progress", lang), console=Console(stderr=True), transient=True)


def _print_result(file: Path, result: record.Replay, lang: str | None) -> None:
    typer.echo(f"{file}  {result.game.title(lang)}")
    if note := result.game.note(lang):
        typer.echo(note)
    _print_table(result.game.score_table(result.state, lang))
    typer.echo(_ending(result.outcome, lang) + "\n")


def _ending(outcome: Outcome, lang: str | None) -> str:
    if len(outcome.totals) == 1:
        return say(outcome.reason, lang)
    seats = ", ".join(map(str, outcome.winners))
    return say("cli.winners", lang, seats=seats, reason=say(outcome.reason, lang))


def _print_table(rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        typer.echo("  ".join(cells).rstrip())


@app.command(help=say("cli.verify"), epilog=say("cli.verify_example"))
def verify(files: RecordFiles, lang: Lang = None) -> None:
    wrong = 0
    for file in files:
        try:
            result = record.verify(record.load(file))
        except HeadwayError as error:
            _complain(say("cli.error", lang, file=file, sentence=error.explain(lang)))
            wrong += 1
            continue
        promise = result.record.fair
        assert promise
        kept = say("fair.kept", lang, commitment=promise.commitment)
        typer.echo(say("cli.error", lang, file=file, sentence=kept))
    raise typer.Exit(WRONG if wrong else 0)


@app.command(help=say("cli.draw"), epilog=say("cli.draw_example"))
def draw(
    file: Annotated[Path, typer.Argument(help=say("cli.record"), metavar="RECORD")],
    output: Annotated[Path, typer.Option("--output", "-o", help=say("cli.output"))],
    seat: Annotated[int, typer.Option(help=say("cli.seat"))] = 0,
    theme: Annotated[
        Literal["light", "dark", "auto"], typer.Option(help=say("cli.theme"))
    ] = "auto",
    width: Annotated[int, typer.Option(min=16, max=8192, help=say("cli.width"))] = 1280,
    lang: Lang = None,
) -> None:
    if output.suffix not in (".svg", ".png"):
        raise Unreadable("cli.wrong_ending", file=output)
    result = record.replay(record.load(file))
    if seat not in range(result.game.seats):
        raise Unreadable("turn.no_seat", seat=seat, seats=result.game.seats)
    picture = result.svg(seat, theme=theme, lang=lang)
    content = png(picture, width) if output.suffix == ".png" else picture.encode()
    write_whole(output, content)


@app.command(help=say("cli.play"), epilog=say("cli.play_example"))
def play(
    word: Annotated[str, typer.Argument(help=say("cli.word"), metavar="MAP")] = "london",
    tty: Annotated[bool, typer.Option("--tty", help=say("cli.tty"))] = True,
    people: Annotated[int, typer.Option(min=1, help=say("cli.people"))] = 1,
    bots: Annotated[str, typer.Option(help=say("cli.bots", known=_BOTS))] = "",
    names: Annotated[str, typer.Option(help=say("cli.names"))] = "",
    seed: Annotated[int | None, typer.Option(help=say("cli.seed"))] = None,
    save: Annotated[Path | None, typer.Option(help=say("cli.save"))] = None,
    modules: Annotated[str, typer.Option("--with", help=say("cli.with", known=_MODULES))] = "",
    lang: Lang = None,
) -> None:
    from headway import terminal

    box, name = find(word)
    opponents = _names(bots)
    opponents += [box.opponent] * (box.seats.start - people - len(opponents))
    options = {module.replace("-", "_"): True for module in _names(modules)}
    game = box.open(name, people + len(opponents), options)
    terminal.play(
        game,
        people=people,
        bots=opponents,
        names=_names(names),
        seed=seed,
        save=save,
        lang=lang,
    )


@app.command(help=say("cli.bots_list"), epilog=say("cli.bots_list_example"))
def bots(lang: Lang = None) -> None:
    for box in boxes():
        typer.echo(box.name)
        for name, told, level in each_bot(box.name, lang):
            head = say(
                "cli.bot_level" if level else "cli.bot_other", lang, bot=name, **told._asdict()
            )
            typer.echo(head)


arena_app = typer.Typer(help=say("cli.arena"), epilog="\b\n" + say("cli.arena_examples"))
app.add_typer(arena_app, name="arena")

JsonOut = Annotated[bool, typer.Option("--json", help=say("cli.arena_json"))]
Plot = Annotated[Path | None, typer.Option(help=say("cli.arena_plot"), metavar="FILE.svg")]


@arena_app.callback(invoke_without_command=True)
def arena(
    context: typer.Context,
    word: Annotated[str, typer.Option("--map", help=say("cli.word"))] = "london",
    bots: Annotated[str, typer.Option(help=say("cli.arena_bots"))] = "",
    games: Annotated[int, typer.Option(min=1, help=say("cli.arena_games"))] = 100,
    seats: Annotated[int, typer.Option(min=0, help=say("cli.arena_seats"))] = 0,
    modules: Annotated[str, typer.Option("--with", help=say("cli.with", known=_MODULES))] = "",
    seed: Annotated[int, typer.Option(min=0, help=say("cli.arena_seed"))] = 0,
    cores: Annotated[int, typer.Option(min=0, help=say("cli.arena_cores"))] = 0,
    file: Annotated[
        Path | None, typer.Option("--output", "-o", help=say("cli.arena_file"), metavar="FILE")
    ] = None,
    cluster: Annotated[bool, typer.Option("--cluster", help=say("cli.arena_cluster"))] = False,
    luck: Annotated[bool, typer.Option("--luck", help=say("cli.arena_luck"))] = False,
    json: JsonOut = False,
    plot: Plot = None,
    lang: Lang = None,
) -> None:
    if context.invoked_subcommand:
        return
    from headway.arena.command import hold

    options = [module.replace("-", "_") for module in _names(modules)]
    hold(
        word=word, bots=_names(bots), games=games, seats=seats, options=options, seed=seed,
        cores=cores, file=file, cluster=cluster, luck=luck, json=json, plot=plot, lang=lang,
    )  # fmt: skip


@arena_app.command("report", help=say("cli.arena_report"), epilog=say("cli.arena_report_example"))
def arena_report(
    file: Annotated[Path, typer.Argument(help=say("cli.arena_results"), metavar="FILE")],
    json: JsonOut = False,
    plot: Plot = None,
    lang: Lang = None,
) -> None:
    from headway.arena.command import tell
    from headway.arena.results import load

    tell(*load(file), json=json, plot=plot, lang=lang)


@app.command(help=say("cli.train"), epilog="\b\n" + say("cli.train_examples"))
def train(
    word: Annotated[str, typer.Option("--map", help=say("cli.train_map"))] = "london",
    modules: Annotated[bool, typer.Option("--modules", help=say("cli.train_modules"))] = False,
    learn: Annotated[int, typer.Option(min=0, help=say("cli.train_learn"))] = 2_000_000,
    study: Annotated[int, typer.Option(min=0, help=say("cli.train_study"))] = 100_000,
    width: Annotated[int, typer.Option(min=8, max=512, help=say("cli.train_width"))] = 128,
    seed: Annotated[int, typer.Option(min=0, help=say("cli.train_seed"))] = 1,
    cores: Annotated[int, typer.Option(min=0, help=say("cli.arena_cores"))] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help=say("cli.train_file"), metavar="FILE")
    ] = None,
) -> None:
    from headway.bots.nextstation.training.training import Course
    from headway.train import train as run

    path = run(word, Course(learn, study, modules, seed, cores, width), output)
    typer.echo(say("train.done", file=path))


bot_app = typer.Typer(no_args_is_help=True, help=say("cli.bot_group"))
app.add_typer(bot_app, name="bot")


@bot_app.callback()
def bot() -> None:
    """A group, although it has one command only."""


@bot_app.command("connect", help=say("cli.connect"), epilog=say("cli.connect_example"))
def bot_connect(
    url: Annotated[str, typer.Argument(help=say("cli.connect_url"), metavar="URL")],
    token: Annotated[str, typer.Option(help=say("cli.connect_token"), envvar="HEADWAY_TOKEN")],
    bot: Annotated[str, typer.Option(help=say("cli.connect_bot"))],
    table: Annotated[str, typer.Option(help=say("cli.connect_table"))] = "",
    lang: Lang = None,
) -> None:
    from headway import bot_client

    def tell(key: str, **values: object) -> None:
        _complain(say(key, lang, **values))

    end = bot_client.play(url, token, bot, table, tell)
    typer.echo(say("connect.over", lang, totals=", ".join(map(str, end.outcome["totals"]))))


@app.command(help=say("cli.bench"), epilog=say("cli.bench_example"))
def bench(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help=say("cli.bench_output"))
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help=say("cli.bench_quick"))] = False,
    server: Annotated[bool, typer.Option("--server", help=say("cli.bench_server"))] = False,
    page: Annotated[bool, typer.Option("--page", help=say("cli.bench_page"))] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help=say("cli.bench_hidden"))] = False,
) -> None:
    from headway import bench as figures

    figures.run(quick=quick, output=output, server=server, page=page, hidden=hidden)


@app.command(help=say("cli.serve"), epilog=say("cli.serve_example"))
def serve(
    host: Annotated[str, typer.Option(help=say("cli.serve_host"))] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=say("cli.serve_port"))] = 8000,
    database: Annotated[str | None, typer.Option(help=say("cli.serve_database"))] = None,
    channels: Annotated[str | None, typer.Option(help=say("cli.serve_channels"))] = None,
    open_page: Annotated[bool, typer.Option("--open", help=say("cli.serve_open"))] = False,
) -> None:
    from headway import server, settings
    from headway.server.app import serve as run

    try:
        chosen = settings.server(database=database, channels=channels)
    except settings.NoNumber as error:
        variable, value = error.args
        raise Unreadable("cli.serve_number", variable=variable, value=value) from None
    typer.echo(say("cli.serve_at", url=server.page_address(host, port)))
    if open_page:
        server.open_when_ready(host, port)
    run(chosen, host, port)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _map_commands(box: Box) -> typer.Typer:
    """The commands for the maps of one game: `headway city check`, `headway city show`."""
    group = typer.Typer(no_args_is_help=True, help=say("cli.map_group", game=box.name))

    @group.command(help=say("cli.check"), epilog=say("cli.check_example", word=box.map_word))
    def check(
        files: Annotated[list[Path], typer.Argument(help=say("cli.map_files"), metavar="FILE…")],
        lang: Lang = None,
    ) -> None:
        wrong = False
        for file in files:
            problems = box.check_map(read_text(file))
            for problem in problems:
                sentence = problem.sentence(lang)
                _complain(say("cli.problem", lang, file=file, line=problem.line, sentence=sentence))
            wrong |= bool(problems)
            if not problems:
                typer.echo(say("cli.good", lang, file=file))
                typer.echo("\n".join(box.map_facts(str(file), lang)[1:]))
        raise typer.Exit(WRONG if wrong else 0)

    @group.command(
        help=say("cli.show"),
        epilog=say("cli.show_example", word=box.map_word, map=box.default_map),
    )
    def show(
        name: Annotated[str, typer.Argument(help=say("cli.word"), metavar="MAP")],
        lang: Lang = None,
    ) -> None:
        typer.echo("\n".join(box.map_facts(name, lang)))

    if box.on_paper:
        group.command(
            "print",
            help=say("cli.print"),
            epilog=say("cli.print_example", word=box.map_word, map=box.default_map),
        )(_print_command(box))
    return group


def _print_command(box: Box) -> Callable[..., None]:
    """The command that prints the empty sheet of a map."""

    def print_sheet(
        name: Annotated[str, typer.Argument(help=say("cli.word"), metavar="MAP")],
        output: Annotated[Path, typer.Option("--output", "-o", help=say("cli.print_output"))],
        modules: Annotated[str, typer.Option("--with", help=say("cli.with", known=_MODULES))] = "",
        lang: Lang = None,
    ) -> None:
        if output.suffix not in (".svg", ".pdf"):
            raise Unreadable("cli.print_ending", file=output)
        options = {module.replace("-", "_"): True for module in _names(modules)}
        game = box.open(name, box.seats.start, options)
        lang_now = lang or language()
        page = game.blank_sheet(lang_now)
        is_pdf = output.suffix == ".pdf"
        write_whole(output, pdf(page, game.title(lang_now), lang_now) if is_pdf else page.encode())

    return print_sheet


for _box in boxes():
    app.add_typer(_map_commands(_box), name=_box.map_word)
