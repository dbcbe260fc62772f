"""`headway admin tables`: the tables of a server."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import typer

from headway.cli.admin.acts import (
    Json,
    Most,
    Yes,
    confirm,
    moment,
    operate,
    tell_done,
    tell_facts,
    tell_json,
    tell_table,
)
from headway.cli.options import Database
from headway.cli.usage import Commands
from headway.i18n import say

group = Commands(no_args_is_help=True, help=say("cli.admin_tables"))

TableArgument = Annotated[
    str, typer.Argument(help=say("cli.admin_table"), metavar=say("metavar.table"))
]
_COLUMNS = "id", "state", "map", "seats", "events", "created", "changed"


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

    asked = partial(tables, phase=phase or "", most=most)
    found = operate(database, lambda operator: operator.read(asked))
    if as_json:
        tell_json(found)
        return
    rows = [
        [
            one.id,
            say(f"admin.phase.{one.phase}"),
            f"{one.game} {one.map}",
            ", ".join(one.seats),
            str(one.events),
            moment(one.created),
            moment(one.changed),
        ]
        for one in found
    ]
    tell_table(_COLUMNS, rows)


@group.command("show", help=say("cli.admin_tables_show"), epilog=say("cli.admin_tables_show_ex"))
def show(table: TableArgument, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin import tables

    found = operate(database, lambda o: o.read(partial(tables.table, table_id=table)))
    if as_json:
        tell_json(found)
        return
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
    tell_facts(facts)


@group.command("end", help=say("cli.admin_end"), epilog=say("cli.admin_end_ex"))
def end(
    table: TableArgument, yes: Yes = False, as_json: Json = False, database: Database = None
) -> None:
    from headway.server.admin import operator, tables

    async def work(opened: operator.Operator) -> None:
        await opened.read(partial(tables.table, table_id=table))
        confirm(yes, say("admin.end_sure", table=table))
        await tables.end(opened, table)

    operate(database, work)
    tell_done(as_json, say("admin.table_ended", table=table), id=table)


@group.command(
    "delete", help=say("cli.admin_table_delete"), epilog=say("cli.admin_table_delete_ex")
)
def delete(
    table: TableArgument, yes: Yes = False, as_json: Json = False, database: Database = None
) -> None:
    from headway.server.admin import operator, tables

    async def work(opened: operator.Operator) -> None:
        await opened.read(partial(tables.table, table_id=table))
        confirm(yes, say("admin.table_delete_sure", table=table))
        await tables.remove(opened, table)

    operate(database, work)
    tell_done(as_json, say("admin.table_deleted", table=table), id=table)
