"""A board: its file, the facts that follow from it, and its data for drawing."""
