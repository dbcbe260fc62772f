"""The lobby: who is here, tables to join and games to watch, and people paired to play."""
