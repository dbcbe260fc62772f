"""Sheets as people see them: pictures, text, scores and the empty sheet on paper."""
