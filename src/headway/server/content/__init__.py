"""What does not change while the server runs (games, maps, texts, rules), and paper games."""
