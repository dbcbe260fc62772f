"""The place to play over HTTP and WebSocket: tables in a database, seats, clocks, bots.

`app.py` puts everything together, `process.py` wires a process. `table/` computes what follows from
a table's events, `database/` stores them, `play/` writes them and tells everybody, `http/` answers.
"""

from __future__ import annotations

import socket
import threading
import time
import webbrowser


def page_address(host: str, port: int) -> str:
    """Returns where a browser on this machine finds the page."""
    shown = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else host
    return f"http://{shown}:{port}/"


def open_when_ready(host: str, port: int) -> None:
    """Opens the page in the browser as soon as the server listens."""
    reached = "127.0.0.1" if host in ("0.0.0.0", "::") else host

    def wait() -> None:
        for _ in range(300):
            try:
                socket.create_connection((reached, port), 1).close()
            except OSError:
                time.sleep(0.1)
                continue
            webbrowser.open(page_address(host, port))
            return

    threading.Thread(target=wait, daemon=True).start()
