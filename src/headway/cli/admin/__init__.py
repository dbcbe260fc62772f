"""`headway admin`: what operators do about people, tables, notices, invitations and reports."""

from headway.cli.admin import people, tables
from headway.cli.admin.acts import log
from headway.cli.usage import Commands
from headway.i18n import say

group = Commands(
    no_args_is_help=True, help=say("cli.admin"), epilog="\b\n" + say("cli.admin_examples")
)
group.add_typer(people.group, name="people")
group.add_typer(tables.group, name="tables")
group.add_typer(tables.notice, name="notice")
group.add_typer(people.invitations, name="invitations")
group.add_typer(people.reports, name="reports")
group.add_typer(tables.commands)
group.add_typer(log)
