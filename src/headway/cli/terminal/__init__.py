"""Playing in a terminal: people at one keyboard, bots, any game of the contract."""
