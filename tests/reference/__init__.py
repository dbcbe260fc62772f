"""An independent, slow referee of the Next Station games, used by the tests only."""
