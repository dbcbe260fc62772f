"""`headway bot`: a bot at a web table, and the compilation of all bots."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from headway.cli.options import Lang, OneBot, complain, take_language
from headway.cli.usage import Commands
from headway.i18n import say

group = Commands(no_args_is_help=True, help=say("cli.bot_group"))

group.callback()(take_language)


@group.command("connect", help=say("cli.connect"), epilog=say("cli.connect_example"))
def bot_connect(
    url: Annotated[str, typer.Argument(help=say("cli.connect_url"), metavar=say("metavar.url"))],
    token: Annotated[
        str,
        typer.Option(
            help=say("cli.connect_token"), envvar="HEADWAY_TOKEN", metavar=say("metavar.token")
        ),
    ],
    bot: OneBot,
    table_id: Annotated[
        str, typer.Option("--table", help=say("cli.connect_table"), metavar=say("metavar.table"))
    ] = "",
    lang: Lang = None,
) -> None:
    from headway import bot_client

    def tell(key: str, **values: object) -> None:
        complain(say(key, lang, **values))

    end = bot_client.play(url, token, bot, table_id, tell)
    typer.echo(say("connect.over", lang, totals=", ".join(map(str, end.outcome["totals"]))))


@group.command("compile", help=say("cli.bot_compile"), epilog=say("cli.bot_compile_example"))
def compile_bots(lang: Lang = None) -> None:
    from headway import reviews
    from headway.bots import bots_of
    from headway.games import boxes
    from headway.progress import track

    bots = [bot for box in boxes() for bot in bots_of(box.name).values() if bot.compiled]
    steps = [bot.warm_up for bot in bots] + [partial(reviews.warm_up, box.name) for box in boxes()]
    for step in track(steps, say("train.compiling", lang), len(steps), lang):
        step()
