from headway.games.nextstation.game import BOX

__all__ = ["BOX"]
