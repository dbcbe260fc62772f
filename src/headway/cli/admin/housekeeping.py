"""`headway admin housekeeping`: removes what nobody needs any more."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headway.cli.admin.acts import Json, Yes, confirm, operate, tell_json
from headway.cli.options import Database, server_settings
from headway.cli.usage import Commands
from headway.i18n import say

if TYPE_CHECKING:
    from headway.server.admin.operator import Operator

commands = Commands()


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
    from headway.server.admin.housekeeping import remove, size, vacuum, waste

    found = await operator.read(partial(waste, now=time.time()))
    told: dict[str, Any] = {name: len(getattr(found, name)) for name in found.__struct_fields__}
    told["before"] = await size(operator, address)
    if not dry_run:
        confirm(yes, say("admin.waste_sure", **told))
        await remove(operator, found, show)
        await vacuum(operator, address)
        told["after"] = await size(operator, address)
    return told
