"""The place to play over HTTP and WebSocket: tables in a database, seats, clocks, bots.

`app.py` puts everything together, `process.py` wires a process. `table/` computes what follows from
a table's events, `database/` stores them, `play/` writes them and tells everybody, `http/` answers.
"""

from __future__ import annotations


def page_address(host: str, port: int) -> str:
    """Returns where a browser on this machine finds the page."""
    shown = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
