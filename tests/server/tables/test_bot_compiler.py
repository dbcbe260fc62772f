"""Bots are compiled beside the workers, and what a table waits for comes first."""

from __future__ import annotations

import pytest
from support.own_loop import run

from headway.bots import bots_of
from headway.games import boxes
from headway.server.tables import bots
from headway.server.tables.bots import BotCompiler

COMPILED = [
    (box.name, name) for box in boxes() for name, b in bots_of(box.name).items() if b.compiled
]


def test_a_bot_that_a_table_waits_for_comes_first() -> None:
    async def wait_for_the_last() -> list[bool]:
        compiler = BotCompiler()
        game, bot = COMPILED[-1]
        assert compiler.wait_for(game, bot) is None  # nothing is compiled before it starts
        compiler.start()
        wait = compiler.wait_for(game, f"{bot}@100")
        assert wait
        assert (wait.bot, wait.typical) == (f"{bot}@100", bots_of(game)[bot].compile_seconds)
        assert not bots_of(game)[wait.simpler].compiled
        assert compiler.wait_for(game, wait.simpler) is None
        await compiler.ready(game, bot)
        assert compiler.wait_for(game, bot) is None
        ready = [compiler._ready[bot].is_set() for bot in COMPILED]
        await compiler.close()
        return ready

    ready = run(wait_for_the_last())
    assert ready[-1]
    assert sum(ready) <= 2  # the first one may have begun before


def test_simple_bots_and_servers_that_do_not_compile_wait_for_nothing() -> None:
    async def wait() -> None:
        compiler = BotCompiler()
        await compiler.ready(*COMPILED[0])
        compiler.start()
        await compiler.ready("next-station", "random")
        await compiler.close()

    run(wait())


def test_a_bot_that_fails_to_compile_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bots, "bots_of", lambda _: {"broken": bots_of("next-station")["expert"]})

    async def wait() -> None:
        compiler = BotCompiler()
        compiler.start()
        for box in boxes():
            await compiler.ready(box.name, "broken")
        await compiler.close()

    run(wait())
    assert "bot not compiled" in caplog.text
