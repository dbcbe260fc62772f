"""Next Station: the rules, the cities and their presentation."""

from headway.games.nextstation.box import BOX

__all__ = ["BOX"]
