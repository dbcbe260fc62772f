"""`headway admin tables`, `notice`, `housekeeping`: tables, a line on every page, old data."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from headway.cli.admin.acts import (
    Columns,
    Json,
    Most,
    Yes,
    confirm,
    moment,
    operate,
    read,
    tell_done,
    tell_facts,
    tell_json,
    tell_rows,
    until,
    write,
)
from headway.cli.options import Database, server_settings
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from headway.server.admin.operator import Operator

group = Commands(no_args_is_help=True, help=say("cli.admin_tables"))
notice = Commands(no_args_is_help=True, help=say("cli.admin_notice"))
commands = Commands()

TableArgument = Annotated[
    str, typer.Argument(help=say("cli.admin_table"), metavar=say("metavar.table"))
]
MOST_CHARACTERS = 300
"""How long a notice may be."""


@group.command("list", help=say("cli.admin_tables_list"), epilog=say("cli.admin_tables_list_ex"))
def list_tables(
    phase: Annotated[
        Literal["waiting", "running", "finished", "ended"] | None,
        typer.Option(
            help=say("cli.admin_phase"),
            metavar="waiting|running|finished|ended",
        ),
    ] = None,
    most: Most = 50,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin.tables import tables

    columns: Columns = {
        "id": lambda one: one.id,
        "state": lambda one: say(f"admin.phase.{one.phase}"),
        "map": lambda one: f"{one.game} {one.map}",
        "seats": lambda one: ", ".join(one.seats),
        "events": lambda one: str(one.events),
        "created": lambda one: moment(one.created),
        "changed": lambda one: moment(one.changed),
    }
    tell_rows(read(database, partial(tables, phase=phase or "", most=most)), columns, as_json)


@group.command("show", help=say("cli.admin_tables_show"), epilog=say("cli.admin_tables_show_ex"))
def show_table(table: TableArgument, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin import tables

    found = read(database, partial(tables.table, table_id=table))
    facts = {
        "id": found.id,
        "state": say(f"admin.phase.{found.phase}"),
        "map": f"{found.game} {found.map}",
        "seats": ", ".join(found.seats),
        "people": ", ".join(found.guests) or "-",
        "events": str(found.events),
        "created": moment(found.created),
        "changed": moment(found.changed),
    }
    tell_facts(found, facts, as_json)


def _confirmed(
    database: str | None,
    table_id: str,
    act: Callable[[Operator, str], Awaitable[None]],
    confirm_it: Callable[[], None],
) -> None:
    """Does something about a table that exists, once the operator is sure."""
    from headway.server.admin.tables import table

    async def work(operator: Operator) -> None:
        await operator.read(partial(table, table_id=table_id))
        confirm_it()
        await act(operator, table_id)

    operate(database, work)


@group.command("end", help=say("cli.admin_end"), epilog=say("cli.admin_end_ex"))
def end(
    table: TableArgument, yes: Yes = False, as_json: Json = False, database: Database = None
) -> None:
    from headway.server.admin import tables

    sure = partial(confirm, yes, say("admin.end_sure", table=table))
    _confirmed(database, table, tables.end, sure)
    tell_done(as_json, say("admin.table_ended", table=table), id=table)


@group.command(
    "delete", help=say("cli.admin_table_delete"), epilog=say("cli.admin_table_delete_ex")
)
def delete_table(
    table: TableArgument, yes: Yes = False, as_json: Json = False, database: Database = None
) -> None:
    from headway.server.admin import tables

    sure = partial(confirm, yes, say("admin.table_delete_sure", table=table))
    _confirmed(database, table, tables.remove, sure)
    tell_done(as_json, say("admin.table_deleted", table=table), id=table)


# The notice


@notice.command("set", help=say("cli.admin_notice_set"), epilog=say("cli.admin_notice_set_ex"))
def put_up(
    text: Annotated[
        str, typer.Argument(help=say("cli.admin_notice_text"), metavar=say("metavar.text"))
    ],
    span: Annotated[
        str, typer.Option("--for", help=say("cli.admin_notice_for"), metavar=say("metavar.span"))
    ] = "1d",
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import acts

    line, end = " ".join(text.split()), until(span)
    if not 0 < len(line) <= MOST_CHARACTERS:
        raise InputError("admin.notice_long", most=MOST_CHARACTERS)

    def work(connection: Connection) -> None:
        acts.put_up_notice(connection, line, end)
        acts.note(connection, "announce.set", "", text=line, until=end)

    write(database, work)
    tell_done(as_json, say("admin.notice_set", until=moment(end)), text=line, until=end)


@notice.command("show", help=say("cli.admin_notice_show"), epilog=say("cli.admin_notice_show_ex"))
def show_notice(as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin.acts import last_notice

    found = read(database, last_notice)
    holds = found.until > time.time()
    if as_json:
        tell_json(found if holds else None)
    elif holds:
        typer.echo(f"{found.text}  ({say('admin.until', until=moment(found.until))})")
    else:
        typer.echo(say("admin.none"))


@notice.command(
    "clear", help=say("cli.admin_notice_clear"), epilog=say("cli.admin_notice_clear_ex")
)
def clear(as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin import acts

    def work(connection: Connection) -> None:
        acts.put_up_notice(connection, "", 0.0)
        acts.note(connection, "announce.clear", "")

    write(database, work)
    tell_done(as_json, say("admin.notice_cleared"), text="")


# Housekeeping


@commands.command(
    "housekeeping", help=say("cli.admin_housekeeping"), epilog=say("cli.admin_housekeeping_ex")
)
def housekeeping(
    dry_run: Annotated[bool, typer.Option("--dry-run", help=say("cli.admin_dry_run"))] = False,
    yes: Yes = False,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.progress import progress

    address = server_settings(database=database).database_url
    with progress(say("admin.cleaning")) as show:
        work = partial(_cleaned, address=address, dry_run=dry_run, yes=yes, show=show)
        told = operate(database, work)
    if as_json:
        tell_json(told)
        return
    typer.echo(say("admin.dry_waste" if dry_run else "admin.waste", **told))
    sizes = {name: f"{told[name]:.1f}" for name in ("before", "after") if name in told}
    typer.echo(say("admin.size" if dry_run else "admin.sizes", **sizes))


async def _cleaned(
    operator: Operator, address: str, dry_run: bool, yes: bool, show: Any
) -> dict[str, Any]:
    """Returns how much there was to remove, and the megabytes of the database."""
    from headway.server.admin.operator import remove, size, vacuum, waste

    found = await operator.read(partial(waste, now=time.time()))
    told: dict[str, Any] = {name: len(getattr(found, name)) for name in found.__struct_fields__}
    told["before"] = await size(operator, address)
    if not dry_run:
        confirm(yes, say("admin.waste_sure", **told))
        await remove(operator, found, show)
        await vacuum(operator, address)
        told["after"] = await size(operator, address)
    return told
