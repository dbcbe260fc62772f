"""Bots for Next Station, levels from weakest to strongest."""

from __future__ import annotations

from headway.bots.bot import Bot
from headway.bots.nextstation.levels import Commuter, Driver, Expert
from headway.bots.nextstation.tourist import Tourist

BOTS: tuple[type[Bot], ...] = (Tourist, Commuter, Driver, Expert)
