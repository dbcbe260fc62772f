"""Finished games, move by move."""
