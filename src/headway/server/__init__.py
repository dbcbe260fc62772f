"""The place to play over HTTP and WebSocket: tables in a database, seats, clocks, bots.

`app.py` puts everything together, `process.py` wires a process. Each feature has a folder with its
routes, its store and what its workers do; `core/` and `web/` know none of them.
"""

from __future__ import annotations


def page_address(host: str, port: int) -> str:
    """Returns where a browser on this machine finds the page."""
    shown = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
