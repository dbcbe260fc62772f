"""The `headway` command: one module per group of commands; `app.py` joins them."""
