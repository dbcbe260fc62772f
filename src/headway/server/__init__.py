"""The place to play over HTTP and WebSocket: tables in a database, seats, clocks, bots.

`app.py` puts everything together. `sitting.py` says what follows from a table's events, `store.py`
keeps them, `tables.py` is the authority that writes them, `live.py` tells everybody.
"""

from __future__ import annotations

import socket
import threading
import time
import webbrowser


def open_when_ready(host: str, port: int) -> None:
    """Opens the page in the browser as soon as the server listens."""
    shown = "127.0.0.1" if host == "0.0.0.0" else host

    def wait() -> None:
        for _ in range(300):
            try:
                socket.create_connection((shown, port), 1).close()
            except OSError:
                time.sleep(0.1)
                continue
            webbrowser.open(f"http://{shown}:{port}/")
            return

    threading.Thread(target=wait, daemon=True).start()
