"""Ticket to Ride as an environment: its actions, observations and compiled games."""
