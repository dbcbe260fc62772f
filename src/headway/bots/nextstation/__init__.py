"""Strong players of Next Station: a value network, and a tree search that stands on it."""
