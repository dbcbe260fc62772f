"""A sheet and the table as bits: what environments show, and what networks read.

A change of what they say is a new `VERSION` in `envs/nextstation/observation.py`.
"""
