"""Tables being played: the authority that writes events, connections, bots, the watchdog."""
