"""`headway admin reports`: remarks that players find an operator should see."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from headway.cli.admin.acts import (
    Json,
    Most,
    moment,
    operate,
    tell_done,
    tell_facts,
    tell_json,
    tell_table,
)
from headway.cli.options import Database, N
from headway.cli.usage import Commands
from headway.i18n import say

group = Commands(no_args_is_help=True, help=say("cli.admin_reports"))
Number = Annotated[int, typer.Argument(help=say("cli.admin_report"), metavar=N)]


@group.command("list", help=say("cli.admin_reports_list"), epilog=say("cli.admin_reports_list_ex"))
def list_reports(
    everything: Annotated[bool, typer.Option("--all", help=say("cli.admin_reports_all"))] = False,
    most: Most = 50,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin.reports import reports

    asked = partial(reports, handled=everything, most=most)
    found = operate(database, lambda operator: operator.read(asked))
    if as_json:
        tell_json(found)
        return
    rows = [
        [str(one.id), moment(one.at), one.table_id, one.name, one.text, moment(one.handled)]
        for one in found
    ]
    tell_table(("number", "at", "table", "writer", "text", "handled"), rows)


@group.command("show", help=say("cli.admin_reports_show"), epilog=say("cli.admin_reports_show_ex"))
def show(number: Number, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin.reports import report

    found = operate(database, lambda o: o.read(partial(report, number=number)))
    if as_json:
        tell_json(found)
        return
    facts = {
        "number": str(found.id),
        "at": moment(found.at),
        "reporter": found.guest,
        "table": found.table_id,
        "writer": f"{found.name} ({found.other})",
        "text": found.text,
        "said": moment(found.said),
        "handled": moment(found.handled),
    }
    tell_facts(facts)


@group.command(
    "handle", help=say("cli.admin_reports_handle"), epilog=say("cli.admin_reports_handle_ex")
)
def handle(
    number: Number,
    remove: Annotated[bool, typer.Option("--remove", help=say("cli.admin_reports_remove"))] = False,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import reports

    work = partial(reports.handle, number=number, remove=remove)
    operate(database, lambda operator: operator.write(work))
    sentence = say("admin.report_removed" if remove else "admin.report_handled", id=number)
    tell_done(as_json, sentence, id=number, removed=remove)
