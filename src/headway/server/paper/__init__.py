"""Games that are played on paper."""
