"""Next Station as an environment: its actions, observations and compiled games."""
