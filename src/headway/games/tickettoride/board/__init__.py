"""Boards: the model, the file format, and data for drawing."""
