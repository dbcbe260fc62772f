"""Plays the games of `headway score`."""

from __future__ import annotations

from contextlib import ExitStack

from headway.bots.user_code import in_file
from headway.envs.agents import AgentBot, ProcessAgent, load_agent
from headway.envs.scoring import benchmark, encoding_for, named_bot, results, score
from headway.i18n import say
from headway.progress import track


def run(
    benchmark_name: str, agent: str, process: bool, observation: str, games: int, name: str
) -> str:
    """Returns the row of an agent; shows the progress."""
    chosen = benchmark(benchmark_name)
    games = games or chosen.games
    with ExitStack() as stack:
        if process or in_file(agent):
            encoding = encoding_for(chosen, observation)
            asked = stack.enter_context(ProcessAgent(agent)) if process else load_agent(agent)
            bot = AgentBot(encoding, asked)
            played = results(chosen, agent, lambda game, seed: bot, games)
        else:
            played = results(chosen, agent, named_bot(agent), games)
        shown = track(played, say("agent.title"), games)
        return score(chosen, name or agent, shown).row()
