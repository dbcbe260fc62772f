"""Training of the value network by self-play."""
