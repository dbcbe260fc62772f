"""`headway admin invitations`: links that let people in."""

from __future__ import annotations

from typing import Annotated

import typer

from headway.cli.admin.acts import Json, moment, operate, tell_done, tell_json, tell_table, until
from headway.cli.options import Database, N, server_settings
from headway.cli.usage import Commands
from headway.i18n import say

group = Commands(no_args_is_help=True, help=say("cli.admin_invitations"))
PATH = "/invitation#"
"""The code is where no proxy writes it down: browsers send nothing behind the sign."""


@group.command("make", help=say("cli.admin_invite"), epilog=say("cli.admin_invite_ex"))
def make(
    span: Annotated[
        str, typer.Option("--for", help=say("cli.admin_invite_for"), metavar=say("metavar.span"))
    ] = "7d",
    uses: Annotated[int, typer.Option(min=1, help=say("cli.admin_uses"), metavar=N)] = 1,
    about: Annotated[
        str, typer.Option("--note", help=say("cli.admin_invite_note"), metavar=say("metavar.text"))
    ] = "",
    as_json: Json = False,
    database: Database = None,
) -> None:
    from sqlalchemy import Connection

    from headway.server.admin import acts
    from headway.server.people import invitations

    end = until(span)

    def work(connection: Connection) -> tuple[str, str]:
        made = invitations.make(connection, about[:80], end, uses)
        acts.note(connection, "invitation.make", made[0], note=about[:80], until=end, uses=uses)
        return made

    invitation_id, code = operate(database, lambda operator: operator.write(work))
    settings = server_settings(database=database)
    link = (settings.origin or f"http://{settings.host}:{settings.port}") + PATH + code
    if as_json:
        tell_json({"id": invitation_id, "code": code, "link": link, "until": end})
    else:
        typer.echo(say("admin.invitation", id=invitation_id, until=moment(end), n=uses))
        typer.echo(link)


@group.command("list", help=say("cli.admin_invites"), epilog=say("cli.admin_invites_ex"))
def list_invitations(as_json: Json = False, database: Database = None) -> None:
    from headway.server.people import invitations

    found = operate(database, lambda operator: operator.read(invitations.all_of_them))
    if as_json:
        tell_json(found)
        return
    rows = [[i.id, i.note, moment(i.made), moment(i.until), str(i.uses_left)] for i in found]
    tell_table(("id", "note", "created", "until", "uses"), rows)


@group.command("revoke", help=say("cli.admin_revoke"), epilog=say("cli.admin_revoke_ex"))
def revoke(
    invitation: Annotated[
        str, typer.Argument(help=say("cli.admin_invitation"), metavar=say("metavar.invitation"))
    ],
    as_json: Json = False,
    database: Database = None,
) -> None:
    from sqlalchemy import Connection

    from headway.server.admin import acts
    from headway.server.people import invitations

    def work(connection: Connection) -> None:
        invitations.revoke(connection, invitation)
        acts.note(connection, "invitation.revoke", invitation)

    operate(database, lambda operator: operator.write(work))
    tell_done(as_json, say("admin.revoked", id=invitation), id=invitation)
