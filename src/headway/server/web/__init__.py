"""HTTP: who asks, limits, errors, connections."""
