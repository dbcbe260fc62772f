"""HTTP: who asks, limits, errors, sockets, and the files of the client."""
