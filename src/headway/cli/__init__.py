"""The `headway` command: one module for each group of commands, `app.py` for all."""
