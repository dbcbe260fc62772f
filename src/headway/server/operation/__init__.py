"""For those who run the server: whether it is well, and its figures."""
