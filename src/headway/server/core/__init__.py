"""What every feature of the server stands on: database, workers, bus, log, errors."""
