"""The addresses of the API; one controller for each area."""
