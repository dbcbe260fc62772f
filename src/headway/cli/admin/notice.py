"""`headway admin notice`: a line on every page."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from headway.cli.admin.acts import Json, moment, operate, tell_done, tell_json, until
from headway.cli.options import Database
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

MOST_CHARACTERS = 300
group = Commands(no_args_is_help=True, help=say("cli.admin_notice"))


@group.command("set", help=say("cli.admin_notice_set"), epilog=say("cli.admin_notice_set_ex"))
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
    from sqlalchemy import Connection

    from headway.server.admin import acts, notices

    line, end = " ".join(text.split()), until(span)
    if not 0 < len(line) <= MOST_CHARACTERS:
        raise InputError("admin.notice_long", most=MOST_CHARACTERS)

    def work(connection: Connection) -> None:
        notices.put_up(connection, line, end)
        acts.note(connection, "announce.set", "", text=line, until=end)

    operate(database, lambda operator: operator.write(work))
    tell_done(as_json, say("admin.notice_set", until=moment(end)), text=line, until=end)


@group.command("show", help=say("cli.admin_notice_show"), epilog=say("cli.admin_notice_show_ex"))
def show(as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin import notices

    found = operate(database, lambda operator: operator.read(notices.last))
    if as_json:
        tell_json(found if found.until > time.time() else None)
    elif found.until > time.time():
        typer.echo(f"{found.text}  ({say('admin.until', until=moment(found.until))})")
    else:
        typer.echo(say("admin.none"))


@group.command("clear", help=say("cli.admin_notice_clear"), epilog=say("cli.admin_notice_clear_ex"))
def clear(as_json: Json = False, database: Database = None) -> None:
    from sqlalchemy import Connection

    from headway.server.admin import acts, notices

    def work(connection: Connection) -> None:
        notices.put_up(connection, "", 0.0)
        acts.note(connection, "announce.clear", "")

    operate(database, lambda operator: operator.write(work))
    tell_done(as_json, say("admin.notice_cleared"), text="")
