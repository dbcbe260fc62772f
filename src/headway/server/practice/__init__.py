"""Puzzles and their ratings."""
