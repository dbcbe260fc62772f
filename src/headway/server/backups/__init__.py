"""Backups and restores of the database."""
