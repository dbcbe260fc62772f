"""A sheet and the table as bits: what environments show, and what networks read."""
