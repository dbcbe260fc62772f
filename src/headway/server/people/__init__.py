"""Guests, accounts, names and profiles."""
