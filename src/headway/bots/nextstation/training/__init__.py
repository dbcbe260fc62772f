"""Training of value networks: self-play and gradient steps."""
