"""Tables: events, state, clocks, seats, bots, and who hears of them."""
