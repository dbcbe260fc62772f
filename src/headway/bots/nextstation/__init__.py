"""Bots for Next Station, the levels from the weakest to the strongest."""

from __future__ import annotations

from headway.bots.nextstation.tourist import Tourist
from headway.bots.player import Bot

BOTS: tuple[type[Bot], ...] = (Tourist,)
