"""The value network of Ticket to Ride: features, layers and the player that follows it."""
