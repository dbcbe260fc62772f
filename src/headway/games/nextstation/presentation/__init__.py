"""Presentation of sheets: pictures, text, scores and the empty sheet for printing."""
