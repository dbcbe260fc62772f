"""Bots for Next Station, levels from weakest to strongest."""

from __future__ import annotations

from headway.bots.bot import Bot
from headway.bots.nextstation.levels import Commuter, Driver, Expert, Tourist

SOLO_POINTS = {
    "next-station": {
        "london": {
            "tourist": 109,
            "commuter": 140,
            "driver": 158,
            "expert": 162,
            "random": 68,
            "greedy": 126,
        },
        "tokyo": {
            "tourist": 84,
            "commuter": 109,
            "driver": 130,
            "expert": 132,
            "random": 38,
            "greedy": 105,
        },
    }
}
"""The mean total of a bot that plays alone, by map; docs/results.md has the conditions."""

BOTS: tuple[type[Bot], ...] = (Tourist, Commuter, Driver, Expert)
