"""Bodies of requests and answers that belong to the wire alone; one module for each area."""
