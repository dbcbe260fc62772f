"""What the commands of operators share, and `headway admin log`: what operators did."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from headway.cli.options import Database, N, server_settings
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from headway.server.admin.operator import Operator

T = TypeVar("T")
Json = Annotated[bool, typer.Option("--json", help=say("cli.admin_json"))]
Yes = Annotated[bool, typer.Option("--yes", "-y", help=say("cli.admin_yes"))]
Most = Annotated[int, typer.Option(min=1, help=say("cli.admin_most"), metavar=N)]
Columns = Mapping[str, Callable[[Any], str]]
"""What the cell of each column shows of a row."""
_SPAN = re.compile(r"(\d{1,5})([mhdw])")
_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}

log = Commands()


@log.command("log", help=say("cli.admin_log"), epilog=say("cli.admin_log_example"))
def show_log(most: Most = 50, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin.acts import last_acts

    columns: Columns = {
        "number": lambda act: str(act.number),
        "at": lambda act: moment(act.at),
        "operator": lambda act: act.operator,
        "act": lambda act: act.act,
        "subject": lambda act: act.subject,
        "details": lambda act: _pairs(act.details),
    }
    tell_rows(read(database, partial(last_acts, most=most)), columns, as_json)


def _pairs(details: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in details.items() if value not in (None, ""))


def operate(database: str | None, work: Callable[[Operator], Awaitable[T]]) -> T:
    """Returns what the work does with a server's database."""
    import asyncio

    from headway.server.admin.operator import Operator

    async def at_database() -> T:
        async with Operator.at(server_settings(database=database).database_url) as operator:
            return await work(operator)

    return asyncio.run(at_database())


def read(database: str | None, work: Callable[[Connection], T]) -> T:
    """Returns what the work reads in a server's database."""
    return operate(database, lambda operator: operator.read(work))


def write(database: str | None, work: Callable[[Connection], T]) -> T:
    """Returns what the work returns, in one transaction."""
    return operate(database, lambda operator: operator.write(work))


def confirm(yes: bool, question: str) -> None:
    """Asks before something that cannot be undone; without a terminal, `--yes` has to be there."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError("admin.needs_yes")
    if not typer.confirm(question, err=True):
        raise typer.Abort


def tell_done(as_json: bool, sentence: str, **facts: Any) -> None:
    """Says what was done: a sentence, or its facts as JSON."""
    if as_json:
        tell_json(facts)
    else:
        typer.echo(sentence)


def tell_json(value: Any) -> None:
    """Prints a value as JSON in one line."""
    import msgspec

    typer.echo(msgspec.json.encode(value, enc_hook=str).decode())


def tell_rows(found: Sequence[Any], columns: Columns, as_json: bool) -> None:
    """Prints what was found as JSON, or in columns as wide as their longest cell."""
    if as_json:
        tell_json(found)
        return
    if not found:
        typer.echo(say("admin.none"))
        return
    titles = [say(f"admin.column.{column}") for column in columns]
    rows = [[cell(one) for cell in columns.values()] for one in found]
    widths = [max(map(len, cells)) for cells in zip(titles, *rows, strict=True)]
    for row in (titles, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def tell_facts(found: Any, facts: Mapping[str, str], as_json: bool) -> None:
    """Prints what was found as JSON, or the facts one below the other, each behind its name."""
    if as_json:
        tell_json(found)
        return
    names = [say(f"admin.column.{name}") for name in facts]
    width = max(map(len, names))
    for name, fact in zip(names, facts.values(), strict=True):
        typer.echo(f"{name.ljust(width)}  {fact}")


def moment(at: float | None) -> str:
    """Returns a time as operators read it, in UTC as in the log."""
    return "-" if not at else time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))


def until(span: str) -> float:
    """Returns the end of a span that begins now: `30m`, `12h`, `7d`, `2w`."""
    found = _SPAN.fullmatch(span.strip())
    if not found or not int(found[1]):
        raise InputError("admin.span", value=span)
    return time.time() + int(found[1]) * _SECONDS[found[2]]
