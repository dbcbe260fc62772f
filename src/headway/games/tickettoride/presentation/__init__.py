"""Boards as people see them: pictures, text and scores."""
