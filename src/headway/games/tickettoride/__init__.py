from headway.games.tickettoride.game import BOX

__all__ = ["BOX"]
