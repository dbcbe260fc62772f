"""Presentation of boards: pictures, text and scores."""
