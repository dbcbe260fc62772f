"""How a network learns: self-play, and the steps of a training."""
